import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { libreOffice } from "../src/index.ts";
import { hangingDocx, textDocx } from "./docx.ts";
import {
  closing,
  fakeSoffice,
  laneFolders,
  lanesIn,
  officesIn,
  ownSockets,
  processesWith,
  rejection,
  STUBBORN,
  sharedOffice,
  slowTest,
  stoppedClock,
  testFolder,
  until,
  untilHanging,
  WRITES_PAGE,
  workspaces,
} from "./laboratory.ts";

const DOCUMENT = textDocx("Hello, Quire");

/** How long a lane may continue with an unwanted document. */
const GIVEN_UP_MS = 2000;

const shared = sharedOffice({ lanes: 2 });
const single = sharedOffice({ lanes: 1, lazy: true });

slowTest("LibreOffice starts before the first document and keeps running", async () => {
  const offices = await until("both are there", () => {
    const found = officesIn(shared.tempDir);
    return found.length === 2 && found;
  });
  for (let number = 0; number < 3; number++) await shared.convert(textDocx(`number ${number}`));
  expect(officesIn(shared.tempDir).map(({ pid }) => pid)).toEqual(offices.map(({ pid }) => pid));
  expect(lanesIn(shared.tempDir)).toHaveLength(2);
});

slowTest(
  "concurrent documents are distributed to the lanes, whose number does not grow",
  async () => {
    const before = lanesIn(shared.tempDir);
    await Promise.all(
      Array.from({ length: 6 }, async (_, number) => {
        expect((await shared.convert(textDocx(`number ${number}`))).pages).toBe(1);
        expect(lanesIn(shared.tempDir)).toEqual(before);
      }),
    );
  },
);

slowTest("a conversion leaves no files in the lane's folder", async () => {
  await shared.convert(DOCUMENT);
  for (const lane of await laneFolders(shared.tempDir)) {
    // A lane that has just started may still convert its test document.
    await until("the work folder is empty", async () => {
      return (await readdir(join(lane, "work"))).length === 0;
    });
    expect((await stat(lane)).mode & 0o777).toBe(0o700);
  }
});

slowTest(
  "an abort ends the wait for a lane at once and does not delay the next document",
  async () => {
    await single.convert(DOCUMENT);
    const stop = new AbortController();
    const hanging = single.convert(hangingDocx(), { rendered: true, signal: stop.signal });
    const running = rejection(hanging);
    const controller = new AbortController();
    const waiting = rejection(single.convert(textDocx("waits"), { signal: controller.signal }));
    controller.abort(new Error("no longer wanted"));
    const error = await waiting;
    expect(error.code).toBe("aborted");
    expect(String(error.cause)).toContain("no longer wanted");
    const next = single.convert(textDocx("next"));
    const pass = stoppedClock();
    stop.abort();
    expect((await running).code).toBe("aborted");
    await pass(GIVEN_UP_MS);
    expect((await next).pages).toBe(1);
  },
);

slowTest(
  "after an abort, a hanging LibreOffice is removed with its folder and socket",
  async () => {
    await single.convert(DOCUMENT);
    const [lane = ""] = await laneFolders(single.tempDir);
    const own = await ownSockets(single.tempDir);
    const controller = new AbortController();
    const options = { rendered: true, signal: controller.signal };
    const running = rejection(single.convert(hangingDocx(), options));
    await untilHanging(single.tempDir);
    const pass = stoppedClock();
    controller.abort();
    expect((await running).code).toBe("aborted");
    await pass(GIVEN_UP_MS);
    await until("the lane is gone", () => !existsSync(lane));
    expect(processesWith(lane)).toEqual([]);
    expect(own.filter((socket) => existsSync(socket))).toEqual([]);
  },
);

slowTest("close leaves no process, file or socket behind", async () => {
  const tempDir = await testFolder();
  const office = libreOffice({ lanes: 1, tempDir });
  await office.convert(textDocx("one"));
  const own = await ownSockets(tempDir);
  await office.close();
  expect(processesWith(tempDir)).toEqual([]);
  expect(await readdir(tempDir)).toEqual([]);
  expect(own.filter((socket) => existsSync(socket))).toEqual([]);
});

