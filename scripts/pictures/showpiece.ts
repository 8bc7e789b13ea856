// The first pictures of README.md: an example's template, and a document made from it.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

const EXAMPLES = new URL("../../examples/", import.meta.url);

/** A template and the data of one document. */
export interface Showpiece {
  /** The pictures are `docs/pictures/NAME.template.png` and `NAME.result.png`. */
  readonly name: string;
  readonly template: Uint8Array;
  readonly data: object;
  /** Identifies the version that the pictures show. */
  readonly fingerprint: string;
}

/** The first invoice of the examples. */
export async function showpiece(): Promise<Showpiece> {
  const template = await readFile(new URL("templates/invoice.docx", EXAMPLES));
  const entries = await readFile(new URL("data/invoices.jsonl", EXAMPLES), "utf8");
  const [first = ""] = entries.split("\n");
  const entry: { readonly user_input?: object } = JSON.parse(first);
  return {
    name: "invoice",
    template,
    data: entry.user_input ?? entry,
    fingerprint: createHash("sha256").update(template).update(first).digest("hex"),
  };
}
