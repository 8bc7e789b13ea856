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

describe("a configuration with more folders", () => {
  test("has the host's own fonts and rules, and those of the folders", async () => {
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

  test("begins where fontconfig would have begun", async () => {
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

describe("folders of fonts", () => {
  test("become absolute", async () => {
    expect(await checkFontFolders([`${folder}/../${folder.split("/").at(-1)}`])).toEqual([folder]);
    expect(await checkFontFolders([])).toEqual([]);
  });

  test("that are not there or none are refused by name, all of them", async () => {
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

test("the fonts that a LibreOffice brings with it are found beside its program, behind links", async () => {
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
