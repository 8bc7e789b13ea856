import { lookTarget } from "../language/looks.ts";
import type { LookOp, LookTag } from "../program/tag-ops.ts";
import type { ElementNode, TagNode } from "../template/nodes/nodes.ts";
import { originOf } from "./text-op.ts";

/** Returns the op of a property that tags may change. */
export function lookOp(
  { name, attributes }: ElementNode,
  { look, tags, isThere }: NonNullable<ElementNode["look"]>,
): LookOp {
  return {
    op: "look",
    look,
    tags: tags.map(withModifiers),
    otherwise: isThere ? `<${name}${attributes}/>` : "",
  };
}

/** Returns a tag with the modifiers that decide about its look. */
export function withModifiers(tag: TagNode): LookTag {
  const { directive } = tag;
  const origin = originOf(tag);
  if (directive.kind !== "value") return { origin, modifiers: [], target: null };
  const { expression, modifiers } = directive;
  const target = lookTarget(expression, modifiers);
  return { origin, modifiers, target: target === "text" ? null : target };
}
