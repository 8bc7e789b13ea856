import { copyFile, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseRanges } from "../src/fonts/code-points.ts";
import { familyKey, familyName } from "../src/fonts/family-name.ts";
import { type FontSet, listFonts } from "../src/fonts/font-set.ts";
import { privateFonts } from "./fonts-documents.ts";
import { isGone } from "./fonts-processes.ts";
import { rejection, stoppedClock, until } from "./laboratory.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function fontsWith(...families: string[]) {
  const made = await privateFonts(...families);
  folders.push(made.folder);
  return made;
}

async function listed(environment: Record<string, string>): Promise<FontSet> {
  const fonts = await listFonts({ environment });
  if (fonts === null) throw new Error("fontconfig is not installed");
  return fonts;
}

describe("the fonts of a machine", () => {
  test("are found by name in any case and spelling, and no others are found", async () => {
    const { environment } = await fontsWith("Carlito", "Liberation Sans");
    const fonts = await listed(environment);
    expect([...fonts.families].sort()).toEqual(["carlito", "liberationsans"]);
    for (const name of [
      "Carlito",
      "CARLITO",
      "liberation sans",
      "LiberationSans",
      "Carlito;Arial",
    ]) {
      expect(fonts.has(name), name).toBe(true);
    }
    for (const name of ["Calibri", "Carlito Bold", "Sans", "", "?"]) {
      expect(fonts.has(name), name).toBe(false);
    }
  });

  test("cover every character that any of them has", async () => {
    const { environment } = await fontsWith("Liberation Sans");
    const fonts = await listed(environment);
    for (const character of "aÄЖא") expect(fonts.covers(character.codePointAt(0) ?? 0)).toBe(true);
    for (const character of "漢😀") expect(fonts.covers(character.codePointAt(0) ?? 0)).toBe(false);
    expect(fonts.covers(0x10ffff)).toBe(false);
  });

  test("may be an empty set", async () => {
    const { environment } = await fontsWith();
    const fonts = await listed(environment);
    expect(fonts.families.size).toBe(0);
    expect(fonts.covers(0x61)).toBe(false);
  });

  test("have a stable hash that changes when a font is added or replaced", async () => {
    const { environment, fonts: folder } = await fontsWith("Caladea");
    const { hash } = await listed(environment);
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect((await listed(environment)).hash).toBe(hash);
    const other = await fontsWith("Caladea");
    expect((await listed(other.environment)).hash).toBe(hash);

    const added = join(folder, "added.ttf");
    await copyFile(join((await fontsWith("Carlito")).fonts, "Carlito-Regular.ttf"), added);
    const withAdded = (await listed(environment)).hash;
    expect(withAdded).not.toBe(hash);
    await utimes(added, new Date(0), new Date(0));
    expect((await listed(environment)).hash).not.toBe(withAdded);
  });
});

describe("fc-list", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "quire-fc-"));
    folders.push(folder);
  });

  async function program(script: string): Promise<Record<string, string>> {
    await writeFile(join(folder, "fc-list"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { PATH: `${folder}:${process.env.PATH}` };
  }

  /** Whether the program has written the id of its child. */
  async function hangs(): Promise<boolean> {
    return (await readFile(join(folder, "pid"), "utf8").catch(() => "")).endsWith("\n");
  }

  test("returns null if it is missing", async () => {
    expect(await listFonts({ environment: { PATH: folder } })).toBeNull();
  });

  test("returns null if it reports no characters", async () => {
    const environment = await program(
      "printf 'A\\037\\036/a.ttf\\0360\\0361\\036True\\036TrueType\\036unknown\\035'",
    );
    expect(await listFonts({ environment })).toBeNull();
  });

  test("may list bitmap and Type 1 fonts, which LibreOffice cannot use", async () => {
    const font = (name: string, scalable: string, format: string): string =>
      `${name}\\037\\036/${name}\\0360\\0361\\036${scalable}\\036${format}\\03620-7e\\035`;
    const environment = await program(
      `printf '${font("Bitmap", "False", "PCF")}${font("Old", "True", "Type 1")}${font("Good", "True", "CFF")}'`,
    );
    const fonts = await listed(environment);
    expect([...fonts.families]).toEqual(["good"]);
  });

  test("fails with its output as the cause", async () => {
    const environment = await program("echo no configuration >&2; exit 1");
    await expect(listFonts({ environment })).rejects.toMatchObject({
      code: "unavailable",
      cause: { message: expect.stringContaining("no configuration") },
    });
  });

  test("is killed at the deadline together with its children", async () => {
    const environment = await program(`sleep 60 & echo $! > ${folder}/pid; wait`);
    const pass = stoppedClock();
    const listing = rejection(listFonts({ environment, deadlineMs: 500 }));
    await until("it hangs", hangs);
    await pass(500);
    expect(await listing).toMatchObject({ code: "timeout", retryable: true });
    expect(await isGone(join(folder, "pid"))).toBe(true);
  });

  test("is killed when the signal is aborted", async () => {
    const environment = await program(`sleep 60 & echo $! > ${folder}/pid; wait`);
    const controller = new AbortController();
    const { signal: aborted } = controller;
    const listing = rejection(listFonts({ environment, signal: aborted }));
    await until("it hangs", hangs);
    controller.abort();
    expect(await listing).toMatchObject({ code: "aborted" });
    expect(await isGone(join(folder, "pid"))).toBe(true);
    await expect(listFonts({ environment, signal: aborted })).rejects.toMatchObject({
      code: "aborted",
    });
  });
});

test("ranges are parsed as fontconfig writes them, and anything else is rejected", () => {
  expect(parseRanges("20-7e a0 1f600-1f64f")).toEqual([
    [0x20, 0x7e],
    [0xa0, 0xa0],
    [0x1f600, 0x1f64f],
  ]);
  expect(parseRanges("")).toEqual([]);
  for (const wrong of ["20-", "7e-20", "g", "20,21", "110000", "20--21", "|>^1!|"]) {
    expect(parseRanges(wrong), wrong).toBeNull();
  }
});

test("font names are read as LibreOffice reads them", () => {
  expect(familyName("Arial CYR (Arabic)")).toBe("Arial");
  expect(familyName(" Calibri,Italic")).toBe("Calibri");
  expect(familyKey("Ｍ・S Gothic-1")).toBe("ｍ・sgothic1");
  expect(familyKey("???")).toBe("");
  expect(familyName("x".repeat(1000)).length).toBe(200);
});
