/** Runs of chosen entries: --entries, --where and --limit. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type Place, until } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";
import { letterPlace, letterRun } from "./support/letters.ts";

function run(...more: string[]): string[] {
  return letterRun("docx", ...more);
}

function documents(...numbers: number[]): string[] {
  return numbers.map((number) => `letter-${String(number).padStart(2, "0")}.docx`);
}

async function verified(place: Place): Promise<string> {
  return (await place.quire(["verify", "out.quire.db"])).stdout.replace(/ +/g, " ");
}

async function replaceIn(place: Place, name: string, from: string, to: string): Promise<void> {
  const text = await readFile(place.path(name), "utf8");
  await writeFile(place.path(name), text.replace(from, to));
}

describe("a run of chosen entries", () => {
  test.each([
    [
      ["--entries", "5,9-11"],
      [5, 9, 10, 11],
    ],
    [
      ["--entries", "28-"],
      [28, 29, 30],
    ],
    [
      ["--limit", "2"],
      [1, 2],
    ],
    [
      ["--entries", "4-", "--limit", "2"],
      [4, 5],
    ],
    [
      ["--where", 'name == "Ann 7" or name == "Ann 20"'],
      [7, 20],
    ],
    [["--where", 'name != "Ann 1"', "--limit", "1"], [2]],
    [
      ["--where", 'name != "Ann 6"', "--entries", "5-7"],
      [5, 7],
    ],
  ])("with %j makes only these documents", async (flags, numbers) => {
    const place = await letterPlace(30);
    const { code, stdout, stderr } = await place.quire(run(...flags));
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error|warning/)]);
    expect(stdout).toMatch(new RegExp(`^total +${numbers.length}$`, "m"));
    expect(await place.names()).toEqual(documents(...numbers));
    const last = numbers.at(-1) ?? 0;
    const path = place.path("out", documents(last)[0] ?? "");
    expect(await linesOf(path)).toEqual([`Dear Ann ${last}`]);
    expect((await place.quire(run(...flags))).stderr).toContain("All entries are already done.");
  });

  test("reports the numbers that entries have in the data file", async () => {
    const place = await letterPlace(30);
    await replaceIn(place, "data.jsonl", '"Ann 9"', "9 9");
    const flags = ["--entries", "5,9-11"];
    const made = await place.quire(run(...flags, "--verbose"));
    expect([made.code, made.stderr]).toEqual([2, expect.stringMatching(/^entry 9 failed:/m)]);
    expect(made.stderr).toContain("entry 10: letter-10.docx");
    await rm(place.path("out", "letter-11.docx"));
    const { stderr } = await place.quire(["verify", "out.quire.db"]);
    expect(stderr).toContain('entry 11: "letter-11.docx" is missing');
    const failed = await place.quire(["report", "--failed", "out.quire.db"]);
    expect(failed.stderr).toContain("1 failed entry is not listed (9)");
    const { stdout } = await place.quire(["report", "--json", "out.quire.db"]);
    const entries = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).entry);
    expect(entries).toEqual([5, 9, 10, 11]);
    const reasons = await place.quire(["report", "out.quire.db"]);
    expect(reasons.stdout).toMatch(/^ {2}entry 9: /m);
  });

  test("is followed by a run of all entries, which keeps its documents", async () => {
    const place = await letterPlace(5);
    expect((await place.quire(run("--limit", "2"))).code).toBe(0);
    const taken = await place.quire(run());
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining("--only-missing")]);
    const rest = await place.quire(run("--only-missing"));
    expect([rest.code, rest.stdout]).toEqual([0, expect.stringMatching(/^completed +5$/m)]);
    expect(await verified(place)).toMatch(/^verified 5$/m);
  });

  test("with --overwrite makes them again, and verify still covers the others", async () => {
    const place = await letterPlace(30);
    await place.quire(run());
    await place.write("letter.docx", docx(["Hello {{name}}"]));
    const { code, stderr } = await place.quire(run("--entries", "3", "--overwrite"));
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("warning")]);
    expect(await linesOf(place.path("out", "letter-03.docx"))).toEqual(["Hello Ann 3"]);
    expect(await linesOf(place.path("out", "letter-04.docx"))).toEqual(["Dear Ann 4"]);
    expect(await verified(place)).toMatch(/^verified 30\nmissing 0\nchanged 0$/m);
    await rm(place.path("out", "letter-04.docx"));
    expect(await verified(place)).toMatch(/^verified 29\nmissing 1$/m);
    const all = await place.quire(run("--overwrite"));
    expect([all.code, all.stderr]).toEqual([0, expect.stringContaining("Keeping 1 of 30")]);
    expect(await verified(place)).toMatch(/^verified 30\nmissing 0\nchanged 0$/m);
  });

  test("does not cancel an unfinished run of all entries", async () => {
    const place = await letterPlace(200);
    const started = place.start(run());
    await until("20 documents are there", async () => (await place.names()).length >= 20);
    started.process.kill("SIGKILL");
    await started.ended;
    const chosen = await place.quire(run("--limit", "3", "--overwrite"));
    expect([chosen.code, chosen.stderr]).toEqual([1, expect.stringContaining("unfinished run")]);
    const resumed = await place.quire(run());
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("Resuming")]);
    expect(await place.names()).toHaveLength(200);
  });
});

describe("a choice that makes no sense", () => {
  test.each([
    [["--entries", "31"], /--entries 31 names entries that do not exist: .+ has 30 entries/],
    [["--entries", "29-40"], /--entries 29-40 names entries that do not exist/],
    [["--entries", "0"], /The first entry has the number 1/],
    [["--limit", "0"], /must be a whole number of at least 1/],
    [["--limit", "-3"], /must be a whole number of at least 1/],
    [["--limit", "3.5"], /must be a whole number of at least 1/],
    [["--where", 'name == "Bob"'], /is true for none of the 30 entries/],
    [["--where", "name != Bob"], /'Bob', which the data does not have\. Put the text in quotes/],
    [["--where", 'Name == "Ann 1"'], /'Name', which the data does not have\. Did you mean 'name'/],
    [["--where", 'name = "Ann 1"'], /A single '=' is not a comparison/],
    [["--where", ""], /The condition is empty/],
    [["--where", "{{name}}"], /Write it without \{\{ and \}\}/],
    [["--where", "name * 2 > 1"], /cannot be computed for entry 1/],
    [["--limit", "3", "--new"], /--limit cannot be used together with --new/],
  ])("such as %j is rejected before anything is made", async (flags, message) => {
    const place = await letterPlace(30);
    const { code, stderr } = await place.quire(run(...flags));
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(await place.names()).toEqual([]);
  });
});

test("--where compares the cells of a table as a template would", async () => {
  const place = await letterPlace(0);
  await place.write("data.csv", "name,total,region\nAnn,90,North\nBen,1200,South\nCy,110,North\n");
  const args = ["run", "letter.docx", "--data", "data.csv", "--to", "docx", "--out", "out"];
  const flags = ["--where", 'total > 100 and region == "North"', "--name", "{{name}}"];
  const { code, stderr } = await place.quire([...args, ...flags]);
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/where|region|total/)]);
  expect(await place.names()).toEqual(["Cy.docx"]);
});

test("an entry that cannot be read is chosen by --where, so that it is reported", async () => {
  const place = await letterPlace(3);
  await replaceIn(place, "data.jsonl", '"Ann 2"', "2 2");
  const { code, stderr } = await place.quire(run("--where", 'name == "Ann 3"'));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^entry 2 failed:/m)]);
  expect(await place.names()).toEqual(["letter-3.docx"]);
});
