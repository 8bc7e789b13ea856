/**
 * Tests the leftovers of a host that is killed without closing its converter. For other moments, see
 * `host-death.long.test.ts`.
 */
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { killed, startHost } from "./hosts.ts";
import { officesIn, ownSockets, slowTest, testFolder, until } from "./laboratory.ts";

slowTest("a host that is killed leaves no process, no file and no socket", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir, "stay");
  await host.says("pages 1");
  await until("both lanes are there", () => officesIn(tempDir).length === 2);
  const own = await ownSockets(tempDir);
  await killed(host, tempDir);
  expect(own.filter((socket) => existsSync(socket))).toEqual([]);
});
