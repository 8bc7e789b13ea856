/** How lanes are kept alive, and what becomes of documents whose lane was not. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { libreOffice } from "../src/index.ts";
import { pipePath } from "../src/office/sockets.ts";
import { hangingDocx, textDocx } from "./docx.ts";
import {
  closing,
  laneFolders,
  laneOf,
  lanesIn,
  officesIn,
  type RunningProcess,
  rejection,
  type SharedOffice,
  sharedOffice,
  slowTest,
  stateOf,
  stoppedClock,
  testFolder,
  until,
  untilHanging,
  untilNoProcess,
  workshops,
} from "./laboratory.ts";

/** The default. */
const DEADLINE_MS = 60_000;

const ends: string[] = [];

const pair = sharedOffice({ lanes: 2 });
const single = sharedOffice({ lanes: 1, lazy: true, onReplaced: (reason) => ends.push(reason) });

slowTest(
  "a document that crashes LibreOffice is tried twice and then refused for good",
  async () => {
    const poison = hangingDocx("crashes");
    await warm(pair);
    const doomed = rejection(pair.convert(poison, { rendered: true }));
    const first = await untilHanging(pair.tempDir);
    process.kill(first.pid, "SIGSEGV");
    const second = await untilHanging(pair.tempDir, [first.pid]);
    expect(laneOf(second)).not.toBe(laneOf(first));
    process.kill(second.pid, "SIGKILL");
    const error = await doomed;
    expect(error.code).toBe("conversion_failed");
    expect(error.retryable).toBe(false);
    expect(error.message).toContain("crashed or stood still with it twice");
    const before = await warm(pair);
    const again = await rejection(pair.convert(poison, { rendered: true }));
    expect([again.code, again.retryable]).toEqual(["conversion_failed", false]);
    expect(officesIn(pair.tempDir)).toEqual(expect.arrayContaining([...before]));
    await converts(pair);
  },
);

slowTest("a document that hangs twice is refused for good, and others are not", async () => {
  const attempt = () => rejection(single.convert(hangingDocx("hangs"), { rendered: true }));
  await warm(single);
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

slowTest(
  "after a document that LibreOffice could not convert, another one converts the next",
  async () => {
    const [first] = await warm(single);
    const options = { pdf: { pages: "9" } };
    const error = await rejection(single.convert(textDocx("has one page"), options));
    expect([error.code, error.retryable]).toEqual(["conversion_failed", false]);
    await converts(single);
    expect(officesIn(single.tempDir)).not.toContainEqual(first);
  },
);

slowTest("documents whose LibreOffice or lane was killed from outside are converted", async () => {
  await warm(pair);
  for (const victims of [officesIn, lanesIn]) {
    const all = Promise.all(many(24).map((document) => pair.convert(document)));
    for (const { pid } of victims(pair.tempDir).slice(0, 1)) process.kill(pid, "SIGKILL");
    for (const { pages } of await all) expect(pages).toBe(1);
  }
});

slowTest("lanes that ended while nothing was to be done harm no document", async () => {
  for (const victims of [officesIn, lanesIn]) {
    await warm(pair);
    const killed = victims(pair.tempDir);
    const folders = await laneFolders(pair.tempDir);
    for (const { pid } of killed) process.kill(pid, "SIGKILL");
    const ended = () => killed.every(({ pid }) => [null, "Z"].includes(stateOf(pid)));
    await until("they have ended", ended);
    for (const document of many(3)) expect((await pair.convert(document)).pages).toBe(1);
    await until("what they left is removed", async () => {
      return (await laneFolders(pair.tempDir)).every((folder) => !folders.includes(folder));
    });
  }
});

slowTest(
  "a document in a LibreOffice or a lane that was frozen is converted in another",
  async () => {
    for (const victims of [officesIn, lanesIn]) {
      await warm(pair);
      const frozen = victims(pair.tempDir);
      for (const { pid } of frozen) process.kill(pid, "SIGSTOP");
      // Both lanes are: the document is innocent however often that happens to it.
      const { pages } = await pair.convert(textDocx("patient"));
      expect(pages).toBe(1);
      await pair.convert(textDocx("once more"));
      // One that was frozen while it started has the time of a start.
      const isGone = () => frozen.some(({ pid }) => stateOf(pid) === null);
      await until("a frozen one is gone", isGone);
    }
  },
);

slowTest("lanes whose folder was taken away harm no document", async () => {
  await warm(pair);
  // LibreOffice may write while its folder goes.
  const options = { recursive: true, maxRetries: 10 };
  for (const folder of await workshops(pair.tempDir)) await rm(folder, options);
  for (const document of many(3)) expect((await pair.convert(document)).pages).toBe(1);
});

slowTest("a prepared profile that was deleted or changed is made again", async () => {
  await warm(pair);
  const [workshop = ""] = await workshops(pair.tempDir);
  const settings = join(workshop, "profile", "user", "registrymodifications.xcu");
  await rm(join(workshop, "profile"), { recursive: true });
  for (const { pid } of officesIn(pair.tempDir)) process.kill(pid, "SIGKILL");
  await converts(pair);
  expect(existsSync(settings)).toBe(true);
});

slowTest(
  "a lane that is killed while it starts is started again and leaves no socket",
  async () => {
    const tempDir = await testFolder();
    await using office = closing(libreOffice({ lanes: 1, tempDir }));
    const first = office.convert(textDocx("first"));
    const starting = await until("LibreOffice starts", () => officesIn(tempDir)[0]);
    const lane = lanesIn(tempDir).find((process) => laneOf(process) === laneOf(starting));
    process.kill(lane?.pid ?? Number.NaN, "SIGKILL");
    const { pages, warnings } = await first;
    expect([pages, warnings]).toEqual([1, []]);
    const [workshop] = await workshops(tempDir);
    await untilNoProcess(`${workshop}/${laneOf(starting)}/`);
    const name = /pipe,name=(\w+)/.exec(starting.command)?.[1] ?? "";
    expect(existsSync(pipePath(name))).toBe(false);
  },
);

function many(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, number) => textDocx(`Document ${number}`));
}

async function converts(office: SharedOffice): Promise<void> {
  expect((await office.convert(textDocx("fine"))).pages).toBe(1);
}

/**
 * All lanes are up. One that was killed while it started is started again only some seconds later, and only when
 * documents come.
 */
async function warm(office: SharedOffice): Promise<readonly RunningProcess[]> {
  return until("all lanes are there", async () => {
    await Promise.all(many(2).map((document) => office.convert(document)));
    const found = officesIn(office.tempDir);
    return found.length === (office === pair ? 2 : 1) && found;
  });
}
