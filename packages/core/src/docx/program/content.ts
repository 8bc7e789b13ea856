import type { ModifierCall } from "../template/modifiers.ts";
import { barcodeImage } from "../values/image/barcode.ts";
import { inlineDrawing } from "../values/image/drawing.ts";
import { type ImageValue, isImageValue, readImage } from "../values/image/read-image.ts";
import { argumentOf, changesText, hasModifier } from "../values/modifiers.ts";
import { safeLink } from "../values/rich/link.ts";
import { attributeXml, plainXml, textXml } from "../values/text.ts";
import { boxOf, fitOf } from "./boxes.ts";
import { fillPicture } from "./fill-picture.ts";
import type { FlowContext } from "./flow.ts";
import type { Op, TagOrigin, TextMode, TextOp } from "./ops.ts";
import { evaluateTag, printFallback, printFound, printTag, type TagValue } from "./print-tag.ts";
import type { Rendering } from "./rendering.ts";
import { type RichTarget, richDocument, writeRich } from "./rich.ts";
import type { Sheet } from "./sheet.ts";

type ImageOutcome = ReturnType<typeof readImage>;

/** Writes what tags print: text, and where the paragraph allows it pictures, links and rich text. */
export class ContentWriter {
  readonly #target: RichTarget;
  readonly #part: string;
  readonly #rendering: Rendering;
  readonly #sheet: Sheet;

  constructor(target: RichTarget) {
    this.#target = target;
    this.#part = target.part;
    this.#rendering = target.rendering;
    this.#sheet = target.sheet;
  }

  /** A tag that prints a value. */
  text(op: TextOp): void {
    const found = evaluateTag(op, this.#rendering);
    if (found.kind !== "value") {
      this.#plain(op, printFallback(op, found, this.#rendering));
      return;
    }
    const { flow } = op;
    if (flow === null) this.#withoutFlow(op, found.value);
    else if (!this.#special(op, found.value, flow)) this.#running(op, found.value, flow);
  }

  /** A value in an attribute, a property, a field: nothing but text. */
  #withoutFlow(op: TextOp, value: unknown): void {
    if (
      isImageValue(value) ||
      hasModifier(op.modifiers, "qrcode") ||
      hasModifier(op.modifiers, "barcode")
    ) {
      this.#rendering.findings.invalid(op.origin, "is a picture, which cannot stand here");
      return;
    }
    this.#plain(op, printFound(op, value, this.#rendering));
  }

  #plain(op: TextOp, text: string): void {
    if (text !== "") this.#sheet.show();
    this.#sheet.write(this.#escape(op, text), "other");
  }

  #escape({ mode, origin }: TextOp, text: string): string {
    switch (mode) {
      case "run":
        return textXml(text);
      case "plain":
        return plainXml(text);
      case "attribute":
        return attributeXml(text);
      default:
        return plainXml(this.#instruction(mode, text, origin));
    }
  }

