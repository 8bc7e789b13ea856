import { chmod, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSoffice, sofficeVersion } from "../src/index.ts";
import { lacksFormulas } from "../src/process/formulas.ts";
import {
  fakeSoffice,
  processesWith,
  rejection,
  STUBBORN,
  slowTest,
  stoppedClock,
  testFolder,
  until,
} from "./laboratory.ts";

slowTest("the installed LibreOffice is found and reports its version", async () => {
  const path = await findSoffice();
  expect(path).toMatch(/office$/);
  expect(await sofficeVersion(path ?? "")).toMatch(/^\d+\.\d+/);
});

test("a sofficePath is used unchanged if the program exists", async () => {
  const folder = await testFolder();
  const sofficePath = await fakeSoffice(folder, "exit 0");
  expect(await findSoffice({ sofficePath })).toBe(sofficePath);
  await chmod(sofficePath, 0o644);
  expect(await findSoffice({ sofficePath })).toBeNull();
  expect(await findSoffice({ sofficePath: folder })).toBeNull();
  expect(await findSoffice({ sofficePath: join(folder, "missing") })).toBeNull();
});

slowTest("a relative path is resolved in the host's folder, not in a lane's", async () => {
  const folder = await testFolder();
  const path = await fakeSoffice(folder, "echo LibreOffice 1.2.3");
  const sofficePath = relative(process.cwd(), path);
  expect(await findSoffice({ sofficePath })).toBe(path);
  expect(await sofficeVersion(sofficePath)).toBe("1.2.3");
});

test("the PATH comes before the usual places", async () => {
  const folder = await testFolder();
  const before = process.env.PATH ?? "";
  onTestFinished(() => {
    process.env.PATH = before;
  });
  await writeFile(join(folder, "libreoffice"), "#!/bin/sh\n", { mode: 0o755 });
  process.env.PATH = `${folder}:${before}`;
  expect(await findSoffice()).toBe(join(folder, "libreoffice"));
});

slowTest("a program that reports no version is unavailable", async () => {
  const folder = await testFolder();
  const silent = await rejection(sofficeVersion(await fakeSoffice(folder, "echo I am a teapot")));
  expect(silent.code).toBe("unavailable");
  expect(String(silent.cause)).toContain("teapot");
  const missing = await rejection(sofficeVersion(join(folder, "missing")));
  expect(missing.code).toBe("unavailable");
});

slowTest("a hanging program is killed at the deadline and on an abort", async () => {
  const folder = await testFolder();
  const path = await fakeSoffice(folder, STUBBORN);
  const runs = () => processesWith(folder).length > 0;
  const pass = stoppedClock();
  const slow = rejection(sofficeVersion(path, { deadlineMs: 300 }));
  await until("it runs", runs);
  await pass(300);
  expect((await slow).code).toBe("timeout");
  await until("it is gone", () => !runs());
  const controller = new AbortController();
  const unwanted = rejection(sofficeVersion(path, { signal: controller.signal }));
  await until("it runs", runs);
  controller.abort();
  expect((await unwanted).code).toBe("aborted");
  await until("both are gone", () => processesWith(folder).length === 0);
});

test("a LibreOffice lacks formulas only if it has the library of Writer but not the library of Math", async () => {
  const folder = await testFolder();
  const soffice = await fakeSoffice(folder, "exit 0");
  expect(lacksFormulas(soffice)).toBe(false);
  await writeFile(join(folder, "libswlo.so"), "");
  expect(lacksFormulas(soffice)).toBe(true);
  await writeFile(join(folder, "libsmlo.so"), "");
  expect(lacksFormulas(soffice)).toBe(false);
  await rm(join(folder, "libswlo.so"));
  expect(lacksFormulas(soffice)).toBe(false);
});
