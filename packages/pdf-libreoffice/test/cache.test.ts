/** Tests that equal documents are converted once, and that results of one tenant are never returned to another. */
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { OnceCache } from "../src/cache.ts";
import { libreOffice } from "../src/index.ts";
import { textDocx } from "./docx.ts";
import {
  closing,
  fakeSoffice,
  rejection,
  slowTest,
  testFolder,
  WRITES_PAGE,
} from "./laboratory.ts";

/**
 * Creates a program that imitates LibreOffice and is started for each document. `count` returns the number of
 * documents.
 */
async function counted(): Promise<{ tempDir: string; sofficePath: string; count(): number }> {
  const tempDir = await testFolder();
  const script = `case "$*" in *--convert-to*) : >"$(mktemp '${tempDir}/one-XXXXXX')";; esac\n${WRITES_PAGE}`;
  const sofficePath = await fakeSoffice(tempDir, script);
  const count = () => readdirSync(tempDir).filter((name) => name.startsWith("one-")).length;
  return { tempDir, sofficePath, count };
}

slowTest(
  "equal documents of a tenant are converted once, concurrently or in sequence",
  async () => {
    const { count, ...options } = await counted();
    await using office = closing(libreOffice({ ...options, lanes: 2, mode: "fresh" }));
    const convert = (tenant?: string) => office.convert(textDocx("the same"), { tenant });
    const [a, b] = await Promise.all([convert("a"), convert("a")]);
    expect(count()).toBe(1);
    expect(Buffer.from(a.bytes).equals(b.bytes)).toBe(true);
    // A caller may change the bytes without effect on the others.
    a.bytes.fill(0);
    b.bytes.fill(0);
    const c = await convert("a");
    expect(count()).toBe(1);
    expect(Buffer.from(c.bytes).toString("latin1", 0, 5)).toBe("%PDF-");
    await convert("b");
    expect(count()).toBe(2);
    await convert();
    expect(count()).toBe(3);
    await office.convert(textDocx("another"), { tenant: "a" });
    expect(count()).toBe(4);
  },
);

slowTest("cacheMb 0 turns the cache off, and failures are never cached", async () => {
  const { count, ...options } = await counted();
  await using office = closing(libreOffice({ ...options, lanes: 1, mode: "fresh", cacheMb: 0 }));
  await office.convert(textDocx("the same"));
  await office.convert(textDocx("the same"));
  expect(count()).toBe(2);
  const broken = new TextEncoder().encode("no docx");
  for (let time = 0; time < 2; time++) {
    expect((await rejection(office.convert(broken))).code).toBe("conversion_failed");
  }
});

slowTest(
  "an abort rejects only one caller, and the conversion continues for the others",
  async () => {
    const { count, ...options } = await counted();
    await using office = closing(libreOffice({ ...options, lanes: 1, mode: "fresh" }));
    const controller = new AbortController();
    const document = textDocx("the same");
    const leaving = rejection(office.convert(document, { signal: controller.signal }));
    const staying = office.convert(document);
    controller.abort();
    expect((await leaving).code).toBe("aborted");
    expect((await staying).pages).toBe(1);
    expect(count()).toBe(1);
  },
);

test("the cache evicts the least recently used values beyond its size", async () => {
  const make = fc.record({ key: fc.nat(19), bytes: fc.integer({ min: 1, max: 30 }) });
  const makes = fc.array(make, { minLength: 20, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(makes, async (asked) => {
      const cache = new OnceCache<string>(100);
      let kept: { key: string; bytes: number }[] = [];
      for (const { key: number, bytes } of asked) {
        const key = String(number);
        let made = false;
        const make = async () => {
          made = true;
          return { value: key, bytes };
        };
        expect(await cache.get(key, make, undefined, () => new Error())).toBe(key);
        const before = kept.find((one) => one.key === key);
        expect(made).toBe(before === undefined);
        kept = kept.filter((one) => one !== before);
        if (before !== undefined) kept.push(before);
        else if (bytes <= 25) kept.push({ key, bytes });
        while (kept.reduce((sum, one) => sum + one.bytes, 0) > 100) kept.shift();
      }
    }),
  );
});

test("a computation without callers is aborted, and a later caller starts a new one", async () => {
  const cache = new OnceCache<number>(100);
  const signals: AbortSignal[] = [];
  const make = (signal: AbortSignal): Promise<never> => {
    signals.push(signal);
    return new Promise(() => {});
  };
  const leave = new AbortController();
  const left = cache.get("a", make, leave.signal, () => new Error("left"));
  const other = new AbortController();
  const second = cache.get("a", make, other.signal, () => new Error("left"));
  leave.abort();
  await expect(left).rejects.toThrow("left");
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  other.abort();
  await expect(second).rejects.toThrow("left");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  const third = await cache.get(
    "a",
    async () => ({ value: 3, bytes: 1 }),
    undefined,
    () => new Error(),
  );
  expect(third).toBe(3);
});
