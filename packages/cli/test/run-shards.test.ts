/** Runs that are divided into shards: `quire run --shard`. */
import { mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../contracts/test/support/runs.ts";
import { makePlace, type Place } from "./support/cli.ts";
import { linesOf } from "./support/docx.ts";
import { letterPlace, letterRun } from "./support/letters.ts";
import { CLASHING, filesIn, kill, namedPlace, namedRun, writeNamed } from "./support/shards.ts";

/** Runs all shards, in this order, and returns their exit codes. */
async function runShards(
  place: Place,
  order: readonly number[],
  ...more: string[]
): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  for (const index of order) {
    const shard = ["--shard", `${index}/${order.length}`];
    codes.push((await place.quire(namedRun("out", ...shard, ...more))).code);
  }
  return codes;
}

function journals(...indexes: number[]): string[] {
  return indexes.map((index) => `out.shard-${index}.quire.db`);
}

describe("the shards of a run", () => {
  test.each(["rename", "fail"])(
    "write the files of one run, in any order and at the same time, with --on-conflict %s",
    async (policy) => {
      const place = await namedPlace(CLASHING);
      const flags = ["--on-conflict", policy];
      expect((await place.quire(namedRun("whole", ...flags))).code).toBe(2);
      await runShards(place, [3, 1, 2], ...flags);
      expect(await filesIn(place, "out")).toEqual(await filesIn(place, "whole"));
      const all = [1, 2, 3, 4].map((index) =>
        place.quire(namedRun("together", ...flags, "--shard", `${index}/4`)),
      );
      await Promise.all(all);
      expect(await filesIn(place, "together")).toEqual(await filesIn(place, "whole"));
    },
  );

  test("write the files of one run for random names, numbers of shards and orders", async () => {
    const name = fc.constantFrom(...CLASHING, "a (2)", "A (2)", "", "d");
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { minLength: 4, maxLength: 12 }),
        fc.shuffledSubarray([1, 2, 3, 4], { minLength: 1, maxLength: 4 }),
        fc.constantFrom("rename", "fail"),
        async (names, shuffled, policy) => {
          const order = shuffled.map((each) => shuffled.toSorted().indexOf(each) + 1);
          const place = await namedPlace(names);
          const flags = ["--on-conflict", policy, "--no-check"];
          await place.quire(namedRun("whole", ...flags));
          await runShards(place, order, ...flags);
          expect(await filesIn(place, "out")).toEqual(await filesIn(place, "whole"));
          await rm(place.folder, { recursive: true });
        },
      ),
      { numRuns: manyRuns(4, 60) },
    );
  });

  test("have consecutive entries, numbered as in the data file", async () => {
    const place = await letterPlace(10);
    for (const [index, numbers] of [
      [1, ["01", "02", "03"]],
      [2, ["04", "05", "06"]],
      [3, ["07", "08", "09", "10"]],
    ] as const) {
      const out = `part-${index}`;
      const args = letterRun("docx", "--shard", `${index}/3`, "--verbose");
      const { code, stderr } = await place.quire(args.map((arg) => (arg === "out" ? out : arg)));
      expect(code).toBe(0);
      expect(await place.names(out)).toEqual(numbers.map((number) => `letter-${number}.docx`));
      for (const number of numbers) {
        expect(stderr).toContain(`entry ${Number(number)}: letter-${number}.docx`);
      }
    }
    expect(await linesOf(place.path("part-3", "letter-10.docx"))).toEqual(["Dear Ann 10"]);
  });

  test.each([
    [["--entries", "2,5-11"]],
    [["--limit", "7"]],
    [["--where", 'name != "Ann 4"', "--limit", "8"]],
  ])("divide the entries that %j choose", async (flags) => {
    const place = await namedPlace(CLASHING);
    const all = [...flags, "--on-conflict", "rename"];
    await place.quire(namedRun("whole", ...all));
    await runShards(place, [2, 3, 1], ...all);
    expect(Object.keys(await filesIn(place, "out")).length).toBeGreaterThan(3);
    expect(await filesIn(place, "out")).toEqual(await filesIn(place, "whole"));
  });

  test("read their data from standard input", async () => {
    const place = await letterPlace(5);
    const stdin = await readFile(place.path("data.jsonl"), "utf8");
    await rm(place.path("data.jsonl"));
    const args = letterRun("docx", "--data-format", "jsonl");
    const piped = args.map((arg) => (arg === "data.jsonl" ? "-" : arg));
    for (const shard of ["1/2", "2/2"]) {
      expect((await place.quire([...piped, "--shard", shard], { stdin })).code).toBe(0);
    }
    expect(await place.names()).toHaveLength(5);
    expect((await place.quire(["verify", ...journals(1, 2)])).code).toBe(0);
  });

  test("write nothing with --dry-run, and list only their own documents", async () => {
    const place = await letterPlace(4);
    const args = letterRun("docx", "--shard", "2/2", "--dry-run");
    const { code, stdout } = await place.quire(args);
    expect([code, stdout.match(/letter-\d\.docx/g)]).toEqual([
      0,
      ["letter-3.docx", "letter-4.docx"],
    ]);
    expect(await place.names()).toEqual([]);
  });
});

