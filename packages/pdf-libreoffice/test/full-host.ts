/**
 * Converts documents while the folder for temporary files is full for a moment. LibreOffice writes its PDFs into that
 * folder, as on a system without namespaces.
 */
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sealedConverter } from "../dist/converter.js";
import { SEALED } from "../dist/office/seal.js";
import { textDocx } from "./docx.ts";

const [tempDir = ""] = process.argv.slice(2);
const filler = join(tempDir, "filler");
const replaced: string[] = [];
const onReplaced = (end: string): void => {
  replaced.push(end);
  if (end === "broken") rmSync(filler, { force: true });
};
const converter = sealedConverter(
  { lanes: 1, tempDir, cacheMb: 0, onReplaced },
  { ...SEALED, withoutNamespaces: true },
);
await converter.convert(textDocx("first"));
const { bavail, bsize } = statfsSync(tempDir);
// The docx fits, but not the PDF.
writeFileSync(filler, Buffer.alloc(bavail * bsize - 24 * 1024));
const words = Array.from({ length: 1500 }, (_, at) => `word${(at * 7919) % 100003}`);
const converted = await Promise.allSettled(
  ["a", "b", "c"].map((name) => converter.convert(textDocx(`${name} ${words.join(" ")}`))),
);
await converter.close();
const outcomes = converted.map((each) =>
  each.status === "fulfilled" ? "pdf" : String(each.reason),
);
process.stdout.write(JSON.stringify({ outcomes, replaced }));
