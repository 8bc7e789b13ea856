import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type Place, until } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";
import { letterPlace, letterRun } from "./support/letters.ts";

function run(...more: string[]): string[] {
  return letterRun("docx", ...more);
}

/** Returns the modification time of each document in a folder. */
async function written(place: Place): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const name of await place.names()) {
    if (name.endsWith(".docx")) times[name] = (await stat(place.path("out", name))).mtimeMs;
  }
  return times;
}

/** Starts a run and kills it after it has made some documents. */
async function killedRun(place: Place, documents: number, ...more: string[]): Promise<void> {
  const { process: child, ended } = place.start(run("--concurrency", "4", ...more));
  const made = async () => (await place.names()).filter((name) => name.endsWith(".docx")).length;
  await until(`there are ${documents} documents`, async () => (await made()) >= documents);
  child.kill("SIGKILL");
  expect((await ended).signal).toBe("SIGKILL");
}

describe("a run that was killed", () => {
  test("resumes with the same command, and makes nothing twice", async () => {
    const place = await letterPlace(200);
    await killedRun(place, 5);
    await killedRun(place, 50);
    const before = await written(place);
    const { code, stderr, stdout } = await place.quire(run("--concurrency", "4"));
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^Resuming: \d+ of 200 entries are/m),
    ]);
    expect(stdout).toMatch(/^completed +200$/m);
    const after = await written(place);
    expect(Object.keys(after)).toHaveLength(200);
    expect(after).toMatchObject(before);
    expect(await place.names()).toHaveLength(200); // no other files are left over
    for (const number of [1, 100, 200]) {
      const name = `letter-${String(number).padStart(3, "0")}.docx`;
      expect(await linesOf(place.path("out", name))).toEqual([`Dear Ann ${number}`]);
    }
    const verified = await place.quire(["verify", "out.quire.db"]);
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/^verified +200$/m),
    ]);
  }, 120_000);

  test("leaves no unfinished file when the run ends, even if there was nothing left to make", async () => {
    const place = await letterPlace(3);
    await place.quire(run());
    const left = place.path("out", ".quire-tmp-of-another-machine");
    await writeFile(left, "half");
    const longAgo = Date.now() / 1000 - 48 * 3600;
    await utimes(left, longAgo, longAgo);
    expect((await place.quire(run("--dry-run"))).code).toBe(0);
    expect(await place.names()).toHaveLength(4);
    expect((await place.quire(run())).code).toBe(0);
    expect(await place.names()).toHaveLength(3);
  });

  test("uses the data and the template that it started with", async () => {
    const place = await letterPlace(150);
    await killedRun(place, 5, "--journal", "my.db");
    const template = await readFile(place.path("letter.docx"));
    await place.write("letter.docx", docx(["Changed {{name}}"]));
    const other = await place.quire(run("--concurrency", "4", "--journal", "my.db"));
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("--new")]);
    await writeFile(place.path("letter.docx"), template);
    const again = await place.quire(run("--concurrency", "4", "--journal", "my.db"));
    expect(again.code).toBe(0);
    expect(await linesOf(place.path("out", "letter-150.docx"))).toEqual(["Dear Ann 150"]);
  }, 120_000);

  test("is cancelled with --new", async () => {
    const place = await letterPlace(150);
    await killedRun(place, 5);
    await rm(place.path("out"), { recursive: true });
    await place.write("letter.docx", docx(["Changed {{name}}"]));
    const { code, stdout } = await place.quire(run("--new"));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^completed +150$/m)]);
    expect(await linesOf(place.path("out", "letter-001.docx"))).toEqual(["Changed Ann 1"]);
    const report = await place.quire(["report", "out.quire.db"]);
    expect(report.stdout).toMatch(/^run of .+: finished\n(?:.+\n)+run of .+: cancelled$/m);
  }, 120_000);
});

