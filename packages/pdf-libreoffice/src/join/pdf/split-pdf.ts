import { PdfFile } from "../../pdf/pdf-file.ts";
import { type Page, pagesOf } from "../../pdf/pdf-pages.ts";
import { type PdfDict, PdfName, PdfRef, type PdfValue, unusual } from "../../pdf/pdf-syntax.ts";
import { endMark, startMark } from "./marks.ts";
import { usedResources } from "./resources.ts";
import { dictText, PdfWriter } from "./writer.ts";

/** The PDF of one entry. */
export interface SplitPdf {
  readonly bytes: Uint8Array;
  readonly pages: number;
}

/** Allowed entries of the catalog. Excludes entries that belong to all documents together and cannot be divided. */
const CATALOG: ReadonlySet<string> = new Set([
  "Type",
  "Pages",
  "Dests",
  "OpenAction",
  "Lang",
  "ViewerPreferences",
  "PageMode",
  "PageLayout",
  "Metadata",
]);

/** Entries of the catalog that are written separately for each document. */
const REPLACED: ReadonlySet<string> = new Set(["Type", "Pages", "Dests", "OpenAction"]);

/** Entries of the Info dictionary that depend on the clock. */
const CLOCK: ReadonlySet<string> = new Set(["CreationDate", "ModDate"]);

/** Replaces these dates, so that equal documents give equal PDFs. */
const FIXED_DATE = "(D:20000101000000Z)";

const PAGE: ReadonlySet<string> = new Set([
  "Type",
  "Parent",
  "Resources",
  "MediaBox",
  "Contents",
  "Annots",
  "Group",
  "Rotate",
  "Tabs",
]);

/**
 * Divides the PDF of joined documents into one PDF for each entry. Returns null for an entry whose page count may be
 * wrong, because its last paragraph continues on the next page. Throws `UnsupportedPdf` if the pages cannot be assigned
 * to entries or the PDF contains something that cannot be divided. Equal files give equal PDFs.
 */
export function splitPdf(pdf: Uint8Array, entries: number): (SplitPdf | null)[] {
  return new Splitter(new PdfFile(pdf)).split(entries);
}

class Splitter {
  readonly #file: PdfFile;
  readonly #catalog: PdfDict;
  readonly #pages: readonly Page[];
  readonly #forbidden: Set<number>;
  /** The index of each page by object number. */
  readonly #indexOf: ReadonlyMap<number, number>;
  readonly #destinations: PdfDict;
  readonly #version: string;
  /** The resources of all pages, which LibreOffice writes once. */
  readonly #resources: PdfRef;

