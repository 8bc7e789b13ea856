import { QuireError } from "../errors.ts";

/** Maximum length of a file name with its extension, in UTF-8 bytes. Every common file system allows it. */
export const MAX_NAME_BYTES = 255;

const FORBIDDEN = /[<>:"|?*/\\]/;
/** U+0000–001F, U+007F–009F: control; U+061C, U+200E/F, U+202A–E, U+2066–9: bidirectional control. */
const CONTROL = /\p{Cc}/u;
const BIDI_CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const LINE_BREAK = /[\u2028\u2029]/u;
const SHOWS_NOTHING = /\p{Default_Ignorable_Code_Point}/u;
const UNSEEN_END = /\p{Default_Ignorable_Code_Point}+$/u;
/** Scripts whose letters change shape next to a joiner, as in Persian and Indic names. */
const JOINED =
  "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}" +
  "\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}" +
  "\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Mongolian}";
const PICTURE = "\\p{Extended_Pictographic}";
/** Joiners and selectors with a visible effect: in these scripts, in emoji, and after Han characters. */
const SHOWS_SOMETHING = new RegExp(
  [
    `(?<=[${JOINED}])[\\u200c\\u200d](?=[${JOINED}])`,
    `(?<=[${PICTURE}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=${PICTURE})`,
    `(?<=[${PICTURE}\\p{Script=Han}])[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]`,
    "(?<=[0-9#])\\ufe0f(?=\\u20e3)",
  ].join("|"),
  "gu",
);
/** Names that Windows reserves for devices, with any extension, and with spaces before the extension. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/iu;

/**
 * Returns why a string is not a valid name for an output file, as the end of a sentence ("it …"); null if it is valid.
 * A valid name is one path segment that every common file system and object store accepts unchanged. Invalid names are
 * rejected, never repaired, so that two names cannot become the same file.
 */
export function fileNameProblem(name: string): string | null {
  if (name === "") return "is empty";
  if (!name.isWellFormed()) return "contains a lone surrogate";
  if (CONTROL.test(name)) return "contains a control character";
  if (BIDI_CONTROL.test(name)) return "contains a bidirectional control character";
  if (LINE_BREAK.test(name)) return "contains a line break";
  const unseen = SHOWS_NOTHING.exec(name.replaceAll(SHOWS_SOMETHING, ""));
  if (unseen !== null) return `contains the invisible character ${codePoint(unseen[0])}`;
  const forbidden = FORBIDDEN.exec(name);
  if (forbidden !== null) return `contains the character ${forbidden[0]}`;
  if (name === "." || name === "..") return "names a folder";
  if (/^\s|\s$/u.test(name)) return "begins or ends with a space";
  if (name.endsWith(".")) return "ends with a dot";
  if (WINDOWS_DEVICE.test(name)) return "is a device name on Windows";
  const bytes = Buffer.byteLength(name.normalize("NFC"));
  if (bytes > MAX_NAME_BYTES) {
    return `is ${bytes} bytes long, but ${MAX_NAME_BYTES} is the maximum`;
  }
  return null;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Returns the name in its stored form (NFC). Throws `item_name_invalid` for invalid names (see
 * {@link fileNameProblem}). Storages also call this function, so that no code path skips the check.
 */
export function parseFileName(name: string): string {
  const problem = fileNameProblem(name);
  if (problem !== null) {
    throw new QuireError(
      "item_name_invalid",
      `The file name ${JSON.stringify(name)} ${problem}. Use one plain file name without folders.`,
    );
  }
  return name.normalize("NFC");
}

/** Returns the name with the extension, which is added unless the name already ends with it, ignoring case. */
export function withExtension(name: string, extension: string): string {
  return name.toLowerCase().endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}

/** Returns the folded form of a name: NFC, in lower case. Names with the same folded form denote the same file. */
export function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * Returns replacement number `attempt` for a taken name: `name (1).pdf`, `name (2).pdf`, … If the result would be too
 * long, characters are removed from the end of the stem.
 */
export function renamed(name: string, attempt: number): string {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const suffix = ` (${attempt})${extension}`;
  const room = MAX_NAME_BYTES - Buffer.byteLength(suffix);
  let cut = stem;
  while (Buffer.byteLength(cut) > room) {
    // The cut may have left a joiner at the end.
    cut = [...cut].slice(0, -1).join("").replace(UNSEEN_END, "");
  }
  return `${cut}${suffix}`;
}
