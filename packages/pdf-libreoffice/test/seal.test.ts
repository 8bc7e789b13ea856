/** Checks that the converter tests the seal, and reports the results of these tests. */
import { expect, test } from "vitest";
import { sealedConverter } from "../src/converter.ts";
import { confinement } from "../src/office/confine.ts";
import { hasOwnMounts, hasOwnProcesses } from "../src/office/launch.ts";
import { SEALED } from "../src/office/seal.ts";
import { textDocx } from "./docx.ts";
import { holding } from "./holding-layers.ts";
import { closing, rejection, slowTest, testFolder } from "./laboratory.ts";

const { calls } = confinement();

test.skipIf(!hasOwnMounts() || !hasOwnProcesses() || !calls)(
  "with all layers each of them holds (skipped where the system has no namespaces)",
  async () => {
    const all = ["cleaned", "hardened", "network", "files", "processes", "calls", "room"];
    expect(await holding(SEALED)).toEqual(all);
  },
  120_000,
);

slowTest(
  "conversions are rejected if too few layers hold, and the message says how to allow them",
  async () => {
    const tempDir = await testFolder();
    // LibreOffice 26.8 does not follow links by default, so the second layer holds without the hardened profile.
    const seal = { cleaned: true, hardened: false, isolated: false };
    await using office = closing(sealedConverter({ lanes: 1, tempDir, leastLayers: 3 }, seal));
    for (const text of ["first", "second"]) {
      const error = await rejection(office.convert(textDocx(text)));
      expect([error.code, error.retryable]).toEqual(["unavailable", false]);
      expect(error.message).toMatch(
        / (?:1|2) of the three security layers around LibreOffice works? \(documents are cleaned.*\), but at least 3 must\..*--seal-layers 1/,
      );
    }
    expect(office.seal()).toMatchObject({ cleaned: true, network: false });
  },
);
