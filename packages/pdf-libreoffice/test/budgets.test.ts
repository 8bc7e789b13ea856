/** Tests that waiting and converting have separate limits, and that lanes are replaced before they grow too old. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConvertedDocument, Converter } from "@quire/contracts";
import { expect } from "vitest";
import { libreOffice } from "../src/index.ts";
import { textDocx } from "./docx.ts";
import {
  closing,
  fakeSoffice,
  laneFolders,
  laneOf,
  lanesIn,
  officesIn,
  REAL_SOFFICE,
  type RunningProcess,
  rejection,
  slowTest,
  stoppedClock,
  testFolder,
  until,
  WRITES_PAGE,
} from "./laboratory.ts";

/** Creates an imitation of LibreOffice that waits for a file `go` before it writes a page. */
async function gate(): Promise<{ tempDir: string; sofficePath: string; open(): Promise<void> }> {
  const tempDir = await testFolder();
  const script =
    `case "$*" in *--convert-to*) : >'${tempDir}/begun'\n` +
    `  while [ ! -e '${tempDir}/go' ]; do sleep 0.02; done;; esac\n${WRITES_PAGE}`;
  const sofficePath = await fakeSoffice(tempDir, script);
  return { tempDir, sofficePath, open: () => writeFile(join(tempDir, "go"), "") };
}

/** Starts a conversion and waits until it runs. Attempts before a lane exists may be rejected. */
function begin(
  office: Converter,
  tempDir: string,
): Promise<{ readonly conversion: Promise<ConvertedDocument> }> {
  return until("a document runs", async () => {
    const conversion = office.convert(textDocx("runs"));
    const refused = conversion.then(
      () => true,
      () => true,
    );
    const begun = () => existsSync(join(tempDir, "begun"));
    while (!begun() && !(await Promise.race([refused, sleep(50)])));
    return begun() && { conversion };
  });
}

slowTest(
  "a document beyond the limit of waiting documents is rejected at once as retryable",
  async () => {
    const { tempDir, sofficePath, open } = await gate();
    await using office = closing(
      libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath, maxWaiting: 2 }),
    );
    const running = office.convert(textDocx("runs"));
    await until("the first one runs", () => existsSync(join(tempDir, "begun")));
    const waiting = ["one", "two"].map((text) => office.convert(textDocx(text)));
    const error = await rejection(office.convert(textDocx("three")));
    expect([error.code, error.retryable]).toEqual(["unavailable", true]);
    expect(error.message).toContain("2 documents are already waiting");
    expect(error.message).toContain("maxWaiting");
    await open();
    for (const { pages } of await Promise.all([running, ...waiting])) expect(pages).toBe(1);
    expect((await office.convert(textDocx("three"))).pages).toBe(1);
  },
);

slowTest("a document is accepted by a free lane even if none may wait", async () => {
  const { tempDir, sofficePath, open } = await gate();
  await using office = closing(
    libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath, maxWaiting: 0 }),
  );
  const running = await begin(office, tempDir);
  expect((await rejection(office.convert(textDocx("one")))).code).toBe("unavailable");
  await open();
  expect((await running.conversion).pages).toBe(1);
});

slowTest(
  "a document that waits too long is rejected, and running conversions continue",
  async () => {
    const { tempDir, sofficePath, open } = await gate();
    const pass = stoppedClock();
    await using office = closing(
      libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath, maxWaitMs: 1500 }),
    );
    const running = await begin(office, tempDir);
    const refused = rejection(office.convert(textDocx("waits")));
    await pass(1500);
    const error = await refused;
    expect([error.code, error.retryable]).toEqual(["unavailable", true]);
    expect(error.message).toContain("waited 1500 ms");
    expect(error.message).toContain("maxWaitMs");
    await open();
    expect((await running.conversion).pages).toBe(1);
  },
);

slowTest(
  "a lane is replaced after its number of documents, and no document waits for that",
  async () => {
    const tempDir = await testFolder();
    const starts = `while [ ! -e '${tempDir}/go' ]; do sleep 0.02; done`;
    const script = `case "$*" in *lane-2/*) ${starts};; esac\nexec ${REAL_SOFFICE} "$@"`;
    const sofficePath = await fakeSoffice(tempDir, script);
    await using office = closing(
      libreOffice({ lanes: 1, tempDir, sofficePath, recycleAfter: 4, cacheMb: 0 }),
    );
    const converts = async (): Promise<void> => {
      expect((await office.convert(textDocx("short"))).pages).toBe(1);
      expect(lanes()).toBeLessThanOrEqual(2);
    };
    // For a moment, a child of a lane has the lane's command line.
    const lanes = (): number => new Set(lanesIn(tempDir).map(laneOf)).size;
    for (let number = 0; number < 4; number++) await converts();
    const [first] = officesIn(tempDir);
    const isFirst = ({ pid }: RunningProcess): boolean => pid === first?.pid;
    await until("its successor starts", () => lanes() === 2);
    // The first lane keeps working as long as its successor is not ready.
    for (let number = 0; number < 3; number++) await converts();
    expect(officesIn(tempDir).some(isFirst)).toBe(true);
    await writeFile(join(tempDir, "go"), "");
    while (officesIn(tempDir).some(isFirst)) await converts();
    await converts();
  },
);

slowTest("a lane whose LibreOffice has grown too large is replaced", async () => {
  const tempDir = await testFolder();
  const ends: string[] = [];
  const onReplaced = (reason: string): void => void ends.push(reason);
  const options = { lanes: 1, tempDir, recycleMemoryMb: 1, cacheMb: 0, onReplaced };
  await using office = closing(libreOffice(options));
  await office.convert(textDocx("first"));
  const [first] = officesIn(tempDir);
  const [folder = ""] = await laneFolders(tempDir);
  await until("it is gone", () => officesIn(tempDir).every(({ pid }) => pid !== first?.pid));
  expect(ends).toContain("worn");
  await until("its folder is gone", () => !existsSync(folder));
  expect((await office.convert(textDocx("second"))).pages).toBe(1);
});
