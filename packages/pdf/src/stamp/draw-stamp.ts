import { QuireError } from "@quire/contracts";
import { asPrinted, codePointName, type PrintFont, PrintFonts } from "../form/print-font.ts";
import type { OpenedPdf } from "../read/open-pdf.ts";
import { withDrawing } from "../read/page-drawing.ts";
import { pageRange } from "../read/page-range.ts";
import type { PdfPage } from "../read/pages.ts";
import { type PDFContext, PDFName, PDFRawStream, type PDFRef } from "../read/pdf-lib.ts";
import { arrayIn, bytesOf, dictOf, nameIn, spelled } from "../read/pdf-objects.ts";
import { PdfProblem } from "../read/pdf-problem.ts";
import { changePdf } from "../read/save-pdf.ts";
import type { PageStamp, StampPlace } from "./page-stamp.ts";

/** A stamp with its defaults filled in. */
interface SettledStamp {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly place: StampPlace;
  readonly size: number;
  readonly opacity: number;
  readonly rotate: number;
  readonly color: string;
  readonly isOn: (page: number) => boolean;
}

const EDGE = 28;

/** The position of each place on the page, as fractions of the page's width and height. */
const PLACES: Readonly<Record<StampPlace, readonly [number, number]>> = {
  "top-left": [0, 1],
  top: [0.5, 1],
  "top-right": [1, 1],
  left: [0, 0.5],
  center: [0.5, 0.5],
  right: [1, 0.5],
  "bottom-left": [0, 0],
  bottom: [0.5, 0],
  "bottom-right": [1, 0],
};

/** Stamps a PDF; see `stampPages`. */
export async function drawStamp(bytes: Uint8Array, given: PageStamp): Promise<Uint8Array> {
  const stamp = settled(given);
  return changePdf(bytes, "This PDF cannot be stamped", (pdf) => {
    if (isArchival(pdf)) {
      throw new PdfProblem(
        "it is PDF/A, which must embed every font, and the font of the stamp is not embedded",
      );
    }
    const drawer = new StampDrawer(pdf.context, stamp);
    const { length } = pdf.pages;
    for (const [index, page] of pdf.pages.entries()) {
      if (stamp.isOn(index + 1)) drawer.page(page, index + 1, length);
    }
  });
}

function settled(stamp: PageStamp): SettledStamp {
  const { text, place = "bottom", color = "#000000" } = stamp;
  if (typeof text !== "string" || text.trim() === "") throw wrong("text", "must not be empty");
  if (!Object.hasOwn(PLACES, place)) {
    throw wrong("place", `must be one of ${Object.keys(PLACES).join(", ")}`);
  }
  const [across, up] = PLACES[place];
  return {
    text,
    place,
    x: number("x", stamp.x ?? (across === 0.5 ? 0 : EDGE), -20_000, 20_000),
    y: number("y", stamp.y ?? (up === 0.5 ? 0 : EDGE), -20_000, 20_000),
    size: number("size", stamp.size ?? 10, 1, 500),
    opacity: number("opacity", stamp.opacity ?? 1, 0, 1),
    rotate: number("rotate", stamp.rotate ?? 0, -360, 360),
    color: colorOperator(color),
    isOn: stamp.pages === undefined ? () => true : pageRange(stamp.pages),
  };
}

function wrong(what: string, why: string): QuireError {
  return new QuireError("invalid_request", `The '${what}' of the stamp ${why}.`);
}

function number(name: string, value: number, min: number, max: number): number {
  if (typeof value === "number" && value >= min && value <= max) return value;
  throw wrong(name, `must be a number from ${min} to ${max}`);
}

function colorOperator(color: string): string {
  const [, ...parts] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color) ?? [];
  if (parts.length < 3) throw wrong("color", "must have the form '#ff0000'");
  return `${parts.map((part) => spelled(Number.parseInt(part, 16) / 255)).join(" ")} rg`;
}

/** Whether the output intents of a document declare that it is PDF/A. */
function isArchival({ catalog }: OpenedPdf): boolean {
  const intents = arrayIn(catalog, "OutputIntents");
  return (intents?.asArray() ?? []).some((_, index) => {
    const intent = dictOf(intents?.lookup(index));
    return intent !== null && nameIn(intent, "S").startsWith("GTS_PDFA");
  });
}

