import { expect } from "vitest";
import { sealedConverter } from "../src/converter.ts";
import type { Seal } from "../src/office/seal.ts";
import { textDocx } from "./docx.ts";
import { closing, testFolder } from "./laboratory.ts";

/** Returns the layers that hold, as a converter reports them. */
export async function holding(seal: Seal): Promise<string[]> {
  const tempDir = await testFolder();
  await using office = closing(sealedConverter({ lanes: 1, tempDir }, seal));
  expect(office.seal()).toBeNull();
  await office.convert(textDocx("tried"));
  return Object.entries(office.seal() ?? {}).flatMap(([layer, holds]) => (holds ? [layer] : []));
}
