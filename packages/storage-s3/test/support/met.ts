import { expect, type TestContext } from "vitest";
import { type Fault, faults, type Seen } from "./fault-proxy.ts";
import { type Place, pattern, text } from "./place.ts";
import { failOnce, isEnd, isPart, isStart, proxied } from "./uploads.ts";

type Which = (seen: Seen) => boolean;
type Met = readonly [name: string, step: string, which: Which, fault: Fault];

const FAULTS: Readonly<Record<string, Fault>> = {
  "500 Internal Server Error": faults.answer(500, "InternalError"),
  "503 Slow Down": faults.answer(503, "SlowDown"),
  "a reset": faults.resetBefore,
  "a reset after the server completes the request": faults.resetAfter,
  "500 after the server completes the request": faults.failAfter,
};
const STEPS: Readonly<Record<string, Which>> = {
  "its start": isStart,
  "a part": isPart,
  "its end": isEnd,
};

/** Each fault at each step of a multipart upload. */
export const EVERY: readonly Met[] = Object.entries(STEPS).flatMap(([step, which]) =>
  Object.entries(FAULTS).map(([name, fault]) => [name, step, which, fault] as const),
);

/** Each fault and each step at least once. */
export const FEW: readonly Met[] = EVERY.filter((_, index) => [0, 1, 8, 9, 12, 13].includes(index));

/** Checks that a file of 9 MB becomes one object, although its upload meets a fault once. */
export async function makesOneObject(
  place: Place,
  context: TestContext,
  which: Which,
  fault: Fault,
): Promise<void> {
  const { storage, proxy, folder } = await proxied(place, context);
  const bytes = pattern(9 * 1024 * 1024, 1);
  failOnce(proxy, which, fault);
  const info = await storage.create(folder, "a.docx", bytes);
  expect(await storage.stat(info.ref)).toEqual(info);
  expect(Buffer.compare((await storage.read(info.ref)).bytes, bytes)).toBe(0);
  await expect(storage.create(folder, "a.docx", text("another"))).rejects.toMatchObject({
    code: "conflict",
  });
}
