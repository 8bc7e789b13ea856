// The first pictures of README.md: the template of an example, and a document created from it.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

const EXAMPLES = new URL("../../examples/", import.meta.url);

/** A template and the data of one document. */
export interface Showpiece {
  /** The name in the paths of the pictures: `docs/pictures/NAME.template.png` and `NAME.result.png`. */
  readonly name: string;
  readonly template: Uint8Array;
  readonly data: object;
  readonly locale: string;
  /** Identifies the version that the pictures show. */
  readonly fingerprint: string;
}

/** The number of the invoice in the examples that has two VAT rates and few items. */
const NUMBER = "INV-2026-0024";

export async function showpiece(): Promise<Showpiece> {
  const template = await readFile(new URL("templates/invoice.docx", EXAMPLES));
  const entries = await readFile(new URL("data/invoices.jsonl", EXAMPLES), "utf8");
  const line = entries.split("\n").find((text) => text.includes(NUMBER));
  if (line === undefined) throw new Error(`There is no invoice ${NUMBER}.`);
  const { user_input: data, locale } = JSON.parse(line);
  return {
    name: "invoice",
    template,
    data,
    locale,
    fingerprint: createHash("sha256").update(template).update(line).digest("hex"),
  };
}
