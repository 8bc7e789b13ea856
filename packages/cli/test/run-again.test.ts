/** Runs after corrections: a changed cell, a changed template, a lost file, an edited file. */
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { Place } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";
import { letterPlace, letterRun } from "./support/letters.ts";

const ENTRIES = 30;

function run(...more: string[]): string[] {
  return letterRun("docx", ...more);
}

/** Creates a finished run of 30 letters. */
async function finishedRun(...more: string[]): Promise<Place> {
  const place = await letterPlace(ENTRIES);
  expect((await place.quire(run(...more))).code).toBe(0);
  return place;
}

function pathOf(place: Place, entry: number): string {
  return place.path("out", `letter-${String(entry).padStart(2, "0")}.docx`);
}

async function linesIn(place: Place, entry: number): Promise<string[]> {
  return linesOf(pathOf(place, entry));
}

/** Runs an action. Returns the entries whose documents the action wrote again. */
async function madeBy(place: Place, action: () => Promise<unknown>): Promise<number[]> {
  const times = async (): Promise<(bigint | null)[]> =>
    Promise.all(
      Array.from({ length: ENTRIES }, async (_, index) => {
        const found = await stat(pathOf(place, index + 1), { bigint: true }).catch(() => null);
        return found?.ctimeNs ?? null;
      }),
    );
  const before = await times();
  await action();
  const after = await times();
  return after.flatMap((time, index) => (time === before[index] ? [] : [index + 1]));
}

/** Replaces a name in the data. */
async function correct(place: Place, name: string, by: string): Promise<void> {
  const data = await readFile(place.path("data.jsonl"), "utf8");
  await writeFile(place.path("data.jsonl"), data.replace(`"${name}"`, `"${by}"`));
}

async function expectVerified(place: Place, count: number, code = 0): Promise<void> {
  const verified = await place.quire(["verify", "out.quire.db"]);
  expect([verified.code, verified.stdout]).toEqual([
    code,
    expect.stringMatching(new RegExp(`^verified +${count}$`, "m")),
  ]);
}

