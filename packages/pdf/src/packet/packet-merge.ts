import { cutDiagnostic, QuireError } from "@quire/contracts";
import { PDFDict } from "../read/pdf-lib.ts";
import { textIn } from "../read/pdf-objects.ts";
import { PdfProblem } from "../read/pdf-problem.ts";
import { copySource } from "./packet-copy-source.ts";
import { PacketDraft, SharedObjects } from "./packet-draft.ts";
import { PacketFile } from "./packet-file.ts";
import { PacketForm } from "./packet-form.ts";
import { PacketLayers } from "./packet-layers.ts";
import { LeftOut } from "./packet-left-out.ts";
import { Outline } from "./packet-outline.ts";
import { PageTree } from "./packet-pages.ts";
import { openSource, type PacketSource } from "./packet-source.ts";
import { textString } from "./packet-text.ts";
import type { PacketEntry, PacketOptions, PacketPages, PacketSummary } from "./packet-types.ts";

/** Merges PDFs, one source at a time. */
export interface Merger {
  readonly pages: number;
  add(pdf: Uint8Array, entry: PacketEntry): Promise<PacketPages>;
  finish(): Promise<PacketSummary>;
}

/** Maximum overhead of an object in bytes: its number, its offset, and references to it in lists. */
const BYTES_PER_OBJECT = 64;
/** Maximum size of a character in a PDF text string, in bytes. */
const BYTES_PER_LETTER = 4;
/** Maximum object number that readers must support (ISO 32000-1, annex C). */
const MOST_OBJECTS = 8_388_607;

/** Creates a {@link Merger}. This module is loaded when the first source is added. */
export function createMerger(
  write: (bytes: Uint8Array) => Promise<void>,
  options: PacketOptions & { readonly maxBytes: number },
): Merger {
  return new PacketMerger(write, options);
}

class PacketMerger implements Merger {
  readonly #options: PacketOptions & { readonly maxBytes: number };
  readonly #file: PacketFile;
  readonly #shared = new SharedObjects();
  readonly #tree: PageTree;
  readonly #outline: Outline;
  readonly #form = new PacketForm();
  readonly #layers = new PacketLayers();
  readonly #leftOut = new LeftOut();
  #entries = 0;
  #blankPages = 0;
  /** Upper limit in bytes for the size of the group names, which are written at the end. */
  #groups = 0;

  constructor(
    write: (bytes: Uint8Array) => Promise<void>,
    options: PacketOptions & { readonly maxBytes: number },
  ) {
    this.#options = options;
    this.#file = new PacketFile(write);
    this.#tree = new PageTree(this.#file);
    this.#outline = new Outline(this.#file);
  }

  get pages(): number {
    return this.#tree.pages;
  }

  async add(pdf: Uint8Array, entry: PacketEntry): Promise<PacketPages> {
    const { group, name = entry.title } = entry;
    const source = await openSource(pdf).catch((error) => {
      throw refused(name, error);
    });
    const title = (entry.useOwnTitle ? ownTitle(source) : null) ?? entry.title;
    const draft = new PacketDraft(this.#file, this.#options.keepDuplicates ? null : this.#shared);
    let copied: ReturnType<typeof copySource>;
    try {
      copied = copySource(source, draft, {
        prefix: `e${this.#entries + 1}`,
        evenPages: this.#options.evenPages === true,
      });
      this.#assertRoom(draft, entry, title);
    } catch (error) {
      draft.discard();
      throw refused(name, error);
    }
    const firstPage = this.pages + 1;
    const page = await this.#put(draft);
    this.#entries += 1;
    await this.#outline.add({ number: copied.bookmark, title, page, group, below: copied.below });
    if (copied.form !== null) this.#form.add(copied.form);
    if (copied.layers !== null) this.#layers.add(copied.layers);
    this.#leftOut.add(copied.leftOut, name);
    const pages = source.pages.length;
    this.#blankPages += draft.pages.length - pages;
    return { firstPage, pages, title };
  }

  async finish(): Promise<PacketSummary> {
    const file = this.#file;
    const outline = await this.#outline.finish();
    const pages = await this.#tree.finish();
    const form = await this.#form.finish(file);
    const layers = await this.#layers.finish(file);
    const { title } = this.#options;
    const [root, info] = [file.reserve(), file.reserve()];
    const preferences = title === undefined ? "" : "/ViewerPreferences<</DisplayDocTitle true>>";
    const catalog =
      `<</Type/Catalog/Pages ${pages} 0 R/Outlines ${outline} 0 R/PageMode/UseOutlines` +
      `${preferences}${form}${layers}>>`;
    const titled = title === undefined ? "" : `/Title${textString(title)}`;
    await file.put({ number: root, text: catalog, stream: null });
    await file.put({ number: info, text: `<<${titled}/Producer(Quire)>>`, stream: null });
    const bytes = await file.end(root, info);
    const { objects, bytes: sharedBytes } = this.#shared;
    const warnings = this.#leftOut.warnings().map(cutDiagnostic);
    // With a single form, the request to redraw fields changes nothing.
    const kept = warnings.filter(
      ({ code }) => code !== "packet_appearances" || this.#form.sources > 1,
    );
    return {
      entries: this.#entries,
      pages: this.pages,
      blankPages: this.#blankPages,
      bytes,
      shared: { objects, bytes: sharedBytes },
      warnings: kept,
    };
  }

  /** Writes the objects of a source. Returns the object number of its first page. */
  async #put(draft: PacketDraft): Promise<number> {
    draft.accept();
    for (const object of draft.objects) await this.#file.put(object);
    for (const { number, text } of draft.pages) {
      const parent = await this.#tree.add(number);
      await this.#file.put({
        number,
        text: `<</Type/Page/Parent ${parent} 0 R${text}>>`,
        stream: null,
      });
    }
    return draft.pages[0]?.number ?? 0;
  }

  /** Throws, before any part of the source is written, if the source could make the packet too large. */
  #assertRoom(draft: PacketDraft, entry: PacketEntry, title: string): void {
    const { group = "", name = title } = entry;
    const { maxBytes } = this.#options;
    const objects = this.#file.next;
    const texts = BYTES_PER_LETTER * (title.length + group.length);
    const bytes = this.#file.size + draft.bytes + this.#groups + texts;
    if (bytes + objects * BYTES_PER_OBJECT > maxBytes) throw tooLarge(name, maxBytes, "bytes");
    if (objects > MOST_OBJECTS) throw tooLarge(name, MOST_OBJECTS, "objects");
    this.#groups += BYTES_PER_LETTER * group.length;
  }
}

/** Returns the title in a document's information dictionary; null if it is missing or blank. */
function ownTitle({ context }: PacketSource): string | null {
  const info = context.lookup(context.trailerInfo.Info);
  const title = info instanceof PDFDict ? textIn(info, "Title") : null;
  return title === null || title.trim() === "" ? null : title;
}

function refused(name: string, error: unknown): QuireError {
  if (error instanceof QuireError) return error;
  // Other errors are a stack overflow, or an object whose type pdf-lib does not expect.
  const why = error instanceof PdfProblem ? error.message : "it is damaged";
  return new QuireError(
    "invalid_data",
    `The PDF ${JSON.stringify(name)} cannot be merged: ${why}. Correct it or leave it out.`,
    { cause: error },
  );
}

function tooLarge(name: string, most: number, unit: string): QuireError {
  return new QuireError(
    "limit_exceeded",
    `With the PDF ${JSON.stringify(name)}, the packet could exceed its limit of ${most.toLocaleString("en-US")} ${unit}. Add it to a new packet.`,
  );
}
