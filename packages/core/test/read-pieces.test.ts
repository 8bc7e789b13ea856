import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { QuireError } from "../src/errors.ts";
import { readPieces } from "../src/read-pieces.ts";

type Pieces = AsyncGenerator<Uint8Array>;

async function all(pieces: Pieces): Promise<Uint8Array[]> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return read;
}

/** Bytes that differ from their neighbours. */
function counted(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, index) => index % 251);
}

describe("readPieces", () => {
  test.for([
    [0, 10, 3],
    [1, 10, 3],
    [30, 10, 3],
    [31, 10, 3],
    [29, 10, 100],
    [200_000, 65_536, 7],
    [200_000, 100_000, 150_000],
    [300_001, 150_000, 1000],
  ] as const)(
    "makes of %i bytes pieces of %i, whatever the chunks",
    async ([size, pieceBytes, chunk]) => {
      const bytes = counted(size);
      const stream = async function* () {
        for (let at = 0; at < size; at += chunk) yield bytes.subarray(at, at + chunk);
      };
      const pieces = await readPieces(stream(), { pieceBytes }, all);
      expect(Buffer.compare(Buffer.concat(pieces), bytes)).toBe(0);
      expect(pieces).toHaveLength(Math.ceil(size / pieceBytes));
      for (const piece of pieces.slice(0, -1)) expect(piece).toHaveLength(pieceBytes);
      for (const piece of pieces) expect(piece.buffer).not.toBe(bytes.buffer);
    },
  );

  test("reads nothing before it is asked, and no further than it is asked", async () => {
    let given = 0;
    const stream = async function* () {
      for (;;) {
        given += 1;
        yield counted(10);
      }
    };
    await readPieces(stream(), { pieceBytes: 20 }, async (pieces) => {
      await turn();
      expect(given).toBe(0);
      await pieces.next();
      await turn();
      expect(given).toBe(2);
    });
  });

  test("rejects with what the stream threw, whatever the body makes of it", async () => {
    for (const thrown of [new Error("broken"), "no error at all", undefined]) {
      const stream = async function* () {
        yield counted(10);
        throw thrown;
      };
      const outcome = await readPieces(stream(), { pieceBytes: 4 }, async (pieces) => {
        await all(pieces).catch(() => {
          throw new QuireError("storage_failed", "The storage made this of it.");
        });
      }).then(
        () => "resolved",
        (error: unknown) => ({ error }),
      );
      expect(outcome).toEqual({ error: thrown });
    }
  });

  test("rejects aborted when the stream ended by the same signal", async () => {
    const abort = new AbortController();
    const stream = async function* () {
      yield counted(10);
      abort.abort(new Error("enough"));
      throw new Error("The stream was aborted.");
    };
    const read = readPieces(stream(), { pieceBytes: 4, signal: abort.signal }, all);
    await expect(read).rejects.toMatchObject({ code: "aborted", cause: { message: "enough" } });
  });

  test("gives back a stream that the body leaves, and waits for that", async () => {
    let closed = false;
    const stream = async function* () {
      try {
        for (;;) yield counted(10);
      } finally {
        await turn();
        closed = true;
      }
    };
    const read = readPieces(stream(), { pieceBytes: 4 }, async (pieces) => {
      await pieces.next();
      throw new Error("full");
    });
    await expect(read).rejects.toThrow("full");
    expect(closed).toBe(true);
  });

  test("closes a stream of Node that is not read to its end", async () => {
    const stream = Readable.from([counted(10), counted(10)]);
    await readPieces(stream, { pieceBytes: 4 }, (pieces) => pieces.next());
    expect(stream.destroyed).toBe(true);
  });

  test("does not wait for a chunk that never comes when the body has failed", async () => {
    const stream = async function* () {
      yield counted(10);
      await new Promise(() => {});
    };
    const read = readPieces(stream(), { pieceBytes: 10 }, async (pieces) => {
      await pieces.next();
      const waiting = pieces.next();
      waiting.catch(() => {});
      await turn();
      throw new Error("full");
    });
    await expect(read).rejects.toThrow("full");
  });

  test("keeps what the body rejects with when giving the stream back fails", async () => {
    const stream = async function* () {
      try {
        for (;;) yield counted(10);
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: a stream that fails to close.
        throw new Error("not closed");
      }
    };
    const read = readPieces(stream(), { pieceBytes: 4 }, async (pieces) => {
      await pieces.next();
      throw new Error("full");
    });
    await expect(read).rejects.toThrow("full");
  });

  test("refuses chunks that are no bytes", async () => {
    const stream = Readable.from(["text"]) as AsyncIterable<Uint8Array>;
    const read = readPieces(stream, { pieceBytes: 4 }, all);
    await expect(read).rejects.toMatchObject({ code: "invalid_request" });
    await expect(read).rejects.toThrow(/not a Uint8Array\. .+\.$/);
  });
});
