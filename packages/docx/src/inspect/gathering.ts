import type { Expression, PathExpression } from "../language/grammar/expression.ts";
import type { ModifierCall } from "../language/modifiers.ts";
import type { Op } from "../program/ops.ts";
import type { Programs } from "../program/programs.ts";
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

/** Maximum number of references for which a note or a copied part is read. Further references reveal nothing new. */
const MAX_VISITS = 16;

/** The notes and copied parts of a template, which are read with the names at each reference to them. */
export class VisitedBodies {
  readonly #bodies = new Map<string, { readonly body: readonly Op[]; visits: number }>();

  constructor({ notes, copied = [] }: Pick<Programs, "notes" | "copied">) {
    for (const { kind, notes: each } of notes) {
      for (const { id, body } of each) this.#bodies.set(`${kind} ${id}`, { body, visits: 0 });
    }
    for (const [part, own] of Map.groupBy(copied, ({ original }) => original)) {
      this.#bodies.set(part, { body: own.flatMap(({ ops }) => ops), visits: 0 });
    }
  }

  /** Returns what to read at a reference; nothing after {@link MAX_VISITS} references. */
  visit(key: string): readonly Op[] {
    const found = this.#bodies.get(key);
    if (found === undefined || found.visits === MAX_VISITS) return [];
    found.visits += 1;
    return found.body;
  }

  /** Yields the notes and parts without references. */
  *others(): Generator<readonly Op[]> {
    for (const { body, visits } of this.#bodies.values()) if (visits === 0) yield body;
  }
}
