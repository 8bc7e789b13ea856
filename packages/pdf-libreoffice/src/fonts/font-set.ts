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
  /** The names of the families, in all languages, as {@link familyKey} spells them. */
  readonly families: ReadonlySet<string>;
  /** Whether there is a family of that name, in whatever case. */
  has(family: string): boolean;
  /** Whether any font has a glyph for the character. */
  covers(codePoint: number): boolean;
  /** Whether a font of symbols has something at that place. True for families that are no such fonts. */
  coversSymbol(family: string, codePoint: number): boolean;
  /** Another one when a font is added, removed or replaced: 16 hexadecimal digits. */
  readonly hash: string;
}

/** Options of {@link listFonts}. */
export interface ListFontsOptions {
  /** The environment in which LibreOffice will run. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Default 60 000: fontconfig reads all fonts when it has no cache. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 60_000;

/** Characters that no name of a font or a file holds. */
const NAME_ENDS = "\x1f";
const FIELD_ENDS = "\x1e";
const FONT_ENDS = "\x1d";

const FIELDS = ["file", "index", "fontversion", "scalable", "fontformat", "charset"];

/** Names first: a font has several. */
const FORMAT =
  `%{[]family{%{family}${NAME_ENDS}}}` +
  FIELDS.map((field) => `${FIELD_ENDS}%{${field}}`).join("") +
  FONT_ENDS;

/** What LibreOffice takes: no bitmaps, no Type 1. */
const FORMATS: ReadonlySet<string> = new Set(["TrueType", "CFF"]);

/** Where fonts of symbols have theirs. */
const SYMBOLS: CodePointRange = [0xf020, 0xf0ff];

interface Font {
  readonly families: readonly string[];
  readonly file: string;
  /** Which font of the file, and of which version. */
  readonly identity: string;
  /** Null when fontconfig tells it in another way than expected. */
  readonly ranges: readonly CodePointRange[] | null;
}

/**
 * The fonts of this machine, as fontconfig lists them for an environment: some 15 ms, so once for each
 * converter. Null when there is no `fc-list`, or it does not tell characters. Rejects `timeout` and
 * `aborted` with it killed, `unavailable` when it fails.
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

/** The files, not where they are: two machines with the same fonts have the same hash. */
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
    return ""; // in a root of its own, which FONTCONFIG_SYSROOT names
  }
}
