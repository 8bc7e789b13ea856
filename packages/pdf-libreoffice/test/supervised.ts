/** Helpers for the supervisor tests, which damage lanes. */
import { expect } from "vitest";
import { textDocx } from "./docx.ts";
import { officesIn, type RunningProcess, type SharedOffice, until } from "./laboratory.ts";

/** Creates documents of one page each. */
export function many(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, number) => textDocx(`Document ${number}`));
}

/** Expects that a document is converted. */
export async function converts(office: SharedOffice): Promise<void> {
  expect((await office.convert(textDocx("fine"))).pages).toBe(1);
}

/**
 * Waits until all lanes run. A lane that was killed during its start is restarted only after some seconds, and only
 * if there are documents.
 */
export async function warm(
  office: SharedOffice,
  lanes: number,
): Promise<readonly RunningProcess[]> {
  return until("all lanes are there", async () => {
    await Promise.all(many(2).map((document) => office.convert(document)));
    const found = officesIn(office.tempDir);
    return found.length === lanes && found;
  });
}
