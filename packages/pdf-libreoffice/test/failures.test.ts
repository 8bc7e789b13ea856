import { readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { libreOffice } from "../src/index.ts";
import { hangingDocx, textDocx } from "./docx.ts";
import {
  closing,
  fakeSoffice,
  laneDirectories,
  processesWith,
  rejection,
  STUBBORN,
  slowTest,
  testFolder,
  until,
  untilNoProcess,
} from "./laboratory.ts";

const DOCUMENT = textDocx("Hello, Quire");

slowTest("a document on which LibreOffice hangs times out and the next one converts", async () => {
  const tempDir = await testFolder();
  await using office = closing(libreOffice({ lanes: 1, tempDir, deadlineMs: 10_000 }));
  const error = await rejection(office.convert(hangingDocx()));
  expect(error.code).toBe("timeout");
  expect(error.retryable).toBe(true);
  await untilNoProcess(tempDir);
  expect(await laneDirectories(tempDir)).toEqual([]);
  expect((await office.convert(DOCUMENT)).pages).toBe(1);
});

slowTest("a LibreOffice that ignores every signal it can ignore is killed", async () => {
  const tempDir = await testFolder();
  const sofficePath = await fakeSoffice(tempDir, STUBBORN);
  await using office = closing(libreOffice({ lanes: 1, tempDir, sofficePath, deadlineMs: 500 }));
  expect((await rejection(office.convert(DOCUMENT))).code).toBe("timeout");
  await untilNoProcess(join(tempDir, "quire-lane-"));
});

slowTest("the wait for a lane does not count towards the deadline", async () => {
  const tempDir = await testFolder();
  const sofficePath = await fakeSoffice(tempDir, "sleep 1");
  await using office = closing(libreOffice({ lanes: 1, tempDir, sofficePath, deadlineMs: 3000 }));
  const errors = await Promise.all(
    Array.from({ length: 5 }, () => rejection(office.convert(DOCUMENT))),
  );
  expect(errors.map((error) => error.code)).toEqual(Array(5).fill("conversion_failed"));
});

const BROKEN: readonly (readonly [what: string, script: string, says: RegExp])[] = [
  ["no PDF and exit code 0", "exit 0", /ended with exit code 0 without writing a PDF/],
  ["no PDF and exit code 77", "exit 77", /ended with exit code 77 without writing a PDF/],
  ["an empty PDF", ': >"$out"', /wrote an empty file/],
  ["a PDF that is none", 'echo "<html>" >"$out"', /wrote a file that is no PDF/],
  ["a PDF that breaks off", 'echo "%PDF-1.6" >"$out"', /breaks off before its end/],
  ["garbage within a PDF", 'printf "%%PDF-1.6\\nx\\n%%%%EOF\\n" >"$out"', /does not parse/],
];

for (const [what, script, says] of BROKEN) {
  slowTest(`${what} is a failed conversion`, async () => {
    const tempDir = await testFolder();
    const sofficePath = await fakeSoffice(tempDir, `echo printed words >&2\n${script}`);
    await using office = closing(libreOffice({ lanes: 1, tempDir, sofficePath }));
    const error = await rejection(office.convert(DOCUMENT));
    expect(error.code).toBe("conversion_failed");
    expect(error.message).toMatch(says);
    expect(String(error.cause)).toContain("printed words");
  });
}

slowTest("a sound PDF counts whatever the exit code and the printed words say", async () => {
  const tempDir = await testFolder();
  const script = 'soffice "$@"\necho "an error, it says" >&2\nexit 1';
  const sofficePath = await fakeSoffice(tempDir, script);
  await using office = closing(libreOffice({ lanes: 1, tempDir, sofficePath }));
  expect((await office.convert(DOCUMENT)).pages).toBe(1);
});

slowTest("a relative sofficePath converts", async () => {
  const tempDir = await testFolder();
  const sofficePath = relative(process.cwd(), await fakeSoffice(tempDir, 'soffice "$@"'));
  await using office = closing(libreOffice({ lanes: 1, tempDir, sofficePath }));
  expect((await office.convert(DOCUMENT)).pages).toBe(1);
});

slowTest("a LibreOffice that asks to be started again on a new profile is", async () => {
  const tempDir = await testFolder();
  const script = `[ -f "$HOME/started" ] && exec soffice "$@"\n: >"$HOME/started"\nexit 81`;
  const sofficePath = await fakeSoffice(tempDir, script);
  await using office = closing(libreOffice({ lanes: 1, tempDir, sofficePath }));
  expect((await office.convert(DOCUMENT)).pages).toBe(1);
});

slowTest("a lane that crashes fails its own document and no other", async () => {
  const tempDir = await testFolder();
  await using office = closing(libreOffice({ lanes: 2, tempDir }));
  const doomed = rejection(office.convert(hangingDocx()));
  const other = office.convert(DOCUMENT);
  const loads = () => processesWith(tempDir).find(({ command }) => /soffice\.bin/.test(command));
  await until("LibreOffice runs", loads);
  expect((await other).pages).toBe(1);
  const hanging = await until("the hanging one still runs", loads);
  const lane = /quire-lane-\w+/.exec(hanging.command)?.[0] ?? "none";
  const [leader] = processesWith(lane).filter(({ command }) => /lane-process/.test(command));
  process.kill(leader?.pid ?? Number.NaN, "SIGKILL");
  const error = await doomed;
  expect(error.code).toBe("conversion_failed");
  expect(error.message).toContain("was ended by SIGKILL");
  await until("its LibreOffice is gone", () => processesWith(lane).length === 0);
  expect((await office.convert(DOCUMENT)).pages).toBe(1);
});

slowTest("an idle lane that ended or lost its profile is replaced", async () => {
  const tempDir = await testFolder();
  await using office = closing(libreOffice({ lanes: 1, tempDir }));
  await office.convert(DOCUMENT);
  const [first = ""] = await laneDirectories(tempDir);
  await rm(join(tempDir, first, "profile"), { recursive: true });
  expect((await office.convert(DOCUMENT)).pages).toBe(1);
  const [second = ""] = await laneDirectories(tempDir);
  expect(second).not.toBe(first);
  const [leader] = processesWith(second);
  process.kill(leader?.pid ?? Number.NaN, "SIGKILL");
  await untilNoProcess(second);
  await new Promise((resolve) => setTimeout(resolve, 250)); // the lane hears of its process' end
  expect((await office.convert(DOCUMENT)).pages).toBe(1);
  expect(await laneDirectories(tempDir)).toHaveLength(1);
});

test("a missing LibreOffice is unavailable and the message says how to install it", async () => {
  const sofficePath = "/nowhere/soffice";
  await using office = closing(libreOffice({ sofficePath }));
  const error = await rejection(office.convert(DOCUMENT));
  expect(error.code).toBe("unavailable");
  expect(error.message).toContain("/nowhere/soffice");
  expect(error.message).toContain(
    "apt-get install --no-install-recommends libreoffice-writer-nogui",
  );
  expect(error.message).toContain("brew install --cask libreoffice");
});

test("a folder for temporary files that is missing is unavailable", async () => {
  const tempDir = join(await testFolder(), "missing");
  await using office = closing(libreOffice({ tempDir }));
  const error = await rejection(office.convert(DOCUMENT));
  expect(error.code).toBe("unavailable");
  expect(error.message).toContain(tempDir);
});

test("options that make no sense are refused by name", async () => {
  for (const options of [
    { lanes: 0 },
    { lanes: 1.5 },
    { deadlineMs: -1 },
    { memoryLimitMb: NaN },
  ]) {
    const [name = ""] = Object.keys(options);
    const error = await rejection((async () => libreOffice(options))());
    expect(error.code).toBe("invalid_request");
    expect(error.message).toContain(name);
  }
});

slowTest("nothing of a conversion stays in the lane's folder", async () => {
  const tempDir = await testFolder();
  await using office = closing(libreOffice({ lanes: 1, tempDir }));
  await office.convert(DOCUMENT);
  const [lane = ""] = await laneDirectories(tempDir);
  await until("temporary files are gone", async () => {
    return (await readdir(join(tempDir, lane, "tmp"))).length === 0;
  });
});
