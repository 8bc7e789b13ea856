import { Buffer } from "node:buffer";
import { nearest, QuireError } from "@quire/contracts";
import { contentHash } from "@quire/ooxml/internal/content-hash";
import type { Outcome } from "@quire/ooxml/internal/picture/outcome";
import type Encoder from "bwip-js/generic";
import { type Caption, captionOf, MODULE_PIXELS } from "./barcode-text.ts";
import type { ImageValue } from "./read-image.ts";
import { type PngRow, writePng } from "./write-png.ts";

/** Loaded when the first template that needs it is compiled, because loading takes 50 ms and 15 MB. */
let bwip: typeof Encoder | null = null;

/** Loads the encoder for {@link barcodeImage}. Rejects with `unavailable` if its package is not installed. */
export async function loadBarcodes(): Promise<void> {
  try {
    // The package's named export `raw` is a different function.
    bwip ??= (await import("bwip-js/generic")).default;
  } catch (cause) {
    throw new QuireError(
      "unavailable",
      "The template draws a barcode or QR code, but the package bwip-js is not installed. Install it next to @quire/docx, or use @quire/core, which includes it.",
      { cause },
    );
  }
}

/**
 * A module (the narrowest bar, or one square of a matrix) is one point wide (0.353 mm), which is 4 pixels at 288 dpi:
 * see {@link MODULE_PIXELS}.
 */
const MODULE_EMU = 12_700;
const PIXELS_PER_METRE = 11_339;

/** Maximum number of characters of the text. Longer text does not fit into any barcode. */
const MAX_TEXT = 8_000;

interface Kind {
  /** The name of the encoder in bwip-js. */
  readonly encoder: string;
  /** The minimum number of white modules around the barcode. */
  readonly quiet: number;
  /** The height of bars in modules, or null for a matrix. */
  readonly bars: number | null;
  /** Whether the barcode supports characters beyond ASCII. */
  readonly unicode: boolean;
  /** The number of steps for each module of a small barcode. */
  readonly moduleSteps: number;
}

const MODULE_STEPS = 4;

const linear = (encoder: string, quiet = 10, bars = 43): Kind => ({
  encoder,
  quiet,
  bars,
  unicode: false,
  moduleSteps: MODULE_STEPS,
});

const matrix = (encoder: string, quiet: number, given: Partial<Kind> = {}): Kind => ({
  encoder,
  quiet,
  bars: null,
  unicode: true,
  moduleSteps: MODULE_STEPS,
  ...given,
});

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["qrcode", matrix("qrcode", 4)],
  ["datamatrix", matrix("datamatrix", 2)],
  ["azteccode", matrix("azteccode", 2, { moduleSteps: 10 })],
  ["pdf417", matrix("pdf417", 4)],
  ["code128", linear("code128")],
  ["code39", linear("code39")],
  ["code93", linear("code93")],
  ["codabar", linear("rationalizedCodabar")],
  ["ean13", linear("ean13", 11, 65)],
  ["ean8", linear("ean8", 7, 52)],
  ["upca", linear("upca", 9, 65)],
  ["upce", linear("upce", 9, 65)],
  ["isbn", linear("isbn", 11, 65)],
  ["itf14", linear("itf14")],
  ["interleaved2of5", linear("interleaved2of5")],
  ["gs1-128", linear("gs1-128")],
  ["gs1-qrcode", matrix("gs1qrcode", 4, { unicode: false })],
  ["gs1-datamatrix", matrix("gs1datamatrix", 2, { unicode: false })],
]);

/** The supported kinds of barcodes. */
export const BARCODE_KINDS: readonly string[] = [...KINDS.keys()];

/** Returns null for a supported kind. Otherwise returns the reason, which completes the sentence "The barcode … ". */
export function checkBarcodeKind(kind: string): string | null {
  if (KINDS.has(kind)) return null;
  if (/^(?:ean|gtin)$/i.test(kind)) {
    return "is not a kind of barcode: write ean13 for 13 digits, or ean8 for 8 digits";
  }
  const near = nearest(kind, BARCODE_KINDS);
  return near === null
    ? `is not a kind of barcode: give one of ${BARCODE_KINDS.join(", ")}`
    : `is not a kind of barcode: did you mean '${near}'?`;
}

