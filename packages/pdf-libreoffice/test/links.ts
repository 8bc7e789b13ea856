/** Converts documents that try to fetch or read something, and finds what they got. */
import { type Converter, compileTemplate, isQuireError } from "@quire/core";
import { sealedConverter } from "../src/converter.ts";
import type { Seal } from "../src/office/seal.ts";
import { BAITS, requests, secretIn, type Way, watched } from "./bait.ts";
import { closing, testFolder } from "./laboratory.ts";
import type { Vector } from "./link-vectors.ts";
import { VECTORS } from "./vectors.ts";

/** What got out of, or into, a PDF. */
export interface Leak {
  readonly vector: string;
  readonly what: string;
}

/** What is tried. */
export interface Attempt {
  readonly ways: readonly Way[];
  /** Names of documents. Default all. */
  readonly vectors?: readonly string[];
  readonly mode?: "warm" | "wasm";
  /** Whether each is a template, from which a document is rendered first. Default false. */
  readonly rendered?: boolean;
}

/** Converts every document over every address, and gives what leaked. */
export async function leaks(seal: Seal, attempt: Attempt): Promise<Leak[]> {
  const { ways, vectors = Object.keys(VECTORS), mode = "warm", rendered = false } = attempt;
  const folder = await testFolder();
  await using office = closing(
    sealedConverter({ lanes: 1, mode, tempDir: folder, cacheMb: 0 }, seal),
  );
  const found: Leak[] = [];
  for (const way of ways) {
    const bait = await BAITS[way](folder);
    for (const vector of vectors) {
      const write = (VECTORS as Readonly<Record<string, Vector>>)[vector];
      if (write === undefined) throw new Error(`There is no vector "${vector}".`);
      const name = `${vector}, ${way}`;
      requests.length = 0;
      const wasRead = await watched(folder);
      const seen = await shown(office, () => write(bait), rendered);
      if (seen !== null) found.push({ vector: name, what: seen });
      else if (await wasRead()) found.push({ vector: name, what: "a file was read" });
      if (requests.length > 0) found.push({ vector: name, what: requests.join(", ") });
    }
  }
  // A document that was refused may still have been read: what comes late is seen here.
  requests.length = 0;
  await office.close();
  if (requests.length > 0) found.push({ vector: "late", what: requests.join(", ") });
  return found;
}

const REFUSALS: ReadonlySet<string> = new Set(["conversion_failed", "invalid_template"]);

/** The secret that a PDF of the document shows; null when there is none, or no PDF. */
async function shown(
  office: Converter,
  write: () => Uint8Array | Promise<Uint8Array>,
  rendered: boolean,
): Promise<string | null> {
  let bytes: Uint8Array;
  try {
    const given = await write();
    const document = rendered ? (await (await compileTemplate(given)).render({})).bytes : given;
    ({ bytes } = await office.convert(document, { rendered }));
  } catch (error) {
    if (isQuireError(error) && REFUSALS.has(error.code)) return null;
    throw error;
  }
  return secretIn(bytes);
}
