/** `quire run` as a process: memory, signals, and readers that close the output. */
import { readFile } from "node:fs/promises";
import { PDFDocument } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { interruptWhenItListens, isPdf, processesWith, until } from "./support/cli.ts";
import { linesOf } from "./support/docx.ts";
import { letterPlace, letterRun } from "./support/letters.ts";

describe("a run that is interrupted", () => {
  test("exits with 130 and leaves only complete documents", async () => {
    const place = await letterPlace(1000);
    const { process: child, ended } = place.start(letterRun("docx", "--concurrency", "4"));
    await until("there are some documents", async () => (await place.names()).length > 20);
    child.kill("SIGINT");
    const { code, signal, stdout, stderr } = await ended;
    expect([code, signal]).toEqual([130, null]);
    expect(stderr).toMatch(/^Interrupted: the remaining entries were not started\.$/m);
    const names = await place.names();
    expect(names.length).toBeLessThan(1000);
    expect(stdout).toContain(`${names.length.toLocaleString("en-US")} documents in out`);
    for (const name of names) {
      const number = Number(/^letter-(\d{4})\.docx$/.exec(name)?.[1]);
      expect(await linesOf(place.path("out", name))).toEqual([`Dear Ann ${number}`]);
    }
  });

  test("ends in order when its terminal is closed, with exit code 129, and resumes", async () => {
    const place = await letterPlace(1000);
    const { process: child, ended } = place.start(letterRun("docx", "--concurrency", "4"));
    await until("there are some documents", async () => (await place.names()).length > 20);
    // The kernel and the shell may both send the signal.
    child.kill("SIGHUP");
    child.kill("SIGHUP");
    const { code, signal, stderr } = await ended;
    expect([code, signal]).toEqual([129, null]);
    expect(stderr).toMatch(/^Interrupted: the remaining entries were not started\.$/m);
    const names = await place.names();
    expect(names.length).toBeLessThan(1000);
    for (const name of names) expect(name).toMatch(/^letter-\d{4}\.docx$/);
    const again = await place.quire(letterRun("docx"));
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(/^Resuming: /m);
    expect(await place.names()).toHaveLength(1000);
  });

  test.skipIf(process.platform !== "linux")(
    "leaves no LibreOffice process and none of its files",
    async () => {
      const place = await letterPlace(300);
      const { process: child, ended } = place.start(letterRun("pdf", "--concurrency", "2"));
      await until("there is a PDF", async () => (await place.names()).some(isPdf));
      const office = () => processesWith(place.path("tmp", "quire-pdf-"));
      await until("LibreOffice is at work", () => /soffice/.test(office().join("\n")));
      child.kill("SIGINT");
      const { code, signal } = await ended;
      expect([code, signal]).toEqual([130, null]);
      expect(office()).toEqual([]);
      expect(await place.names("tmp")).toEqual([]);
      const names = await place.names();
      expect(names.length).toBeLessThan(300);
      for (const name of names) {
        expect(name).toMatch(/^letter-\d{3}\.pdf$/);
        const pdf = await PDFDocument.load(await readFile(place.path("out", name)));
        expect(pdf.getPageCount()).toBe(1);
      }
    },
    60_000,
  );

  test("exits with 130 before its first entry as well", async () => {
    const place = await letterPlace(3);
    const begun = place.begin(letterRun("docx"));
    interruptWhenItListens(begun);
    const { code, stdout, stderr } = await begun.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining("Interrupted: ")]);
    expect(stdout).toContain("0 documents in out");
    expect(await place.names()).toEqual([]);
  });
});

test("a run continues when its output is closed", async () => {
  const place = await letterPlace(20);
  const { process: child } = place.start(letterRun("docx"));
  child.stdout.destroy();
  child.stderr.destroy();
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("exit", (...end) => resolve(end));
  });
  expect([code, signal]).toEqual([0, null]);
  expect(await place.names()).toHaveLength(20);
});
