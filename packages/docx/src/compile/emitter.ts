import { writtenName } from "@quire/ooxml/internal/xml/xml";
import { flowContextOf } from "../program/flow.ts";
import type { ListRestarts } from "../program/lists.ts";
import type { Op } from "../program/ops.ts";
import type { Reference } from "../program/references.ts";
import {
  afterElement,
  endsInFixedParagraph,
  hasFixedContent,
  isFlowing,
  isOnlyBlocks,
  NEEDS_PARAGRAPH,
  outerRangeMarks,
  TRANSPARENT,
} from "../program/shape.ts";
import {
  closest,
  type ElementNode,
  isProperties,
  isVisible,
  type TagNode,
  type TemplateNode,
  type TextNode,
} from "../template/nodes/nodes.ts";
import { isBeforeNumbering } from "../template/nodes/paragraph-properties.ts";
import { standsForPlaceholder } from "../template/nodes/placeholders.ts";
import { isRangeMark } from "../template/nodes/range-marks.ts";
import type { Sizing } from "../template/nodes/tag-uses.ts";
import type { Analysis, CompileContext } from "./analysis.ts";
import { Assembly } from "./assembly.ts";
import { AttributeWriter } from "./attribute-writer.ts";
import { headersOp } from "./headers-op.ts";
import { numberingOp, styleListOp } from "./list-ops.ts";
import { LookOps } from "./look-op.ts";
import { loopedNames, withLinks } from "./loop-ids.ts";
import type { Merges } from "./merged-cells.ts";
import { pictureOpOf } from "./picture.ts";
import { chartOpOf, seriesColorOp } from "./series-ops.ts";
import { isSized, rowKind, sizedOp, tableOp } from "./table-ops.ts";
import { originOf, textOpOf } from "./text-op.ts";
import { widthAround } from "./widths.ts";

/** Writes the ops for the nodes of a part, in document order. */
export class Emitter {
  readonly assembly: Assembly;
  readonly #context: CompileContext;
  readonly #restarts: ListRestarts;
  readonly #merges: Merges;
  readonly #looks = new LookOps();
  readonly #attributes: AttributeWriter;
  readonly #flowing = new Map<ElementNode, boolean>();

  /**
   * `looped`: whether the output is written more than once: a note, for each reference to it, or a header. `inComments`: whether the
   * part contains comments. Other parts refer to paragraphs of comments by id, so the first copy keeps the ids.
   * References to notes have no target in comments and are written unchanged.
   */
  constructor(analysis: Analysis, looped = false, inComments = false) {
    this.assembly = new Assembly(originOf, looped);
    this.#context = analysis.context;
    this.#restarts = analysis.restarts;
    this.#merges = analysis.merges;
    this.#attributes = new AttributeWriter(this.assembly, analysis, this.#looks, inComments);
  }

  /** Writes a note, starting after the value of its id. */
  noteBody(note: ElementNode, attributesAfterId: string): void {
    this.assembly.write(`${attributesAfterId}>`);
    this.assembly.wrapped(
      (body) => ({ op: "container", body }),
      () => this.#children(note),
    );
    this.assembly.write(`</${note.name}>`);
  }

