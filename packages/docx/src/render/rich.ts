import type { FlowContext } from "../program/flow.ts";
import type { TextOp } from "../program/tag-ops.ts";
import { inlineDrawing } from "../values/image/drawing.ts";
import { boxFor } from "../values/image/size.ts";
import { argumentOf, changesText, hasModifier } from "../values/modifiers.ts";
import type { RichContext, RichStyleName } from "../values/rich/context.ts";
import { listNumberingXml } from "../values/rich/list-markers.ts";
import type { RichDocument } from "../values/rich/model.ts";
import { looksLikeHtml } from "../values/rich/read/detect.ts";
import { hasEntities } from "../values/rich/read/entities.ts";
import { parseHtml } from "../values/rich/read/parse-html.ts";
import { parseMarkdown } from "../values/rich/read/parse-markdown.ts";
import { modifyRich } from "../values/rich/read/transform.ts";
import {
  blocksXml,
  flattenedText,
  flattenedXml,
  inlineXml,
  isPlainText,
  runsXml,
  splitForMerge,
} from "../values/rich/write.ts";
import { holdsForbidden } from "../values/text.ts";
import { placeOf } from "./evaluate/context/pointers.ts";
import { markupMeter, printSteps } from "./evaluate/context/weights.ts";
import { printFound } from "./evaluate/print-tag.ts";
import type { PartWriter } from "./part-writer.ts";
import type { Rendering } from "./rendering.ts";

/** The parts of a tag that are needed to print its value. */
type Valued = Pick<TextOp, "origin" | "expression" | "modifiers">;

/**
 * Whether a value is HTML in a tag that has neither `html` nor `text`. If so, the tag is reported. So is a tag whose
 * value has entities such as `&amp;`, but no elements.
 */
function isDetected(
  { origin, expression, modifiers }: Valued,
  value: unknown,
  to: Rendering,
): boolean {
  if (to.options.richText === "tagged") return false;
  if (hasModifier(modifiers, "checkbox")) return false;
  if (Array.isArray(value) && expression.kind === "path") {
    if (value.slice(0, MAX_ELEMENTS).some(isMarkup)) to.reportElements(origin, expression);
    return false;
  }
  if (typeof value !== "string") return false;
  const isHtml = looksLikeHtml(value);
  if (!isHtml && !value.includes("&")) return false;
  const path = expression.kind === "path" ? expression : null;
  // A default is not reported, because the author of the tag wrote it.
  if (value === argumentOf(modifiers, "default")) return isHtml;
  if (isHtml) to.reportDetected(origin, path);
  else if (hasEntities(value)) to.reportEntities(origin, path, value);
  return isHtml;
}

/** Number of elements of a list that are searched for HTML, which is not detected in lists. */
const MAX_ELEMENTS = 100;

function isMarkup(element: unknown): boolean {
  return typeof element === "string" && (looksLikeHtml(element) || hasEntities(element));
}

/**
 * Returns the value of a tag as rich text: Markdown, or HTML if the tag requests it or (with `found`) HTML is detected.
 * Returns null for plain text. Modifiers that change text apply to the text of the document, not to the markup.
 */
function richDocument(
  op: Valued,
  value: unknown,
  rendering: Rendering,
  found: boolean,
): RichDocument | null {
  const { modifiers } = op;
  if (hasModifier(modifiers, "text")) return null;
  const markdown = hasModifier(modifiers, "markdown");
  const said = markdown || hasModifier(modifiers, "html");
  if (!said && !(found && isDetected(op, value, rendering))) return null;
  const ofMarkup = modifiers.filter(({ name }) => !changesText(name));
  const source = printFound({ ...op, modifiers: ofMarkup }, value, rendering) ?? "";
  const { env, diagnostics } = rendering;
  const meter = markupMeter(env.spend);
  const document = markdown ? parseMarkdown(source, meter) : parseHtml(source, meter);
  for (const { code, message } of document.warnings) {
    // These characters were already reported when the source was printed.
    if (code === "forbidden_character" && holdsForbidden(source)) continue;
    const located = `${message.slice(0, -1)} (at the tag ${op.origin.text}).`;
    diagnostics.warn(op.origin, code, located, placeOf(op.expression, env));
  }
  const { locale } = rendering.options;
  const changes = modifiers.filter(({ name }) => changesText(name));
  env.spend(printSteps(source, changes), "texts");
  return changes.reduce((changed, call) => modifyRich(changed, call, locale), document);
}

/** Prints a value where rich text is possible: writes rich text, or returns the plain text. */
export function printRich(
  op: TextOp,
  value: unknown,
  flow: FlowContext,
  target: RichTarget,
): string | null {
  const document = richDocument(op, value, target.rendering, true);
  if (document === null) return printFound(op, value, target.rendering) ?? "";
  writeRich(document, op, flow, target);
  return null;
}

