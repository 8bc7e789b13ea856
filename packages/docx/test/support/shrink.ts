/** Templates with text that shrinks, and the sizes in their documents. */
import { type Diagnostic, isQuireError } from "@quire/contracts";
import { expect } from "vitest";
import { partOf } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { compileTwins } from "./plain/compare.ts";
import { assertSound } from "./sound.ts";
import { type WordFile, wordFile } from "./word-file.ts";

type Data = Readonly<Record<string, unknown>>;

/** A paragraph in Arial with a size in half points. */
export const sized = (text: string, size = 40, properties = ""): string =>
  `<w:p>${run(text, size, properties)}</w:p>`;

export const run = (text: string, size = 40, properties = ""): string =>
  `<w:r><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/>${properties}<w:sz w:val="${size}"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

interface Cell {
  readonly width?: string;
  readonly properties?: string;
  readonly row?: string;
  readonly table?: string;
}

/** A table with one cell, in which 100 points are left for text by default. */
export function cell(
  content: string,
  { width = '<w:tcW w:w="2216" w:type="dxa"/>', properties = "", row = "", table = "" }: Cell = {},
): string {
  return `<w:tbl><w:tblPr>${table}</w:tblPr><w:tblGrid><w:gridCol w:w="2216"/></w:tblGrid><w:tr>${row}<w:tc><w:tcPr>${width}${properties}</w:tcPr>${content}</w:tc></w:tr></w:tbl><w:p/>`;
}

export const exactly = (twips: number): string =>
  `<w:trPr><w:trHeight w:val="${twips}" w:hRule="exact"/></w:trPr>`;

export async function rendered(
  file: WordFile | string,
  data: Data,
): Promise<{ readonly xml: string; readonly warnings: readonly Diagnostic[] }> {
  const bytes = wordFile(typeof file === "string" ? { body: file } : file);
  const template = await compileTemplate(bytes);
  const result = template.render(data);
  assertSound(result.bytes);
  const twins = await compileTwins(bytes, {});
  expect(twins.difference(data)).toBeNull();
  const xml = partOf(result.bytes);
  expect(xml).not.toContain("w:shrink");
  return { xml, warnings: result.warnings };
}

/** The text of each run, with its size in half points. */
export function runsIn(xml: string): string[] {
  const body = xml.slice(xml.indexOf("<w:body>"));
  return [...body.matchAll(/<w:r>(.*?)<\/w:r>/gs)].map(([, content = ""]) => {
    const text = content.replace(/<w:br\/>/g, "/").replace(/<[^>]*>/g, "");
    return `${text} ${/<w:sz w:val="(\d+)"/.exec(content)?.[1] ?? "-"}`;
  });
}

export async function runs(file: WordFile | string, data: Data): Promise<readonly string[]> {
  const { xml, warnings } = await rendered(file, data);
  expect(warnings).toEqual([]);
  return runsIn(xml);
}

export async function codes(file: WordFile | string, data: Data): Promise<readonly string[]> {
  return (await rendered(file, data)).warnings.map(({ code }) => code);
}

/** The problems of a template, as codes with messages and hints. */
export async function problems(body: string): Promise<readonly string[]> {
  try {
    await compileTemplate(wordFile({ body }));
    return [];
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return error.diagnostics.map(({ code, message, hint }) => `${code}: ${message} ${hint}`);
  }
}

/** A text that is 9.44 em wide in Arial. */
export const TEN_WIDE = "W".repeat(10);
