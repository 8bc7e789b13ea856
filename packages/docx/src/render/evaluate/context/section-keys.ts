import { elementsOf } from "../../../format/elements.ts";
import { kindOf } from "../../../format/print.ts";
import {
  type Expression,
  hasPlace,
  type PathExpression,
} from "../../../language/grammar/expression.ts";
import { type Environment, hasOwn, holderOf, resolve, type Scope, turnNamed } from "./scope.ts";

/** Maximum number of section items to examine for one document. */
const MAX_LOOKED = 20_000_000;

/** The key that identifies the elements of a list. */
interface Identity {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

function isId(key: string): boolean {
  return /^(?:no|nr|num|number|code|key)$|id$/i.test(key);
}

/**
 * Finds out whether any item of a section has a name, over all iterations of the surrounding blocks. This is for a name
 * that the current item lacks: if another item has the name, a value from outside is probably wrong.
 */
export class SectionKeys {
  #known: Map<PathExpression, Map<string, boolean>> | null = null;
  #left = MAX_LOOKED;
  readonly #begun = new Set<Expression>();
  #common: Map<readonly unknown[], Map<string, boolean>> | null = null;
  #identities: Map<readonly unknown[], Identity | null> | null = null;

  /** Whether an expression is evaluated for an item of a list for the first time. */
  isFirst(expression: Expression): boolean {
    if (this.#begun.has(expression)) return false;
    this.#begun.add(expression);
    return true;
  }

  /** Whether each element of a list has a name as its own key. */
  allHave(list: readonly unknown[], name: string, { spend }: Pick<Environment, "spend">): boolean {
    this.#common ??= new Map();
    const names = this.#common.get(list) ?? new Map<string, boolean>();
    this.#common.set(list, names);
    const known = names.get(name);
    if (known !== undefined) return known;
    spend(list.length / 4);
    const isCommon = list.every((item) => hasOwn(item, name));
    names.set(name, isCommon);
    return isCommon;
  }

  /** Returns the key that identifies the elements of a list, and its values, or null. */
  identityOf(list: readonly unknown[], { spend }: Pick<Environment, "spend">): Identity | null {
    this.#identities ??= new Map();
    const known = this.#identities.get(list);
    if (known !== undefined) return known;
    spend(list.length / 4);
    const [first] = list;
    const key = kindOf(first) === "object" ? Object.keys(first as object).find(isId) : undefined;
    const idOf = (each: unknown): string => {
      return key !== undefined && hasOwn(each, key) ? String(each[key]) : "";
    };
    const identity = key === undefined ? null : { key, values: new Set(list.map(idOf)) };
    this.#identities.set(list, identity);
    return identity;
  }

  /** Whether any item of a section has the first name of a path, or the whole path as one key with dots. */
  have(section: Scope, path: PathExpression, env: Environment): boolean {
    this.#known ??= new Map();
    let names = this.#known.get(section.path);
    if (names === undefined) {
      names = new Map();
      this.#known.set(section.path, names);
    }
    let have = names.get(path.source);
    if (have === undefined) {
      have = this.#look(section, path, env);
      names.set(path.source, have);
    }
    return have;
  }

  #look(section: Scope, path: PathExpression, { data }: Environment): boolean {
    const { head, rest, source } = path;
    if (head === null) return false;
    const isFlat = rest.length > 0;
    for (const outer of turnsOf(section.outer, data)) {
      const items = itemsOf(section, outer, data);
      this.#left -= items.length;
      if (this.#left < 0) return false;
      for (const item of elementsOf(items)) {
        if (hasOwn(item, head) || (isFlat && hasOwn(item, source))) return true;
      }
    }
    return false;
  }
}

/** Yields every iteration of a block, in every iteration of the blocks around it. */
function* turnsOf(turn: Scope | null, data: Environment["data"]): Generator<Scope | null> {
  if (turn === null) {
    yield null;
    return;
  }
  for (const outer of turnsOf(turn.outer, data)) {
    for (const item of elementsOf(itemsOf(turn, outer, data))) yield { ...turn, item, outer };
  }
}

function itemsOf(
  { path, items }: Scope,
  scope: Scope | null,
  data: Environment["data"],
): readonly unknown[] {
  if (!hasPlace(path)) return items ?? [];
  const value = resolve(path, { data, scope, spend() {} });
  return Array.isArray(value) ? value : [value];
}

/** A name that may not have the value that its author intended. */
export interface DoubtfulName {
  /** The section whose item lacks the name, or has it as a key that a loop hides. */
  readonly section: Scope;
  readonly isHidden: boolean;
}

/** Returns why a path may not have the value that its author intended, or null if there is no doubt. */
export function doubtfulName(
  path: PathExpression,
  env: Environment & { readonly sections: SectionKeys },
): DoubtfulName | null {
  const { head } = path;
  if (head === null) return null;
  const named = turnNamed(head, env.scope);
  const holder = named ?? holderOf(path, env.scope);
  for (let at = env.scope; at !== holder && at !== null; at = at.outer) {
    if (at.alias !== null) continue;
    const isHidden = named !== null;
    const have = (section: Scope): boolean =>
      section.siblings?.(path) ?? env.sections.have(section, path, env);
    if (isHidden ? hasOwn(at.item, head) : have(at)) {
      return { section: at, isHidden };
    }
  }
  return null;
}