/** Options for drawing a barcode. */
export interface BarcodeOptions {
  /** The height of bars in EMU, without the white margin. Ignored for a matrix. */
  readonly barHeightEmu?: number;
  /** Whether the text is printed below the bars. */
  readonly hasText?: boolean;
  /** Counts steps against the document's budget. Errors that it throws are passed on. */
  readonly spend?: (steps: number) => void;
}

/**
 * Draws a barcode of one of {@link BARCODE_KINDS}, exact to the pixel and with the white margin that scanners need. In
 * its natural size, each module is one point wide. If the text is not valid for this kind, returns the reason, which completes the sentence "The value … ". Call {@link loadBarcodes} first.
 */
export function barcodeImage(
  kind: string,
  text: string,
  { spend, ...options }: BarcodeOptions = {},
): Outcome<{ readonly image: ImageValue }> {
  const known = KINDS.get(kind);
  if (known === undefined) {
    return { problem: `cannot be a barcode of the kind '${kind}', which is unknown` };
  }
  spend?.(CODE_STEPS + text.length * (options.hasText ? GLYPH_STEPS : TEXT_STEPS));
  const symbol = encode(known, text, options.hasText === true);
  if ("problem" in symbol) {
    return { problem: `cannot be a barcode of the kind '${kind}': ${symbol.problem}` };
  }
  const { quiet, bars, moduleSteps } = known;
  const modules = symbol.rows.length * (symbol.rows[0]?.length ?? 0);
  spend?.(modules * (moduleSteps + modules / MODULES_OF_STEP));
  const { barHeightEmu = (bars ?? 1) * MODULE_EMU } = options;
  const times =
    bars === null
      ? MODULE_PIXELS
      : Math.max(1, Math.round((barHeightEmu / MODULE_EMU) * MODULE_PIXELS));
  return { image: imageOf(symbol, quiet, Math.min(times, MAX_BAR_PIXELS)) };
}

/** Number of steps to start a barcode, and for each character of its text. */
const CODE_STEPS = 1_024;
const TEXT_STEPS = 1 / 8;

/** Number of steps to draw a character below the bars. */
const GLYPH_STEPS = 256;

/** Modules take longer in larger barcodes. For every 4,096 modules of a barcode, each module takes one more step. */
const MODULES_OF_STEP = 4_096;

/** Maximum height of bars in pixels: about 70 cm. */
const MAX_BAR_PIXELS = 8_000;

function imageOf({ rows, caption }: Modules, quiet: number, times: number): ImageValue {
  const side = new Array<number>(caption?.side ?? quiet).fill(0);
  const width = (rows[0]?.length ?? 0) + 2 * side.length;
  const scale = MODULE_PIXELS;
  const white = { cells: new Array<number>(width).fill(0), times: quiet * scale, scale };
  const lines: readonly PngRow[] = [
    white,
    ...rows.map((cells) => ({ cells: [...side, ...cells, ...side], times, scale })),
    ...(caption?.rows ?? []).map((cells) => ({ cells, times: 1, scale: 1 })),
    white,
  ];
  const height = lines.reduce((sum, line) => sum + line.times, 0);
  const bytes = writePng(lines, PIXELS_PER_METRE);
  return {
    type: "png",
    bytes,
    fallback: null,
    widthEmu: width * MODULE_EMU,
    heightEmu: height * (MODULE_EMU / MODULE_PIXELS),
    rotation: 0,
    flip: "none",
    key: contentHash(bytes),
  };
}

/** A barcode before it is drawn. */
interface Modules {
  /** The modules, row by row from the top, where 1 is black. A linear barcode has one row. */
  readonly rows: readonly (readonly number[])[];
  readonly caption: Caption | null;
}

