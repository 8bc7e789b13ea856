/** The report about the seal comes from tests of it. */
import { expect, test } from "vitest";
import { sealedConverter } from "../src/converter.ts";
import { confinement } from "../src/office/confine.ts";
import { hasOwnMounts, hasOwnProcesses } from "../src/office/launch.ts";
import { SEALED, type Seal } from "../src/office/seal.ts";
import { textDocx } from "./docx.ts";
import { closing, rejection, slowTest, testFolder } from "./laboratory.ts";

/** The layers that hold. */
async function holding(seal: Seal): Promise<string[]> {
  const tempDir = await testFolder();
  await using office = closing(sealedConverter({ lanes: 1, tempDir }, seal));
  expect(office.seal()).toBeNull();
  await office.convert(textDocx("tried"));
  return Object.entries(office.seal() ?? {}).flatMap(([layer, holds]) => (holds ? [layer] : []));
}

const { calls, files } = confinement();

test.skipIf(!hasOwnMounts() || !hasOwnProcesses() || !calls)(
  "with all layers each of them holds (skipped where the system has no namespaces)",
  async () => {
    const all = ["cleaned", "hardened", "network", "files", "processes", "calls", "room"];
    expect(await holding(SEALED)).toEqual(all);
  },
  120_000,
);

test.skipIf(!calls || !files)(
  "without namespaces all hold but the bound of the sum of files (skipped where the system has no Landlock)",
  async () => {
    const most = ["cleaned", "hardened", "network", "files", "processes", "calls"];
    expect(await holding({ ...SEALED, withoutNamespaces: true })).toEqual(most);
  },
  120_000,
);

slowTest("a layer that is off is not said to hold", async () => {
  expect(await holding({ ...SEALED, isolated: false })).toEqual(["cleaned", "hardened"]);
  expect(await holding({ cleaned: true, hardened: false, isolated: false })).toEqual(["cleaned"]);
  expect(await holding({ cleaned: false, hardened: true, isolated: false })).toEqual(["hardened"]);
});

slowTest(
  "nothing is converted where fewer layers hold than must, and it is said how to allow it",
  async () => {
    const tempDir = await testFolder();
    const seal = { cleaned: true, hardened: false, isolated: false };
    await using office = closing(sealedConverter({ lanes: 1, tempDir, leastLayers: 2 }, seal));
    for (const text of ["first", "second"]) {
      const error = await rejection(office.convert(textDocx(text)));
      expect([error.code, error.retryable]).toEqual(["unavailable", false]);
      expect(error.message).toMatch(
        / 1 holds \(documents are cleaned\), and 2 must\..*--seal-layers 1/,
      );
    }
    expect(office.seal()).toMatchObject({ cleaned: true, hardened: false, network: false });
  },
);