describe("a shard that is started again", () => {
  const names = Array.from({ length: 240 }, (_, index) => `n${index % 100}`);
  const flags = ["--on-conflict", "rename", "--no-check"];

  test("after kill -9 resumes, and all shards together have the files of one run", async () => {
    const place = await namedPlace(names);
    await place.quire(namedRun("whole", ...flags));
    await place.quire(namedRun("out", ...flags, "--shard", "1/2"));
    const args = namedRun("out", ...flags, "--shard", "2/2");
    await kill(place, args, { folder: "out", files: 130 });
    expect((await place.names()).length).toBeLessThan(240);
    const open = await place.quire(["verify", ...journals(1, 2)]);
    expect([open.code, open.stderr]).toEqual([
      2,
      expect.stringMatching(/^Shard 2 of 2 is not finished: \d+ of 120 entries are done\./m),
    ]);
    const { code, stderr } = await place.quire(args);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Resuming: \d+ of 120/m)]);
    expect(await filesIn(place, "out")).toEqual(await filesIn(place, "whole"));
    const { code: right, stdout } = await place.quire(["verify", ...journals(1, 2)]);
    expect([right, stdout]).toEqual([0, expect.stringMatching(/^verified +240$/m)]);
  }, 120_000);

  test("without its journal keeps documents with the same content, and makes the others", async () => {
    const place = await namedPlace(CLASHING);
    await runShards(place, [1, 2], "--on-conflict", "rename");
    const before = await filesIn(place, "out");
    await rm(place.path("out.shard-2.quire.db"));
    await rm(place.path("out", "c.docx"));
    const { ino } = await stat(place.path("out", "a (2).docx"));
    const args = namedRun("out", "--on-conflict", "rename", "--shard", "2/2");
    expect((await place.quire(args)).stdout).toMatch(/^completed +5$/m);
    expect(await filesIn(place, "out")).toEqual(before);
    expect((await stat(place.path("out", "a (2).docx"))).ino).toBe(ino);
    expect((await place.quire(["verify", ...journals(1, 2)])).code).toBe(0);
  });

  test("with --new replaces only its own documents", async () => {
    const place = await namedPlace(CLASHING);
    await runShards(place, [1, 2], "--on-conflict", "rename");
    const before = await filesIn(place, "out");
    await rm(place.path("out", "c.docx"));
    const args = namedRun("out", "--on-conflict", "rename", "--shard", "2/2");
    const refused = await place.quire(args);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /no longer in "out".+Make all documents of this shard again with --new/,
      ),
    ]);
    expect((await place.quire([...args, "--new"])).stderr).toContain('entry 7 ("x/y") failed');
    expect(await filesIn(place, "out")).toEqual(before);
  });

  test.each([
    [["--shard", "1/3"], /belongs to shard 1 of 2, but this command is shard 1 of 3/],
    [["--shard", "2/2", "--journal", "out.shard-1.quire.db"], /this command is shard 2 of 2/],
    [["--journal", "out.shard-1.quire.db"], /but this command is a run without --shard/],
    [["--shard", "1/2", "--on-missing", "blank"], /shard 1 of 2 of another run, with another/],
  ])("with %j is refused", async (more, message) => {
    const place = await letterPlace(6);
    expect((await place.quire(letterRun("docx", "--shard", "1/2"))).code).toBe(0);
    const { code, stderr } = await place.quire(letterRun("docx", ...more));
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(await place.names()).toHaveLength(3);
  });

  test("with other data is refused", async () => {
    const place = await letterPlace(6);
    await place.quire(letterRun("docx", "--shard", "1/2"));
    await place.write("data.jsonl", '{"name":"Bob"}\n{"name":"Cy"}\n');
    const { code, stderr } = await place.quire(letterRun("docx", "--shard", "1/2"));
    expect([code, stderr]).toEqual([1, expect.stringContaining("other data or other options")]);
  });
});

