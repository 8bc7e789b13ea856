import { type Wording, withTags } from "../language/delimiters/wording.ts";
import type { ModifierCall } from "../language/modifiers.ts";
import type { FlowContext } from "../program/flow.ts";
import type { Op } from "../program/ops.ts";
import type { LinkOp, TextOp } from "../program/tag-ops.ts";
import { barcodeImage } from "../values/image/barcode.ts";
import { boxOf, fitOf } from "../values/image/boxes.ts";
import { inlineDrawing } from "../values/image/drawing.ts";
import { hasLostZero } from "../values/image/lost-zero.ts";
import { type ImageValue, isImageValue, type readImage } from "../values/image/read-image.ts";
import { argumentOf, hasModifier } from "../values/modifiers.ts";
import { placeOf } from "./evaluate/context/pointers.ts";
import { evaluateTag } from "./evaluate/print-tag.ts";
import { fillPicture } from "./fill-picture.ts";
import type { Rendering } from "./rendering.ts";
import { printFlat, type RichTarget } from "./rich.ts";

type Tag = Pick<TextOp, "origin" | "expression" | "modifiers">;

/** Returns the kind of barcode that a tag draws, or null if it does not draw one. */
function codeKind(modifiers: readonly ModifierCall[]): string | null {
  if (hasModifier(modifiers, "qrcode")) return "qrcode";
  return hasModifier(modifiers, "barcode") ? (argumentOf(modifiers, "barcode") ?? "code128") : null;
}

/**
 * Returns the values that a tag prints as pictures: its value, or the elements of a list that contains an image; some
 * of these may be null. Returns null if the tag does not print a picture.
 */
export function picturesIn(
  value: unknown,
  modifiers: readonly ModifierCall[],
): readonly unknown[] | null {
  if (codeKind(modifiers) !== null) return [value];
  if (hasModifier(modifiers, "checkbox")) return null;
  if (!Array.isArray(value)) return isImageValue(value) ? [value] : null;
  return value.some(isImageValue) ? value : null;
}

const SIZES = new Set(["width", "height", "fit"]);
const OTHER_KINDS = new Set(["checkbox", "text", "html", "markdown"]);

/** Whether a tag sets the size of a picture and therefore must print one. Returns false for an empty value. */
export function mustBePicture(value: unknown, modifiers: readonly ModifierCall[]): boolean {
  const isEmpty = value === "" || (Array.isArray(value) && value.length === 0);
  return (
    !isEmpty &&
    modifiers.some(({ name }) => SIZES.has(name)) &&
    !modifiers.some(({ name }) => OTHER_KINDS.has(name))
  );
}

/**
 * Returns the image in a value, or the barcode for the text that the tag would print. If this fails, reports the
 * problem and returns null. `element` is the index of the value in the tag's list.
 */
export function imageOf(
  op: Tag,
  value: unknown,
  rendering: Rendering,
  element?: number,
): ImageValue | null {
  const read = readPicture(op, value, rendering);
  if (read === null) return null;
  const { env, diagnostics } = rendering;
  if ("image" in read) {
    for (const { code, problem, hint } of read.image.warnings ?? []) {
      const place = placeOf(op.expression, env, element);
      diagnostics.warn(
        op.origin,
        code,
        `The SVG for the tag ${op.origin.text} ${problem}.`,
        place,
        () => hint,
      );
    }
    return read.image;
  }
  diagnostics.invalid(op.origin, read.problem, placeOf(op.expression, env, element), () =>
    typeof value === "string" ? (textInstead(op, value) ?? hintForText(op, value)) : null,
  );
  return null;
}

/** Returns the hint for `photo ?? "no photo"`, whose text is in place of a picture; null for other values. */
function textInstead({ expression, origin }: Tag, value: string): Wording | null {
  if (expression.kind !== "fallback" || expression.left.kind !== "path") return null;
  const { left, right } = expression;
  if (right.kind !== "literal" || right.value !== value) return null;
  const modifiers = /::.*$/s.exec(origin.text.slice(0, -origin.delimiters.end.length))?.[0].trim();
  return modifiers === undefined
    ? null
    : withTags`Write {{if ${left.source}}}{{${left.source} ${modifiers}}}{{else}}${value}{{endif}}.`;
}

