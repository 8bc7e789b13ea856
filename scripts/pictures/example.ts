// What a picture of the docs shows: a template, data, and the lines of text that come of them.

import { createHash } from "node:crypto";
import type { MissingPolicy } from "@quire/core";
import { partsOf, type WordDocument } from "./word.ts";

/** One construct of the template language, as docs/templates.md shows it. */
export interface Example {
  /** The pictures are `docs/pictures/NAME.template.png` and `NAME.result.png`. */
  readonly name: string;
  readonly template: WordDocument;
  readonly data: Readonly<Record<string, unknown>>;
  readonly onMissing?: MissingPolicy;
  readonly locale?: string;
  readonly timeZone?: string;
  /** Templates that it includes, by name. */
  readonly includes?: Readonly<Record<string, WordDocument>>;
  /** The text of the result: the lines of the body, and of other parts by their names. */
  readonly result: readonly string[];
  readonly parts?: Readonly<Record<string, readonly string[]>>;
  /** The codes of what the rendering tells. Default none. */
  readonly told?: readonly string[];
}

/** What tells the pictures of an example from those of another one, or of the same before a change. */
export function fingerprint(example: Example): string {
  const { template, includes = {}, ...rest } = example;
  const texts = (document: WordDocument) =>
    [...partsOf(document)].map(([name, content]) => [
      name,
      Buffer.from(content).toString("base64"),
    ]);
  const included = Object.entries(includes).map(([name, document]) => [name, texts(document)]);
  const all = JSON.stringify([texts(template), included, rest]);
  return createHash("sha256").update(all).digest("hex");
}
