import type { ModifierCall } from "../template/language/modifiers.ts";
import { inlineDrawing } from "../values/image/drawing.ts";
import { readImage } from "../values/image/read-image.ts";
import { boxFor } from "../values/image/size.ts";
import { changesText, hasModifier, modify } from "../values/modifiers.ts";
import type { RichContext, RichStyleName } from "../values/rich/context.ts";
import { looksLikeHtml } from "../values/rich/detect.ts";
import type { RichDocument } from "../values/rich/model.ts";
import { listNumberingXml } from "../values/rich/numbering.ts";
import { parseHtml } from "../values/rich/parse-html.ts";
import { parseMarkdown } from "../values/rich/parse-markdown.ts";
import { mapText } from "../values/rich/transform.ts";
import {
  blocksXml,
  flattenedXml,
  inlineXml,
  runsXml,
  splitForMerge,
} from "../values/rich/write.ts";
import type { FlowContext } from "./flow.ts";
import type { TagOrigin } from "./ops.ts";
import type { Rendering } from "./rendering.ts";
import type { Sheet } from "./sheet.ts";

/**
 * The value of a tag as rich text: HTML that it is found to be or said to be, or Markdown; null for plain
 * text. `source` prints it as its markup is written.
 */
export function richDocument(
  modifiers: readonly ModifierCall[],
  value: unknown,
  source: () => string,
): RichDocument | null {
  if (hasModifier(modifiers, "text")) return null;
  const markdown = hasModifier(modifiers, "markdown");
  const html =
    hasModifier(modifiers, "html") || (typeof value === "string" && looksLikeHtml(value));
  if (!markdown && !html) return null;
  const document = markdown ? parseMarkdown(source()) : parseHtml(source());
  const changes = modifiers.filter(({ name }) => changesText(name));
  return changes.length === 0 ? document : mapText(document, (text) => modify(text, changes));
}

/** Where rich text is written. */
export interface RichTarget {
  readonly part: string;
  /** Whether the part holds notes or comments, in which Word knows no groups of pictures. */
  readonly inNote: boolean;
  readonly rendering: Rendering;
  readonly sheet: Sheet;
}

/**
 * Writes rich text at a tag. Text goes on in the paragraph of the tag, whole paragraphs and tables come
 * between its two halves, as when an author pastes them there; where the paragraph cannot be cut,
 * everything becomes running text.
 */
export function writeRich(
  document: RichDocument,
  origin: TagOrigin,
  flow: FlowContext,
  target: RichTarget,
): void {
  const { sheet, rendering } = target;
  const context = contextFor(origin, flow, target);
  for (const { code, message } of document.warnings) {
    rendering.findings.warn(origin, code, `${message.slice(0, -1)} (at the tag ${origin.text}).`);
  }
  const writeRuns = (xml: string): void => {
    if (xml === "") return;
    sheet.write(`${flow.closeRun}${xml}${flow.openRun}`, "other");
    sheet.show();
  };
  if (document.inline) {
    writeRuns(inlineXml(document, context));
    return;
  }
  if (flow.closeParagraph === null) {
    rendering.findings.warn(
      origin,
      "flattened_markup",
      `The value for the tag ${origin.text} holds paragraphs, lists or tables, which cannot stand in this place; they were printed as running text. Put the tag into a paragraph outside of links, fields and blocks that begin in the middle of one.`,
    );
    writeRuns(flattenedXml(document, context));
    return;
  }
  rendering.output.nested = true;
  const { first, middle, last } = splitForMerge(document);
  if (first !== null) writeRuns(runsXml(first, context));
  if (middle.length > 0 || last !== null) {
    const ending = middle.at(-1)?.kind === "table" ? "table" : "paragraph";
    const continues = first !== null || sheet.flowHasText;
    sheet.cut(flow, blocksXml({ blocks: middle }, context, { continues }), ending);
  }
  if (last !== null) writeRuns(runsXml(last, context));
}

function contextFor(origin: TagOrigin, flow: FlowContext, target: RichTarget): RichContext {
  const { part, inNote, rendering } = target;
  const { output, findings } = rendering;
  // Lists of one value may stand within each other, so they share no definition, as those of two values do.
  let lists = 0;
  return {
    runProperties: flow.runProperties,
    paragraphProperties: flow.paragraphProperties,
    ...(output.facts.fontSize === null ? {} : { fontSize: output.facts.fontSize }),
    style: (name) => output.facts.styleId(name, STYLE_TYPES[name] ?? "paragraph"),
    link: (url) => (flow.inLink ? null : output.link(part, url)),
    image(dataUri, { width, height }, alt) {
      const read = readImage(dataUri, rendering.images);
      if ("problem" in read) {
        findings.warn(
          origin,
          "rich_image",
          `A picture in the value for the tag ${origin.text} ${read.problem}.`,
        );
        return null;
      }
      const { image } = read;
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
    list(kind, start, level) {
      const definition = (id: number): string => listNumberingXml(id, kind);
      if (kind === "bullet") return output.numbering.bullets(definition);
      lists += 1;
      return output.numbering.add(`${kind} ${lists}`, definition, level, start);
    },
    warn: (code, message) => findings.warn(origin, code, message),
  };
}

const STYLE_TYPES: Partial<Record<RichStyleName, "character" | "table">> = {
  hyperlink: "character",
  "table grid": "table",
};
