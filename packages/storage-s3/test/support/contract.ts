import { randomUUID } from "node:crypto";
import { storageConformance } from "@quire/conformance";
import { afterAll, beforeAll, test } from "vitest";
import { s3Storage } from "../../src/index.ts";
import { type Fault, type FaultProxy, faultProxy, faults } from "./fault-proxy.ts";
import { makePlace, type Place, START_TIMEOUT_MS } from "./place.ts";

const FOLDERS = "Folders in S3 are prefixes of keys: a folder is never missing.";
/** Cases that no bucket can keep, with the reasons. */
export const SKIPPED = {
  "create in a missing folder rejects not_found": FOLDERS,
  "list of a missing folder rejects not_found": FOLDERS,
  "isTaken in a missing folder rejects not_found": FOLDERS,
  "createFolder in a missing folder rejects not_found": FOLDERS,
  "a removed folder is missing": FOLDERS,
  "create under the name of a created folder rejects conflict":
    "A file and a folder may have the same name.",
  "if a file and a folder with one name are created concurrently, exactly one succeeds":
    "A file and a folder may have the same name.",
};
/**
 * Damages only objects with a hash in their metadata, so that the damage can be detected. Objects that a stream wrote
 * in parts have no such hash.
 */
const damageOfSummed: Fault = async (exchange) => {
  const answer = await exchange.forward();
  const isSummed = answer.headers["x-amz-meta-quire-sha256"] !== undefined;
  if (!isSummed) return exchange.reply(answer);
  return faults.damage({ ...exchange, forward: async () => answer });
};
/** Every fifth request gets one of these faults, in this order. */
const IN_TURN = [
  faults.answer(500, "InternalError"),
  faults.resetAfter,
  faults.answer(503, "SlowDown"),
  faults.truncate,
  faults.resetBefore,
  faults.failAfter,
  damageOfSummed,
];

/** Adds the contract of a storage to the surrounding suite, with a separate bucket. */
export function keepsTheContract(
  kind: "plain" | "versioned",
  connection: "faults" | "no faults",
): void {
  let place: Place;
  let proxy: FaultProxy;
  let silent: FaultProxy;

  beforeAll(async () => {
    place = await makePlace(kind);
    let requests = 0;
    proxy = await faultProxy(place.options.endpoint, ({ url }) => {
      requests += 1;
      const fault = requests % 5 === 0 ? IN_TURN[(requests / 5) % IN_TURN.length] : undefined;
      // Nothing detects damage to a listing.
      const listing = url.searchParams.has("list-type") || url.searchParams.has("versions");
      return fault === undefined || (fault === damageOfSummed && listing) ? null : fault;
    });
    silent = await faultProxy(place.options.endpoint, () => faults.silence);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await proxy?.[Symbol.asyncDispose]();
    await silent?.[Symbol.asyncDispose]();
  });

  storageConformance({
    test: (name, body) => test.concurrent(name, { timeout: 60_000 }, body),
    skip: SKIPPED,
    fixture: () => {
      const parent = `case/${randomUUID()}`;
      const { endpoint } = connection === "faults" ? proxy : place.options;
      // With this many attempts, no request meets only faults, in any order.
      const options = { ...place.options, endpoint, prefix: "quire/tests", attempts: 15 };
      const open = () => s3Storage(options);
      return {
        storage: open(),
        open,
        unresponsive: () => s3Storage({ ...options, endpoint: silent.endpoint }),
        folder: { type: "folder", id: `${parent}/out` },
        parent: { type: "folder", id: parent },
        listsEmptyFolders: false,
      };
    },
  });
}
