import type { Expression, PathExpression } from "../language/grammar/expression.ts";
import type { ModifierCall } from "../language/modifiers.ts";
import { hasModifier } from "../values/modifiers.ts";
import type { Choices } from "./choices.ts";
import { type DataNode, noteTag, type Use } from "./data-node.ts";
import type { Found } from "./name-scope.ts";

/** The data that a template uses. */
export interface Gathered {
  readonly root: DataNode;
  /** The place in the data that each path in a tag refers to. */
  readonly places: ReadonlyMap<PathExpression, DataNode>;
  /** The expressions of tags that print pictures. */
  readonly pictures: ReadonlySet<Expression>;
  /** For each place of a value that an expression chooses: the places among which it chooses. */
  readonly choices: Choices;
}

/** Uses that allow the value to be missing. */
const MAY_MISS: ReadonlySet<Use> = new Set(["tested", "section", "separator", "places"]);

export function isOptional(modifiers: readonly ModifierCall[]): boolean {
  return hasModifier(modifiers, "optional") || hasModifier(modifiers, "default");
}

/** How a tag uses a place. */
interface PlaceUse {
  readonly use: Use;
  /** The tag as written. */
  readonly tag: string;
  /** Whether the tag allows missing values. */
  readonly optional: boolean;
  /** Whether the use does not depend on a condition. */
  readonly isFirm: boolean;
}

/** Records a use by a tag. The data must have the places unless the tag allows missing values or is within a condition. */
export function noteUse(found: Found, { use, tag, optional, isFirm }: PlaceUse): void {
  const { start, way, node, isSure } = found;
  noteTag(node.facts, tag);
  if (isFirm) node.facts.firm.add(use);
  if (optional || MAY_MISS.has(use)) return;
  const isItem = start.name === null;
  for (const { facts } of [...(isItem ? [start] : []), ...way].slice(0, -1)) {
    facts.uses.add("entered");
    if (isFirm) facts.firm.add("entered");
  }
  if (!isFirm) return;
  if (isItem) start.facts.required = true;
  if (isSure) for (const { facts } of way) facts.required = true;
}

export function sameSets(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other);
}