/** Returns the modules of a barcode. `hasText`: whether its text is printed below the bars. */
function encode(
  { encoder, unicode, bars, quiet }: Kind,
  text: string,
  hasText: boolean,
): Outcome<Modules> {
  if (bwip === null) throw new Error("Barcodes have not been loaded.");
  if (text === "")
    return { problem: "it is empty; write :: optional in the tag if there may be none" };
  if (text.length > MAX_TEXT) return { problem: "it is too long" };
  if (!text.isWellFormed()) {
    return { problem: "it has characters that this kind does not support" };
  }
  if (!unicode && !isAscii(text)) return { problem: UNSUPPORTED };
  if (encoder === "interleaved2of5" && text.length % 2 === 1) {
    return { problem: "it has an odd number of digits, but this kind encodes pairs" };
  }
  if (hasText && bars === null) return { problem: "only a code with bars has text below them" };
  try {
    // Most kinds either always or never have check digits. No scanner reads a Code 93 barcode without them.
    const [symbol] = isAscii(text)
      ? bwip.raw(encoder, text, { includecheck: encoder === "code93", includetext: hasText })
      : bwip.raw(encoder, UTF_8 + text.replaceAll("^", "^^"), { parsefnc: true });
    if (symbol === undefined) return { problem: "it cannot be encoded" };
    if ("pixs" in symbol) return { rows: matrixRows(symbol), caption: null };
    const rows = [barRow(symbol.sbs)];
    if (!hasText) return { rows, caption: null };
    return { rows, caption: captionOf(symbol, quiet, bwip.FontLib) };
  } catch (error) {
    return { problem: reasonOf(error, encoder, text) };
  }
}

/** Makes the encoder declare UTF-8 (ECI 26). Without this declaration, scanners guess the encoding. */
const UTF_8 = "^ECI000026";

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function matrixRows({ pixs, pixx }: { pixs: number[]; pixx: number }): number[][] {
  const rows: number[][] = [];
  for (let at = 0; at < pixs.length; at += pixx) rows.push(pixs.slice(at, at + pixx));
  return rows;
}

/** Converts the widths of bars and spaces, beginning with a bar, to modules. */
function barRow(widths: readonly number[]): number[] {
  return widths.flatMap((width, index) => new Array<number>(width).fill(index % 2 === 0 ? 1 : 0));
}

const UNSUPPORTED =
  "it has characters that this kind does not support: code128 takes letters, digits and the signs of ASCII, and qrcode takes all characters";

const CHECK_DIGIT = /check(?:digit|sum)|badAlphaCheck/i;
/** Reasons by the name of the library's error. The library's messages are not used, because they may quote the text. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [CHECK_DIGIT, "its check digit is wrong"],
  [/too(?:long|large|much)|novalidsymbol|insufficientcapacity/i, "it is too long"],
  [/length|tooshort|numDashesDigits/i, "it does not have the length that this kind requires"],
  [/character|notnumeric|startstop/i, UNSUPPORTED],
  [/gs1/i, "it does not follow the rules of GS1, such as (01)09521234543213"],
];

/** The numbers of digits of the kinds that have a fixed length, with and without the check digit. */
const LENGTHS: Readonly<Record<string, string>> = {
  ...{ ean13: "12 or 13", ean8: "7 or 8", upca: "11 or 12", upce: "7 or 8", itf14: "13 or 14" },
};

function reasonOf(error: unknown, encoder: string, text: string): string {
  const name = error instanceof Error ? (/^bwipp\.(\w+)/.exec(error.message)?.[1] ?? "") : "";
  const length = LENGTHS[encoder];
  if (length !== undefined && /length/i.test(name)) {
    const [fewest] = length.split(" ");
    const other = `this kind takes ${length} digits; for other numbers write barcode("code128")`;
    // Spreadsheets remove zeros at the beginning of a number.
    const lost = Number(fewest) - text.length;
    return /^\d+$/.test(text) && lost > 0 && lost <= 3
      ? `${other}, and for zeros that it lost at its beginning .padStart(${fewest}, "0") behind its name`
      : other;
  }
  if (length !== undefined && CHECK_DIGIT.test(name)) {
    const [first] = length.split(" ");
    return `its check digit is wrong; correct the number, or give its first ${first} digits, and the check digit is added`;
  }
  return REASONS.find(([pattern]) => pattern.test(name))?.[1] ?? "it cannot be encoded";
}
