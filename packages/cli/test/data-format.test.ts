/** Data from standard input, from pipes and from files with other extensions. */
import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Place } from "./support/cli.ts";
import { linesOf } from "./support/docx.ts";
import { letterPlace } from "./support/letters.ts";

const JSONL = '{"name":"Ann"}\n{"name":"Ben"}\n';
const CSV = "name\nAnn\nBen\n";

function run(data: string, ...more: string[]): string[] {
  return ["run", "letter.docx", "--data", data, "--to", "docx", "--out", "out", ...more];
}

async function expectLetters(place: Place): Promise<void> {
  expect(await linesOf(place.path("out", "letter-2.docx"))).toEqual(["Dear Ben"]);
  // No data remains in the temporary folder.
  const temporary = await readdir(place.path("tmp"));
  expect(temporary.filter((name) => name.startsWith("quire-data"))).toEqual([]);
}

describe("--data -", () => {
  test.each([
    ["jsonl", JSONL],
    ["json", '[{"name":"Ann"},{"name":"Ben"}]'],
    ["csv", CSV],
  ])("reads %s from standard input", async (format, stdin) => {
    const place = await letterPlace(0);
    const args = run("-", "--data-format", format);
    expect(await place.quire(args, { stdin })).toMatchObject({ code: 0 });
    await expectLetters(place);
    const again = await place.quire(args, { stdin });
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("already done")]);
  });

  test("is rendered as well, as JSON", async () => {
    const place = await letterPlace(0);
    const args = ["render", "letter.docx", "--data", "-", "--out", "ann.docx"];
    expect(await place.quire(args, { stdin: '{"name":"Ann"}' })).toMatchObject({ code: 0 });
    expect(await linesOf(place.path("ann.docx"))).toEqual(["Dear Ann"]);
    const many = await place.quire(args, { stdin: "[]" });
    expect(many.stderr).toContain(
      "`quire run letter.docx --data - --data-format json --to docx --out documents`",
    );
  });

  test("is checked and annotated as well", async () => {
    const place = await letterPlace(0);
    for (const command of [["check"], ["annotate", "--out", "notes.docx"]]) {
      const [name = "", ...more] = command;
      const args = [name, "letter.docx", "--data", "-", "--data-format", "csv", ...more];
      const { code, stderr, stdout } = await place.quire(args, { stdin: "Name\nAnn\n" });
      expect(code).toBe(name === "check" ? 2 : 0);
      expect(stderr + stdout).toMatch(/name|2 problems/);
    }
  });

  test.each([
    [[], "x", /The format of standard input is not known\. Add --data-format/],
    [["--data-format", "yaml"], "x", /The choices are json, jsonl, csv, xlsx/],
    [["--data-format", "csv"], undefined, /has no standard input/],
    [["--data-format", "csv"], "", /contains no entries|empty/],
  ])("with %j and %j is rejected", async (flags, stdin, message) => {
    const place = await letterPlace(0);
    const options = stdin === undefined ? {} : { stdin };
    const { code, stderr } = await place.quire(run("-", ...flags), options);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(await place.names()).toEqual([]);
  });
});

test("--data-format reads a file with another extension", async () => {
  const place = await letterPlace(0);
  await writeFile(place.path("people.txt"), CSV);
  const without = await place.quire(run("people.txt"));
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("--data-format")]);
  expect(await place.quire(run("people.txt", "--data-format", "csv"))).toMatchObject({ code: 0 });
  await expectLetters(place);
});

test("--data-format reads a named pipe", async () => {
  const place = await letterPlace(0);
  await promisify(execFile)("mkfifo", [place.path("pipe")]);
  const [{ code }] = await Promise.all([
    place.quire(run("pipe", "--data-format", "jsonl")),
    writeFile(place.path("pipe"), JSONL),
  ]);
  expect(code).toBe(0);
  await expectLetters(place);
});
