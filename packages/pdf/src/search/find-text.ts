import { QuireError } from "@quire/contracts";
import { type GlyphFont, GlyphPlacer } from "../form/text-glyphs.ts";
import { isPdf } from "../read/is-pdf.ts";
import { matchText, type TextMatch } from "./match-text.ts";

/**
 * The position of a string. Lengths are in points. The origin is the lower left corner of the page as a reader sees it.
 */
export interface TextPlace {
  /** The string that was searched for. */
  readonly sentinel: string;
  /** The number of the page, from 1. */
  readonly page: number;
  /** The distance from the left edge of the page to the start of the text on its baseline. */
  readonly x: number;
  /** The distance from the bottom edge of the page to the start of the text on its baseline. */
  readonly y: number;
  /** Length of the text along its line. */
  readonly width: number;
  /** Height above the baseline; always equal to `fontSize`. */
  readonly height: number;
  /** The font size at the first character. */
  readonly fontSize: number;
  /** Rotation of the line in degrees counterclockwise; 0 for text from left to right. */
  readonly angle: number;
}

const MAX_BYTES = 500_000_000;
const MAX_SENTINELS = 1_000;
const MAX_SENTINEL_LENGTH = 200;
const MAX_PLACES = 100_000;

/**
 * Finds strings in a PDF, such as the anchors of signatures: `/sig1/` in white 2-point letters. Finds a string anywhere
 * on a line, even if the PDF splits it into pieces, but not in pictures, annotations or form fields. Results are in
 * page order, and within a page in drawing order. Rejects `invalid_request` for invalid sentinels (empty, longer than
 * 200 characters, with spaces, or more than 1,000 of them) and for a file that is encrypted, damaged, larger than 500
 * MB, or not a PDF. Rejects `limit_exceeded` if there are more than 100,000 results.
 */
export async function findText(
  pdf: Uint8Array,
  sentinels: readonly string[],
): Promise<TextPlace[]> {
  checkSentinels(sentinels);
  if (!isPdf(pdf) || pdf.length > MAX_BYTES)
    throw unsearchable("it is not a PDF, or it is too large");
  if (sentinels.length === 0) return [];
  const { getResolvedPDFJS } = await import("unpdf");
  const pdfjs = await getResolvedPDFJS();
  const loading = pdfjs.getDocument({
    data: new Uint8Array(pdf),
    // PDF.js must not draw anything, and must not read anything except the file itself.
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: 1,
    verbosity: 0,
  });
  try {
    const document = await loading.promise;
    const places: TextPlace[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const viewport = page.getViewport({ scale: 1 });
      const seen = (x: number, y: number): readonly [number, number] => {
        const [across = 0, down = 0] = viewport.convertToViewportPoint(x, y);
        return [across, viewport.height - down];
      };
      for (const match of matchText(await glyphsOf(page, pdfjs), sentinels)) {
        places.push(placeOf(match, number, seen));
        if (places.length > MAX_PLACES) throw tooManyPlaces();
      }
      page.cleanup();
    }
    return places;
  } catch (error) {
    if (error instanceof QuireError) throw error;
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw unsearchable(isLocked ? "it is encrypted" : "it is damaged", error);
  } finally {
    await loading.destroy();
  }
}

type PdfJs = Awaited<ReturnType<typeof import("unpdf").getResolvedPDFJS>>;
type PdfJsPage = Awaited<
  ReturnType<Awaited<ReturnType<PdfJs["getDocument"]>["promise"]>["getPage"]>
>;

async function glyphsOf(page: PdfJsPage, { OPS, AnnotationMode }: PdfJs) {
  const { fnArray, argsArray } = await page.getOperatorList({
    annotationMode: AnnotationMode.DISABLE,
  });
  const placer = new GlyphPlacer(OPS, (name): GlyphFont | null =>
    page.commonObjs.has(name) ? page.commonObjs.get(name) : null,
  );
  for (let index = 0; index < fnArray.length; index++) {
    placer.run(fnArray[index] ?? 0, argsArray[index] ?? []);
  }
  return placer.glyphs;
}

function placeOf(
  { sentinel, first, last }: TextMatch,
  page: number,
  seen: (x: number, y: number) => readonly [number, number],
): TextPlace {
  const [x, y] = seen(first.x, first.y);
  const [endX, endY] = seen(last.endX, last.endY);
  const size = rounded(first.fontSize);
  const angle = (Math.atan2(endY - y, endX - x) * 180) / Math.PI;
  return {
    sentinel,
    page,
    x: rounded(x),
    y: rounded(y),
    width: rounded(Math.hypot(endX - x, endY - y)),
    height: size,
    fontSize: size,
    angle: rounded(angle),
  };
}

/** Rounds to a thousandth of a point, because further digits are noise. */
function rounded(number: number): number {
  return Math.round(number * 1000) / 1000 + 0;
}

function checkSentinels(sentinels: readonly string[]): void {
  const isUsable = (text: unknown): boolean =>
    typeof text === "string" &&
    text !== "" &&
    text.length <= MAX_SENTINEL_LENGTH &&
    !/\s/.test(text) &&
    text === text.normalize("NFKC");
  if (sentinels.length <= MAX_SENTINELS && sentinels.every(isUsable)) return;
  throw new QuireError(
    "invalid_request",
    `Search for at most ${MAX_SENTINELS} strings, each with 1 to ${MAX_SENTINEL_LENGTH} characters and without spaces, such as /sig1/.`,
  );
}

function unsearchable(why: string, cause?: unknown): QuireError {
  return new QuireError(
    "invalid_request",
    `The PDF cannot be searched: ${why}.`,
    cause === undefined ? {} : { cause },
  );
}

function tooManyPlaces(): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The strings occur in more than ${MAX_PLACES} places. Search for longer strings.`,
  );
}
