import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../../language/delimiters/wording.ts";
import { lookTarget } from "../../language/looks.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import { closest, descendants, type TagNode } from "../nodes/nodes.ts";

/**
 * Returns the problems of tags such as `{{row :: merge}}` next to the tag of a value: unlike a look, a merge belongs to
 * the value. If a loop has an item of that name, the tag is not such a mistake.
 */
export function mergedElements(tags: readonly TagNode[]): ReadonlyMap<TagNode, Diagnostic> {
  const problems = new Map<TagNode, Diagnostic>();
  for (const tag of tags) {
    const call = mergeOf(tag);
    if (call === null) continue;
    const isItem = tags.some(
      ({ directive }) => "alias" in directive && directive.alias === call.element,
    );
    const value = isItem ? null : valueBeside(tag);
    if (value !== null) problems.set(tag, problemOf(tag, value, call));
  }
  return problems;
}

interface MergeOfElement {
  readonly element: string;
  readonly merge: string;
}

function mergeOf({ directive }: TagNode): MergeOfElement | null {
  if (directive.kind !== "value" || directive.expression.kind !== "path") return null;
  const { source } = directive.expression;
  const call = directive.modifiers.find(
    ({ name, arguments: given }) => name.startsWith("merge") && given.length === 0,
  );
  return call !== undefined && /^(?:row|cell)$/.test(source)
    ? { element: source, merge: call.name }
    : null;
}

/** Returns the tag of a value in the same cell, or null. */
function valueBeside(tag: TagNode): TagNode | null {
  const cell = closest(tag, "w:tc");
  if (cell === null) return null;
  for (const node of descendants(cell)) {
    if (node.kind !== "tag" || node === tag || node.directive.kind !== "value") continue;
    const { expression, modifiers } = node.directive;
    if ((lookTarget(expression, modifiers) ?? "text") === "text") return node;
  }
  return null;
}

function problemOf(tag: TagNode, value: TagNode, { element, merge }: MergeOfElement): Diagnostic {
  const { start, end } = value.delimiters;
  const content = value.text.slice(start.length, -end.length).trim();
  const merged = `${content}${content.includes("::") ? "," : " ::"} ${merge}`;
  return tagProblem(
    tag,
    "merge_outside",
    `${tag.text} merges nothing, because '${element}' prints no value.`,
    withTags`Write the modifier into the tag of the value: {{${merged}}}.`,
  );
}
