import { expect, test } from "vitest";
import { confinement } from "../src/office/confine.ts";
import { hasOwnMounts } from "../src/office/launch.ts";
import { SEALED } from "../src/office/seal.ts";
import { holding } from "./holding-layers.ts";
import { slowTest } from "./laboratory.ts";

const { calls, files } = confinement();

test.skipIf(!calls || !files)(
  "without namespaces everything holds except the limit for the sum of files (skipped where the system has no Landlock)",
  async () => {
    const most = ["cleaned", "hardened", "network", "files", "processes", "calls"];
    expect(await holding({ ...SEALED, withoutNamespaces: true })).toEqual(most);
  },
  120_000,
);

test.skipIf(!calls || !files || !hasOwnMounts())(
  "without a namespace for processes, LibreOffice converts and everything holds (skipped where the system has no Landlock)",
  async () => {
    const all = ["cleaned", "hardened", "network", "files", "processes", "calls", "room"];
    expect(await holding({ ...SEALED, withoutOwnProcesses: true })).toEqual(all);
  },
  120_000,
);

slowTest("a layer that is off is not reported as holding", async () => {
  expect(await holding({ ...SEALED, isolated: false })).toEqual(["cleaned", "hardened"]);
  expect(await holding({ cleaned: true, hardened: false, isolated: false })).toEqual(["cleaned"]);
  expect(await holding({ cleaned: false, hardened: true, isolated: false })).toEqual(["hardened"]);
});
