/**
 * Compares the converter's own readers of XML and PDF with the general readers that Quire uses elsewhere: `scanXml` and
 * pdf-lib. All of them read the same documents. Prints ratios of CPU time from one run.
 */
import { readFile } from "node:fs/promises";
import { compileTemplate, openDocx } from "@quire/core";
import { libreOffice } from "@quire/pdf-libreoffice";
import { PDFDocument } from "pdf-lib";
import { measured } from "../measure/meter.ts";
import { spreadOf } from "../measure/statistics.ts";
import { internals } from "./internals.ts";

const ROUNDS = 15;
const TEMPLATES = ["letter", "invoice", "contract"];

const { fontNeedsOf, PdfFile, TagReader, scanXml } = await internals();
const converter = libreOffice();
try {
  for (const name of TEMPLATES) {
    const bytes = await documentOf(name);
    const docx = openDocx(bytes);
    const main = docx.readText(docx.mainPart);
    const mainBytes = Buffer.from(main);
    const scan = {
      "scanXml without a handler, main part alone": () => scanXml(docx.mainPart, mainBytes, {}),
    };
    await compare(`${name}: fonts of all parts`, () => void fontNeedsOf(docx), scan);
    await compare(`${name}: all tags of the main part`, () => readTags(main), scan);
    const { bytes: pdf } = await converter.convert(bytes, { rendered: true });
    await compare(`${name}: all objects of the PDF`, () => void [...new PdfFile(pdf).objects()], {
      "pdf-lib": async () => void (await PDFDocument.load(pdf)),
    });
  }
} finally {
  await converter.close();
}

function readTags(xml: string): void {
  const reader = new TagReader();
  const start = xml.indexOf("<", xml.startsWith("<?xml") ? 1 : 0);
  for (let at = start; at >= 0; at = xml.indexOf("<", at + 1)) reader.read(xml, at);
}

async function documentOf(name: string): Promise<Uint8Array> {
  const at = (path: string): URL => new URL(`../../examples/${path}`, import.meta.url);
  const template = await compileTemplate(await readFile(at(`templates/${name}.docx`)));
  return template.render(template.sample()).bytes;
}

/** Prints how many times as long as Quire's own reader each of the others takes. The readers take turns. */
async function compare(
  what: string,
  own: () => unknown,
  others: Readonly<Record<string, () => unknown>>,
): Promise<void> {
  const ratios = Object.keys(others).map((name) => [name, [] as number[]] as const);
  for (let round = 0; round < ROUNDS; round++) {
    const ms = await perCall(own);
    for (const [name, values] of ratios) values.push((await perCall(others[name])) / ms);
  }
  for (const [name, values] of ratios) {
    const { median, min, max } = spreadOf(values.slice(3));
    const words = `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`;
    console.log(`${what.padEnd(36)} ${name}: ${words} times as long`);
  }
}

/** Returns the CPU time of one call in milliseconds, measured over at least 50 ms. */
async function perCall(work: (() => unknown) | undefined): Promise<number> {
  let calls = 0;
  const { cpuMs } = await measured(async () => {
    for (const end = performance.now() + 50; performance.now() < end; calls++) await work?.();
  });
  return cpuMs / calls;
}
