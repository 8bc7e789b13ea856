import type { ListRestarts } from "../program/lists.ts";
import type { Op } from "../program/ops.ts";
import type { NumberingOp } from "../program/tag-ops.ts";
import type { ElementNode } from "../template/nodes/nodes.ts";
import { type LookOps, withModifiers } from "./look-op.ts";

/** Returns the list op of a paragraph that is numbered by its style; null if no block restarts the list. */
export function styleListOp(restarts: ListRestarts, { parent }: ElementNode): Op | null {
  const numbering = parent === null ? undefined : restarts.paragraphs.get(parent);
  if (numbering === undefined || numbering.own) return null;
  return { op: "list", numId: numbering.numId, level: numbering.level };
}

/** Whether a `w:numId` refers to a list that may restart. */
export function isRestarted(numId: ElementNode, restarts: ListRestarts): boolean {
  const paragraph = numId.parent?.parent?.parent ?? null;
  return paragraph !== null && restarts.paragraphs.get(paragraph)?.own === true;
}

/** Returns the op of the tags that continue or restart the list of a paragraph; null for other elements. */
export function numberingOp(
  element: ElementNode,
  { paragraphs, styled }: ListRestarts,
  looks: LookOps,
): NumberingOp | null {
  const { numberedBy } = element;
  if (numberedBy === undefined) return null;
  const choice = styled.get(element);
  const { numId = null } = paragraphs.get(element) ?? {};
  const style = choice === undefined ? null : looks.style(choice);
  return { op: "numbering", numId, style, tags: numberedBy.map(withModifiers) };
}
