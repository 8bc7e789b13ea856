import { expect, onTestFinished, test, vi } from "vitest";
import { takenIndex } from "../src/index.ts";

const FOLDER = { type: "folder", id: "out" } as const;

/** An index over names that tests change. Reading them takes `readMs` by a clock that tests control. */
function indexOf(initial: readonly string[], readMs = 1) {
  const clock = { now: 0 };
  const spy = vi.spyOn(performance, "now").mockImplementation(() => clock.now);
  onTestFinished(() => spy.mockRestore());
  const names = new Set(initial);
  const calls = { reads: 0, lookups: 0 };
  const index = takenIndex({
    exists: async (_, name) => {
      calls.lookups += 1;
      return names.has(name);
    },
    names: async () => {
      calls.reads += 1;
      clock.now += readMs;
      return [...names];
    },
  });
  const taken = (name: string) => index.isTaken(FOLDER, name, {});
  return { index, names, calls, clock, taken };
}

test("a folder is read once for many names", async () => {
  const { taken, calls } = indexOf(["Letter.docx"]);
  for (let number = 0; number < 50; number++) expect(await taken(`${number}.docx`)).toBe(false);
  expect(calls).toEqual({ reads: 1, lookups: 50 });
  expect(await taken("LETTER.docx")).toBe(true);
  expect(calls.reads).toBe(1);
});

test("a folder is read again after a hundred times the time that reading took", async () => {
  const { taken, names, calls, clock } = indexOf(["a.docx"], 7);
  expect(await taken("b.docx")).toBe(false);
  names.add("B.docx");
  clock.now += 699;
  expect(await taken("b.docx")).toBe(false);
  clock.now += 1;
  expect(await taken("b.docx")).toBe(true);
  expect(calls.reads).toBe(2);
});

test("names that were removed are not taken, and other names with the same folded form remain so", async () => {
  const { taken, names } = indexOf(["A.docx", "a.docx"]);
  expect(await taken("A.DOCX")).toBe(true);
  names.delete("A.docx");
  expect(await taken("A.DOCX")).toBe(true);
  names.delete("a.docx");
  expect(await taken("A.DOCX")).toBe(false);
});

test("a name that is added while the folder is read is known", async () => {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const names = new Set<string>();
  const index = takenIndex({
    exists: async (_, name) => names.has(name),
    names: () => promise,
  });
  const first = index.isTaken(FOLDER, "b.docx", {});
  await vi.waitFor(() => expect(names.size).toBe(0));
  names.add("A.docx");
  index.add(FOLDER, "A.docx");
  resolve([]);
  expect(await first).toBe(false);
  expect(await index.isTaken(FOLDER, "a.docx", {})).toBe(true);
});

test("an abort stops only its own caller, and a failed read is repeated", async () => {
  const { promise, reject } = Promise.withResolvers<readonly string[]>();
  const reads = [promise, Promise.resolve(["A.docx"])];
  const index = takenIndex({
    exists: async (_, name) => name === "A.docx",
    names: async () => reads.shift() ?? [],
  });
  const controller = new AbortController();
  const aborted = index.isTaken(FOLDER, "a.docx", { signal: controller.signal });
  const waiting = index.isTaken(FOLDER, "a.docx", {});
  const failed = expect(waiting).rejects.toThrow("disk");
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ code: "aborted" });
  reject(new Error("disk"));
  await failed;
  expect(await index.isTaken(FOLDER, "a.docx", {})).toBe(true);
});