describe("--overwrite", () => {
  test("makes only the document of a changed cell again", async () => {
    const place = await finishedRun();
    await correct(place, "Ann 7", "Anna 7");
    const made = await madeBy(place, async () => {
      const { code, stderr, stdout } = await place.quire(run("--overwrite"));
      expect([code, stderr]).toEqual([0, expect.stringContaining("Keeping 29 of 30 documents")]);
      expect(stdout).toMatch(/^completed +30$/m);
    });
    expect(made).toEqual([7]);
    expect(await linesIn(place, 7)).toEqual(["Dear Anna 7"]);
    await expectVerified(place, ENTRIES);
  });

  test("makes every document again after a change of the template", async () => {
    const place = await finishedRun();
    await place.write("letter.docx", docx(["Hello {{name}}"]));
    const made = await madeBy(place, () => place.quire(run("--overwrite")));
    expect(made).toHaveLength(ENTRIES);
    expect(await linesIn(place, 30)).toEqual(["Hello Ann 30"]);
    await expectVerified(place, ENTRIES);
  });

  test("makes documents again whose data names a file that was replaced, such as a picture", async () => {
    const place = await letterPlace(2);
    await place.write("letter.docx", docx(["{{name}} {{photo}}"]));
    await place.write("picture", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await place.write("data.jsonl", '{"name":"a","photo":"picture"}\n{"name":"b","photo":"out"}\n');
    const named = ["--name", "{{name}}"];
    expect((await place.quire(run(...named))).code).toBe(0);
    const times = async () =>
      Promise.all(
        ["a", "b"].map(async (n) => (await stat(place.path("out", `${n}.docx`))).ctimeMs),
      );
    const before = await times();
    await place.write("picture", '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>');
    expect((await place.quire(run(...named, "--overwrite"))).code).toBe(0);
    const after = await times();
    expect(after.map((time, index) => time !== before[index])).toEqual([true, false]);
  });

  test("replaces documents that --only-missing kept although their data or template had changed", async () => {
    const place = await finishedRun();
    await correct(place, "Ann 7", "Anna 7");
    expect((await place.quire(run("--only-missing"))).code).toBe(0);
    expect(await linesIn(place, 7)).toEqual(["Dear Ann 7"]);
    expect(await madeBy(place, () => place.quire(run("--overwrite")))).toEqual([7]);
    expect(await linesIn(place, 7)).toEqual(["Dear Anna 7"]);
    await place.write("letter.docx", docx(["Hello {{name}}"]));
    expect((await place.quire(run("--only-missing"))).code).toBe(0);
    expect(await linesIn(place, 7)).toEqual(["Dear Anna 7"]);
    expect(await madeBy(place, () => place.quire(run("--overwrite")))).toHaveLength(ENTRIES);
    expect(await linesIn(place, 7)).toEqual(["Hello Anna 7"]);
  });

  test("is needed again after a correction was undone", async () => {
    const place = await finishedRun();
    await correct(place, "Ann 7", "Anna 7");
    expect((await place.quire(run("--overwrite"))).code).toBe(0);
    await correct(place, "Anna 7", "Ann 7");
    const plain = await place.quire(run());
    expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining("--overwrite")]);
    expect(await madeBy(place, () => place.quire(run("--overwrite")))).toEqual([7]);
    expect(await linesIn(place, 7)).toEqual(["Dear Ann 7"]);
    await expectVerified(place, ENTRIES);
  });

  test("does not affect other runs into the same folder", async () => {
    const place = await finishedRun();
    await place.write("other.jsonl", '{"name":"Zoe"}\n');
    const other = ["--data", "other.jsonl", "--name", "{{name}}"];
    expect((await place.quire(run(...other))).code).toBe(0);
    await correct(place, "Ann 7", "Anna 7");
    expect((await place.quire(run("--overwrite"))).code).toBe(0);
    await expectVerified(place, ENTRIES + 1);
    const again = await place.quire(run(...other));
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("already done")]);
  });

  test("compares entries with equal names in their order", async () => {
    const place = await letterPlace(0);
    const write = (...names: string[]): Promise<void> =>
      place.write("data.jsonl", names.map((name) => `{"name":"${name}"}\n`).join(""));
    const all = ["--name", "letter", "--on-conflict", "rename"];
    const texts = async (): Promise<string[][]> =>
      Promise.all(
        ["letter", "letter (1)", "letter (2)"].map((name) =>
          linesOf(place.path("out", `${name}.docx`)),
        ),
      );
    await write("a", "b", "c");
    expect((await place.quire(run(...all))).code).toBe(0);
    await write("a", "B", "c");
    const again = await place.quire(run(...all, "--overwrite"));
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("Keeping 2 of 3")]);
    await write("A", "B", "c");
    const third = await place.quire(run(...all, "--overwrite"));
    expect([third.code, third.stderr]).toEqual([0, expect.stringContaining("Keeping 2 of 3")]);
    expect((await texts()).flat().sort()).toEqual(["Dear A", "Dear B", "Dear c"]);
    expect(await place.names()).toHaveLength(3);
  });

  test("never replaces an edited document", async () => {
    const place = await finishedRun();
    await writeFile(pathOf(place, 3), "edited by hand");
    await writeFile(pathOf(place, 4), "edited by hand");
    await correct(place, "Ann 3", "Anna 3");
    const { code, stderr } = await place.quire(run("--overwrite"));
    expect([code, stderr]).toEqual([2, expect.stringContaining("entry 3")]);
    expect(stderr).toMatch(/name "letter-03\.docx" is taken/);
    expect(await readFile(pathOf(place, 3), "utf8")).toBe("edited by hand");
    expect(await readFile(pathOf(place, 4), "utf8")).toBe("edited by hand");
  });

  test("makes lost documents again, too, and those of new entries", async () => {
    const place = await finishedRun();
    await rm(pathOf(place, 9));
    await writeFile(place.path("data.jsonl"), '{"name":"Zoe"}\n', { flag: "a" });
    const { code, stdout } = await place.quire(run("--overwrite"));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^completed +31$/m)]);
    expect(await linesIn(place, 9)).toEqual(["Dear Ann 9"]);
    expect(await linesIn(place, 31)).toEqual(["Dear Zoe"]);
    await expectVerified(place, 31);
  });

  test("names the documents of removed entries", async () => {
    const place = await finishedRun("--name", "{{name}}");
    const data = await readFile(place.path("data.jsonl"), "utf8");
    await place.write("data.jsonl", data.replace('{"name":"Ann 7"}\n', ""));
    const { code, stderr } = await place.quire(run("--name", "{{name}}", "--overwrite"));
    expect([code, stderr]).toEqual([0, expect.stringContaining("are up to date")]);
    expect(stderr).toMatch(/^warning: out also contains .+: "Ann 7\.docx"\. They were kept\.$/m);
    expect(await place.names()).toHaveLength(ENTRIES);
  });

  test("does nothing if nothing has changed", async () => {
    const place = await finishedRun();
    const made = await madeBy(place, async () => {
      const { code, stderr } = await place.quire(run("--overwrite"));
      expect([code, stderr]).toEqual([0, expect.stringContaining("are up to date")]);
    });
    expect(made).toEqual([]);
  });

  test("works several times in a row", async () => {
    const place = await finishedRun();
    for (const turn of [1, 2, 3]) {
      await correct(place, turn === 1 ? "Ann 5" : `Turn ${turn - 1}`, `Turn ${turn}`);
      const made = await madeBy(place, () => place.quire(run("--overwrite")));
      expect([turn, made]).toEqual([turn, [5]]);
      expect(await linesIn(place, 5)).toEqual([`Dear Turn ${turn}`]);
    }
    await expectVerified(place, ENTRIES);
  });

  test("never touches files that other programs wrote", async () => {
    const place = await letterPlace(ENTRIES);
    await mkdir(place.path("out"));
    await place.write("out/letter-02.docx", "somebody's");
    const { code } = await place.quire(run("--overwrite"));
    expect(code).toBe(2);
    expect(await readFile(pathOf(place, 2), "utf8")).toBe("somebody's");
  });

  test("resumes after it was killed, and replaces the remaining documents", async () => {
    const place = await letterPlace(200);
    expect((await place.quire(run())).code).toBe(0);
    await place.write("letter.docx", docx(["Hello {{name}}"]));
    const { process: child, ended } = place.start(run("--overwrite", "--concurrency", "2"));
    const first = place.path("out", "letter-001.docx");
    for (let made = false; !made; ) {
      made = (await linesOf(first).catch(() => [""]))[0]?.startsWith("Hello") ?? false;
    }
    child.kill("SIGKILL");
    await ended;
    const { code, stdout } = await place.quire(run("--overwrite"));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^completed +200$/m)]);
    for (const entry of [1, 100, 200]) {
      const name = `letter-${String(entry).padStart(3, "0")}.docx`;
      expect(await linesOf(place.path("out", name))).toEqual([`Hello Ann ${entry}`]);
    }
    await expectVerified(place, 200);
  }, 120_000);
});

