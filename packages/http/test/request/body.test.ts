import { expect, test } from "vitest";
import { receiveBody } from "../../src/request/body.ts";
import { unlimitedBytes } from "../../src/request/held-bytes.ts";

/** Receives a body that arrives in these chunks. */
function received(chunks: readonly Uint8Array[]) {
  const body = ReadableStream.from(chunks) as ReadableStream<Uint8Array>;
  const init = { method: "POST", body, duplex: "half" };
  const options = { maxBytes: 10_000_000, idleMs: 10_000, holding: unlimitedBytes() };
  return receiveBody(new Request("http://127.0.0.1/", init as RequestInit), options);
}

test.each([
  ["one short chunk", [new Uint8Array(10).fill(1)]],
  [
    "many chunks of all sizes",
    Array.from({ length: 300 }, (_, n) => new Uint8Array(n * 37).fill(n)),
  ],
])("a body of %s is used in one piece, and its memory is returned at once", async (_, chunks) => {
  const { length, use } = await received(chunks);
  let used: Buffer | undefined;
  const copy = await use(async (bytes) => {
    used = bytes;
    return Buffer.from(bytes);
  });
  expect(copy).toEqual(Buffer.concat(chunks));
  expect(copy).toHaveLength(length);
  expect(used).toHaveLength(0);
  expect(chunks.at(-1)?.length).toBeGreaterThan(0);
});

test("the memory of a body is returned if it cannot be parsed", async () => {
  const { use } = await received([new Uint8Array(10)]);
  let used: Buffer | undefined;
  const failing = use(async (bytes) => {
    used = bytes;
    throw new Error("not JSON");
  });
  await expect(failing).rejects.toThrow("not JSON");
  expect(used).toHaveLength(0);
});
