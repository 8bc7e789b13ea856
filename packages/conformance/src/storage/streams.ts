import assert from "node:assert/strict";
import { QuireError } from "@quire/contracts";
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
import { chunked, endless, silent, turn, watched } from "./samples.ts";

const MB = 1024 * 1024;
/** Larger than the parts that storages write or send. */
const LARGE = 9 * MB + 1;

/** The cases about files from a stream, by name. */
export const streamCases: Readonly<Record<string, StorageCase>> = {
  "create reads a stream of many small chunks": async (place) => {
    const { storage, folder } = place;
    const bytes = pattern(500_000, 1);
    const stream = watched(chunked(bytes, [0, 1, 2, 0, 97, 13]));
    const info = await storage.create(folder, "a.docx", stream);
    assert.deepEqual([info.name, info.size], ["a.docx", bytes.length]);
    const other = await secondHandle(place);
    assert.deepEqual(await other.stat(info.ref), info);
    const read = await other.read(info.ref, { version: info.version });
    sameBytes(read.bytes, bytes);
    assert.equal(read.sha256, sha256(bytes));
    assert.deepEqual(await namesIn(other, folder), ["a.docx"]);
    assert.equal(
      stream.returned,
      false,
      "return() should not be called for a stream that has ended.",
    );
  },

  "create reads a stream of 9 MB": async ({ storage, folder }) => {
    const bytes = pattern(LARGE, 2);
    const stream = chunked(bytes, [70_001, 4 * MB, 1, 1_000_003], turn);
    const info = await storage.create(folder, "large.docx", stream);
    assert.equal(info.size, LARGE);
    assert.deepEqual(await storage.stat(info.ref), info);
    const read = await storage.read(info.ref, { version: info.version });
    sameBytes(read.bytes, bytes);
    assert.equal(read.sha256, sha256(bytes));
    await rejects(storage.create(folder, "large.docx", text("two")), "conflict");
  },

  "create stores an empty stream as an empty file": async ({ storage, folder }) => {
    for (const [name, chunks] of [
      ["a.docx", []],
      ["b.docx", [new Uint8Array(), new Uint8Array()]],
    ] as const) {
      const info = await storage.create(folder, name, watched(chunks));
      assert.equal(info.size, 0);
      assert.deepEqual(await storage.stat(info.ref), info);
      assert.equal((await storage.read(info.ref)).sha256, sha256(new Uint8Array()));
    }
  },

  "a stream may reuse the memory of a chunk for the next one": async (place) => {
    const { storage, folder } = place;
    for (const size of [10_000, LARGE]) {
      const bytes = pattern(size, 3);
      const memory = new Uint8Array(300_000);
      const again = async function* (): AsyncGenerator<Uint8Array> {
        for await (const chunk of chunked(bytes, [3000, 250_000, 17], turn)) {
          memory.fill(255);
          memory.set(chunk, 1000);
          yield memory.subarray(1000, 1000 + chunk.length);
          memory.fill(0);
        }
      };
      const { ref } = await storage.create(folder, `${size}.docx`, again());
      sameBytes((await storage.read(ref)).bytes, bytes);
    }
  },

  "a reader does not see a file while its stream is read": async (place) => {
    const { storage, folder } = place;
    const other = await secondHandle(place);
    const ref = file(`${folder.id}/large.docx`);
    const bytes = pattern(LARGE, 4);
    const looks = async (): Promise<void> => {
      assert.equal(await other.stat(ref), null);
      assert.deepEqual(await namesIn(other, folder), []);
    };
    await storage.create(folder, "large.docx", chunked(bytes, [LARGE >> 2], looks));
    sameBytes((await other.read(ref)).bytes, bytes);
  },

  "create rejects with the error of the stream, and creates nothing": async (place) => {
    const { storage, folder } = place;
    const thrown = [
      new Error("The upload was interrupted."),
      new QuireError("limit_exceeded", "The upload is too large."),
      Object.assign(new Error("As of another storage."), { name: "NoSuchUpload" }),
    ];
    for (const [index, size] of [0, 1, LARGE].entries()) {
      const error = thrown[index];
      const breaking = async function* (): AsyncGenerator<Uint8Array> {
        yield* chunked(pattern(size, 5), [MB]);
        throw error;
      };
      const stream = watched(breaking());
      const outcome = await storage.create(folder, "a.docx", stream).catch((rejected) => rejected);
      assert.equal(outcome, error);
      assert.equal(
        stream.returned,
        false,
        "return() should not be called for a stream that has thrown.",
      );
      assert.deepEqual(await namesIn(storage, folder), []);
    }
    const { ref } = await storage.create(folder, "a.docx", chunked(text("one"), [1]));
    sameBytes((await storage.read(ref)).bytes, text("one"));
  },

  "create that is aborted during its stream creates nothing": async (place) => {
    const { storage, folder } = place;
    for (const chunks of [0, 3, 300]) {
      const abort = new AbortController();
      const stream = watched(
        endless((given) => {
          if (given === chunks) abort.abort(new Error("enough"));
        }),
      );
      const { signal } = abort;
      await rejects(storage.create(folder, "a.docx", stream, { signal }), "aborted");
      assert.ok(stream.returned, "return() should have been called for the stream.");
      assert.deepEqual(await namesIn(storage, folder), []);
    }
    await storage.create(folder, "a.docx", text("one"));
  },

  "create that is aborted does not wait for a stalled stream": async (place) => {
    const { storage, folder } = place;
    const abort = new AbortController();
    const stream = silent();
    const created = storage.create(folder, "a.docx", stream, { signal: abort.signal });
    while (stream.asked === 0) await turn();
    abort.abort();
    await rejects(created, "aborted");
    assert.ok(stream.returned, "return() should have been called for the stream.");
    assert.deepEqual(await namesIn(storage, folder), []);
  },

  "create under a taken name does not read a stream to its end": async (place) => {
    const { storage, folder } = place;
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    const stream = watched(endless());
    await rejects(storage.create(folder, "a.docx", stream), "conflict");
    assert.ok(stream.returned, "return() should have been called for the stream.");
    await rejects(storage.create(folder, "a.docx", chunked(text("two"), [1])), "conflict");
    sameBytes((await storage.read(ref)).bytes, text("one"));
  },

  "create calls return() of a stream that it rejects": async ({ storage, folder }) => {
    const aborted = { signal: AbortSignal.abort(new Error("enough")) };
    for (const [where, name, options, code] of [
      [folder, "../x", {}, "item_name_invalid"],
      [folderRef("../x"), "a.docx", {}, "forbidden"],
      [folder, "a.docx", aborted, "aborted"],
    ] as const) {
      const stream = watched(endless());
      await rejects(storage.create(where, name, stream, options), code);
      assert.ok(stream.returned, `return() should have been called for the stream: ${code}.`);
    }
    assert.deepEqual(await namesIn(storage, folder), []);
  },

  "if 20 streams and 5 other calls create one name concurrently, exactly one succeeds": async (
    place,
  ) => {
    const { storage, folder } = place;
    const handles = [storage, await secondHandle(place)] as const;
    const contents = Array.from({ length: 25 }, (_, index) => pattern(20_000 + index, index));
    const outcomes = await Promise.allSettled(
      contents.map((bytes, index) => {
        const content = index % 5 === 4 ? bytes : chunked(bytes, [3000], turn);
        return handles[index % 2 === 0 ? 0 : 1].create(folder, "a", content);
      }),
    );
    const winners = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? index : []));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") await rejects(Promise.reject(outcome.reason), "conflict");
    }
    assert.equal(winners.length, 1);
    const info = await storage.stat(file(`${folder.id}/a`));
    assert.deepEqual(outcomes[winners[0] ?? -1], { status: "fulfilled", value: info });
    const { bytes } = await storage.read(file(`${folder.id}/a`));
    sameBytes(bytes, contents[winners[0] ?? -1] ?? text(""));
    assert.deepEqual(await namesIn(storage, folder), ["a"]);
  },
};
