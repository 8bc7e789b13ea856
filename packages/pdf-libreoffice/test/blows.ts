/** Runs a batch in which some documents hang or are damaged, while LibreOffice and lanes are killed and frozen. */
import { readdir } from "node:fs/promises";
import { expect } from "vitest";
import { libreOffice } from "../src/index.ts";
import { docx, hangingDocx, pageBreak, paragraph } from "./docx.ts";
import { type officesIn, processesWith, rejection, testFolder } from "./laboratory.ts";
import { look } from "./pdf-look.ts";

const AT_ONCE = 12;
const DEADLINE_MS = 4000;

/** The number of conversions, and the faults by the number of the conversion. */
export interface Blows {
  readonly conversions: number;
  /** Signals to send before the conversion, with their target processes. */
  readonly signals: Readonly<Record<number, readonly [typeof officesIn, NodeJS.Signals]>>;
  /** Documents that hang. */
  readonly hanging: readonly number[];
  /** Documents that are cut off. */
  readonly broken: readonly number[];
}

/** Creates a document with this many pages and this many paragraphs on each page. */
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

/** Converts all documents, and expects the right outcome for each and no leftovers. */
export async function convertUnderBlows(blows: Blows): Promise<void> {
  const tempDir = await testFolder();
  const office = libreOffice({ lanes: 2, tempDir, deadlineMs: DEADLINE_MS, cacheMb: 0 });
  let next = 0;
  const inWork = new Set<Promise<void>>();
  let struck: Promise<void>[] = [];
  const work = async (): Promise<void> => {
    for (let number = next++; number < blows.conversions; number = next++) {
      const [victims, signal] = blows.signals[number] ?? [];
      if (victims !== undefined) {
        // Waits so that no document is hit twice: the pool would consider it the cause of the crashes.
        await Promise.all(struck);
        struck = [...inWork];
        const [victim] = victims(tempDir);
        if (victim !== undefined) process.kill(victim.pid, signal);
      }
      const conversion = convert(number);
      inWork.add(conversion);
      await conversion;
      inWork.delete(conversion);
    }
  };
  const convert = (number: number): Promise<void> => {
    if (blows.hanging.includes(number)) return hangs(number);
    return blows.broken.includes(number) ? breaks(number) : converts(number);
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
}
