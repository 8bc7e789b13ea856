/**
 * `npm run pictures [-- NAME ...]` makes all or some of the pictures in docs/templates.md. Each one shows a template in
 * `pictures/` and its result, as LibreOffice draws them. It needs LibreOffice, the font Carlito and pdftoppm (Debian:
 * libreoffice-writer, fonts-crosextra-carlito, poppler-utils). The pictures are committed, and a test fails if a
 * picture is older than its example.
 */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { type Converter, compileTemplate, prepareImages } from "@quire/core";
import { libreOffice } from "@quire/pdf-libreoffice";
import { type Example, fingerprint } from "./pictures/example.ts";
import { EXAMPLES } from "./pictures/examples.ts";
import { type Cut, cut, photograph } from "./pictures/photograph.ts";
import { ALTERNATIVES, placeholderFile } from "./pictures/placeholder.ts";
import { writePng } from "./pictures/png.ts";
import { type Showpiece, showpiece } from "./pictures/showpiece.ts";
import { p, wordFile } from "./pictures/word.ts";

const FOLDER = new URL("../docs/pictures/", import.meta.url);
const LOOK: Cut = { margin: 14, frame: [0xc8, 0xcc, 0xd0] };
/** Omits the lower part and the margins of the page, so that the text is legible in README.md. */
const UPPER_PART: Cut = { ...LOOK, sides: true, height: 0.64 };

const wanted = process.argv.slice(2);
await using converter = disposable(libreOffice({ lanes: 2 }));

if (wanted.includes("placeholders")) {
  for (const [name, text] of Object.entries(ALTERNATIVES)) {
    const file = placeholderFile(name as keyof typeof ALTERNATIVES);
    await writeFile(file, await placeholderCard(converter, text));
  }
  console.log("The placeholders have changed. Make all pictures again.");
} else {
  await mkdir(FOLDER, { recursive: true });
  const examples = EXAMPLES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  for (const example of examples) await make(example);
  const shown = await showpiece();
  if (wanted.length === 0 || wanted.includes(shown.name)) await makeShowpiece(shown);
  if (wanted.length === 0) await removeOthers(shown.name);
}

async function make(example: Example): Promise<void> {
  const template = wordFile(example.template);
  const { locale, timeZone, onMissing, data } = example;
  const compiled = await compileTemplate(template, {
    readTemplate: async (name) => wordFile(example.includes?.[name] ?? { body: "" }),
  });
  const images = await prepareImages(data, {});
  const { bytes } = compiled.render(data, { locale, timeZone, onMissing, images });
  const source = fingerprint(example);
  await write(example.name, { template, result: bytes }, { source, look: LOOK });
}

async function makeShowpiece({
  name,
  template,
  data,
  locale,
  fingerprint: source,
}: Showpiece): Promise<void> {
  const { bytes } = (await compileTemplate(template)).render(data, { locale });
  await write(name, { template, result: bytes }, { source, look: UPPER_PART });
}

async function write(
  name: string,
  documents: { readonly template: Uint8Array; readonly result: Uint8Array },
  { source, look }: { readonly source: string; readonly look: Cut },
): Promise<void> {
  const files = Object.entries(documents).map(async ([which, docx]) => {
    const page = await photograph(docx, converter);
    const png = writePng(cut(page, look), source);
    await writeFile(new URL(`${name}.${which}.png`, FOLDER), png);
    console.log(`${name}.${which}.png`, png.length);
  });
  await Promise.all(files);
}

/** Removes the pictures of examples that no longer exist. */
async function removeOthers(showpiece: string): Promise<void> {
  const names = new Set([showpiece, ...EXAMPLES.map(({ name }) => name)]);
  for (const file of await readdir(FOLDER)) {
    const name = file.replace(/\.(?:template|result)\.png$/, "");
    if (!names.has(name)) await rm(new URL(file, FOLDER));
  }
}

async function placeholderCard(converter: Converter, text: string): Promise<Uint8Array> {
  const docx = wordFile({ body: p(`Alt text:\n${text}`) });
  const page = cut(await photograph(docx, converter), { margin: 0, sides: true });
  return writePng(onCard(page));
}

/** Centres text on a card with the ratio 3:2. */
function onCard({ width, height, rgb }: { width: number; height: number; rgb: Uint8Array }) {
  const card = { width: 2 * width, height: Math.round((4 * width) / 3) };
  const pixels = new Uint8Array(3 * card.width * card.height).fill(0xe3);
  const [x, y] = [(card.width - width) >> 1, (card.height - height) >> 1];
  for (let row = 0; row < height; row += 1) {
    for (let at = 0; at < 3 * width; at += 1) {
      const value = rgb[3 * row * width + at] ?? 0;
      pixels[3 * ((y + row) * card.width + x) + at] = Math.round((value * 0xe3) / 255);
    }
  }
  return { ...card, rgb: pixels };
}

function disposable(converter: Converter): Converter & AsyncDisposable {
  return Object.assign(converter, { [Symbol.asyncDispose]: () => converter.close() });
}
