import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FontSet, listFonts } from "../src/fonts/font-set.ts";
import {
  areMetricCompatible,
  METRIC_COMPATIBLE_FONTS,
  metricCompatibleFor,
} from "../src/fonts/metric-compatible.ts";
import type { FontNeeds } from "../src/fonts/needs.ts";
import { fontsMissing, fontWarnings } from "../src/fonts/preflight.ts";
import { fontSubstitutes } from "../src/fonts/substitutes.ts";
import { type PrivateFonts, privateFonts } from "./fonts-documents.ts";

let made: PrivateFonts;
let fonts: FontSet;

beforeAll(async () => {
  made = await privateFonts("Carlito", "Liberation Sans");
  const listed = await listFonts({ environment: made.environment });
  if (listed === null) throw new Error("fontconfig is not installed");
  fonts = listed;
});

afterAll(() => rm(made.folder, { recursive: true, force: true }));

function needing(needs: Partial<FontNeeds>, ...families: string[]): FontNeeds {
  return {
    families: families.map((family) => ({ family, sample: 0x61 })),
    codePoints: [],
    symbols: [],
    embedded: [],
    ...needs,
  };
}

async function findingsOf(needs: FontNeeds) {
  const substitutes = fontSubstitutes({ environment: made.environment });
  return fontWarnings(needs, fonts, await substitutes.of(needs, fonts));
}

describe("a family", () => {
  test("that is installed, or has a replacement with the same widths, is not reported", async () => {
    expect(await findingsOf(needing({}, "Carlito", "liberation sans", "Calibri"))).toEqual([]);
  });

  test("that is missing is reported once, with its replacement", async () => {
    const findings = await findingsOf(needing({}, "Nobody Sans", "NobodySans"));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ severity: "warning", code: "font_substituted" });
    expect(findings[0]?.message).toMatch(
      /^The document uses the font "Nobody Sans", which is not installed: the font "(Carlito|Liberation Sans)" replaces it, so lines and pages may break differently than in Word\.$/,
    );
    expect(findings[0]?.hint).toContain("fontFolders");
  });

  test("that a free font could replace is reported with the font and its package", async () => {
    const [finding] = await findingsOf(needing({}, "Cambria"));
    expect(finding?.hint).toContain("Caladea");
    expect(finding?.hint).toContain("apt-get install fonts-crosextra-caladea");
  });

  test("that is embedded in the document is not reported", async () => {
    expect(await findingsOf(needing({ embedded: ["Nobody Sans"] }, "Nobody Sans"))).toEqual([]);
  });

  test("is reported without a replacement if fontconfig names none", () => {
    const [finding] = fontWarnings(needing({}, "Calibri"), fonts, () => null);
    expect(finding?.message).toContain("another font replaces it");
  });

  test("with a hostile name is passed to fontconfig as a name and quoted in messages", async () => {
    const names = [
      "-V",
      "--version",
      "Carlito:bold",
      "a\\b",
      'x"\n\u0000y',
      "x".repeat(100_000),
      "$(id)",
    ];
    const findings = await findingsOf(needing({}, ...names));
    expect(findings.map(({ message }) => message.length < 400 && !message.includes("\n"))).toEqual(
      findings.map(() => true),
    );
    expect(findings).toHaveLength(names.length);
  });

  test("after the twentieth is only counted", async () => {
    const names = Array.from({ length: 200 }, (_, number) => `Nobody ${number}`);
    const findings = fontWarnings(needing({}, ...names), fonts, () => "Carlito");
    expect(findings).toHaveLength(21);
    expect(findings.at(-1)?.message).toContain("40 more fonts");
  });
});