describe("--only-missing", () => {
  test("keeps documents of earlier runs after a run that failed because of their names", async () => {
    const place = await finishedRun();
    await correct(place, "Ann 7", "Anna 7");
    expect((await place.quire(run())).code).toBe(2);
    const made = await madeBy(place, async () => {
      expect((await place.quire(run("--only-missing"))).code).toBe(0);
    });
    expect(made).toEqual([]);
    await expectVerified(place, ENTRIES);
  });

  test("makes one lost document again", async () => {
    const place = await finishedRun();
    await rm(pathOf(place, 12));
    const refused = await place.quire(run());
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("--only-missing")]);
    const made = await madeBy(place, async () => {
      expect((await place.quire(run("--only-missing"))).code).toBe(0);
    });
    expect(made).toEqual([12]);
    await expectVerified(place, ENTRIES);
  });

  test("keeps edited documents and documents whose data has changed", async () => {
    const place = await finishedRun();
    await correct(place, "Ann 7", "Anna 7");
    await writeFile(pathOf(place, 3), "edited by hand");
    await rm(pathOf(place, 1));
    const made = await madeBy(place, async () => {
      expect((await place.quire(run("--only-missing"))).code).toBe(0);
    });
    expect(made).toEqual([1]);
    expect(await readFile(pathOf(place, 3), "utf8")).toBe("edited by hand");
    expect(await linesIn(place, 7)).toEqual(["Dear Ann 7"]);
  });

  test("makes failed entries after their correction", async () => {
    const place = await letterPlace(ENTRIES);
    await correct(place, "Ann 8", '"}\n{"name":{"not":"text"}}\n{"name":"');
    await correct(place, "Ann 9", "Ann 9");
    const data = await readFile(place.path("data.jsonl"), "utf8");
    await place.write("data.jsonl", data.replace('{"name":""}\n', "").replace('{"name":""}\n', ""));
    expect((await place.quire(run())).code).toBe(2);
    const corrected = (await readFile(place.path("data.jsonl"), "utf8")).replace(
      '{"not":"text"}',
      '"Bob"',
    );
    await place.write("data.jsonl", corrected);
    const made = await madeBy(place, async () => {
      expect((await place.quire(run("--only-missing"))).code).toBe(0);
    });
    expect(made).toEqual([8]);
    expect(await linesIn(place, 8)).toEqual(["Dear Bob"]);
  });
});

test("the report of a run whose names are taken names --overwrite", async () => {
  const place = await finishedRun();
  await correct(place, "Ann 7", "Anna 7");
  const { code, stderr } = await place.quire(run());
  expect([code, stderr]).toEqual([2, expect.stringContaining("--overwrite")]);
});
