/** Tests a run whose disk is full for some time. */
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { describe, expect, onTestFinished, test } from "vitest";
import { letterPlace, letterRun } from "./support/letters.ts";

const { link } = promises;

/** Makes every creation of a document fail from now on. Returns a function that frees the disk. */
function fillDisk(): () => void {
  promises.link = async () => {
    throw Object.assign(new Error("ENOSPC: no space left on device, link"), { code: "ENOSPC" });
  };
  syncBuiltinESMExports();
  const free = (): void => {
    promises.link = link;
    syncBuiltinESMExports();
  };
  onTestFinished(free);
  return free;
}

describe("a run on a full disk", () => {
  test("pauses, says why, resumes by itself and fails no entry", async () => {
    const place = await letterPlace(40);
    const free = fillDisk();
    const begun = place.begin(letterRun("docx"));
    begun.stderr.on("data", (text) => {
      if (String(text).includes("Paused")) free();
    });
    const { code, stderr, stdout } = await begun.ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining("40 documents in out")]);
    expect(stderr).toMatch(
      /Paused: .*no space left.*\. Free some space.* The run resumes by itself when the problem is solved\./,
    );
    expect(stderr).toMatch(/^Resumed\.$/m);
    expect(await place.names()).toHaveLength(40);
  }, 60_000);

  test("ends with exit code 75 after --give-up-after, and the same command resumes", async () => {
    const place = await letterPlace(5);
    const free = fillDisk();
    const run = letterRun("docx", "--give-up-after", "4");
    const { code, stderr } = await place.quire(run);
    expect([code, stderr]).toEqual([
      75,
      expect.stringMatching(/^Gave up after a pause of 4 seconds: .* The same command resumes\.$/m),
    ]);
    expect(await place.names()).toEqual([]);
    free();
    const again = await place.quire(run);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("Resuming: 0 of 5")]);
    expect(await place.names()).toHaveLength(5);
  }, 60_000);
});
