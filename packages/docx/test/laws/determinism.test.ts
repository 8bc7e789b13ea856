import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../../contracts/test/support/random.ts";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { docx } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { draw } from "../support/draw.ts";
import { everything } from "../support/everything.ts";
import { randomData, randomDocument } from "../support/model.ts";

const run = promisify(execFile);
const BUILT = new URL("../support/built-code.ts", import.meta.url).href;
const CHILD = fileURLToPath(new URL("../support/render-child.ts", import.meta.url));

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns the digests that a separate process computes with its own environment. */
async function inChild(env: Readonly<Record<string, string>>, order: string): Promise<string> {
  const args = ["--no-warnings", "--import", BUILT, CHILD, order];
  const { NODE_OPTIONS } = process.env;
  const { stdout } = await run(process.execPath, args, { env: { NODE_OPTIONS, ...env } });
  return stdout;
}

describe("the same template, data and options give the same bytes", () => {
  test("in any order, interleaved, one by one or concurrently", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.array(fc.nat(4), { minLength: 5, maxLength: 12 }),
        async (seed, order) => {
          const random = new Random(seed, 25);
          const file = docx({ body: draw(random, randomDocument(random), "body").xml });
          const data = Array.from({ length: 5 }, () => randomData(random));
          const serial: string[] = [];
          for (const each of data)
            serial.push(digest((await compileTemplate(file)).render(each).bytes));
          const template = await compileTemplate(file);
          const interleaved = order.map((index) =>
            digest(template.render(data[index] ?? {}).bytes),
          );
          expect(interleaved).toEqual(order.map((index) => serial[index]));
          const atOnce = await Promise.all(
            order.map(async (index) =>
              digest((await compileTemplate(file)).render(data[index] ?? {}).bytes),
            ),
          );
          expect(atOnce).toEqual(interleaved);
        },
      ),
      { numRuns: manyRuns(3, 60) },
    );
  });

  test("with all numbered elements: notes, lists, drawings, bookmarks, links, properties", async () => {
    const { file, data } = everything();
    const alone = digest((await compileTemplate(file)).render(data[0] ?? {}).bytes);
    const template = await compileTemplate(file);
    for (const each of [...data, ...data.toReversed()]) {
      template.render(each);
      template.check(each);
      expect(digest(template.render(data[0] ?? {}).bytes)).toBe(alone);
    }
  });

  test("with frozen data, which does not change, and with data without prototypes", async () => {
    const { file, data } = everything();
    const template = await compileTemplate(file);
    const [first = {}] = data;
    const before = JSON.stringify(first);
    const plain = digest(template.render(first).bytes);
    expect(JSON.stringify(first)).toBe(before);
    expect(digest(template.render(copied(first, Object.freeze) as typeof first).bytes)).toBe(plain);
    const bare = copied(first, (value) =>
      Array.isArray(value) ? value : Object.setPrototypeOf(value, null),
    );
    expect(digest(template.render(bare as typeof first).bytes)).toBe(plain);
  });

  test("in any time zone, language and temporary folder of the process", async () => {
    const usual = inChild({ TZ: "UTC", LANG: "C", LC_ALL: "C" }, "forward");
    const environments = [
      { TZ: "Pacific/Kiritimati", LANG: "de_DE.UTF-8", LC_ALL: "de_DE.UTF-8" },
      { TZ: "America/St_Johns", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", LANGUAGE: "tr" },
      { TZ: "Asia/Kathmandu", LANG: "ar_EG.UTF-8", LC_ALL: "ar_EG.UTF-8", TMPDIR: "/nonexistent" },
    ];
    const others = environments
      .slice(-manyRuns(1, 3))
      .map(async (env) => [env.LANG, await inChild(env, "backward")] as const);
    const [first, ...found] = await Promise.all([usual, ...others]);
    expect(first.trim().split("\n")).toHaveLength(8);
    for (const [language, digests] of found) expect(digests, language).toBe(first);
    const { file, data } = everything();
    const template = await compileTemplate(file);
    expect(first).toContain(digest(template.render(data[0] ?? {}).bytes));
  }, 60_000);
});

function copied(value: unknown, finish: (value: object) => unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return finish(value.map((each) => copied(each, finish)));
  return finish(
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copied(each, finish)])),
  );
}
