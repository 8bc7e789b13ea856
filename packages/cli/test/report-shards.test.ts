/** The reports of the shards of a run, joined by `quire report` and `quire verify`. */
import { cp, rm } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { Place } from "./support/cli.ts";
import { letterPlace, letterRun } from "./support/letters.ts";
import { filesIn, namedPlace, namedRun } from "./support/shards.ts";

function journals(...indexes: number[]): string[] {
  return indexes.map((index) => `out.shard-${index}.quire.db`);
}

async function dividedPlace(): Promise<Place> {
  const place = await namedPlace(["a", "b", "x/y", "a", "c", "d"]);
  for (const index of [1, 2, 3]) {
    await place.quire(namedRun("out", "--shard", `${index}/3`, "--on-conflict", "rename"));
  }
  return place;
}

/** Returns the counts of a printed report or verification, by their labels. */
function counts(stdout: string): Record<string, number> {
  const rows = [...stdout.matchAll(/^ *([a-z, ]+?) {2,}(\d+)$/gm)];
  return Object.fromEntries(rows.map(([, label, value]) => [label, Number(value)]));
}

describe("quire report", () => {
  test("joins the journals of all shards, in the order of the entries", async () => {
    const place = await dividedPlace();
    await place.quire(namedRun("whole", "--on-conflict", "rename"));
    const entriesOf = async (...paths: string[]) => {
      const { code, stdout } = await place.quire(["report", "--json", ...paths]);
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      return [code, lines.map(({ batch: _, ...line }) => line)];
    };
    expect(await entriesOf(...journals(3, 1, 2))).toEqual(await entriesOf("whole.quire.db"));
    const { code, stdout, stderr } = await place.quire(["report", ...journals(2, 3, 1)]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^run of .+ into .+out: finished, 3 of 3 shards$/m);
    expect(counts(stdout)).toEqual({
      completed: 5,
      "completed with errors": 0,
      failed: 1,
      pending: 0,
      total: 6,
    });
    expect(stdout).toContain('  entry 3 ("x/y"): The file name "x/y" contains the character /.');
  });

  test("names the shards that are missing, also if only one journal was named", async () => {
    const place = await dividedPlace();
    const one = await place.quire(["report", ...journals(2)]);
    expect([one.code, one.stderr]).toEqual([
      2,
      "Shards 1,3 of 3 are missing. Name their journals, too.\n",
    ]);
    expect(one.stdout).toContain("1 of 3 shards");
    const failed = await place.quire(["report", "--failed", ...journals(2, 3)]);
    expect([failed.code, failed.stderr]).toEqual([
      2,
      expect.stringContaining("Shard 1 of 3 is missing"),
    ]);
  });

  test("prints the failed entries of all shards", async () => {
    const place = await letterPlace(0);
    await place.write("data.jsonl", '{"name":"Ann"}\n{}\n{"name":"Bob"}\n{}\n');
    for (const shard of ["1/2", "2/2"]) {
      await place.quire(letterRun("docx", "--on-missing", "fail", "--shard", shard));
    }
    const { code, stdout } = await place.quire(["report", "--failed", ...journals(1, 2)]);
    expect([
      code,
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ]).toEqual([
      0,
      [
        { generated_file_name: "letter-2", user_input: {} },
        { generated_file_name: "letter-4", user_input: {} },
      ],
    ]);
  });
});

describe("quire verify", () => {
  test("checks the documents of all shards, also in another folder", async () => {
    const place = await dividedPlace();
    const { code, stdout } = await place.quire(["verify", ...journals(1, 2, 3)]);
    expect([code, counts(stdout)]).toEqual([
      0,
      { verified: 5, missing: 0, changed: 0, unreadable: 0, "failed, no document": 1, pending: 0 },
    ]);
    await cp(place.path("out"), place.path("moved"), { recursive: true });
    expect(await filesIn(place, "moved")).toEqual(await filesIn(place, "out"));
    await rm(place.path("moved", "a (1).docx"));
    await place.write("moved/d.docx", "changed");
    const moved = await place.quire(["verify", ...journals(1, 2, 3), "--out", "moved", "--json"]);
    expect(moved.code).toBe(2);
    expect(
      moved.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      expect.objectContaining({ problem: "missing", entry: 4, file: "a (1).docx" }),
      expect.objectContaining({ problem: "changed", entry: 6, file: "d.docx" }),
      {
        type: "summary",
        verified: 3,
        missing: 1,
        changed: 1,
        unreadable: 0,
        failed: 1,
        open: 0,
        missing_shards: [],
      },
    ]);
  });

  test("fails if a shard is missing", async () => {
    const place = await dividedPlace();
    const { code, stdout, stderr } = await place.quire(["verify", ...journals(1, 3), "--json"]);
    expect([code, stderr, JSON.parse(stdout)]).toEqual([
      2,
      expect.stringContaining("Shard 2 of 3 is missing"),
      expect.objectContaining({ verified: 4, missing_shards: [2] }),
    ]);
  });
});

describe("journals that do not belong together", () => {
  test("of different numbers of shards, data or options are refused", async () => {
    const place = await letterPlace(6);
    await place.quire(letterRun("docx", "--shard", "1/2"));
    const other = (...more: string[]) =>
      place.quire(letterRun("docx", "--journal", "other.db", ...more));
    const joined = async () => {
      const { code, stderr } = await place.quire(["verify", ...journals(1), "other.db"]);
      await rm(place.path("other.db"));
      return [code, stderr];
    };
    await other("--shard", "2/3");
    expect(await joined()).toEqual([
      1,
      expect.stringMatching(/belongs to shard 1 of 2, but "other.db" to shard 2 of 3/),
    ]);
    await other("--shard", "2/2", "--on-missing", "blank");
    expect(await joined()).toEqual([1, expect.stringContaining("belong to different runs")]);
    await other("--shard", "1/2");
    expect(await joined()).toEqual([1, expect.stringContaining("both belong to shard 1 of 2")]);
    await other("--entries", "1-2");
    expect(await joined()).toEqual([1, expect.stringContaining("does not belong to a shard")]);
    await place.write("data.jsonl", '{"name":"Bob"}\n{"name":"Cy"}\n');
    await other("--shard", "2/2");
    expect(await joined()).toEqual([1, expect.stringContaining("belong to different runs")]);
  });

  test("are joined if only their paths differ", async () => {
    const place = await letterPlace(4);
    await place.quire(letterRun("docx", "--shard", "1/2"));
    const moved = letterRun("docx", "--shard", "2/2").map((arg) => (arg === "out" ? "mount" : arg));
    await place.quire(moved);
    const { code } = await place.quire([
      "verify",
      "out.shard-1.quire.db",
      "mount.shard-2.quire.db",
    ]);
    expect(code).toBe(0);
  });
});
