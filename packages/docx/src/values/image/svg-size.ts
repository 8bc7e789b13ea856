/** CSS pixels per absolute unit of length. */
const PIXELS: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["px", 1],
  ["pt", 96 / 72],
  ["pc", 16],
  ["in", 96],
  ["cm", 96 / 2.54],
  ["mm", 96 / 25.4],
]);

/** Maximum length in pixels: nearly 8 m. Greater lengths are invalid. */
const MAX_LENGTH = 30_000;

const LENGTH =
  /^([+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?)(px|pt|pc|in|cm|mm)?$/i;

/** The size of an SVG in CSS pixels. */
export interface SvgSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the natural size of an SVG, from the `width` and `height` of its root. A side that is missing or a percentage
 * is derived from the `viewBox`. Returns null if there is no size, or if the size cannot be drawn.
 */
export function sizeOfSvg(attribute: (name: string) => string | undefined): SvgSize | null {
  const box = parseViewBox(attribute("viewBox") ?? "");
  const width = parseLength(attribute("width"));
  const height = parseLength(attribute("height"));
  if (width !== null && height !== null) return bounded(width, height);
  if (box === null) return null;
  const ratio = box.width / box.height;
  if (width !== null) return bounded(width, width / ratio);
  if (height !== null) return bounded(height * ratio, height);
  return bounded(box.width, box.height);
}

/** Reads a length in pixels. Returns null if it is missing or relative, such as 100%. */
function parseLength(text: string | undefined): number | null {
  const [, number, unit = ""] = LENGTH.exec(text?.trim() ?? "") ?? [];
  const factor = PIXELS.get(unit.toLowerCase());
  return number === undefined || factor === undefined ? null : Number(number) * factor;
}

function parseViewBox(text: string): SvgSize | null {
  const numbers = text
    .trim()
    .slice(0, 200)
    .split(/[\s,]+/)
    .map(Number);
  const [x = 0, y = 0, width = 0, height = 0] = numbers;
  const isBox = numbers.length === 4 && Number.isFinite(x + y) && width > 0 && height > 0;
  return isBox ? bounded(width, height) : null;
}

function bounded(width: number, height: number): SvgSize | null {
  const isDrawable = [width, height].every((side) => side >= 0.01 && side <= MAX_LENGTH);
  return isDrawable ? { width, height } : null;
}