slowTest("a converter that is closed while it starts leaves nothing behind", async () => {
  const tempDir = await testFolder();
  const phases: readonly (readonly [string, () => boolean | Promise<boolean>])[] = [
    ["it was created", () => true],
    ["it has a folder", async () => (await workspaces(tempDir)).length > 0],
    ["the profile is prepared", () => has(tempDir, "--terminate_after_init")],
    ["a lane loads", () => lanesIn(tempDir).length > 0],
    ["LibreOffice starts", () => officesIn(tempDir).length > 0],
  ];
  for (const [what, reached] of phases) {
    const office = libreOffice({ lanes: 1, tempDir });
    const waits = rejection(office.convert(DOCUMENT));
    await until(what, reached);
    await office.close();
    expect((await waits).code).toBe("unavailable");
    // A process that was killed may still be listed for a moment.
    await expect.poll(() => processesWith(tempDir), { timeout: 5_000, message: what }).toEqual([]);
    expect([what, await readdir(tempDir)]).toEqual([what, []]);
  }
});

slowTest("a lazy converter starts with its first document", async () => {
  const tempDir = await testFolder();
  const sofficePath = await fakeSoffice(await testFolder(), WRITES_PAGE);
  const options = { lanes: 1, lazy: true, mode: "fresh", tempDir, sofficePath } as const;
  await using office = closing(libreOffice(options));
  expect(await readdir(tempDir)).toEqual([]);
  expect((await office.convert(DOCUMENT)).pages).toBe(1);
  expect(lanesIn(tempDir)).toHaveLength(1);
});

slowTest("close waits for running conversions and rejects waiting documents", async () => {
  const tempDir = await testFolder();
  const sofficePath = await fakeSoffice(
    tempDir,
    `case "$*" in *--convert-to*) : >'${tempDir}/begun'\n` +
      `  while [ ! -e '${tempDir}/go' ]; do sleep 0.02; done;; esac\n${WRITES_PAGE}`,
  );
  const office = libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath });
  const running = office.convert(DOCUMENT);
  const waiting = ["one", "two"].map((text) => rejection(office.convert(textDocx(text))));
  await until("the first one runs", () => readFile(join(tempDir, "begun")).catch(() => false));
  const closed = office.close();
  for (const error of await Promise.all(waiting)) expect(error.code).toBe("unavailable");
  expect(processesWith(tempDir)).not.toEqual([]);
  expect((await rejection(office.convert(textDocx("late")))).code).toBe("unavailable");
  await writeFile(join(tempDir, "go"), "");
  await closed;
  expect((await running).pages).toBe(1);
  expect(processesWith(tempDir)).toEqual([]);
});

slowTest("close does not wait for a second attempt", async () => {
  const tempDir = await testFolder();
  const office = libreOffice({ lanes: 1, tempDir });
  await office.convert(DOCUMENT);
  const running = rejection(office.convert(hangingDocx(), { rendered: true }));
  const { pid } = await untilHanging(tempDir);
  const closed = office.close();
  process.kill(pid, "SIGKILL");
  expect((await running).code).toBe("unavailable");
  await closed;
  expect(await readdir(tempDir)).toEqual([]);
});

test("only folders of hosts that ended long ago are removed", async () => {
  const tempDir = await testFolder();
  const gone = 2 ** 22 + 7; // no process has this id
  const old = new Date(Date.now() - 48 * 3600 * 1000);
  const folders = {
    abandoned: join(tempDir, `quire-pdf-${gone}-abcdef`),
    young: join(tempDir, `quire-pdf-${gone}-ghijkl`),
    alive: join(tempDir, `quire-pdf-${process.pid}-mnopqr`),
    foreign: join(tempDir, "something-else"),
  };
  for (const folder of Object.values(folders))
    await mkdir(join(folder, "lane-1"), { recursive: true });
  for (const name of ["abandoned", "alive", "foreign"] as const)
    await utimes(folders[name], old, old);
  const sofficePath = await fakeSoffice(tempDir, STUBBORN);
  const office = libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath });
  await until("it has a folder", async () => (await workspaces(tempDir)).length > 2);
  await office.close();
  expect(existsSync(folders.abandoned)).toBe(false);
  for (const name of ["young", "alive", "foreign"] as const) {
    expect([name, existsSync(folders[name])]).toEqual([name, true]);
    await rm(folders[name], { recursive: true });
  }
});

function has(tempDir: string, words: string): boolean {
  return processesWith(tempDir).some(({ command }) => command.includes(words));
}
