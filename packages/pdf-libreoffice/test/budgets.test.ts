/** Waiting and converting have bounds of their own; lanes are replaced before they grow old. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConvertedDocument, Converter } from "@quire/core";
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
  rejection,
  sleep,
  slowTest,
  testFolder,
  until,
} from "./laboratory.ts";

/** A LibreOffice for one document that waits for a file `go`. */
async function gate(): Promise<{ tempDir: string; sofficePath: string; open(): Promise<void> }> {
  const tempDir = await testFolder();
  const script =
    `case "$*" in *--convert-to*) : >'${tempDir}/begun'\n` +
    `  while [ ! -e '${tempDir}/go' ]; do sleep 0.1; done;; esac\nexec soffice "$@"`;
  const sofficePath = await fakeSoffice(tempDir, script);
  return { tempDir, sofficePath, open: () => writeFile(join(tempDir, "go"), "") };
}

/** A conversion that runs. What comes before there is a lane may be refused. */
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

slowTest("one document more than may wait is refused at once, and may be tried again", async () => {
  const { tempDir, sofficePath, open } = await gate();
  await using office = closing(
    libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath, maxWaiting: 2 }),
  );
  const running = office.convert(textDocx("runs"));
  await until("the first one runs", () => existsSync(join(tempDir, "begun")));
  const waiting = ["one", "two"].map((text) => office.convert(textDocx(text)));
  const error = await rejection(office.convert(textDocx("three")));
  expect([error.code, error.retryable]).toEqual(["unavailable", true]);
  expect(error.message).toContain("2 documents wait");
  expect(error.message).toContain("maxWaiting");
  await open();
  for (const { pages } of await Promise.all([running, ...waiting])) expect(pages).toBe(1);
  expect((await office.convert(textDocx("three"))).pages).toBe(1);
});

slowTest("where none may wait, a document is taken when a lane is free", async () => {
  const { tempDir, sofficePath, open } = await gate();
  await using office = closing(
    libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath, maxWaiting: 0 }),
  );
  const running = await begin(office, tempDir);
  expect((await rejection(office.convert(textDocx("one")))).code).toBe("unavailable");
  await open();
  expect((await running.conversion).pages).toBe(1);
});

slowTest("a document that waits too long is told so, and what runs is not touched", async () => {
  const { tempDir, sofficePath, open } = await gate();
  await using office = closing(
    libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath, maxWaitMs: 1500 }),
  );
  const running = await begin(office, tempDir);
  const error = await rejection(office.convert(textDocx("waits")));
  expect([error.code, error.retryable]).toEqual(["unavailable", true]);
  expect(error.message).toContain("waited 1500 ms");
  expect(error.message).toContain("maxWaitMs");
  await open();
  expect((await running.conversion).pages).toBe(1);
});

slowTest("a lane is replaced after so many documents, and none waits for that", async () => {
  const tempDir = await testFolder();
  const office = closing(libreOffice({ lanes: 1, tempDir, recycleAfter: 5, cacheMb: 0 }));
  await using _ = office;
  await office.convert(textDocx("first"));
  const [first] = officesIn(tempDir);
  // What a lane starts has the lane's command line for a moment.
  const lanes = (): number => new Set(lanesIn(tempDir).map(laneOf)).size;
  let meanwhile = 0;
  for (let number = 0; officesIn(tempDir).some(({ pid }) => pid === first?.pid); number++) {
    const both = lanes() === 2;
    expect((await office.convert(textDocx(`number ${number}`))).pages).toBe(1);
    if (both && lanes() === 2) meanwhile += 1;
    expect(lanes()).toBeLessThanOrEqual(2);
  }
  // The old one went on while its successor started.
  expect(meanwhile).toBeGreaterThan(2);
  expect((await office.convert(textDocx("last"))).pages).toBe(1);
});

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
