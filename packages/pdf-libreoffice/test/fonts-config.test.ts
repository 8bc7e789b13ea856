import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkFontFolders, fontConfig, officeFontFolders } from "../src/fonts/font-config.ts";
import { listFonts } from "../src/fonts/font-set.ts";
import { privateFonts } from "./fonts-documents.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "quire-config-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe("a configuration with additional folders", () => {
  test("has the host's fonts and rules, and the fonts of the folders", async () => {
    const made = await privateFonts("Carlito");
    const more = join(folder, "a & <b> 'c'");
    await mkdir(more);
    const caladea = await privateFonts("Caladea");
    await symlink(join(caladea.fonts, "Caladea-Regular.ttf"), join(more, "x.ttf"));
    const file = join(folder, "fonts.conf");
    const host = { environment: made.environment, platform: process.platform };
    await writeFile(file, fontConfig([more], join(folder, "cache"), host));
    const environment = { ...made.environment, FONTCONFIG_FILE: file };
    const fonts = await listFonts({ environment });
    expect([...(fonts?.families ?? [])].sort()).toEqual(["caladea", "carlito"]);
    const { stdout } = await promisify(execFile)("fc-match", ["Calibri", "family"], {
      env: environment,
    });
    expect(stdout).toContain("Carlito");
    await rm(made.folder, { recursive: true });
    await rm(caladea.folder, { recursive: true });
  });

  test("starts with the file that fontconfig would have read", async () => {
    const included = (environment: Record<string, string>): string | undefined =>
      /<include [^>]*>([^<]*)/.exec(fontConfig([], "/c", { environment, platform: "linux" }))?.[1];
    const first = join(folder, "first");
    const second = join(folder, "second");
    const path = { FONTCONFIG_PATH: `${first}:${second}` };
    expect(included({})).toBe("/etc/fonts/fonts.conf");
    expect(included(path)).toBe("/etc/fonts/fonts.conf");
    await mkdir(second);
    await writeFile(join(second, "fonts.conf"), "");
    await writeFile(join(second, "mine.conf"), "");
    expect(included(path)).toBe(join(second, "fonts.conf"));
    expect(included({ ...path, FONTCONFIG_FILE: "mine.conf" })).toBe(join(second, "mine.conf"));
    expect(included({ ...path, FONTCONFIG_FILE: "/x/mine.conf" })).toBe("/x/mine.conf");
  });
});

describe("font folders", () => {
  test("become absolute", async () => {
    expect(await checkFontFolders([`${folder}/../${folder.split("/").at(-1)}`])).toEqual([folder]);
    expect(await checkFontFolders([])).toEqual([]);
  });

  test("that are missing or not folders are all rejected by name", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const missing = join(folder, "missing");
    await expect(checkFontFolders([folder, missing, file, " ", "a\nb"])).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(missing),
      diagnostics: [
        { pointer: "/fontFolders/1", message: expect.stringContaining("does not exist") },
        { pointer: "/fontFolders/2", message: expect.stringContaining("is not a folder") },
        { pointer: "/fontFolders/3" },
        { pointer: "/fontFolders/4" },
      ],
    });
  });
});

test("LibreOffice's own fonts are found next to its program, also through links", async () => {
  const program = join(folder, "office", "program");
  const fonts = join(folder, "office", "share", "fonts", "truetype");
  await mkdir(program, { recursive: true });
  await mkdir(fonts, { recursive: true });
  await writeFile(join(program, "soffice"), "");
  await symlink(join(program, "soffice"), join(folder, "soffice"));
  expect(await officeFontFolders(join(folder, "soffice"))).toEqual([]);
  await writeFile(join(fonts, "font.ttf"), "");
  expect(await officeFontFolders(join(folder, "soffice"))).toEqual([fonts]);
  expect(await officeFontFolders(join(folder, "none"))).toEqual([]);
});