describe("--new", () => {
  test("replaces the documents of the run, except documents that somebody has changed", async () => {
    const place = await letterPlace(5);
    await place.quire(run());
    await writeFile(place.path("out", "letter-2.docx"), "mine");
    await rm(place.path("out", "letter-3.docx"));
    const before = await written(place);
    const { code, stdout, stderr } = await place.quire(run("--new"));
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^completed +4$/m)]);
    expect(stderr).toMatch(/entry 2 .+letter-2\.docx.+taken/s);
    expect(await readFile(place.path("out", "letter-2.docx"), "utf8")).toBe("mine");
    const after = await written(place);
    expect(Object.keys(after)).toHaveLength(5);
    for (const name of ["letter-1.docx", "letter-4.docx", "letter-5.docx"]) {
      expect(after[name]).not.toBe(before[name]);
    }
    await rm(place.path("out", "letter-2.docx"));
    expect((await place.quire(run())).code).toBe(0); // retries the failed entries
    const verified = await place.quire(["verify", "out.quire.db"]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^verified +5$/m)]);
  }, 60_000);

  test("removes nothing when --check strict finds errors", async () => {
    const place = await letterPlace(2);
    await place.quire(run());
    const before = await written(place);
    await place.write("letter.docx", docx(["Dear {{name}} of {{city}}"]));
    const strict = await place.quire(run("--new", "--check", "strict"));
    expect([strict.code, strict.stdout]).toEqual([1, ""]);
    await place.write("letter.docx", docx(["Dear {{name}}"]));
    await place.write("data.jsonl", '{"name":"Ann"}\n{"name":{"first":"x"}}\n');
    expect((await place.quire(run("--new", "--check", "strict"))).code).toBe(1);
    expect(await written(place)).toEqual(before);
  }, 60_000);
});

describe("the journal of a run", () => {
  test("is reported if it contains no accepted run", async () => {
    const place = await letterPlace(0);
    await place.write("data.jsonl", '{"name":{"first":"x"}}\n');
    expect((await place.quire(run("--check", "strict"))).code).toBe(1);
    for (const command of ["verify", "report"]) {
      const { code, stdout, stderr } = await place.quire([command, "out.quire.db"]);
      expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("contains no run")]);
    }
  });

  test("makes the same command do nothing after everything was done", async () => {
    const place = await letterPlace(3);
    expect((await place.quire(run())).code).toBe(0);
    const before = await written(place);
    const { code, stdout, stderr } = await place.quire(run());
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^completed +3$/m)]);
    expect(stderr).toContain("All entries are already done. Use --new to start over.");
    expect(await written(place)).toEqual(before);
  });

  test("makes everything again if all documents were removed, and reports if some were", async () => {
    const place = await letterPlace(3);
    await place.quire(run());
    await rm(place.path("out", "letter-2.docx"));
    const some = await place.quire(run());
    expect([some.code, some.stderr]).toEqual([
      1,
      expect.stringMatching(/1 of the \d+ documents .+ are no longer in "out"/),
    ]);
    await rm(place.path("out"), { recursive: true });
    expect((await place.quire(run())).code).toBe(0);
    expect(await place.names()).toHaveLength(3);
  });

  test("is shared by two runs at the same time", async () => {
    const place = await letterPlace(300);
    const both = await Promise.all([place.start(run()).ended, place.quire(run())]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    for (const { stdout } of both) expect(stdout).toMatch(/^completed +300$/m);
    expect(await place.names()).toHaveLength(300);
  }, 60_000);

  test("provides the failed entries as JSON lines, to correct and run again", async () => {
    const place = await letterPlace(0);
    const entries = [{ name: "Ann" }, { name: { first: "x" }, big: "12345678901234567890" }, 5];
    const lines = entries.map((entry) => JSON.stringify(entry)).join("\n");
    await place.write("data.jsonl", lines);
    expect((await place.quire(run())).code).toBe(2);
    const counts = await place.quire(["report", "out.quire.db"]);
    expect(counts.stdout).toMatch(
      /^ {2}entry 2 \("letter-2"\): The value for the tag .+ object.*$/m,
    );
    const failed = await place.quire(["report", "out.quire.db", "--failed"]);
    expect(failed.stdout).toBe(
      '{"generated_file_name":"letter-2","user_input":{"name":{"first":"x"},"big":"12345678901234567890"}}\n',
    );
    expect(failed.stderr).toContain("1 failed entry is not listed");
    await place.write("redo.jsonl", failed.stdout.replace('{"first":"x"}', '"Bob"'));
    const redo = ["run", "letter.docx", "--data", "redo.jsonl", "--to", "docx", "--out", "out"];
    expect((await place.quire(redo)).code).toBe(0);
    expect(await linesOf(place.path("out", "letter-2.docx"))).toEqual(["Dear Bob"]);
    const all = await place.quire(["report", "out.quire.db", "--json"]);
    const jobs = all.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(jobs.map(({ entry, status, file }) => [entry, status, file])).toEqual([
      [1, "completed", "letter-2.docx"],
      [1, "completed", "letter-1.docx"],
      [2, "failed", null],
      [3, "failed", null],
    ]);
  });
});

