// Renders with the packages for templates alone. A template with a QR code is rejected: bwip-js is not installed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { compileTemplate } from "@quire/docx";
import { openDocx } from "@quire/ooxml";

const letter = openDocx(readFileSync("letter.docx"));
const template = await compileTemplate(letter.bytes);
assert(template.render({}, { onMissing: "blank" }).bytes.length > 1000);
const document = letter.readText(letter.mainPart);
const withCode = document.replace(
  /<w:body>/,
  "<w:body><w:p><w:r><w:t>{{code :: qrcode}}</w:t></w:r></w:p>",
);
const label = letter.write(new Map([[letter.mainPart, withCode]]));
await assert.rejects(compileTemplate(label), /bwip-js is not installed/);