/**
 * Prints a value where rich text is not possible. Rich text is printed as plain text, and lost formatting is reported.
 * `found` says whether to detect HTML; otherwise, only tags that request HTML print it. If the value cannot be printed,
 * reports this and returns null.
 */
export function printFlat(
  op: Valued,
  value: unknown,
  rendering: Rendering,
  { found }: { readonly found: boolean },
): string | null {
  const document = richDocument(op, value, rendering, found);
  if (document === null) return printFound(op, value, rendering);
  const { origin } = op;
  if (!isPlainText(document)) {
    rendering.diagnostics.warn(
      origin,
      "flattened_markup",
      `The value for the tag ${origin.text} is rich text, which cannot be used in this place; its text was printed without formatting.`,
      placeOf(op.expression, rendering.env),
      () => "To print the markup as it is written, add :: text to the tag.",
    );
  }
  return flattenedText(document);
}

/** The target for rich text. */
export interface RichTarget {
  readonly part: string;
  /** Whether the part contains notes or comments, where Word does not support groups of pictures. */
  readonly inNote: boolean;
  readonly rendering: Rendering;
  readonly writer: PartWriter;
}

/**
 * Writes rich text at a tag. Text continues in the paragraph of the tag. Whole paragraphs and tables come between the
 * two halves of the paragraph, as if an author had pasted them there. If the paragraph cannot be split, everything
 * becomes running text.
 */
function writeRich(
  document: RichDocument,
  op: Valued,
  flow: FlowContext,
  target: RichTarget,
): void {
  const { origin, expression } = op;
  const { writer, rendering } = target;
  const context = contextFor(op, flow, target);
  const writeRuns = (xml: string): void => {
    if (xml === "") return;
    writer.write(`${flow.closeRun}${xml}${flow.openRun}`, "other");
    writer.show();
  };
  if (document.inline) {
    writeRuns(inlineXml(document, context));
    return;
  }
  if (flow.closeParagraph === null) {
    rendering.diagnostics.warn(
      origin,
      "flattened_markup",
      `The value for the tag ${origin.text} contains paragraphs, lists or tables that cannot be used in this place; they were printed as running text. Put the tag into a paragraph outside links, fields and blocks that begin in the middle of one.`,
      placeOf(expression, rendering.env),
    );
    writeRuns(flattenedXml(document, context));
    return;
  }
  rendering.output.nested = true;
  const { first, middle, last } = splitForMerge(document);
  if (first !== null) writeRuns(runsXml(first, context));
  if (middle.length > 0 || last !== null) {
    const ending = middle.at(-1)?.kind === "table" ? "table" : "paragraph";
    const continues = first !== null || writer.flowHasText;
    writer.cut(flow, blocksXml({ blocks: middle }, context, { continues }), ending);
  }
  if (last !== null) writeRuns(runsXml(last, context));
}

function contextFor(op: Valued, flow: FlowContext, target: RichTarget): RichContext {
  const { origin, expression } = op;
  const { part, inNote, rendering } = target;
  const { env, output } = rendering;
  const warn = (code: string, message: string): void =>
    rendering.diagnostics.warn(origin, code, message, placeOf(expression, env));
  // Lists of one value may be nested, so they do not share a definition. Lists of different values may share one.
  let lists = 0;
  return {
    runProperties: flow.runProperties,
    paragraphProperties: flow.paragraphProperties,
    ...(output.facts.fontSize === null ? {} : { fontSize: output.facts.fontSize }),
    style: (name) => output.facts.styleId(name, STYLE_TYPES[name] ?? "paragraph"),
    link: (url) => (flow.inLink ? null : output.link(part, url)),
    image(dataUri, { width, height }, alt) {
      const read = rendering.pictures.read(dataUri);
      if ("problem" in read) {
        warn("rich_image", `A picture in the value for the tag ${origin.text} ${read.problem}.`);
        return null;
      }
      const { image } = read;
      for (const { code, problem, hint } of image.warnings ?? []) {
        warn(code, `An SVG in the value for the tag ${origin.text} ${problem}. ${hint}`);
      }
      const { embed, svg } = output.image(part, image);
      const id = output.nextDrawing();
      return inlineDrawing({
        relationshipId: embed,
        svgRelationshipId: svg,
        id,
        name: `Picture ${id}`,
        description: alt,
        box: boxFor(
          image,
          { ...(width === null ? {} : { width }), ...(height === null ? {} : { height }) },
          flow.maxWidthEmu,
        ),
        rotation: image.rotation,
        flip: image.flip,
        inNote,
      });
    },
    list(list) {
      const { kind, text, level, start } = list;
      const definition = (id: number): string => listNumberingXml(id, list);
      if (kind === "bullet") return output.numbering.bullets(text ?? "", definition);
      lists += 1;
      return output.numbering.add(`${kind} ${lists} ${text ?? ""}`, definition, level, start);
    },
    warn,
  };
}

const STYLE_TYPES: Partial<Record<RichStyleName, "character" | "table">> = {
  hyperlink: "character",
  "table grid": "table",
};
