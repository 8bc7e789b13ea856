import { QuireError } from "@quire/contracts";
import { SAME_WIDTHS } from "../../../fit/same-widths.ts";
import { type FontFace, type FontKind, readFontFile } from "./font-face.ts";

/** Maximum number of font files, and maximum total size in bytes: each drawing thread keeps all of them in memory. */
export const MAX_FONT_FILES = 100;
export const MAX_FONT_BYTES = 50_000_000;

/** The generic families of CSS: the family that each means, as for rich text, and its kind. */
const GENERIC: ReadonlyMap<string, readonly [family: string, kind: FontKind]> = new Map([
  ...named(["serif", "ui-serif"], "times new roman", "serif"),
  ...named(
    ["sans-serif", "ui-sans-serif", "system-ui", "-apple-system", "blinkmacsystemfont"],
    "arial",
    "sans-serif",
  ),
  ...named(["monospace", "ui-monospace"], "courier new", "monospace"),
]);

function named(
  names: readonly string[],
  family: string,
  kind: FontKind,
): [string, readonly [string, FontKind]][] {
  return names.map((name) => [name, [family, kind]]);
}

/** The fonts that were given for the text of SVGs. */
export class FontSet {
  /** The family for text whose families are all missing, or that has none. */
  readonly fallback: string;
  /** The faces by the name of their family, in lowercase. */
  readonly #families = new Map<string, { readonly name: string; readonly faces: FontFace[] }>();
  readonly #faces: readonly FontFace[];

  constructor(faces: readonly FontFace[]) {
    this.#faces = faces;
    for (const face of faces) {
      for (const name of face.families) {
        const known = this.#families.get(name.toLowerCase());
        if (known === undefined) this.#families.set(name.toLowerCase(), { name, faces: [face] });
        else known.faces.push(face);
      }
    }
    this.fallback = this.find("sans-serif") ?? faces[0]?.families[0] ?? "";
  }

  /**
   * Returns the family for a name in CSS: that family, a family with the same widths, or for a generic family the
   * first one of its kind. Returns null if none was given.
   */
  find(name: string): string | null {
    const lower = name.toLowerCase();
    const generic = GENERIC.get(lower);
    if (generic === undefined) return this.#like(lower);
    const [family, kind] = generic;
    return (
      this.#like(family) ?? this.#faces.find((each) => each.kind === kind)?.families[0] ?? null
    );
  }

  #like(lower: string): string | null {
    const same =
      Object.values(SAME_WIDTHS).find((each) => (each as readonly string[]).includes(lower)) ?? [];
    for (const each of [lower, ...same]) {
      const family = this.#families.get(each);
      if (family !== undefined) return family.name;
    }
    return null;
  }

  /** Whether a family has a face that is bold, or italic. */
  isStyled(family: string, style: "bold" | "italic"): boolean {
    return this.#facesOf(family).some(({ weight, isItalic }) =>
      style === "bold" ? weight >= BOLD : isItalic,
    );
  }

  /** Whether a family has a character. */
  has(family: string, codePoint: number): boolean {
    return this.#facesOf(family).some(({ characters }) => characters.has(codePoint));
  }

  /** Whether any family has a character. */
  hasAnywhere(codePoint: number): boolean {
    return this.#faces.some(({ characters }) => characters.has(codePoint));
  }

  /**
   * Whether the renderer draws all of a text in one font, although the family lacks characters of it: in the first other
   * font that has the first of these characters, if that font has all characters of the text.
   */
  drawsInOneFont(text: string, family: string): boolean {
    const codePoints = Array.from(text, (each) => each.codePointAt(0) ?? 0);
    const missing = codePoints.find((each) => !this.has(family, each));
    const other = this.#faces.find(
      ({ families, characters }) =>
        missing !== undefined && !families.includes(family) && characters.has(missing),
    );
    return other === undefined || codePoints.every((each) => other.characters.has(each));
  }

  #facesOf(family: string): readonly FontFace[] {
    return this.#families.get(family.toLowerCase())?.faces ?? [];
  }
}

/** The lowest weight that counts as bold. */
export const BOLD = 600;

const known = new WeakMap<readonly Uint8Array[], FontSet>();

/**
 * Reads font files. The result is remembered for the same list. `option` names the option in messages, such as
 * "svgFonts of renderPool()". Throws `invalid_request` for a file that is not a usable font, and for too many or too
 * large files.
 */
export function readFonts(files: readonly Uint8Array[], option: string): FontSet {
  const found = known.get(files);
  if (found !== undefined) return found;
  if (!Array.isArray(files) || !files.every((file) => file instanceof Uint8Array)) {
    throw invalid(`The option ${option} must be a list of font files, each a Uint8Array.`);
  }
  assertFontLimits(files.length, sum(files), `The option ${option}`);
  const faces = files.flatMap((file, index) =>
    facesOf(file, `The font file ${index + 1} of the option ${option}`),
  );
  const set = new FontSet(faces);
  known.set(files, set);
  return set;
}

/** Returns the list. Throws like {@link readFonts}. */
export function assertFonts(files: readonly Uint8Array[], option: string): readonly Uint8Array[] {
  readFonts(files, option);
  return files;
}

/** Returns the fonts in a file. Throws `invalid_request` if it cannot be used; `what` begins the message. */
export function facesOf(file: Uint8Array, what: string): readonly FontFace[] {
  const read = readFontFile(file);
  if ("faces" in read) return read.faces;
  throw invalid(`${what} ${read.problem}.`);
}

/** Throws `invalid_request` for too many or too large files. `what` begins the message. */
export function assertFontLimits(count: number, bytes: number, what: string): void {
  if (count > MAX_FONT_FILES) {
    throw invalid(`${what} has ${count} font files. Give at most ${MAX_FONT_FILES}.`);
  }
  if (bytes > MAX_FONT_BYTES) {
    const [size, limit] = [bytes, MAX_FONT_BYTES].map((each) => Math.ceil(each / 1_000_000));
    throw invalid(
      `${what} has font files of ${size} MB in total. Give at most ${limit} MB: only the fonts that SVGs use.`,
    );
  }
}

function sum(files: readonly Uint8Array[]): number {
  return files.reduce((total, { length }) => total + length, 0);
}

function invalid(message: string): QuireError {
  return new QuireError("invalid_request", message);
}