describe("a character", () => {
  test("that some font has, or that can be composed, is not reported", async () => {
    const codePoints = [..."aÄא\u2011\u1ea5"].map((each) => each.codePointAt(0) ?? 0);
    expect(await findingsOf(needing({ codePoints }))).toEqual([]);
  });

  test("that no font has is reported by its number, up to ten", async () => {
    const [finding, ...more] = await findingsOf(needing({ codePoints: [0x61, 0x6f22, 0x1f600] }));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: "warning", code: "glyph_missing" });
    expect(finding?.message).toContain(": U+6F22, U+1F600.");
    expect(finding?.hint).toContain("fonts-noto-cjk fonts-noto-color-emoji");
    const many = Array.from({ length: 25 }, (_, number) => 0x4e00 + number);
    const [all] = await findingsOf(needing({ codePoints: many }));
    expect(all?.message).toContain("U+4E09 and 15 more.");
  });

  test("that an embedded font may have is not reported", async () => {
    expect(await findingsOf(needing({ codePoints: [0xe001], embedded: ["Icons"] }))).toEqual([]);
  });

  test("of a symbol font is reported with the font unless OpenSymbol has it", async () => {
    const symbols = [{ family: "Wingdings", codePoints: [0xf0a7, 0xf023] }];
    const withSymbols: FontSet = { ...fonts, has: (family) => family === "OpenSymbol" };
    const [finding, ...more] = fontWarnings(needing({ symbols }), withSymbols, () => null);
    expect(more).toEqual([]);
    expect(finding?.message).toContain('U+F023 of "Wingdings".');
    expect(
      fontWarnings(
        needing({ symbols: [{ family: "Symbol", codePoints: [0xf0b7] }] }),
        withSymbols,
        () => null,
      ),
    ).toEqual([]);
    const without = fontWarnings(needing({ symbols }), { ...fonts, has: () => false }, () => null);
    expect(without.map(({ code }) => code)).toEqual(["font_substituted", "glyph_missing"]);
  });

  test("of an installed symbol font is reported if the font lacks it", () => {
    const withFont: FontSet = {
      ...fonts,
      has: () => true,
      coversSymbol: (_, codePoint) => codePoint === 0xf0a7,
    };
    const symbols = [{ family: "Wingdings", codePoints: [0xf0a7, 0xf023] }];
    const [finding] = fontWarnings(needing({ symbols }), withFont, () => null);
    expect(finding?.message).toContain(': U+F023 of "Wingdings".');
  });
});

test("with strict fonts, the findings are errors of a failed conversion", async () => {
  const findings = await findingsOf(needing({ codePoints: [0x6f22] }, "Nobody Sans"));
  const error = fontsMissing(findings);
  expect(error.code).toBe("conversion_failed");
  expect(error.retryable).toBe(false);
  expect(error.message).toContain("Nobody Sans");
  expect(error.diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
    ["error", "font_substituted"],
    ["error", "glyph_missing"],
  ]);
});

describe("fc-match", () => {
  test("runs once for each family", async () => {
    const log = join(made.folder, "asked");
    const bin = join(made.folder, "fc-match");
    await writeFile(bin, `#!/bin/sh\necho "$4" >> ${log}\nprintf Carlito\n`, { mode: 0o755 });
    const environment = { ...made.environment, PATH: `${made.folder}:${made.environment.PATH}` };
    const substitutes = fontSubstitutes({ environment });
    const needs = needing({}, "One", "one", "Two");
    const [first] = await Promise.all([substitutes.of(needs, fonts), substitutes.of(needs, fonts)]);
    expect(first("ONE")).toBe("Carlito");
    expect(first("Three")).toBeNull();
    await substitutes.of(needs, fonts);
    const { readFile } = await import("node:fs/promises");
    expect((await readFile(log, "utf8")).split("\n").filter(Boolean)).toEqual(["One", "Two"]);
  });

  test("that is missing or fails names no replacement", async () => {
    const needs = needing({}, "Nobody Sans");
    const nowhere = fontSubstitutes({ environment: { PATH: "/nowhere" } });
    expect((await nowhere.of(needs, fonts))("Nobody Sans")).toBeNull();
  });
});

test("fonts with the same widths are found in both directions, for every family that a font replaces", () => {
  expect(areMetricCompatible("calibri", "Carlito")).toBe(true);
  expect(areMetricCompatible("Arimo", "Liberation Sans")).toBe(true);
  expect(areMetricCompatible("Calibri", "Liberation Sans")).toBe(false);
  expect(areMetricCompatible("Nobody Sans", "Nobody Sans")).toBe(false);
  expect(metricCompatibleFor("Times New Roman")?.family).toBe("Liberation Serif");
  for (const { family, standsInFor } of METRIC_COMPATIBLE_FONTS) {
    expect(standsInFor.every((each) => areMetricCompatible(each, family))).toBe(true);
  }
});
