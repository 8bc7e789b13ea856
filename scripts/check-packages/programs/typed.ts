// Renders typed data: an interface and a class. The same text is compiled both as an ES module and as CommonJS.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { compileTemplate, createEngine, type Template } from "@quire/core";
import { fsStorage } from "@quire/storage-fs";

interface Letter {
  readonly customer: { readonly name: string };
}

class NamedLetter implements Letter {
  readonly customer: Letter["customer"];

  constructor(name: string) {
    this.customer = { name };
  }
}

async function main(): Promise<void> {
  const docx = await readFile("letter.docx");
  const template: Template<Letter> = await compileTemplate<Letter>(docx);
  const letter: Letter = { customer: { name: "Ann" } };
  const { bytes } = template.render(letter, { onMissing: "blank" });
  assert(bytes.length > 10_000);
  assert.deepEqual(template.render(new NamedLetter("Ann"), { onMissing: "blank" }).bytes, bytes);
  // @ts-expect-error: the data does not have the shape of the type
  template.render({ customer: { fullName: "Ann" } }, { onMissing: "blank" });
  const untyped = await compileTemplate(docx);
  assert.deepEqual(untyped.render(letter, { onMissing: "blank" }).bytes, bytes);
  assert.deepEqual(untyped.render(new NamedLetter("Ann"), { onMissing: "blank" }).bytes, bytes);
  await createEngine({ storage: fsStorage({ root: "." }) }).close();
}

void main();
