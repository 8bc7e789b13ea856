/**
 * Compares the PDFs of a converter that joins documents with the PDFs of a converter that converts each of them alone.
 */
import { expect } from "vitest";
import { joinDocuments } from "../src/join/join-documents.ts";
import { differenceBetween } from "../src/join/same-document.ts";
import { type Beside, field } from "./join-kit.ts";
import { sharedOffice } from "./laboratory.ts";

/** More documents than a probe needs, because the first ones may go to the lane before the others wait. */
export const DOCUMENTS = 28;

/**
 * The deadline of both converters. On a busy machine, a group would exceed the time that it gets with a shorter one,
 * and would not be joined.
 */
export const DEADLINE_MS = 600_000;

/** The page number and the number of pages. */
export const FOOTER: Beside = { footer: `<w:p>${field("PAGE")}${field("NUMPAGES")}</w:p>` };

/** Returns text with this number of words. */
export function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${(index * 7) % 11}`).join(" ");
}

/** A converter that joins documents, and a converter that does not. */
export interface BothWays {
  readonly joining: ReturnType<typeof sharedOffice>;
  readonly single: ReturnType<typeof sharedOffice>;
}

/** Creates both converters for the tests of a file. */
export function bothWays(): BothWays {
  return {
    joining: sharedOffice({ lanes: 1, deadlineMs: DEADLINE_MS }),
    single: sharedOffice({ lanes: 1, join: "off", deadlineMs: DEADLINE_MS }),
  };
}

/**
 * Converts documents both ways. Returns the differences, including different page counts. `joins`: whether every
 * release of LibreOffice lays out these documents in the same way when they are joined.
 */
export async function compared(
  { joining, single }: BothWays,
  group: string,
  documents: readonly Uint8Array[],
  { joins = true } = {},
): Promise<(string | null)[]> {
  const joined = joinDocuments(documents.map((bytes) => ({ bytes })));
  expect(joined).not.toHaveProperty("reason");
  const options = { rendered: true };
  const grouped = documents.map((each) => joining.convert(each, { ...options, group }));
  const alone = documents.map((each) => single.convert(each, options));
  const [theirs, ours] = [await Promise.all(alone), await Promise.all(grouped)];
  // LibreOffice writes a checksum into the trailer.
  const isJoined = (bytes: Uint8Array): boolean => !Buffer.from(bytes).includes("/DocChecksum");
  const joinedCount = ours.filter(({ bytes }) => isJoined(bytes)).length;
  if (joins) expect(joinedCount).toBeGreaterThan(documents.length / 3);
  return theirs.map(({ bytes, pages }, index) => {
    const other = ours[index];
    if (other === undefined || other.pages !== pages) return "another number of pages";
    return differenceBetween(bytes, other.bytes);
  });
}

/** Returns the expected result if there are no differences. */
export function nothing(count: number): null[] {
  return Array.from({ length: count }, () => null);
}
