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

/** Returns bytes that differ from their neighbors. */
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
    "splits %i bytes into pieces of %i, for any size of chunks",
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

  test("reads nothing before the first request, and at most the requested pieces", async () => {
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

  test("rejects with the stream's error, even if the body rejects with another one", async () => {
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

  test("rejects with the code aborted if the signal ended the stream", async () => {
    const abort = new AbortController();
    const stream = async function* () {
      yield counted(10);
      abort.abort(new Error("enough"));
      throw new Error("The stream was aborted.");
    };
    const read = readPieces(stream(), { pieceBytes: 4, signal: abort.signal }, all);
    await expect(read).rejects.toMatchObject({ code: "aborted", cause: { message: "enough" } });
  });

  test("closes a stream that the body abandons, and waits until it is closed", async () => {
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

  test("closes a Node stream that is not read to its end", async () => {
    const stream = Readable.from([counted(10), counted(10)]);
    await readPieces(stream, { pieceBytes: 4 }, (pieces) => pieces.next());
    expect(stream.destroyed).toBe(true);
  });

  test("does not wait for a missing chunk if the body has failed", async () => {
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

  test("keeps the body's error if closing the stream fails", async () => {
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

  test("rejects chunks that are not bytes", async () => {
    const stream = Readable.from(["text"]) as AsyncIterable<Uint8Array>;
    const read = readPieces(stream, { pieceBytes: 4 }, all);
    await expect(read).rejects.toMatchObject({ code: "invalid_request" });
    await expect(read).rejects.toThrow(/not a Uint8Array\. .+\.$/);
  });
});
