import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import {
  addRange,
  type CodePointRange,
  type CodePoints,
  hasCodePoint,
  noCodePoints,
  parseRanges,
} from "./code-points.ts";
import { familyKey } from "./family-name.ts";
import { runFontconfig } from "./run-fontconfig.ts";

/** The fonts that LibreOffice can use. */
export interface FontSet {
  /** Family names in every language, in lower case and without spaces and ASCII punctuation: `liberationsans`. */
  readonly families: ReadonlySet<string>;
  /** Whether a family exists. Ignores case, spaces and punctuation. */
  has(family: string): boolean;
  /** Whether any font has a glyph for the character. */
  covers(codePoint: number): boolean;
  /** Whether a symbol font has a glyph for this code point. True for families that are not symbol fonts. */
  coversSymbol(family: string, codePoint: number): boolean;
  /**
   * A hash of 16 hexadecimal digits, equal on machines with the same fonts. Changes when a font is added, removed or
   * replaced.
   */
  readonly hash: string;
}

/** Options of {@link listFonts}. */
export interface ListFontsOptions {
  /** The environment in which LibreOffice will run. Its `PATH` determines which `fc-list` is used. */
  readonly environment: Readonly<Record<string, string>>;
  /** Kills `fc-list`; the call rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit in milliseconds. Default 60,000: without a cache, fontconfig reads all fonts. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 60_000;

/** Characters that never occur in names of fonts or files. */
const NAME_ENDS = "\x1f";
const FIELD_ENDS = "\x1e";
const FONT_ENDS = "\x1d";

const FIELDS = ["file", "index", "fontversion", "scalable", "fontformat", "charset"];

/** Names come first, because a font may have several. */
const FORMAT =
  `%{[]family{%{family}${NAME_ENDS}}}` +
  FIELDS.map((field) => `${FIELD_ENDS}%{${field}}`).join("") +
  FONT_ENDS;

/** The formats that LibreOffice supports: no bitmaps, no Type 1. */
const FORMATS: ReadonlySet<string> = new Set(["TrueType", "CFF"]);

/** The code points of symbol fonts. */
const SYMBOLS: CodePointRange = [0xf020, 0xf0ff];

interface Font {
  readonly families: readonly string[];
  readonly file: string;
  /** The file name, the index of the font within the file, and the version. */
  readonly identity: string;
  /** Null if fontconfig's output has an unexpected format. */
  readonly ranges: readonly CodePointRange[] | null;
}

/**
 * Lists the fonts of this machine with fontconfig's `fc-list`, in an environment. Takes about 15 ms, so call this once
 * for each converter. Returns null if `fc-list` is missing or does not report characters. Rejects with `timeout` or
 * `aborted` after killing `fc-list`, and with `unavailable` if `fc-list` fails.
 */
export async function listFonts(options: ListFontsOptions): Promise<FontSet | null> {
  const { environment, signal, deadlineMs = DEADLINE_MS } = options;
  const printed = await runFontconfig("fc-list", ["-f", FORMAT], {
    environment,
    signal,
    deadlineMs,
  });
  if (printed === null) return null;
  const fonts = printed.split(FONT_ENDS).flatMap((line) => readFont(line) ?? []);
  if (fonts.length > 0 && fonts.every(({ ranges }) => ranges === null)) return null;
  return fontSet(fonts, await hashOf(fonts));
}

function readFont(line: string): Font | null {
  const [names = "", file, index, version, scalable, format, charset] = line.split(FIELD_ENDS);
  if (file === undefined || charset === undefined) return null;
  if (scalable !== "True" || !FORMATS.has(format ?? "")) return null;
  return {
    families: names.split(NAME_ENDS).filter((name) => name !== ""),
    file,
    identity: `${basename(file)}\n${index}\n${version}`,
    ranges: parseRanges(charset),
  };
}

function fontSet(fonts: readonly Font[], hash: string): FontSet {
  const families = new Set<string>();
  const all = noCodePoints();
  const symbols = new Map<string, CodePoints>();
  for (const { families: names, ranges } of fonts) {
    const keys = names.map(familyKey).filter((key) => key !== "");
    for (const key of keys) families.add(key);
    if (ranges === null) continue;
    for (const [first, last] of ranges) addRange(all, first, last);
    if (ranges.some(([first, last]) => first <= SYMBOLS[1] && last >= SYMBOLS[0])) {
      for (const key of keys) addSymbols(symbols, key, ranges);
    }
  }
  return {
    families,
    hash,
    has: (family) => families.has(familyKey(family)),
    covers: (codePoint) => hasCodePoint(all, codePoint),
    coversSymbol(family, codePoint) {
      const places = symbols.get(familyKey(family));
      return places === undefined || hasCodePoint(places, codePoint);
    },
  };
}

function addSymbols(
  symbols: Map<string, CodePoints>,
  key: string,
  ranges: readonly CodePointRange[],
): void {
  const places = symbols.get(key) ?? noCodePoints();
  symbols.set(key, places);
  for (const [first, last] of ranges) addRange(places, first, last);
}

/** Hashes the files without their folders, so that two machines with the same fonts have the same hash. */
async function hashOf(fonts: readonly Font[]): Promise<string> {
  const files = new Map<string, Promise<string>>();
  const lines = await Promise.all(
    fonts.map(async ({ file, identity }) => {
      const state = files.get(file) ?? stateOf(file);
      files.set(file, state);
      return `${identity}\n${await state}`;
    }),
  );
  const all = createHash("sha256").update(JSON.stringify(lines.sort())).digest("hex");
  return all.slice(0, 16);
}

async function stateOf(file: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(file);
    return `${size} ${Math.floor(mtimeMs / 1000)}`;
  } catch {
    return ""; // the file is within the root that FONTCONFIG_SYSROOT names
  }
}
