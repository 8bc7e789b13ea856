/** A run as a process: its memory, its end by a signal, and readers that go away. */
import { open, readFile, writeFile } from "node:fs/promises";
import { PDFDocument } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { isPdf, makePlace, type Place, processesWith, until } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";

async function letterPlace(entries: number): Promise<Place> {
  const place = await makePlace();
  await place.write("letter.docx", docx(["Dear {{name}}"]));
  const lines = Array.from({ length: entries }, (_, index) => `{"name":"Ann ${index + 1}"}\n`);
  await place.write("data.jsonl", lines.join(""));
  return place;
}

function run(to: string, ...more: string[]): string[] {
  return ["run", "letter.docx", "--data", "data.jsonl", "--to", to, "--out", "out", ...more];
}

/** Writes entries of 1 MB each. */
async function writeLargeEntries(path: string, count: number): Promise<void> {
  await using file = await open(path, "w");
  for (let entry = 1; entry <= count; entry++) {
    await file.write(`{"name":"Ann ${entry}","more":"${String(entry).padEnd(1_000_000, "x")}"}\n`);
  }
}

describe("the memory of a run", () => {
  test("holds a few entries at a time: 200 MB of data need no heap of 150 MB", async () => {
    const place = await letterPlace(0);
    await writeLargeEntries(place.path("data.jsonl"), 200);
    const nodeArgs = ["--max-old-space-size=150"];
    const args = run("docx", "--concurrency", "2");
    const { code, signal, stderr } = await place.start(args, { nodeArgs }).ended;
    expect(stderr).not.toContain("heap out of memory");
    expect([code, signal]).toEqual([0, null]);
    expect(await place.names()).toHaveLength(200);
  }, 60_000);
});

describe("a run that is interrupted", () => {
  test("exits with 130 and leaves whole documents only", async () => {
    const place = await letterPlace(5000);
    const { process: child, ended } = place.start(run("docx", "--concurrency", "4"));
    await until("there are some documents", async () => (await place.names()).length > 20);
    child.kill("SIGINT");
    const { code, signal, stdout, stderr } = await ended;
    expect([code, signal]).toEqual([130, null]);
    expect(stderr).toMatch(/^Interrupted: the entries after these were not begun\.$/m);
    const names = await place.names();
    expect(names.length).toBeLessThan(5000);
    expect(stdout).toContain(`${names.length.toLocaleString("en-US")} documents in out`);
    for (const name of names) {
      const number = Number(/^letter-(\d{4})\.docx$/.exec(name)?.[1]);
      expect(await linesOf(place.path("out", name))).toEqual([`Dear Ann ${number}`]);
    }
  });

  test.skipIf(process.platform !== "linux")(
    "leaves no LibreOffice and nothing of it",
    async () => {
      const place = await letterPlace(500);
      const { process: child, ended } = place.start(run("pdf", "--concurrency", "2"));
      await until("there is a PDF", async () => (await place.names()).some(isPdf));
      const office = () => processesWith(place.path("tmp", "quire-pdf-"));
      await until("LibreOffice is at work", () => /soffice/.test(office().join("\n")));
      child.kill("SIGINT");
      const { code, signal } = await ended;
      expect([code, signal]).toEqual([130, null]);
      expect(office()).toEqual([]);
      expect(await place.names("tmp")).toEqual([]);
      const names = await place.names();
      expect(names.length).toBeLessThan(500);
      for (const name of names) {
        expect(name).toMatch(/^letter-\d{3}\.pdf$/);
        const pdf = await PDFDocument.load(await readFile(place.path("out", name)));
        expect(pdf.getPageCount()).toBe(1);
      }
    },
    60_000,
  );

  test("before its first entry exits with 130, too", async () => {
    const place = await letterPlace(3);
    // Interrupts itself while the output folder is listed.
    const hook = `
      import fs from "node:fs/promises";
      import { syncBuiltinESMExports } from "node:module";
      const { opendir } = fs;
      fs.opendir = async (...args) => {
        const interrupted = new Promise((resolve) => process.once("SIGINT", resolve));
        process.kill(process.pid, "SIGINT");
        const alive = setInterval(() => {}, 1000);
        await interrupted;
        clearInterval(alive);
        return opendir(...args);
      };
      syncBuiltinESMExports();`;
    await writeFile(place.path("hook.mjs"), hook);
    const nodeArgs = ["--import", `file://${place.path("hook.mjs")}`];
    const { code, stdout, stderr } = await place.start(run("docx"), { nodeArgs }).ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining("Interrupted: ")]);
    expect(stdout).toContain("0 documents in out");
    expect(await place.names()).toEqual([]);
  });
});

test("a run goes on when nobody reads its output any more", async () => {
  const place = await letterPlace(50);
  const { process: child } = place.start(run("docx"));
  child.stdout.destroy();
  child.stderr.destroy();
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("exit", (...end) => resolve(end));
  });
  expect([code, signal]).toEqual([0, null]);
  expect(await place.names()).toHaveLength(50);
});
