import { expressionsOf } from "../language/directive.ts";
import { type Expression, itemArgumentsOf, operandsOf } from "../language/grammar/expression.ts";
import { loopStep } from "./blocks/nesting.ts";
import { FieldStack, keywordOf } from "./fields/field-stack.ts";
import type { ElementNode, TagNode } from "./nodes/nodes.ts";
import type { PartTree } from "./tree.ts";

/** What a header uses from outside its own blocks, each with the first tag that uses it. */
export interface HeaderUses {
  /** By the first names of paths. */
  readonly names: ReadonlyMap<string, TagNode>;
  /** The tag with the position in a loop, such as `$number`; null without such a tag. */
  readonly position: TagNode | null;
  /** The tag with `this`; null without such a tag. */
  readonly item: TagNode | null;
}

/** Returns what a header uses. `trees`: the header and its charts. */
export function usesOf(trees: readonly PartTree[]): HeaderUses {
  const reader = new UseReader();
  for (const { root, tags, list } of trees) reader.part(list?.tags ?? tags, copiesIn(root));
  return reader;
}

class UseReader implements HeaderUses {
  readonly names = new Map<string, TagNode>();
  position: TagNode | null = null;
  item: TagNode | null = null;

  /** Reads the tags of a part, in document order. */
  part(tags: readonly TagNode[], copies: ReadonlySet<TagNode>): void {
    const items: (string | null)[] = [];
    for (const tag of tags) {
      if (copies.has(tag)) continue;
      for (const each of expressionsOf(tag.directive)) this.#expression(each, tag, items);
      const step = loopStep(tag);
      if (step > 0) items.push("alias" in tag.directive ? tag.directive.alias : null);
      if (step < 0) items.pop();
    }
  }

  /** `items`: the names of the items that are known there; null for the item of a section or a function. */
  #expression(expression: Expression, by: TagNode, items: readonly (string | null)[]): void {
    const isOutside = items.length === 0;
    if (expression.kind === "path") {
      const { head } = expression;
      if (head !== null) this.#name(head, by, items);
      else if (isOutside) this.item ??= by;
      return;
    }
    if (expression.kind === "variable" && expression.of !== null) {
      this.#name(expression.of, by, items);
    } else if (isOutside && isPosition(expression)) this.position ??= by;
    for (const each of operandsOf(expression)) this.#expression(each, by, items);
    if (expression.kind !== "call") return;
    const inner = [...items, expression.alias, null];
    for (const each of itemArgumentsOf(expression)) this.#expression(each, by, inner);
  }

  #name(name: string, by: TagNode, items: readonly (string | null)[]): void {
    if (!items.includes(name) && !this.names.has(name)) this.names.set(name, by);
  }
}

/** Whether an expression is the position in the innermost loop, or depends on it. */
function isPosition(expression: Expression): boolean {
  if (expression.kind === "call") return expression.name === "$running";
  return expression.kind === "variable" && expression.of === null;
}

/** Returns the tags that Word copied from a heading or a bookmark into the results of fields. */
function copiesIn(root: ElementNode): ReadonlySet<TagNode> {
  const copies = new Set<TagNode>();
  const fields = new FieldStack<null>();
  const visit = (element: ElementNode): void => {
    fields.enter(element, () => null);
    for (const child of element.children) {
      if (child.kind === "element") visit(child);
      else if (child.kind === "text" && element.name === "w:instrText") fields.text(child);
      else if (child.kind === "tag" && isInCopy(fields)) copies.add(child);
    }
    fields.leave(element);
  };
  visit(root);
  return copies;
}

function isInCopy({ open }: FieldStack<null>): boolean {
  return open.some((field) => field.separate !== null && /^(?:STYLE)?REF$/.test(keywordOf(field)));
}
