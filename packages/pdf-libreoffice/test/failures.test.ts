import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { libreOffice } from "../src/index.ts";
import { hangingDocx, textDocx } from "./docx.ts";
import {
  closing,
  fakeSoffice,
  laneFolders,
  NO_MACROS,
  rejection,
  STUBBORN,
  sharedOffice,
  slowTest,
  stoppedClock,
  testFolder,
  until,
  untilHanging,
  untilNoProcess,
  WRITES_PAGE,
} from "./laboratory.ts";

const DOCUMENT = textDocx("Hello, Quire");

const shared = sharedOffice({ lanes: 1, deadlineMs: 3000 });

slowTest("a document on which LibreOffice hangs times out and the next one converts", async () => {
  await shared.convert(DOCUMENT);
  const [lane = ""] = await laneFolders(shared.tempDir);
  const pass = stoppedClock();
  const hanging = rejection(shared.convert(hangingDocx(), { rendered: true }));
  await untilHanging(shared.tempDir);
  await pass(3000);
  const error = await hanging;
  expect(error.code).toBe("timeout");
  expect(error.retryable).toBe(true);
  expect(error.message).toContain("3000 ms");
  await untilNoProcess(lane);
  expect((await shared.convert(DOCUMENT)).pages).toBe(1);
  expect(await laneFolders(shared.tempDir)).not.toContain(lane);
});

slowTest("the gate rejects a document on which LibreOffice would hang", async () => {
  const error = await rejection(shared.convert(hangingDocx()));
  expect(error.code).toBe("conversion_failed");
  expect(error.retryable).toBe(false);
  expect(error.message).toContain("was not passed to LibreOffice");
  expect(error.message).toMatch(/nested/);
});

slowTest("a LibreOffice that ignores signals is killed", async () => {
  const tempDir = await testFolder();
  const sofficePath = await fakeSoffice(tempDir, STUBBORN);
  await using office = closing(
    libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath, deadlineMs: 500 }),
  );
  expect((await rejection(office.convert(DOCUMENT))).code).toBe("timeout");
  await until("none is left", async () => (await laneFolders(tempDir)).length <= 1);
  await untilNoProcess(join(tempDir, "fake soffice"));
});

slowTest("the wait for a lane does not count towards the deadline", async () => {
  const tempDir = await testFolder();
  const begun = join(tempDir, "begun");
  // Each conversion creates a file, and ends when the file is removed.
  const sofficePath = await fakeSoffice(
    tempDir,
    `[ -n "$out" ] || exit 0\n: >'${begun}'\nwhile [ -e '${begun}' ]; do sleep 0.02; done`,
  );
  const pass = stoppedClock();
  await using office = closing(
    libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath, deadlineMs: 4000 }),
  );
  const errors = Promise.all(
    Array.from({ length: 3 }, (_, i) => rejection(office.convert(textDocx(`number ${i}`)))),
  );
  for (let document = 0; document < 3; document++) {
    await until("one runs", () => existsSync(begun));
    await pass(3000);
    await rm(begun);
  }
  expect((await errors).map((error) => error.code)).toEqual(Array(3).fill("conversion_failed"));
});

const BROKEN: readonly (readonly [what: string, script: string, says: RegExp])[] = [
  ["no PDF and exit code 0", "exit 0", /ended with exit code 0 without writing a PDF/],
  ["no PDF and exit code 77", "exit 77", /ended with exit code 77 without writing a PDF/],
  ["an empty PDF", ': >"$out"', /wrote an empty file/],
  ["a file that is not a PDF", 'echo "<html>" >"$out"', /wrote a file that is not a PDF/],
  ["a PDF that is cut off", 'echo "%PDF-1.6" >"$out"', /wrote a PDF that is cut off/],
  ["garbage within a PDF", 'printf "%%PDF-1.6\\nx\\n%%%%EOF\\n" >"$out"', /does not parse/],
];

slowTest("a conversion fails unless LibreOffice writes an intact PDF", async () => {
  const tempDir = await testFolder();
  const kinds = BROKEN.map(([what, script]) => `  *${what.replaceAll(" ", "_")}*) ${script} ;;`);
  const sofficePath = await fakeSoffice(
    tempDir,
    `echo printed words >&2\ncase "$(cat '${tempDir}/kind')" in\n${kinds.join("\n")}\nesac`,
  );
  await using office = closing(libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath }));
  for (const [what, , says] of BROKEN) {
    await writeFile(`${tempDir}/kind`, what.replaceAll(" ", "_"));
    const error = await rejection(office.convert(DOCUMENT));
    expect([what, error.code]).toEqual([what, "conversion_failed"]);
    expect(error.message).toMatch(says);
    expect(String(error.cause)).toContain("printed words");
  }
});

/** A LibreOffice that a signal ends with its first documents, as many as the file `left` says. */
function endedBy(signal: string, left: string): string {
  return (
    `[ -n "$out" ] || exit 0\nleft=$(cat '${left}')\n` +
    `[ "$left" -gt 0 ] && { echo $((left - 1)) >'${left}'; kill -s ${signal} $$; }\n${WRITES_PAGE}`
  );
}

slowTest("fresh mode: a document is not to blame for a LibreOffice that was killed", async () => {
  const tempDir = await testFolder();
  const left = join(tempDir, "left");
  await writeFile(left, "3");
  const sofficePath = await fakeSoffice(tempDir, endedBy("KILL", left));
  await using office = closing(libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath }));
  expect((await office.convert(DOCUMENT)).pages).toBe(1);
});

