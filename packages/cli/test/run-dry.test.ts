/** Runs with `--dry-run`, which make all documents and write nothing. */
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { interruptWhenItListens, type Place } from "./support/cli.ts";
import { docx } from "./support/docx.ts";
import { letterPlace, letterRun } from "./support/letters.ts";

function run(...more: string[]): string[] {
  return letterRun("docx", ...more);
}

/** Returns the content of each file in the folder of a test, with the time of its last change. */
async function everything(place: Place): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(place.folder, { recursive: true })).sort()) {
    if (name.endsWith("-shm") || name.endsWith("-wal")) continue; // SQLite's, also for readers
    const info = await stat(place.path(name));
    const content = info.isFile() ? await readFile(place.path(name), "base64") : "";
    found[name] = `${info.isFile() ? info.mtimeMs : ""} ${content}`;
  }
  return found;
}

/** Runs a command. Expects that it changes nothing in the folder and leaves nothing in the temporary folder. */
async function dry(place: Place, ...more: string[]) {
  const copies = async () => (await readdir(tmpdir())).filter((n) => n.startsWith("quire-dry-run"));
  const before = [await everything(place), await copies()];
  const ended = await place.quire(run("--dry-run", ...more));
  expect([await everything(place), await copies()]).toEqual(before);
  return ended;
}

describe("--dry-run", () => {
  test("prints the names and sizes of the documents of a first run, and writes nothing", async () => {
    const place = await letterPlace(3);
    const { code, stdout, stderr } = await dry(place);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/warning|error/)]);
    const sizes = stdout.split("\n").slice(0, 3);
    expect(stdout).toMatch(/^completed +3$/m);
    expect(stdout).toMatch(/Dry run: nothing was written\.\n$/);
    await place.quire(run());
    for (const [index, name] of ["letter-1", "letter-2", "letter-3"].entries()) {
      const { size } = await stat(place.path("out", `${name}.docx`));
      expect(sizes[index]).toBe(`${size.toLocaleString("en-US")} bytes  ${name}.docx`);
    }
  });

  test("reports the problems of entries with the exit code of the run", async () => {
    const place = await letterPlace(3);
    await writeFile(place.path("data.jsonl"), '{"name":"a"}\n{"Name":"b"}\n3\n');
    const { code, stderr, stdout } = await dry(place, "--on-missing", "fail");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^entry 2.+failed:.*\n.*'name'/m)]);
    expect(stderr).toMatch(/^entry 3 failed:/m);
    expect(stdout).toMatch(/^failed +2$/m);
  });

  test("applies to chosen entries", async () => {
    const place = await letterPlace(30);
    const { stdout } = await dry(place, "--entries", "7", "--name", "{{name}}");
    expect(stdout).toMatch(/^[\d,]+ bytes {2}Ann 7\.docx$/m);
    expect(stdout).toMatch(/^total +1$/m);
  });

  test("reports names that are taken", async () => {
    const place = await letterPlace(3);
    await place.quire(run("--limit", "1"));
    const { code, stderr, stdout } = await dry(place);
    expect([code, stderr]).toEqual([2, expect.stringContaining("file names of 1 entry are taken")]);
    expect(stdout).not.toContain("letter-1.docx");
    const renamed = await dry(place, "--on-conflict", "rename");
    expect([renamed.code, renamed.stdout]).toEqual([
      0,
      expect.stringContaining("letter-1 (1).docx"),
    ]);
  });

  test("with --overwrite lists only the documents that would be replaced", async () => {
    const place = await letterPlace(9);
    await place.quire(run());
    await writeFile(
      place.path("data.jsonl"),
      (await readFile(place.path("data.jsonl"), "utf8")).replace("Ann 4", "Anna 4"),
    );
    await rm(place.path("out", "letter-6.docx"));
    const { code, stdout, stderr } = await dry(place, "--overwrite");
    expect([code, stderr]).toEqual([0, expect.stringContaining("Keeping 7 of 9 documents")]);
    expect(stdout.match(/letter-\d/g)).toEqual(["letter-4", "letter-6"]);
    await place.write("out/letter-4.docx", docx(["edited"]));
    const edited = await dry(place, "--overwrite");
    expect([edited.code, edited.stdout]).toEqual([2, expect.not.stringContaining("letter-4")]);
  });

  test("with --new lists all documents again", async () => {
    const place = await letterPlace(2);
    await place.quire(run());
    expect((await dry(place)).stderr).toContain("All entries are already done.");
    const { code, stdout } = await dry(place, "--new");
    expect([code, stdout.match(/letter-\d/g)]).toEqual([0, ["letter-1", "letter-2"]]);
  });

  test("shows what an interrupted run still has to make, and can be interrupted itself", async () => {
    const place = await letterPlace(400);
    const begun = place.begin(run());
    interruptWhenItListens(begun);
    expect((await begun.ended).code).toBe(130);
    const dried = place.begin(run("--dry-run"));
    interruptWhenItListens(dried);
    const { code, stderr, stdout } = await dried.ended;
    expect([code, stderr]).toEqual([130, expect.not.stringContaining("to resume")]);
    expect(stdout).toContain("Dry run: nothing was written.");
    expect((await place.quire(run())).code).toBe(0);
    expect(await place.names()).toHaveLength(400);
  });
});
