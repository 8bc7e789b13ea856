import type { LookOp } from "../program/tag-ops.ts";
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
export function withModifiers(tag: TagNode): LookOp["tags"][number] {
  return {
    origin: originOf(tag),
    modifiers: tag.directive.kind === "value" ? tag.directive.modifiers : [],
  };
}
