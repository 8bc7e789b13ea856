import assert from "node:assert/strict";
import { isQuireError } from "@quire/contracts";
import {
  file,
  folder as folderRef,
  namesIn,
  pattern,
  rejects,
  sameBytes,
  sha256,
  text,
} from "../assertions.ts";
import { type StorageCase, secondHandle } from "./fixture.ts";

const LARGE = 5 * 1024 * 1024;
const ILLEGAL_NAMES = ["../x", "a/b", "a\\b", "a\0b", "", ".", ".."] as const;
const SPEAKING_NAMES = ["Müller & Söhne (2).docx", "請求書.docx", "📄 brief.docx"] as const;

/** The cases about creating files, by name. */
export const createCases: Readonly<Record<string, StorageCase>> = {
  "create makes a file that every handle sees": async (place) => {
    const { storage, folder } = place;
    const info = await storage.create(folder, "a.docx", text("one"));
    const { ref, version, name, size } = info;
    assert.deepEqual([ref.type, name, size], ["file", "a.docx", 3]);
    assert.notEqual(version, "");
    const other = await secondHandle(place);
    assert.deepEqual(await other.stat(ref), info);
    sameBytes((await other.read(ref)).bytes, text("one"));
    assert.deepEqual(await namesIn(other, folder), ["a.docx"]);
  },

  "a storage with exact names finds a file only under its own name": async ({
    storage,
    folder,
  }) => {
    if (storage.hasExactNames !== true) return;
    await storage.create(folder, "Exact.docx", text("one"));
    assert.equal((await storage.find(folder, "Exact.docx"))?.name, "Exact.docx");
    assert.equal(await storage.find(folder, "exact.docx"), null);
  },

  "find returns the file with a name in a folder": async (place) => {
    const { storage, folder } = place;
    const info = await storage.create(folder, "Müller (1).docx", text("one"));
    const other = await secondHandle(place);
    assert.deepEqual(await other.find(folder, "Müller (1).docx".normalize("NFD")), info);
    assert.equal(await other.find(folder, "Müller (2).docx"), null);
    assert.equal(await other.find(folderRef(`${folder.id}/missing`), "a.docx"), null);
    await rejects(other.find(folder, "../x"), "item_name_invalid");
    await rejects(other.find(folderRef("../x"), "a.docx"), "forbidden");
  },

  "create stores an empty file": async ({ storage, folder }) => {
    const { ref, size } = await storage.create(folder, "empty.docx", new Uint8Array());
    assert.equal(size, 0);
    const read = await storage.read(ref);
    assert.equal(read.bytes.length, 0);
    assert.equal(read.sha256, sha256(new Uint8Array()));
    assert.equal((await storage.stat(ref))?.size, 0);
  },

  "create stores a file of 5 MB": async ({ storage, folder }) => {
    const bytes = pattern(LARGE, 1);
    const { ref } = await storage.create(folder, "large.docx", bytes);
    const read = await storage.read(ref);
    sameBytes(read.bytes, bytes);
    assert.equal(read.sha256, sha256(bytes));
    assert.equal((await storage.stat(ref))?.size, LARGE);
  },

  "create stores only the bytes of a view, not its whole buffer": async ({ storage, folder }) => {
    const bytes = text("before-one-after").subarray(7, 10);
    const { ref } = await storage.create(folder, "a.docx", bytes);
    sameBytes((await storage.read(ref)).bytes, text("one"));
  },

  "changing the buffer after create does not change the file": async ({ storage, folder }) => {
    const bytes = text("one");
    const { ref } = await storage.create(folder, "a.docx", bytes);
    bytes.fill(0);
    sameBytes((await storage.read(ref)).bytes, text("one"));
  },

  "other bytes under the same name have another version": async ({ storage, folder }) => {
    const first = await storage.create(folder, "a.docx", text("one"));
    await storage.remove(first.ref);
    const second = await storage.create(folder, "a.docx", text("two"));
    assert.deepEqual(second.ref, first.ref);
    assert.notEqual(second.version, first.version);
    await rejects(storage.read(first.ref, { version: first.version }), "not_found");
    sameBytes((await storage.read(second.ref, { version: second.version })).bytes, text("two"));
  },

  "create under a taken name rejects conflict and overwrites nothing": async (place) => {
    const { storage, folder } = place;
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    await rejects(storage.create(folder, "a.docx", text("two")), "conflict");
    await rejects((await secondHandle(place)).create(folder, "a.docx", text("two")), "conflict");
    sameBytes((await storage.read(ref)).bytes, text("one"));
    assert.deepEqual(await namesIn(storage, folder), ["a.docx"]);
  },

  "if 50 calls create one name concurrently, exactly one succeeds": async (place) => {
    const { storage, folder } = place;
    const handles = [storage, await secondHandle(place)] as const;
    const contents = Array.from({ length: 50 }, (_, index) => pattern(20_000 + index, index));
    const outcomes = await Promise.allSettled(
      contents.map((bytes, index) => handles[index % 2 === 0 ? 0 : 1].create(folder, "a", bytes)),
    );
    const winners: number[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === "fulfilled") winners.push(index);
      else await rejects(Promise.reject(outcome.reason), "conflict");
    }
    assert.equal(winners.length, 1);
    const winner = winners[0] ?? -1;
    const info = outcomes[winner];
    assert.ok(info?.status === "fulfilled");
    sameBytes((await storage.read(info.value.ref)).bytes, contents[winner] ?? text(""));
    assert.deepEqual(await storage.stat(info.value.ref), info.value);
    assert.deepEqual(await namesIn(storage, folder), ["a"]);
  },

  "concurrent creates of many names all succeed": async ({ storage, folder }) => {
    const names = Array.from({ length: 50 }, (_, index) => `${index}.docx`);
    const infos = await Promise.all(
      names.map((name) => storage.create(folder, name, text(`content of ${name}`))),
    );
    for (const { ref, name } of infos) {
      sameBytes((await storage.read(ref)).bytes, text(`content of ${name}`));
    }
    assert.deepEqual((await namesIn(storage, folder)).sort(), names.sort());
  },

  "a reader never sees a part of a file": async (place) => {
    const { storage, folder } = place;
    const bytes = pattern(LARGE, 7);
    const other = await secondHandle(place);
    let running = true;
    const created = storage.create(folder, "large.docx", bytes).finally(() => {
      running = false;
    });
    const ref = file(`${folder.id}/large.docx`);
    while (running) {
      const seen = await other.stat(ref);
      assert.ok(seen === null || seen.size === LARGE, `${seen?.size} bytes were seen.`);
      const listed = await namesIn(other, folder);
      assert.ok(
        listed.every((name) => name === "large.docx"),
        `Listed: ${listed.join()}`,
      );
      await new Promise((done) => setTimeout(done, 1));
    }
    sameBytes((await other.read((await created).ref)).bytes, bytes);
  },

  "create with an illegal name rejects item_name_invalid": async (place) => {
    const { storage, folder, parent } = place;
    const before = await namesIn(storage, parent);
    for (const name of ILLEGAL_NAMES) {
      await rejects(storage.create(folder, name, text("one")), "item_name_invalid");
    }
    assert.deepEqual(await namesIn(storage, folder), []);
    assert.deepEqual(await namesIn(storage, parent), before);
  },

  "create accepts names in any script": async ({ storage, folder }) => {
    for (const name of SPEAKING_NAMES) {
      const info = await storage.create(folder, name, text(name));
      assert.equal(info.name, name);
      assert.equal((await storage.read(info.ref)).name, name);
    }
    assert.deepEqual((await namesIn(storage, folder)).sort(), [...SPEAKING_NAMES].sort());
  },

  "create accepts a name of 255 bytes": async ({ storage, folder }) => {
    const name = `${"x".repeat(250)}.docx`;
    const { ref } = await storage.create(folder, name, text("one"));
    sameBytes((await storage.read(ref)).bytes, text("one"));
  },

  "create stores a decomposed name in its composed form (NFC)": async ({ storage, folder }) => {
    const composed = "Bücher.docx".normalize("NFC");
    const info = await storage.create(folder, composed.normalize("NFD"), text("one"));
    assert.equal(info.name, composed);
    assert.deepEqual(await namesIn(storage, folder), [composed]);
    sameBytes((await storage.read(info.ref)).bytes, text("one"));
    await rejects(storage.create(folder, composed, text("two")), "conflict");
  },

  "create in a missing folder rejects not_found": async ({ storage, folder }) => {
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    const missing = folderRef(`${folder.id}/missing`);
    await rejects(storage.create(missing, "b.docx", text("two")), "not_found");
    await rejects(storage.create(folderRef(ref.id), "b.docx", text("two")), "not_found");
    assert.deepEqual(await namesIn(storage, folder), ["a.docx"]);
    assert.equal(await storage.stat(file(`${missing.id}/b.docx`)), null);
  },

  "create with an aborted signal rejects aborted and creates nothing": async (place) => {
    const { storage, folder } = place;
    const signal = AbortSignal.abort(new Error("enough"));
    await rejects(storage.create(folder, "a.docx", text("one"), { signal }), "aborted");
    assert.deepEqual(await namesIn(storage, folder), []);
  },

  "create that is aborted while running creates the whole file or nothing": async (place) => {
    const { storage, folder } = place;
    const bytes = pattern(LARGE, 3);
    for (const delayMs of [0, 1, 3, 10]) {
      const name = `${delayMs}.docx`;
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(), delayMs);
      const signal = abort.signal;
      try {
        const { ref } = await storage.create(folder, name, bytes, { signal });
        sameBytes((await storage.read(ref)).bytes, bytes);
      } catch (error) {
        assert.ok(isQuireError(error) && error.code === "aborted", String(error));
        assert.ok(!(await namesIn(storage, folder)).includes(name));
      } finally {
        clearTimeout(timer);
      }
    }
  },
};
