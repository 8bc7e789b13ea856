import type { Directive } from "../../language/directive.ts";
import { pathsOf } from "../../language/grammar/expression.ts";
import type { TagNode } from "../nodes/nodes.ts";

/** An open block. */
interface OpenBlock {
  /** The tags of the block that have a condition. */
  readonly tags: TagNode[];
  /** The paths in the conditions, and those of them that the block prints. */
  readonly asked: Set<string>;
  readonly printed: Set<string>;
  /** The sections directly in the block, by path. */
  readonly sections: Map<string, TagNode[]>;
  readonly inverted: Set<string>;
}

/**
 * Tells the renderer how blocks use values. Adds to the tags of each block the paths of its conditions that the block
 * also prints, and to each section whether it has a matching inverted section. The blocks of the part must be valid.
 * `tags`: all tags of the part, in document order.
 */
export function markBlockUses(tags: readonly TagNode[]): void {
  const open = [newBlock()];
  for (const tag of tags) {
    const { directive } = tag;
    const { kind } = directive;
    if (kind === "value") print(directive, open);
    else if (BEGINS.test(kind)) {
      noteSection(tag, open.at(-1));
      open.push(newBlock());
      ask(tag, open.at(-1));
    } else if (kind === "elseif") ask(tag, open.at(-1));
    else if (kind.startsWith("end") && open.length > 1) settle(open.pop());
  }
  for (const block of open) settle(block);
}

const BEGINS = /^(?:for|if|section|tablerow|tablecolumn)$/;

function newBlock(): OpenBlock {
  return {
    tags: [],
    asked: new Set(),
    printed: new Set(),
    sections: new Map(),
    inverted: new Set(),
  };
}

function ask(tag: TagNode, block: OpenBlock | undefined): void {
  const { directive } = tag;
  if (block === undefined || !("condition" in directive)) return;
  block.tags.push(tag);
  for (const { source } of pathsOf(directive.condition)) block.asked.add(source);
}

function print(directive: Extract<Directive, { kind: "value" }>, open: readonly OpenBlock[]): void {
  // A check box shows whether its value is true, not the value.
  if (directive.modifiers.some(({ name }) => name === "checkbox")) return;
  for (const { source } of pathsOf(directive.expression)) {
    for (const { asked, printed } of open) if (asked.has(source)) printed.add(source);
  }
}

function noteSection(tag: TagNode, around: OpenBlock | undefined): void {
  const { directive } = tag;
  if (around === undefined || directive.kind !== "section") return;
  const { condition, inverted } = directive;
  if (condition.kind !== "path") return;
  if (inverted) around.inverted.add(condition.source);
  else {
    const same = around.sections.get(condition.source) ?? [];
    around.sections.set(condition.source, same);
    same.push(tag);
  }
}

function settle(block: OpenBlock | undefined): void {
  if (block === undefined) return;
  if (block.printed.size > 0) for (const tag of block.tags) tag.printed = block.printed;
  for (const path of block.inverted) {
    for (const tag of block.sections.get(path) ?? []) tag.hasInverse = true;
  }
}
