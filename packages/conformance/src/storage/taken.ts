import assert from "node:assert/strict";
import type { FolderRef, Storage } from "@quire/contracts";
import { folder as folderRef, listAll, rejects, text } from "../assertions.ts";
import { type StorageCase, secondHandle } from "./fixture.ts";

/** Calls `isTaken`. Null for a storage without it: such a storage keeps its contract. */
async function taken(storage: Storage, folder: FolderRef, name: string): Promise<boolean | null> {
  return (await storage.isTaken?.(folder, name)) ?? null;
}

/** Asserts which names are taken, for a storage with `isTaken`. */
async function assertTaken(
  storage: Storage,
  folder: FolderRef,
  expected: Readonly<Record<string, boolean>>,
): Promise<void> {
  for (const [name, wanted] of Object.entries(expected)) {
    const found = await taken(storage, folder, name);
    if (found !== null) assert.equal(found, wanted, `isTaken of ${JSON.stringify(name)}`);
  }
}

/** The contract of `Storage.isTaken`. A storage without this method passes. */
export const takenCases = {
  "isTaken compares names by their folded form": async ({ storage, folder }) => {
    await assertTaken(storage, folder, { "Zoë.docx": false });
    await storage.create(folder, "Zoë.docx", text("one"));
    await storage.create(folder, "b.docx", text("two"));
    await assertTaken(storage, folder, {
      "Zoë.docx": true,
      "ZOË.DOCX": true,
      "zoe\u0308.docx": true,
      "B.docx": true,
      "zoe.docx": false,
      Zoë: false,
      "c.docx": false,
    });
  },

  "isTaken knows at once what the same handle creates and removes": async ({ storage, folder }) => {
    await storage.create(folder, "First.docx", text("one"));
    await assertTaken(storage, folder, { "first.docx": true, "second.docx": false });
    const { ref } = await storage.create(folder, "Second.docx", text("two"));
    await assertTaken(storage, folder, { "SECOND.docx": true, "Second.docx": true });
    await storage.remove(ref);
    await assertTaken(storage, folder, { "SECOND.docx": false, "Second.docx": false });
    await storage.create(folder, "second.docx", text("two"));
    await assertTaken(storage, folder, { "Second.docx": true });
  },

  "isTaken knows at once what another handle removes, and equal names that it creates": async (
    place,
  ) => {
    const { storage, folder } = place;
    const other = await secondHandle(place);
    const { ref } = await storage.create(folder, "A.docx", text("one"));
    await assertTaken(storage, folder, { "a.docx": true, "b.docx": false });
    await other.remove(ref);
    await other.create(folder, "b.docx", text("two"));
    await assertTaken(storage, folder, { "a.docx": false, "A.docx": false, "b.docx": true });
  },

  "isTaken includes folders": async ({ storage, folder, parent }) => {
    await storage.create(folder, "a.docx", text("one"));
    const entries = await listAll(storage, parent, 10);
    const { name } = entries.find(({ ref }) => ref.type === "folder") ?? assert.fail("not listed");
    await assertTaken(storage, parent, { [name]: true, [name.toUpperCase()]: true });
  },

  "isTaken rejects invalid names, invalid folders and an aborted signal": async ({
    storage,
    folder,
  }) => {
    if (storage.isTaken === undefined) return;
    await rejects(storage.isTaken(folder, "a/b.docx"), "item_name_invalid");
    await rejects(storage.isTaken(folderRef("../out"), "a.docx"), "forbidden");
    const signal = AbortSignal.abort();
    await rejects(storage.isTaken(folder, "a.docx", { signal }), "aborted");
  },

  "isTaken in a missing folder rejects not_found": async ({ storage, folder }) => {
    if (storage.isTaken === undefined) return;
    await rejects(storage.isTaken(folderRef(`${folder.id}/missing`), "a.docx"), "not_found");
  },
} satisfies Record<string, StorageCase>;