  constructor(file: PdfFile) {
    this.#file = file;
    this.#catalog = file.dict(file.trailer.get("Root"));
    for (const name of this.#catalog.keys())
      if (!CATALOG.has(name)) unusual(`a catalog with ${name}`);
    this.#version =
      /^%PDF-1\.\d/.exec(file.bytes.toString("latin1", 0, 8))?.[0] ?? unusual("no header");
    this.#forbidden = new Set();
    this.#pages = pagesOf(file, this.#forbidden);
    for (const { dict } of this.#pages) {
      for (const name of dict.keys()) if (!PAGE.has(name)) unusual(`a page with ${name}`);
    }
    this.#indexOf = new Map(this.#pages.map(({ id }, index) => [id, index]));
    this.#destinations = file.dict(this.#catalog.get("Dests"));
    const [resources, ...others] = new Set(this.#pages.map(({ dict }) => dict.get("Resources")));
    if (!(resources instanceof PdfRef)) unusual("pages without common resources");
    if (others.some((other) => !(other instanceof PdfRef) || other.id !== resources.id)) {
      unusual("pages with different resources");
    }
    this.#resources = resources;
  }

  split(entries: number): (SplitPdf | null)[] {
    const starts: number[] = [];
    for (let entry = 0; entry < entries; entry++) {
      const start = this.#pageOf(startMark(entry)) ?? unusual("an entry without a start");
      const before = starts.at(-1);
      if (before === undefined ? start !== 0 : start <= before) unusual("entries out of order");
      starts.push(start);
    }
    return starts.map((start, entry) => {
      const end = starts[entry + 1] ?? this.#pages.length;
      const counted = this.#pageOf(endMark(entry));
      if (counted !== null && counted !== end - 1) return null;
      const pages = this.#pages.slice(start, end);
      return { bytes: this.#write(pages), pages: pages.length };
    });
  }

  /** Returns the page of a bookmark, counted from 0; null if the bookmark does not exist. */
  #pageOf(mark: string): number | null {
    const destination = this.#file.resolve(this.#destinations.get(mark));
    const page = Array.isArray(destination) ? destination[0] : null;
    return page instanceof PdfRef ? (this.#indexOf.get(page.id) ?? null) : null;
  }

  #write(pages: readonly Page[]): Uint8Array {
    const writer = new PdfWriter(this.#file, this.#version, this.#forbidden);
    const root = writer.reserve();
    const tree = writer.reserve();
    const resources = writer.reserve();
    const ids = pages.map(({ id }) => {
      const given = writer.reserve();
      writer.replace(id, given);
      return given;
    });
    writer.replace(this.#resources.id, resources);
    writer.add(root, this.#catalogText(writer, tree, ids[0] ?? 0));
    const kids = ids.map((id) => `${id} 0 R`).join(" ");
    writer.add(tree, `<</Type/Pages/Kids[${kids}]/Count ${ids.length}>>`);
    const streams = pages.map(({ dict }) => dict.get("Contents"));
    writer.add(resources, this.#used(writer, streams));
    for (const [index, { dict }] of pages.entries()) {
      writer.add(ids[index] ?? 0, this.#pageText(writer, dict, tree, resources));
    }
    return writer.finish(root, this.#infoText(writer));
  }

  #catalogText(writer: PdfWriter, tree: number, first: number): string {
    const entries: [string, string][] = [
      ["Type", "/Catalog"],
      ["Pages", `${tree} 0 R`],
    ];
    const open = this.#catalog.get("OpenAction");
    if (Array.isArray(open)) {
      const [page, ...view] = open;
      if (!(page instanceof PdfRef) || page.id !== this.#pages[0]?.id) unusual("an initial view");
      entries.push([
        "OpenAction",
        `[${first} 0 R ${view.map((value) => writer.text(value)).join(" ")}]`,
      ]);
    } else if (open !== undefined) unusual("an initial view");
    for (const [name, value] of this.#catalog) {
      if (!REPLACED.has(name)) entries.push([name, writer.text(value)]);
    }
    return dictText(entries);
  }

  #infoText(writer: PdfWriter): string {
    const entries: [string, string][] = [];
    for (const [name, value] of this.#file.dict(this.#file.trailer.get("Info"))) {
      entries.push([name, CLOCK.has(name) ? FIXED_DATE : writer.text(value)]);
    }
    return dictText(entries);
  }

  #used(writer: PdfWriter, streams: readonly (PdfValue | undefined)[]): string {
    const file = this.#file;
    const entries: [string, string][] = [];
    for (const [category, named] of usedResources(file, this.#resources, streams)) {
      const text =
        named instanceof Map
          ? dictText([...named].map(([name, value]) => [name, writer.text(value)]))
          : writer.text(named);
      entries.push([category, text]);
    }
    return dictText(entries);
  }

  #pageText(writer: PdfWriter, dict: PdfDict, tree: number, resources: number): string {
    const entries: [string, string][] = [];
    for (const [name, value] of dict) {
      if (name === "Parent") entries.push([name, `${tree} 0 R`]);
      else if (name === "Resources") entries.push([name, `${resources} 0 R`]);
      else if (name !== "Annots" && name !== "Tabs") entries.push([name, writer.text(value)]);
    }
    const annotations = this.#annotations(dict.get("Annots"));
    if (annotations.length > 0) {
      // The tab order of links. Pages without links have no tab order.
      if (dict.has("Tabs")) entries.push(["Tabs", writer.text(dict.get("Tabs") ?? null)]);
      entries.push(["Annots", `[${annotations.map((ref) => writer.text(ref)).join(" ")}]`]);
    }
    return dictText(entries);
  }

  /** Returns the links to addresses. Drops links to pages, which come only from fields for page counts. */
  #annotations(value: PdfValue | undefined): PdfRef[] {
    const list = this.#file.resolve(value);
    if (list === null) return [];
    if (!Array.isArray(list)) return unusual("annotations");
    return list.filter((ref): ref is PdfRef => {
      const annotation = this.#file.dict(ref);
      const type = annotation.get("Subtype");
      if (!(ref instanceof PdfRef) || !(type instanceof PdfName) || type.name !== "Link") {
        return unusual("annotations other than links");
      }
      if (annotation.has("Dest")) return false;
      const action = this.#file.dict(annotation.get("A")).get("S");
      return action instanceof PdfName && action.name === "URI"
        ? true
        : unusual("a link without an address");
    });
  }
}