describe("files of others in the folder of shards", () => {
  test.each(["a.docx", "A.DOCX", "\u0065\u0301.docx"])(
    "such as %j are never replaced, and change no other name",
    async (taken) => {
      const place = await namedPlace(["a", "\u00e9", "b", "a"]);
      await mkdir(place.path("out"));
      await place.write(`out/${taken}`, "of another program");
      expect(await runShards(place, [2, 1], "--on-conflict", "rename")).toEqual([0, 2]);
      const others = ["a (1).docx", "a.docx", "b.docx", "\u00e9.docx"].filter(
        (name) => name.normalize("NFC").toLowerCase() !== taken.normalize("NFC").toLowerCase(),
      );
      expect(await place.names()).toEqual([...others, taken].sort());
      expect(await readFile(place.path("out", taken), "utf8")).toBe("of another program");
      const { stderr } = await place.quire(
        namedRun("out", "--on-conflict", "rename", "--shard", "1/2"),
      );
      expect(stderr).toContain("a shard neither replaces a file nor chooses another name");
      await rename(place.path("out", taken), place.path("moved"));
      expect(await runShards(place, [1, 2], "--on-conflict", "rename")).toEqual([0, 0]);
      expect(await place.names()).toEqual(["a (1).docx", "a.docx", "b.docx", "\u00e9.docx"].sort());
    },
  );

  test("an entry whose name belongs to an entry of another shard is not retried under that name", async () => {
    const place = await namedPlace(["a", "b", "a"]);
    const second = namedRun("out", "--shard", "2/2");
    expect((await place.quire(second)).code).toBe(2);
    const again = await place.quire(second);
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/^entry 3 .+failed/m)]);
    expect(await place.names()).toEqual(["b.docx"]);
    expect((await place.quire(namedRun("out", "--shard", "1/2"))).code).toBe(0);
    expect(await linesOf(place.path("out", "a.docx"))).toEqual(["Dear Ann 1"]);
  });
});

describe("options that a shard cannot have", () => {
  test.each([
    [
      ["--shard", "1/2", "--packet", "all.pdf"],
      /--packet .+quire merge when all shards have ended/,
    ],
    [["--shard", "1/2", "--overwrite"], /--overwrite .+Use --new/],
    [["--shard", "1/2", "--only-missing"], /--only-missing .+Use --new/],
    [["--shard", "1/2", "--check", "strict"], /--check strict .+Run quire check once/],
    [["--shard", "1/7"], /6 entries cannot be divided into 7 shards/],
    [["--shard", "1/3", "--limit", "2"], /2 entries cannot be divided into 3 shards/],
    [
      ["--shard", "0/2"],
      /The first shard has the number 1.+add 1: --shard "\$\(\(INDEX\+1\)\)\/8"/,
    ],
    [["--shard", "3/2"], /must be at most 2/],
    [["--shard", "/2"], /number before the slash is missing: a variable/],
    [["--shard", "1/"], /number after the slash is missing/],
    [["--shard", "1"], /for example 1\/8/],
    [["--shard", "-1/2"], /for example 1\/8/],
    [["--shard", "1.5/2"], /for example 1\/8/],
  ])("such as %j are rejected with a way out", async (flags, message) => {
    const place = await letterPlace(6);
    const { code, stderr } = await place.quire(letterRun("docx", ...flags));
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(await place.names(".")).not.toContain("out.shard-1.quire.db");
  });

  test("a data file that ends unexpectedly cannot be divided", async () => {
    const place = await makePlace();
    await writeNamed(place, []);
    await place.write("data.csv", 'name\nAnn\nBob\n"Cy');
    const args = ["run", "letter.docx", "--data", "data.csv", "--to", "docx", "--out", "out"];
    const { code, stderr } = await place.quire([...args, "--shard", "1/2"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("cannot be divided into shards")]);
  });
});