describe("quire verify", () => {
  test("reports every document as missing if their folder is missing", async () => {
    const place = await letterPlace(2);
    await place.quire(run());
    await rm(place.path("out"), { recursive: true });
    const { code, stdout } = await place.quire(["verify", "out.quire.db"]);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^verified +0\nmissing +2$/m)]);
  });

  test("reports documents that are missing or were changed", async () => {
    const place = await letterPlace(3);
    await place.quire(run());
    await rm(place.path("out", "letter-1.docx"));
    await writeFile(place.path("out", "letter-3.docx"), "changed");
    const { code, stdout, stderr } = await place.quire(["verify", "out.quire.db"]);
    expect([code, stderr.split("\n").sort()]).toEqual([
      2,
      ["", 'entry 1: "letter-1.docx" is missing', 'entry 3: "letter-3.docx" is changed'],
    ]);
    expect(stdout).toMatch(/^verified +1\nmissing +1\nchanged +1$/m);
    const json = await place.quire(["verify", "out.quire.db", "--json"]);
    expect(JSON.parse(json.stdout.trim().split("\n").at(-1) ?? "")).toEqual({
      type: "summary",
      verified: 1,
      missing: 1,
      changed: 1,
      unreadable: 0,
      failed: 0,
      open: 0,
    });
  });

  test.for([
    ["a missing file", "no.db", /"no\.db" does not exist/],
    ["a file that is not a journal", "data.jsonl", /"data\.jsonl" is not the journal of a run/],
  ] as const)("rejects %s", async ([, path, message]) => {
    const place = await letterPlace(3);
    const { code, stderr } = await place.quire(["verify", path]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe("the check before a run", () => {
  test("reports how many entries have errors before the first document is made", async () => {
    const place = await letterPlace(2);
    await place.write("data.jsonl", '{"name":"Ann"}\n{}\n');
    const { code, stderr } = await place.quire(run());
    expect(code).toBe(2);
    expect(stderr).toMatch(/^check: 1 of 2 entries has errors; .+\n[\s\S]*entry 2/);
    const quiet = await place.quire(run("--no-check", "--new", "--on-conflict", "rename"));
    expect(quiet.stderr).not.toContain("check:");
  });

  test("makes nothing with --check strict if an entry has errors", async () => {
    const place = await letterPlace(2);
    await place.write("data.jsonl", '{"name":"Ann"}\n{}\n');
    const strict = await place.quire(run("--check", "strict"));
    expect([strict.code, strict.stdout, await place.names()]).toEqual([1, "", []]);
    expect(strict.stderr).toMatch(/The tag 'name' was not provided[\s\S]+no document was made/);
    await place.write("data.jsonl", '{"name":"Ann"}\n{"name":"Bob"}\n');
    expect((await place.quire(run("--check", "strict"))).code).toBe(0);
  });
});
