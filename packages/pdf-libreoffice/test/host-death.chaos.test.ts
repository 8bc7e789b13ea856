/** Tests the leftovers of a host that ends, or is killed at rarer moments, without closing its converter. */
import { expect } from "vitest";
import { has, killed, nothingLeft, startHost } from "./hosts.ts";
import {
  fakeSoffice,
  lanesIn,
  officesIn,
  STUBBORN,
  slowTest,
  testFolder,
  until,
  untilHanging,
} from "./laboratory.ts";

slowTest("a host that is killed while a document hangs leaves nothing behind", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir, "hang");
  await host.says("pages 1");
  await untilHanging(tempDir);
  await killed(host, tempDir);
});

slowTest("a host that is killed while it starts leaves nothing behind", async () => {
  const phases: readonly (readonly [string, (tempDir: string) => boolean])[] = [
    ["the profile is prepared", (tempDir) => has(tempDir, "--terminate_after_init")],
    ["lanes load", (tempDir) => lanesIn(tempDir).length > 0],
    ["LibreOffice starts", (tempDir) => officesIn(tempDir).length > 0],
  ];
  for (const [what, reached] of phases) {
    const tempDir = await testFolder();
    const host = startHost(tempDir, "start");
    await until(what, () => reached(tempDir));
    await killed(host, tempDir);
  }
});

slowTest("a killed host leaves no LibreOffice behind that ignores signals", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir, "fresh", await fakeSoffice(await testFolder(), STUBBORN));
  await until("LibreOffice works", () => has(tempDir, "--convert-to"));
  await killed(host, tempDir);
});

slowTest("a host that does not close its converter still ends, and so do its lanes", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir, "once");
  const code = await new Promise((resolve) => host.process.once("close", resolve));
  expect([code, host.output()]).toEqual([0, "created\npages 1\n"]);
  await nothingLeft(tempDir);
});