  /** A value within a field's instruction: it must not end the argument that it stands in. */
  #instruction(mode: TextMode, text: string, origin: TagOrigin): string {
    const { findings } = this.#rendering;
    if (mode === "address") {
      const address = safeLink(text);
      if (address !== null) return encodeQuotes(address);
      findings.warn(origin, "unsafe_link", unsafeLink(origin));
      return "about:blank";
    }
    if (mode === "addressPart") return encodeURIComponent(text.toWellFormed());
    const clean = text.replace(/["\\\p{Cc}]/gu, " ");
    if (clean !== text) {
      findings.warn(
        origin,
        "field_value_changed",
        `The value for the tag ${origin.text} holds quotes, backslashes or line breaks, which the instruction of a field cannot hold; they became spaces.`,
      );
    }
    return clean;
  }

  /** Pictures and links that the tag asks for, and pictures that the value is; false for anything else. */
  #special(op: TextOp, value: unknown, flow: FlowContext): boolean {
    const { origin, modifiers } = op;
    if (hasModifier(modifiers, "link")) {
      this.#link(op, value, flow);
      return true;
    }
    const code = codeKind(modifiers);
    if (code === null && !isImageValue(value)) return false;
    const read = this.#image(op, value, code, this.#rendering.images);
    if ("problem" in read) {
      this.#rendering.findings.invalid(origin, read.problem);
      return true;
    }
    this.#sheet.write(
      flow.closeRun + this.#pictureRun(read.image, op, flow) + flow.openRun,
      "other",
    );
    this.#sheet.show();
    return true;
  }

  /** A run with an inline picture. */
  #pictureRun(image: ImageValue, { modifiers, expression }: TextOp, flow: FlowContext): string {
    const { output } = this.#rendering;
    const { embed, svg } = output.image(this.#part, image);
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
      inNote: this.#target.inNote,
    });
    return `<w:r>${runProperties(flow)}${drawing}</w:r>`;
  }

  #link(op: TextOp, value: unknown, flow: FlowContext): void {
    const { findings, output } = this.#rendering;
    const address = typeof value === "string" ? safeLink(value) : null;
    const label = argumentOf(op.modifiers, "link") ?? printFound(op, value, this.#rendering);
    if (address === null) findings.warn(op.origin, "unsafe_link", unsafeLink(op.origin));
    if (address === null || flow.inLink) {
      this.#plain(op, label);
      return;
    }
    const style = output.facts.styleId("Hyperlink", "character");
    const look =
      style === null
        ? `${flow.runProperties}<w:color w:val="0563C1"/><w:u w:val="single"/>`
        : `<w:rStyle w:val="${attributeXml(style)}"/>${flow.runProperties}`;
    const run = `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${textXml(label)}</w:t></w:r>`;
    const id = output.link(this.#part, address);
    this.#sheet.write(
      `${flow.closeRun}<w:hyperlink r:id="${id}">${run}</w:hyperlink>${flow.openRun}`,
      "other",
    );
    this.#sheet.show();
  }

  /** Text, or rich text where the value is HTML or the tag asks for it. */
  #running(op: TextOp, value: unknown, flow: FlowContext): void {
    const document = richDocument(op.modifiers, value, () => this.#source(op, value));
    if (document === null) this.#plain(op, printFound(op, value, this.#rendering));
    else writeRich(document, op.origin, flow, this.#target);
  }

  /** A value as its markup is written: what changes texts changes the text in it, not the markup. */
  #source(op: TextOp, value: unknown): string {
    const modifiers = op.modifiers.filter(({ name }) => !changesText(name));
    return printFound({ ...op, modifiers }, value, this.#rendering);
  }

  /** The relationship of a link whose address holds tags; nothing when that is no safe link. */
  address({ origin, element, pieces }: Extract<Op, { op: "link" }>): void {
    let address = "";
    for (const piece of pieces) {
      if (typeof piece === "string") address += piece;
      else {
        const value = printTag(piece, this.#rendering);
        address += address === "" ? value : inAddress(value, address);
      }
    }
    const safe = safeLink(address);
    if (safe !== null) {
      this.#sheet.write(` r:id="${this.#rendering.output.link(this.#part, safe)}"`, "unchanged");
      return;
    }
    this.#rendering.findings.warn(origin, "unsafe_link", unsafeLink(origin));
    // The link of a drawing must have the attribute (ECMA-376 part 1, 21.1.2.3.5).
    if (element === "a:hlinkClick") this.#sheet.write(' r:id=""', "unchanged");
  }

  /** A placeholder picture, filled with the image that its tag names. */
  picture(op: Extract<Op, { op: "picture" }>): void {
    const found = evaluateTag(op, this.#rendering);
    const xml = this.#filled(op, found);
    if (xml === null) return;
    this.#sheet.write(xml, "other");
    this.#sheet.show();
  }

  #filled(op: Extract<Op, { op: "picture" }>, found: TagValue): string | null {
    const { output, images, findings } = this.#rendering;
    const { shape, origin, modifiers, expression } = op;
    if (found.kind === "kept")
      return fillPicture(shape.original, output.nextDrawing(), shape, null);
    if (found.kind === "fallback") return null;
    const read = this.#image(op, found.value, codeKind(modifiers), images);
    if ("problem" in read) {
      findings.invalid(origin, read.problem);
      return null;
    }
    return fillPicture(shape.pieces, output.nextDrawing(), shape, {
      image: read.image,
      fit: fitOf(modifiers),
      description: lastName(expression),
      relationships: output.image(this.#part, read.image),
    });
  }

  /** The image that a value is, or the code that is drawn of it. */
  #image(
    op: Pick<TextOp, "origin" | "expression">,
    value: unknown,
    code: string | null,
    images: Rendering["images"],
  ): ImageOutcome {
    return code === null
      ? readImage(value, images)
      : barcodeImage(code, printFound({ ...op, modifiers: [] }, value, this.#rendering));
  }
}

/** An alternative text for a picture: the last name of its path. */
function lastName(expression: TextOp["expression"]): string {
  return expression.kind === "path" ? (expression.rest.at(-1) ?? expression.head ?? "") : "";
}

function codeKind(modifiers: readonly ModifierCall[]): string | null {
  if (hasModifier(modifiers, "qrcode")) return "qrcode";
  return hasModifier(modifiers, "barcode") ? (argumentOf(modifiers, "barcode") ?? "code128") : null;
}

function runProperties({ runProperties }: FlowContext): string {
  return runProperties === "" ? "" : `<w:rPr>${runProperties}</w:rPr>`;
}

/** A value as it stands within an address: it cannot change what the address around it means. */
function inAddress(value: string, before: string): string {
  const encoded = encodeURIComponent(value.toWellFormed());
  // Mailboxes and telephone numbers are written with these, which mean nothing else there.
  return /^(?:mailto|tel):/i.test(before)
    ? encoded.replaceAll("%40", "@").replaceAll("%2B", "+").replaceAll("%2C", ",")
    : encoded;
}

function encodeQuotes(address: string): string {
  return address.replaceAll('"', "%22").replaceAll("\\", "%5C");
}

function unsafeLink({ text }: TagOrigin): string {
  return `The value for the tag ${text} is no address of a kind that a link may have (http, https, mailto, tel), so it is no link in the document.`;
}
