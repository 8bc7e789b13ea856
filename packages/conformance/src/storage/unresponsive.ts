import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { rejects } from "../assertions.ts";
import type { StorageCase } from "./fixture.ts";

const LIMIT_MS = 10_000;

/** The case about a medium that does not respond, by name. */
export const unresponsiveCases: Readonly<Record<string, StorageCase>> = {
  "an aborted signal ends each call to a medium that does not respond": async (place) => {
    const { folder } = place;
    const storage = await place.unresponsive?.();
    assert.ok(storage, "The fixture should have `unresponsive`, or the case should be skipped.");
    const ref = { type: "file", id: `${folder.id}/a.docx` } as const;
    const abort = new AbortController();
    const { signal } = abort;
    const calls = [
      storage.read(ref, { signal }),
      storage.stat(ref, { signal }),
      storage.find(folder, "a.docx", { signal }),
      storage.list(folder, { signal }),
      storage.create(folder, "a.docx", Uint8Array.of(1), { signal }),
      storage.remove(ref, { signal }),
      storage.createFolder(folder, "made", { signal }),
      storage.removeFolder(folder, { signal }),
    ];
    for (const call of calls) call.catch(() => {}); // they reject while this loop waits for others
    setTimeout(() => abort.abort(new Error("enough")), 50);
    for (const call of calls) await rejects(inTime(call), "aborted");
  },
};

async function inTime(call: Promise<unknown>): Promise<unknown> {
  const done = new AbortController();
  const late = sleep(LIMIT_MS, undefined, { signal: done.signal }).then(() => {
    throw new Error(`The call did not end within ${LIMIT_MS} ms.`);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    done.abort();
  }
}
