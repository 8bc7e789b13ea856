import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { libreOffice } from "../src/index.ts";
import { docxParts, textDocx, zip } from "./docx.ts";
import {
  closing,
  officesIn,
  rejection,
  sharedOffice,
  slowTest,
  testFolder,
  until,
} from "./laboratory.ts";

const shared = sharedOffice({ lanes: 1, memoryLimitMb: 2000 });

slowTest("a document that needs too much memory fails without affecting others", async () => {
  const tempDir = await testFolder();
  await shared.convert(textDocx("small"));
  const status = readFileSync(
    `/proc/${(await until("LibreOffice runs", () => officesIn(shared.tempDir)[0])).pid}/status`,
    "utf8",
  );
  const usualMb = Math.ceil(Number(/^VmPeak:\s+(\d+)/m.exec(status)?.[1]) / 1024);
  await using office = closing(
    libreOffice({ lanes: 1, tempDir, cacheMb: 0, memoryLimitMb: usualMb + 24 }),
  );
  await office.convert(textDocx("fine"));
  const paragraphs = "<w:p><w:r><w:t>much</w:t></w:r></w:p>".repeat(120_000);
  const error = await rejection(office.convert(zip(docxParts(paragraphs)), { rendered: true }));
  expect(error.code).toBe("conversion_failed");
  expect((await office.convert(textDocx("still fine"))).pages).toBe(1);
});
