/**
 * Tests how lanes are kept running, and what happens to the documents of lanes that ended. For rarer failures, see
 * `supervisor.chaos.test.ts`.
 */
import { expect } from "vitest";
import { hangingDocx, textDocx } from "./docx.ts";
import {
  laneFolders,
  laneOf,
  lanesIn,
  officesIn,
  rejection,
  sharedOffice,
  slowTest,
  stoppedClock,
  untilHanging,
} from "./laboratory.ts";
import { converts, many, warm } from "./supervised.ts";

/** The default of `deadlineMs`. */
const DEADLINE_MS = 60_000;

const ends: string[] = [];

const single = sharedOffice({ lanes: 1, onReplaced: (reason) => ends.push(reason) });

slowTest(
  "a document that crashes LibreOffice is tried twice and then refused permanently",
  async () => {
    const poison = hangingDocx("crashes");
    await warm(single, 1);
    const doomed = rejection(single.convert(poison, { rendered: true }));
    const first = await untilHanging(single.tempDir);
    process.kill(first.pid, "SIGSEGV");
    const second = await untilHanging(single.tempDir, [first.pid]);
    expect(laneOf(second)).not.toBe(laneOf(first));
    process.kill(second.pid, "SIGABRT");
    const error = await doomed;
    expect(error.code).toBe("conversion_failed");
    expect(error.retryable).toBe(false);
    expect(error.message).toContain("crashed or hung on it twice");
    const before = await warm(single, 1);
    const again = await rejection(single.convert(poison, { rendered: true }));
    expect([again.code, again.retryable]).toEqual(["conversion_failed", false]);
    expect(officesIn(single.tempDir)).toEqual(expect.arrayContaining([...before]));
    await converts(single);
  },
);

slowTest("a document that hangs twice is refused permanently, and others are not", async () => {
  const attempt = () => rejection(single.convert(hangingDocx("hangs"), { rendered: true }));
  await warm(single, 1);
  ends.length = 0;
  const pass = stoppedClock();
  for (let number = 0; number < 2; number++) {
    const hanging = attempt();
    await untilHanging(single.tempDir);
    await pass(DEADLINE_MS);
    expect((await hanging).code).toBe("timeout");
  }
  expect(ends).toEqual(["deadline", "deadline"]);
  expect((await single.convert(textDocx("one"))).pages).toBe(1);
  const lanes = await laneFolders(single.tempDir);
  const third = await attempt();
  expect([third.code, third.retryable]).toEqual(["conversion_failed", false]);
  expect(await laneFolders(single.tempDir)).toEqual(lanes);
  expect((await single.convert(textDocx("another"))).pages).toBe(1);
});

slowTest("a document whose LibreOffice is killed again and again is not blamed", async () => {
  await warm(single, 1);
  const converting = rejection(single.convert(hangingDocx("killed"), { rendered: true }));
  const killed: number[] = [];
  while (killed.length < 4) {
    const { pid } = await untilHanging(single.tempDir, killed);
    process.kill(pid, "SIGKILL");
    killed.push(pid);
  }
  const error = await converting;
  expect([error.code, error.retryable]).toEqual(["unavailable", true]);
  expect(error.message).toContain("killed from outside");
});

slowTest("documents whose LibreOffice or lane was killed from outside are converted", async () => {
  await warm(single, 1);
  for (const victims of [officesIn, lanesIn]) {
    const all = Promise.all(many(8).map((document) => single.convert(document)));
    for (const { pid } of victims(single.tempDir).slice(0, 1)) process.kill(pid, "SIGKILL");
    for (const { pages } of await all) expect(pages).toBe(1);
  }
});