/** Returns the hint for modifiers of pictures in a tag whose value is text. */
function hintForText({ modifiers }: Tag, text: string): Wording | null {
  if (hasModifier(modifiers, "fit"))
    return "'fit' is for pictures. For text that becomes smaller until it fits, write :: shrink.";
  if (/^\s*(?:https?:|\S+\.(?:png|jpe?g|gif|svg|webp|bmp)\s*$)/i.test(text))
    return "The tag is right, but the data needs the picture itself, or a reference to its file.";
  const width = argumentOf(modifiers, "width");
  if (hasModifier(modifiers, "qrcode") || hasModifier(modifiers, "barcode")) return null;
  return width === undefined || hasModifier(modifiers, "height")
    ? null
    : withTags`'width' is for pictures. For the width of a column write {{column :: width("${width}")}}.`;
}

/**
 * Returns an image that was read or drawn, or the problem with it. Returns null if the problem has already been
 * reported.
 */
function readPicture(
  op: Tag,
  value: unknown,
  rendering: Rendering,
): ReturnType<typeof readImage> | null {
  const code = codeKind(op.modifiers);
  if (code === null) return rendering.pictures.read(value);
  const text = printFlat(op, value, rendering, { found: false });
  if (text === null) return null;
  if (hasLostZero(code, value)) warnOfLostZero(op, rendering);
  const hasText = argumentOf(op.modifiers, "barcode", 1) !== undefined;
  const spend = (steps: number): void => rendering.env.spend(steps, "codes");
  return barcodeImage(code, text, { hasText, spend });
}

function warnOfLostZero({ origin, expression }: Tag, { env, diagnostics }: Rendering): void {
  diagnostics.warn(
    origin,
    "doubtful_sign",
    `The code for the tag ${origin.text} has one digit less, and with a zero before it its check digit is right.`,
    placeOf(expression, env),
    () => 'A number has no leading zeros: give the code as text, such as "0123456789012".',
  );
}

/** Returns a run with an inline picture. */
export function pictureRun(
  image: ImageValue,
  { modifiers, expression }: Tag,
  flow: FlowContext,
  { part, inNote, rendering }: RichTarget,
): string {
  const { output } = rendering;
  const { embed, svg } = output.image(part, image);
  const id = output.nextDrawing();
  const drawing = inlineDrawing({
    relationshipId: embed,
    svgRelationshipId: svg,
    id,
    name: `Picture ${id}`,
    description: lastName(expression),
    box: boxOf(image, modifiers, flow.maxWidthEmu),
    rotation: image.rotation,
    flip: image.flip,
    inNote,
  });
  const look = flow.runProperties === "" ? "" : `<w:rPr>${flow.runProperties}</w:rPr>`;
  return `<w:r>${look}${drawing}</w:r>`;
}

/**
 * Returns a placeholder picture with the image of its tag. The picture of the template is kept if the tag is kept, or
 * if the value is a string and there is other text next to the tag. Returns null if nothing is shown. `write` returns
 * the output of another tag in the placeholder.
 */
export function placeholderXml(
  op: Extract<Op, { op: "picture" }>,
  { part, inNote, rendering }: RichTarget,
  write: (op: TextOp | LinkOp) => string,
): string | null {
  const { output } = rendering;
  const { shape } = op;
  const found = evaluateTag(op, rendering);
  if (found.kind === "nothing") return shape.empty;
  const asItIs = (text: string): string =>
    fillPicture(shape, { kind: "none", id: output.nextDrawing(), text, write });
  if (found.kind === "kept") return asItIs(found.text);
  const { value, isDefault } = found;
  // Spreadsheets and forms contain an empty string for a missing picture.
  if (value === "" && hasModifier(op.modifiers, "optional")) return shape.empty;
  const shown = picturesIn(value, found.op.modifiers);
  if (shown === null && isDefault) return shape.empty;
  if (shown === null && !shape.isAlone && typeof value === "string") {
    return asItIs(printFlat(found.op, value, rendering, { found: true }) ?? "");
  }
  const image = imageOf(found.op, value, rendering);
  if (image === null) return null;
  return fillPicture(shape, {
    kind: "image",
    image,
    fit: fitOf(found.op.modifiers),
    description: lastName(op.expression),
    relationships: output.image(part, image),
    inNote,
    id: output.nextDrawing(),
    write,
  });
}

/** Returns an alternative text for a picture: the last name of its path. */
function lastName(expression: TextOp["expression"]): string {
  return expression.kind === "path" ? (expression.rest.at(-1) ?? expression.head ?? "") : "";
}