slowTest("fresh mode: a document that crashes LibreOffice once is converted", async () => {
  const tempDir = await testFolder();
  const left = join(tempDir, "left");
  const sofficePath = await fakeSoffice(tempDir, endedBy("SEGV", left));
  await using office = closing(libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath }));
  await writeFile(left, "1");
  expect((await office.convert(textDocx("crashes once"))).pages).toBe(1);
  await writeFile(left, "9");
  const error = await rejection(office.convert(textDocx("crashes")));
  expect(error.code).toBe("conversion_failed");
  expect(error.message).toContain("crashed or hung on it twice");
});

slowTest("an intact PDF is accepted despite the exit code and the output", async () => {
  const tempDir = await testFolder();
  const script = 'soffice "$@"\necho "an error, it says" >&2\nexit 1';
  const sofficePath = await fakeSoffice(tempDir, script);
  await using office = closing(libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath }));
  const converted = await office.convert(DOCUMENT);
  expect(converted.pages).toBe(1);
  expect(converted.fingerprint.program).toMatch(/^LibreOffice /);
});

slowTest("fresh mode rejects PDF options", async () => {
  const tempDir = await testFolder();
  const sofficePath = await fakeSoffice(tempDir, WRITES_PAGE);
  await using office = closing(libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath }));
  const error = await rejection(office.convert(DOCUMENT, { pdf: { pdfA: "2b" } }));
  expect(error.code).toBe("conversion_failed");
  expect(error.message).toContain("cannot apply PDF options");
  expect((await office.convert(DOCUMENT)).pages).toBe(1);
});

for (const mode of ["warm", "fresh"] as const) {
  slowTest(
    `${mode}: a relative sofficePath to a program that asks for a restart works`,
    async () => {
      const tempDir = await testFolder();
      const script = `[ -f "$HOME/started" ] && exec soffice "$@"\n: >"$HOME/started"\nexit 81`;
      const sofficePath = relative(process.cwd(), await fakeSoffice(tempDir, script));
      await using office = closing(libreOffice({ lanes: 1, mode, tempDir, sofficePath }));
      expect((await office.convert(DOCUMENT)).pages).toBe(1);
    },
  );
}

slowTest(
  "auto mode falls back to fresh with a warning if LibreOffice cannot be kept running",
  async () => {
    const tempDir = await testFolder();
    const sofficePath = await fakeSoffice(tempDir, NO_MACROS);
    await using office = closing(libreOffice({ lanes: 1, tempDir, sofficePath }));
    for (const text of ["first", "second"]) {
      const { pages, warnings, fingerprint } = await office.convert(textDocx(text));
      expect(pages).toBe(1);
      expect(warnings.map(({ code }) => code)).toEqual(["converter_slow"]);
      expect(warnings[0]?.hint).toContain("quire doctor");
      expect(fingerprint.program).toMatch(/^LibreOffice \d/);
    }
  },
);

slowTest("auto mode keeps LibreOffice running as soon as that works", async () => {
  const tempDir = await testFolder();
  const trouble = join(tempDir, "trouble");
  await writeFile(trouble, "");
  const sofficePath = await fakeSoffice(
    tempDir,
    `[ -e '${trouble}' ] || exec soffice "$@"\n${NO_MACROS}`,
  );
  const pass = stoppedClock();
  await using office = closing(libreOffice({ lanes: 1, tempDir, sofficePath, cacheMb: 0 }));
  const isSlow = async () => (await office.convert(DOCUMENT)).warnings.length > 0;
  expect(await isSlow()).toBe(true);
  await pass(10_000);
  expect(await isSlow()).toBe(true);
  // Each lane has a new number: two attempts to keep LibreOffice running, then a fresh one, and this twice.
  await until("warm was tried again", async () => {
    const lanes = await laneFolders(tempDir);
    return lanes.length === 1 && lanes[0]?.endsWith("/lane-6");
  });
  await rm(trouble);
  await pass(20_000);
  await until("it is kept running", async () => !(await isSlow()));
});

slowTest(
  "warm mode is unavailable and reports the output if LibreOffice cannot be kept running",
  async () => {
    const tempDir = await testFolder();
    const sofficePath = await fakeSoffice(tempDir, NO_MACROS);
    await using office = closing(libreOffice({ lanes: 1, mode: "warm", tempDir, sofficePath }));
    for (let time = 0; time < 2; time++) {
      const error = await rejection(office.convert(DOCUMENT));
      expect(error.code).toBe("unavailable");
      expect(error.message).toContain("did not start (it ended with exit code 7)");
      expect(String((error.cause as Error).cause)).toContain("no macros");
    }
  },
);

test("a missing LibreOffice is reported as unavailable, with install instructions", async () => {
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

for (const lanes of [1, 2, 3]) {
  test(`a missing temporary folder is reported as unavailable, with ${lanes} lanes`, async () => {
    const tempDir = `${await testFolder()}/missing`;
    await using office = closing(libreOffice({ lanes, tempDir }));
    for (let time = 0; time < 2; time++) {
      const error = await rejection(office.convert(DOCUMENT));
      expect(error.code).toBe("unavailable");
      expect(error.message).toContain(tempDir);
    }
  });
}

test("invalid options are rejected by name", async () => {
  const wrong: readonly Readonly<Record<string, unknown>>[] = [
    { lanes: 0 },
    { lanes: 1.5 },
    { deadlineMs: -1 },
    { maxWaitMs: 0 },
    { maxWaiting: -1 },
    { memoryLimitMb: NaN },
    { recycleAfter: 0 },
    { recycleMemoryMb: 0.5 },
    { cacheMb: -1 },
    { mode: "cold" },
    { fonts: "all" },
    { join: "always" },
  ];
  for (const options of wrong) {
    const [name = ""] = Object.keys(options);
    const error = await rejection((async () => libreOffice(options))());
    expect(error.code).toBe("invalid_request");
    expect(error.message).toContain(name);
  }
});