class StampDrawer {
  readonly #context: PDFContext;
  readonly #stamp: SettledStamp;
  readonly #font: PrintFont;
  readonly #drawings = new Map<string, PDFRef>();

  constructor(context: PDFContext, stamp: SettledStamp) {
    this.#context = context;
    this.#stamp = stamp;
    this.#font = new PrintFonts(context).get("Helvetica");
  }

  page(page: PdfPage, number: number, count: number): void {
    const { text } = this.#stamp;
    const printed = asPrinted(
      text.replaceAll("{page}", String(number)).replaceAll("{pages}", String(count)),
    );
    const codePoint = this.#font.unprintable(printed);
    if (codePoint !== null) {
      throw wrong(
        "text",
        `contains the character ${codePointName(codePoint)}, which Helvetica lacks`,
      );
    }
    const matrix = this.#matrix(page, this.#font.width(printed) * this.#stamp.size);
    const stamped = withDrawing(
      page,
      this.#drawing(printed),
      // Screen readers skip an artifact, because it is not part of the tagged content.
      (name) => `/Artifact BMC ${matrix} cm /${name} Do EMC`,
    );
    this.#context.assign(page.ref, stamped);
  }

  /** Returns the drawing of the text, which starts at 0, 0 on the baseline. */
  #drawing(text: string): PDFRef {
    const known = this.#drawings.get(text);
    if (known !== undefined) return known;
    const { size, color, opacity } = this.#stamp;
    const font = this.#font;
    const resources = this.#context.lookup(font.resources);
    const all = dictOf(resources)?.clone(this.#context) ?? this.#context.obj({});
    all.set(PDFName.ExtGState, this.#context.obj({ G: { ca: opacity } }));
    const dict = this.#context.obj({
      Type: "XObject",
      Subtype: "Form",
      BBox: [-size, -size, font.width(text) * size + size, 2 * size],
      Resources: all,
    });
    const operators = `${opacity < 1 ? "/G gs " : ""}BT ${color} /F ${spelled(size)} Tf ${font.encode(text)} Tj ET\n`;
    const ref = this.#context.register(PDFRawStream.of(dict, bytesOf(operators)));
    this.#drawings.set(text, ref);
    return ref;
  }

  /** Returns the matrix that moves the text to its position on the page as a reader sees it. */
  #matrix({ box, rotation }: PdfPage, length: number): string {
    const { place, x, y, size, rotate } = this.#stamp;
    const { ascent, descent } = this.#font;
    const [across, up] = PLACES[place];
    const isTurned = rotation % 180 !== 0;
    const [width, height] = isTurned
      ? [box.top - box.bottom, box.right - box.left]
      : [box.right - box.left, box.top - box.bottom];
    // `at` is a point on the page, and `of` is the point of the text that is placed on it.
    const at = [
      across * width + (across === 1 ? -x : x),
      up * height + (up === 1 ? -y : y),
    ] as const;
    const of = [across * length, up * (ascent + descent) * size - descent * size] as const;
    const angle = (rotate * Math.PI) / 180;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const text: Matrix = [
      cos,
      sin,
      -sin,
      cos,
      at[0] - of[0] * cos + of[1] * sin,
      at[1] - of[0] * sin - of[1] * cos,
    ];
    return multiply(text, seen(box, rotation)).map(precise).join(" ");
  }
}

type Matrix = readonly [number, number, number, number, number, number];

/**
 * Returns the matrix from the page as a reader sees it, with its lower left corner at 0, 0, to the page's coordinates.
 */
function seen({ left, bottom, right, top }: PdfPage["box"], rotation: number): Matrix {
  switch (rotation) {
    case 90:
      return [0, 1, -1, 0, right, bottom];
    case 180:
      return [-1, 0, 0, -1, right, top];
    case 270:
      return [0, -1, 1, 0, left, top];
    default:
      return [1, 0, 0, 1, left, bottom];
  }
}

function multiply(one: Matrix, other: Matrix): number[] {
  const [a, b, c, d, e, f] = one;
  const [g, h, i, j, k, l] = other;
  return [
    a * g + b * i,
    a * h + b * j,
    c * g + d * i,
    c * h + d * j,
    e * g + f * i + k,
    e * h + f * j + l,
  ];
}

function precise(value: number): string {
  return String(Math.round(value * 1e6) / 1e6 + 0);
}
