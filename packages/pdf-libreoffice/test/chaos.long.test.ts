/** A batch in which documents hang and are broken while LibreOffice and lanes are killed and frozen. */
import { readdir } from "node:fs/promises";
import { expect } from "vitest";
import { libreOffice } from "../src/index.ts";
import { docx, hangingDocx, pageBreak, paragraph } from "./docx.ts";
import {
  lanesIn,
  officesIn,
  processesWith,
  rejection,
  slowTest,
  testFolder,
} from "./laboratory.ts";
import { look } from "./pdf-look.ts";

const CONVERSIONS = 150;
const AT_ONCE = 12;
const DEADLINE_MS = 4000;

/** A document of so many pages with so many paragraphs on each. */
function report(pages: number, paragraphs: number): Uint8Array {
  const page = (number: number): string =>
    Array.from({ length: paragraphs }, (_, line) => paragraph(`page ${number} line ${line}`)).join(
      "",
    );
  return docx({ body: Array.from({ length: pages }, (_, at) => page(at + 1)).join(pageBreak()) });
}

const SIZES = [
  [1, 3],
  [1, 30],
  [2, 10],
  [3, 1],
  [7, 20],
  [12, 5],
] as const;
const DOCUMENTS = SIZES.map(([pages, paragraphs]) => report(pages, paragraphs));

/** What is done to the processes before the conversion of that number. */
const BLOWS: Readonly<Record<number, readonly [typeof officesIn, NodeJS.Signals]>> = {
  20: [officesIn, "SIGKILL"],
  50: [lanesIn, "SIGKILL"],
  80: [officesIn, "SIGSTOP"],
  110: [lanesIn, "SIGSTOP"],
  130: [officesIn, "SIGSEGV"],
};

slowTest("whatever happens to lanes, each document comes to the end that it deserves", async () => {
  const tempDir = await testFolder();
  const office = libreOffice({ lanes: 2, tempDir, deadlineMs: DEADLINE_MS, cacheMb: 0 });
  let next = 0;
  const work = async (): Promise<void> => {
    for (let number = next++; number < CONVERSIONS; number = next++) {
      const [victims, signal] = BLOWS[number] ?? [];
      const victim = victims?.(tempDir)[0];
      if (victim !== undefined) process.kill(victim.pid, signal);
      if (number % 70 === 40) await hangs(number);
      else if (number % 70 === 60) await breaks(number);
      else await converts(number);
    }
  };
  const hangs = async (number: number): Promise<void> => {
    const hanging = hangingDocx(`number ${number}`);
    const error = await rejection(office.convert(hanging, { rendered: true }));
    expect(["timeout", "conversion_failed"]).toContain(error.code);
  };
  const breaks = async (number: number): Promise<void> => {
    const broken = DOCUMENTS[number % DOCUMENTS.length]?.subarray(0, -100 - number);
    const error = await rejection(office.convert(broken ?? new Uint8Array()));
    expect(error.code).toBe("conversion_failed");
  };
  const converts = async (number: number): Promise<void> => {
    const [pages, paragraphs] = SIZES[number % SIZES.length] ?? [0, 0];
    const { bytes } = await office.convert(DOCUMENTS[number % SIZES.length] ?? new Uint8Array());
    const { text } = await look(bytes);
    expect(text.length).toBe(pages);
    for (const [at, page] of text.entries()) {
      expect(page).toContain(`page ${at + 1} line ${paragraphs - 1}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await office.close();
  expect(processesWith(tempDir)).toEqual([]);
  expect(await readdir(tempDir)).toEqual([]);
});
