/**
 * Golden documents: templates that a word processor saved (LibreOffice Writer, which splits runs
 * differently), their data, and the expected output. After an intended change, review the output of
 * `UPDATE_GOLDEN=1 npm run tests -- packages/docx/test/render/golden` before you commit it.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { linesOf } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";

const FOLDER = join(import.meta.dirname, "../golden");

test.each(globSync("*.docx", { cwd: FOLDER }).sort())("%s renders as expected", async (file) => {
  const path = (extension: string): string =>
    join(FOLDER, `${basename(file, ".docx")}.${extension}`);
  const template = await compileTemplate(readFileSync(join(FOLDER, file)));
  const { bytes, warnings } = template.render(JSON.parse(readFileSync(path("json"), "utf8")));
  const told = warnings.map(({ severity, message }) => `${severity}: ${message}`);
  const result = `${[...linesOf(bytes), "---", ...told].join("\n")}\n`;
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(path("txt"), result);
  expect(result).toBe(readFileSync(path("txt"), "utf8"));
});
