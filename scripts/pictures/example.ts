// The content of a picture in the docs: a template, data, and the lines of text in the result.

import { createHash } from "node:crypto";
import type { MissingPolicy } from "@quire/core";
import { partsOf, type WordDocument } from "./word.ts";

/** An example of one construct of the template language in docs/templates.md. */
export interface Example {
  /** The name in the paths of the pictures: `docs/pictures/NAME.template.png` and `NAME.result.png`. */
  readonly name: string;
  readonly template: WordDocument;
  readonly data: Readonly<Record<string, unknown>>;
  readonly onMissing?: MissingPolicy;
  readonly locale?: string;
  readonly timeZone?: string;
  /** The included templates by name. */
  readonly includes?: Readonly<Record<string, WordDocument>>;
  /** The text of the result: the lines of the body. `parts` has the lines of other parts, by name. */
  readonly result: readonly string[];
  readonly parts?: Readonly<Record<string, readonly string[]>>;
  /** The codes of the warnings that rendering reports. Default: none. */
  readonly told?: readonly string[];
}

/** Returns a fingerprint, which identifies the version of an example that its pictures show. */
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
