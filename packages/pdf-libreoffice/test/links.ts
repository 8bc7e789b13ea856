/** Converts documents that try to fetch or read something, and detects their successes. */
import { type Converter, isQuireError } from "@quire/contracts";
import { compileTemplate } from "@quire/core";
import { sealedConverter } from "../src/converter.ts";
import type { Seal } from "../src/office/seal.ts";
import { BAITS, requests, secretIn, type Way, watched } from "./bait.ts";
import { closing, testFolder } from "./laboratory.ts";
import type { Vector } from "./link-vectors.ts";
import { VECTORS } from "./vectors.ts";

/** An access that a document caused, or content that must not be in its PDF. */
export interface Leak {
  readonly vector: string;
  readonly what: string;
}

/** The options of a run. */
export interface Attempt {
  readonly ways: readonly Way[];
  /** Names of documents. Default: all. */
  readonly vectors?: readonly string[];
  readonly mode?: "warm" | "wasm";
  /**
   * Makes each document use only one of the ways, in turn. The number says which way the first document uses. Default:
   * each document uses all ways.
   */
  readonly oneWayFrom?: number | undefined;
  /** Whether each document is a template that is rendered first. Default false. */
  readonly rendered?: boolean;
}

/** Converts every document with the ways of addressing the bait, and returns the leaks. */
export async function leaks(seal: Seal, attempt: Attempt): Promise<Leak[]> {
  const { ways, vectors = Object.keys(VECTORS), mode = "warm", rendered = false } = attempt;
  const { oneWayFrom } = attempt;
  const folder = await testFolder();
  await using office = closing(
    sealedConverter({ lanes: 1, mode, tempDir: folder, cacheMb: 0 }, seal),
  );
  const found: Leak[] = [];
  for (const [turn, way] of ways.entries()) {
    const bait = await BAITS[way](folder);
    const inTurn = vectors.filter(
      (_, at) => oneWayFrom === undefined || (at + oneWayFrom) % ways.length === turn,
    );
    for (const vector of inTurn) {
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
  // A rejected document may have been read anyway. This detects late accesses.
  requests.length = 0;
  await office.close();
  if (requests.length > 0) found.push({ vector: "late", what: requests.join(", ") });
  return found;
}

const REFUSALS: ReadonlySet<string> = new Set(["conversion_failed", "invalid_template"]);

/** Returns the secret that the document's PDF shows; null if it shows none or there is no PDF. */
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
