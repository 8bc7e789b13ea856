import { lookTarget, type SlotLook } from "../language/looks.ts";
import { nodeXml } from "../program/flow.ts";
import type { DecideOp, LookOp, LookTag } from "../program/tag-ops.ts";
import type { ElementNode, TagNode } from "../template/nodes/nodes.ts";
import { originOf } from "./text-op.ts";

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

  /** Returns the op of the attributes with the fill of a VML shape. */
  attributes({ tags, original }: NonNullable<ElementNode["vmlFill"]>): LookOp {
    return this.#op("vmlFill", tags, original);
  }

  #op(look: SlotLook, tags: readonly TagNode[], otherwise: string): LookOp {
    const decided = tags.map((tag) => {
      const numbered = this.#numbered(tag);
      return numbered.number === null ? numbered : { ...numbered, modifiers: [] };
    });
    return { op: "look", look, tags: decided, otherwise };
  }

  #numbered(tag: TagNode): LookTag {
    return { ...withModifiers(tag), number: this.#numbers.get(tag) ?? null };
  }
}

/** Returns a tag with the modifiers that decide about its look. */
export function withModifiers(tag: TagNode): LookTag {
  const { directive } = tag;
  const origin = originOf(tag);
  if (directive.kind !== "value") return { origin, modifiers: [], target: null, number: null };
  const { expression, modifiers } = directive;
  const target = lookTarget(expression, modifiers);
  return { origin, modifiers, target: target === "text" ? null : target, number: null };
}