  node(node: TemplateNode): void {
    switch (node.kind) {
      case "text":
        this.#text(node);
        break;
      case "tag":
        this.#value(node);
        break;
      case "marker":
        this.assembly.marker(node.tag, this.#restarts.ofBlock.get(node.tag));
        break;
      case "element":
        if (node.look !== undefined) this.assembly.push(this.#looks.property(node, node.look));
        else if (node.seriesColor) this.assembly.push(seriesColorOp(node, node.seriesColor));
        else if (node.styled !== undefined) {
          this.assembly.push(this.#looks.styled(node, node.styled));
        } else if (node.covering !== undefined) {
          this.assembly.push({ op: "cellSize", of: node.covering });
        } else if (node.sizing !== undefined) this.#sized(node, node.sizing);
        else this.#element(node);
    }
  }

  #sized(element: ElementNode, sizing: Sizing<TagNode>): void {
    const body = (): Op[] => this.assembly.gathered(() => this.#element(element));
    this.assembly.push(sizedOp(element, sizing, body));
  }

  #text(node: TextNode): void {
    const { assembly } = this;
    const { names: all, items } = this.#context.references;
    const names = assembly.inLoop ? all.get(node) : undefined;
    if (names !== undefined) assembly.pieces(withLinks(loopedNames(node.xml, names), node, items));
    else assembly.write(node.xml, node.xml.trim() === "" ? "unchanged" : "other", isVisible(node));
  }

  #element(element: ElementNode): void {
    const { conditional, sequences, shells } = this.#context.references;
    const number = sequences.get(element);
    // A hidden number has no text to replace.
    if (number?.style === null) this.assembly.push(number);
    const condition = conditional.get(element);
    const reference = shells.get(element);
    const write = (): void => {
      this.#content(element);
      if (this.#context.headers.breaks.has(element)) this.assembly.push({ op: "nextSection" });
    };
    if (condition !== undefined) {
      this.assembly.conditional(condition, write, () => condition.marks.forEach(this.node, this));
    } else if (reference !== undefined) this.#shell(element, reference);
    else write();
  }

  /** Returns the ops that take effect before an element. */
  #before(element: ElementNode): readonly Op[] {
    const headers = headersOp(this.#context.headers.sections.get(element));
    const name = this.#context.references.tagged.get(element);
    const numbering = numberingOp(element, this.#restarts, this.#looks);
    const own = [this.#looks.before(element), numbering, headers, name];
    return [...own.flatMap((op) => op ?? []), ...(this.#merges.get(element) ?? [])];
  }

  #content(element: ElementNode): void {
    const { assembly } = this;
    const { name } = element;
    const whole = (): void => this.#tag(element, () => this.#children(element));
    for (const op of this.#before(element)) assembly.push(op);
    if (this.#context.headers.sections.has(element)) return;
    if (name === "w:vMerge" && this.#merges.has(element)) return;
    if (isProperties(element)) assembly.invisibly(whole);
    else if ((name === "w:drawing" || name === "pic:pic") && this.#picture(element)) return;
    // The fallback for old programs would show the template's picture, so it is omitted.
    else if (name === "mc:Fallback" && standsForPlaceholder(element)) return;
    else if (name === "w:tbl") {
      const rows = isSized(element) ? () => this.#sizedTable(element) : whole;
      assembly.wrapped((body) => tableOp(element, body), rows);
    } else if (name === "w:tr") this.#row(element, whole);
    else if (name === "w:sdt" && !hasFixedContent(element)) {
      assembly.wrapped((body) => ({ op: "control", body }), whole);
    } else if (NEEDS_PARAGRAPH.has(name) && !endsInFixedParagraph(element)) {
      this.#tag(element, () => this.#container(element));
    } else if (name === "w:p") this.#paragraph(element, whole);
    else whole();
  }

  #sizedTable(table: ElementNode): void {
    const { children } = table;
    const grid = children.findIndex((node) => node.kind === "element" && node.name === "w:tblGrid");
    this.#tag(table, () => {
      this.assembly.wrapped(
        (body) => ({ op: "grid", body }),
        () => children.slice(0, grid + 1).forEach(this.node, this),
      );
      children.slice(grid + 1).forEach(this.node, this);
    });
  }

  #row(row: ElementNode, whole: () => void): void {
    const op = rowKind(row);
    if (op === null) whole();
    else this.assembly.wrapped((body) => ({ op, body }), whole);
  }

  /** Writes an element that is replaced by its content if its reference is lost. */
  #shell(element: ElementNode, reference: Reference): void {
    const { assembly } = this;
    this.assembly.conditional({ reference, first: true }, () => {
      assembly.write(`<${element.name}`, "other");
      this.#attributes.write(element);
      assembly.write(">", "other");
    });
    this.#children(element);
    this.assembly.conditional({ reference, first: false }, () =>
      assembly.write(`</${element.name}>`),
    );
  }

  #paragraph(paragraph: ElementNode, whole: () => void): void {
    const { assembly } = this;
    const write = this.#isFlowing(paragraph)
      ? (): void => assembly.wrapped((body) => ({ op: "flow", body }), whole)
      : whole;
    if (!isOnlyBlocks(paragraph)) {
      write();
      return;
    }
    const marks = assembly.gathered(() => {
      for (const mark of outerRangeMarks(paragraph)) this.node(mark);
    });
    assembly.wrapped((body) => ({ op: "paragraph", marks, body }), write);
  }

  /**
   * Writes the content of a container that must end with a paragraph, followed by the section properties at the end of
   * a body.
   */
  #container(element: ElementNode): void {
    // White space may follow the last element.
    const section = element.children.findLastIndex(({ kind }) => kind === "element");
    const last = element.children[section];
    const end = last?.kind === "element" && last.name === "w:sectPr" ? section : undefined;
    this.assembly.wrapped(
      (body) => ({ op: "container", body }),
      () => {
        for (const child of element.children.slice(0, end)) this.node(child);
      },
    );
    if (end !== undefined) for (const child of element.children.slice(end)) this.node(child);
  }

  #tag(element: ElementNode, content: () => void): void {
    const { assembly } = this;
    const { children } = element;
    const name = writtenName(element.name);
    const visible = isVisible(element);
    assembly.starts(name);
    const after = afterElement(element);
    if (children.length === 0) {
      assembly.write(`<${name}`, isRangeMark(element) ? "unchanged" : "other", visible);
      this.#attributes.write(element);
      assembly.write("/>", after);
      return;
    }
    const opens = TRANSPARENT.has(name) ? "unchanged" : "other";
    assembly.write(`<${name}`, opens, visible);
    this.#attributes.write(element);
    assembly.write(">", opens);
    this.#looks.content(element, this.#context.textStyles, assembly, content);
    assembly.write(`</${name}>`, after);
  }

  #children(element: ElementNode): void {
    const number = this.#context.references.sequences.get(element);
    if (number !== undefined && number.style !== null) {
      this.assembly.push(number);
      return;
    }
    const list = element.name === "w:pPr" ? styleListOp(this.#restarts, element) : null;
    const skip = this.assembly.inLoop && element.name === "w:sdtPr" ? "w:id" : null;
    let pending = list;
    for (const child of element.children) {
      if (child.kind === "element" && child.name === skip) continue;
      if (pending !== null && !(child.kind === "element" && isBeforeNumbering(child.name))) {
        this.assembly.push(pending);
        pending = null;
      }
      this.node(child);
    }
    if (pending !== null) this.assembly.push(pending);
  }

  #value(tag: TagNode): void {
    const mode = tag.fieldRole ?? (tag.parent?.name === "w:t" ? "run" : "plain");
    const paragraph = closest(tag, "w:p");
    const flow =
      mode === "run" && paragraph !== null
        ? flowContextOf(
            tag,
            this.#isFlowing(paragraph),
            widthAround(paragraph, this.#context.textWidthEmu),
            this.#context.lists,
          )
        : null;
    const op = textOpOf(tag, mode, flow);
    if (op !== null) this.assembly.push(chartOpOf(tag, op) ?? op);
  }

  /** Returns {@link isFlowing}, computed once for each paragraph, which may contain thousands of tags. */
  #isFlowing(paragraph: ElementNode): boolean {
    if (!this.#flowing.has(paragraph)) this.#flowing.set(paragraph, isFlowing(paragraph));
    return this.#flowing.get(paragraph) === true;
  }

  /** Writes a placeholder picture. Returns false for any other picture or drawing. */
  #picture(element: ElementNode): boolean {
    const op = pictureOpOf(element, this.assembly.inLoop);
    if (op !== null) this.assembly.push(op);
    return op !== null;
  }
}
