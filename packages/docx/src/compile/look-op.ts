import type { Margins, TextStyles } from "../fit/text-styles.ts";
import type { Expression } from "../language/grammar/expression.ts";
import { lookTarget, type SlotLook } from "../language/looks.ts";
import { nodeXml } from "../program/flow.ts";
import type { Op } from "../program/ops.ts";
import { depthStep } from "../program/shape.ts";
import type {
  DecideOp,
  LookOp,
  LookTag,
  Shrinking,
  StyledOp,
  StyleOp,
} from "../program/tag-ops.ts";
import {
  attributesOf,
  contentOf,
  type ElementNode,
  type TagNode,
} from "../template/nodes/nodes.ts";
import type { StyleChoice } from "../template/nodes/tag-uses.ts";
import { originOf } from "./text-op.ts";

/** Makes the output of `write` the body of one op. */
interface Wrapping {
  wrapped(make: (body: Op[]) => Op, write: () => void): void;
}

/** Makes the ops of looks, and numbers the tags that change a whole element. */
export class LookOps {
  readonly #numbers = new Map<TagNode, number>();

  /** Returns the op that comes before an element which tags change; null for other elements. */
  before({ changedBy }: ElementNode): DecideOp | null {
    if (changedBy === undefined) return null;
    for (const tag of changedBy) this.#numbers.set(tag, this.#numbers.size);
    return { op: "decide", tags: changedBy.map((tag) => this.#numbered(tag)) };
  }

  /** Returns the op of a property that tags may change. */
  property(node: ElementNode, { look, tags }: NonNullable<ElementNode["look"]>): LookOp {
    return this.#op(look, tags, nodeXml(node));
  }

  /** Writes the content of an element. If text in it shrinks, the content becomes the body of an op. */
  content(
    element: ElementNode,
    styles: () => TextStyles,
    assembly: Wrapping,
    write: () => void,
  ): void {
    const { shrunk } = element;
    if (shrunk === undefined) {
      write();
      return;
    }
    const { plan, first, tags, isTwin } = shrunk;
    const ofStyle = plan.table === null ? {} : styles().marginsOf(plan.table.style);
    const facts: Shrinking = {
      box: { ...plan, margins: { ...USUAL_MARGINS, ...ofStyle, ...plan.margins } },
      origin: originOf(first),
      value: valueIn(element, first),
      tags: this.#decided(tags),
      isSilent: isTwin,
    };
    assembly.wrapped((body) => ({ op: "shrink", ...facts, body }), write);
  }

  /** Returns the op of the attributes with the fill of a VML shape. */
  attributes({ tags, original }: NonNullable<ElementNode["vmlFill"]>): LookOp {
    return this.#op("vmlFill", tags, original);
  }

  /** Returns the op of a `w:numPr` or a `w:ind` that depends on the chosen style. */
  styled({ name, attributes }: ElementNode, choice: StyleChoice<TagNode>): StyledOp {
    const of = name === "w:ind" ? "indents" : "list";
    return { op: "styled", of, style: this.style(choice), own: attributesOf(attributes) };
  }

  /** Returns the choice of a style, for use after its tags were decided. */
  style({ tags, style, numbering }: StyleChoice<TagNode>): StyleOp {
    return { tags: this.#decided(tags), style, numbering };
  }

  #op(look: SlotLook, tags: readonly TagNode[], otherwise: string): LookOp {
    return { op: "look", look, tags: this.#decided(tags), otherwise };
  }

  /** Returns tags without the modifiers that were decided before. */
  #decided(tags: readonly TagNode[]): LookTag[] {
    return tags.map((tag) => {
      const numbered = this.#numbered(tag);
      return numbered.number === null ? numbered : { ...numbered, modifiers: [] };
    });
  }

  #numbered(tag: TagNode): LookTag {
    return { ...withModifiers(tag), number: this.#numbers.get(tag) ?? null };
  }
}

/**
 * Returns the value of the tag, or of the first tag in the box if the tag prints no value. Tags in blocks of the box do
 * not count, because they have other values in each repetition.
 */
function valueIn(box: ElementNode, first: TagNode): Expression | null {
  const values: TagNode[] = [];
  let depth = 0;
  for (const node of contentOf(box)) {
    if (node.kind === "tag" && depth === 0 && node.directive.kind === "value") values.push(node);
    if (node.kind === "marker") depth += depthStep(node);
  }
  const found = values.includes(first) ? first : values[0];
  return found?.directive.kind === "value" ? found.directive.expression : null;
}

/** The margins of cells if neither the table nor its style sets them, in twentieths of a point. */
const USUAL_MARGINS: Margins = { left: 108, right: 108, top: 0, bottom: 0 };

/** Returns a tag with the modifiers that decide about its look. */
export function withModifiers(tag: TagNode): LookTag {
  const { directive } = tag;
  const origin = originOf(tag);
  if (directive.kind !== "value") return { origin, modifiers: [], target: null, number: null };
  const { expression, modifiers } = directive;
  const target = lookTarget(expression, modifiers);
  return { origin, modifiers, target: target === "text" ? null : target, number: null };
}
