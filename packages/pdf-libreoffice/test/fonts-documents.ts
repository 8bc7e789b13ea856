import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type Docx, openDocx } from "@quire/ooxml";
import { docxParts, zip } from "./docx.ts";

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";
const TYPES = "application/vnd.openxmlformats-officedocument";

/** Other parts by the kind of their relationship. The content excludes the root. */
export interface MoreParts {
  readonly styles?: string;
  readonly numbering?: string;
  readonly settings?: string;
  readonly fontTable?: string;
  readonly header?: string;
  readonly footnotes?: string;
  readonly comments?: string;
  /** The whole part. */
  readonly theme?: string;
}

const ROOTS: Readonly<Record<string, string>> = {
  styles: "styles",
  numbering: "numbering",
  settings: "settings",
  fontTable: "fonts",
  header: "hdr",
  footnotes: "footnotes",
  comments: "comments",
};

/** Creates a docx with this body. `files` are added unchanged. */
export function docxBytes(
  body: string,
  more: MoreParts = {},
  files: Readonly<Record<string, string>> = {},
): Uint8Array {
  const parts = { ...docxParts(body), ...files };
  let types = "";
  let relationships = "";
  for (const [kind, xml] of Object.entries(more)) {
    const root = ROOTS[kind];
    parts[`word/${kind}.xml`] =
      root === undefined ? xml : `<w:${root} xmlns:w="${WORD}">${xml}</w:${root}>`;
    const type = root === undefined ? kind : `wordprocessingml.${kind}`;
    types += `<Override PartName="/word/${kind}.xml" ContentType="${TYPES}.${type}+xml"/>`;
    relationships += `<Relationship Id="${kind}" Type="${OFFICE}/${kind}" Target="${kind}.xml"/>`;
  }
  const contentTypes = parts["[Content_Types].xml"] ?? "";
  parts["[Content_Types].xml"] = contentTypes.replace("</Types>", `${types}</Types>`);
  parts["word/_rels/document.xml.rels"] =
    `<Relationships xmlns="${PACKAGE}">${relationships}</Relationships>`;
  return zip(parts);
}

/** Opens a document with this body, as a converter does. */
export function documentWith(body: string, more: MoreParts = {}): Docx {
  return openDocx(docxBytes(body, more), { rendered: true });
}

/** Creates a run. `fonts` are the attributes of its `w:rFonts`. */
export function run(fonts: string, text: string, more = ""): string {
  const named = fonts === "" ? "" : `<w:rFonts ${fonts}/>`;
  return `<w:r><w:rPr>${named}${more}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
}

/** Creates a paragraph. `format` is the content of its `w:pPr`. */
export function paragraph(runs: string, format = ""): string {
  return `<w:p>${format === "" ? "" : `<w:pPr>${format}</w:pPr>`}${runs}</w:p>`;
}

/** Returns attributes of a `w:rFonts` that name one font for all kinds of characters. */
export function everywhere(font: string): string {
  return `w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"`;
}

/** A folder with some fonts of this machine and nothing else. */
export interface PrivateFonts {
  /** The environment for programs that list fonts: they find only these fonts. */
  readonly environment: Record<string, string>;
  /** The root folder. */
  readonly folder: string;
  /** The folder with the fonts. */
  readonly fonts: string;
}

/** Creates a folder and a fontconfig configuration with only these families. */
export async function privateFonts(...families: string[]): Promise<PrivateFonts> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "quire-fonts-")));
  const fonts = join(folder, "fonts");
  await mkdir(fonts);
  for (const family of families) {
    const { stdout } = await promisify(execFile)("fc-list", [family, "-f", "%{file}\n"]);
    const files = stdout.split("\n").filter((line) => line !== "");
    // Two packages may contain the same font. One file of each name is enough.
    for (const [name, file] of new Map(files.sort().map((each) => [basename(each), each]))) {
      await symlink(file, join(fonts, name));
    }
  }
  const config = join(folder, "fonts.conf");
  await writeFile(
    config,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>` +
      `<dir>${fonts}</dir><cachedir>${join(folder, "cache")}</cachedir>` +
      '<alias binding="same"><family>Calibri</family><accept><family>Carlito</family></accept></alias>' +
      "</fontconfig>",
  );
  const environment = { PATH: process.env.PATH ?? "", HOME: folder, FONTCONFIG_FILE: config };
  return { environment, folder, fonts };
}
