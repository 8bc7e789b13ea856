import type { Diagnostic } from "@quire/contracts";
import { type Directive, expressionsOf } from "../../language/directive.ts";
import {
  type Expression,
  isMadeList,
  itemArgumentsOf,
  operandsOf,
  type PathExpression,
  spellKey,
} from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import { placeOf, tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";

/** A surrounding loop that names its items. `path`: the keys of its list, from the root of the data. */
interface OpenLoop {
  readonly tag: TagNode;
  readonly alias: string;
  readonly collection: PathExpression;
  readonly path: readonly string[];
  /** Whether its items are groups of the list. */
  readonly isGrouped: boolean;
  /** Whether functions change which items it repeats, or their order. */
  readonly isShaped: boolean;
  /** Its list as written. */
  readonly shape: string;
  /** Whether each repetition is a paragraph, a row or similar. (Columns extend beyond their tags.) */
  readonly repeatsBlocks: boolean;
}

/** Represents the item of a loop in a path. */
const ITEM = "\u0000item";

/**
 * Warns about every tag within a loop that refers to the values of all items of the loop's list, such as
 * `{{items.price}}` in `{{for item in items}}`. Such a tag prints the same text in every repetition. The blocks of the
 * part must be valid. `tags`: all tags of the part, in document order.
 */
export function checkProjections(tags: readonly TagNode[]): Diagnostic[] {
  const walk = new LoopWalk();
  return tags.flatMap((tag) => walk.tag(tag));
}

class LoopWalk {
  /** The open blocks; null for a section, which makes the keys of its item available as names. */
  readonly #open: (OpenLoop | null)[] = [];

  tag(tag: TagNode): Diagnostic[] {
    const { directive } = tag;
    switch (directive.kind) {
      case "for":
      case "tablerow":
      case "tablecolumn": {
        const { alias, collection, shape } = directive;
        const repeated = this.#repeatedGroup(tag);
        const found = repeated === null ? this.#check(tag, [collection]) : [repeated];
        const repeatsBlocks = directive.kind !== "tablecolumn";
        this.#open.push({
          tag,
          alias,
          collection,
          isGrouped: groups(shape),
          isShaped: shape !== null,
          shape: spellExpression(shape ?? collection),
          // Values that a tag makes are not values of the data.
          path:
            shape !== null && isMadeList(shape)
              ? [`${ITEM}${this.#open.length}`]
              : this.#fromRoot(collection),
          repeatsBlocks,
        });
        return found;
      }
      case "section":
        this.#open.push(null);
        return [];
      case "endfor":
      case "endtablerow":
      case "endtablecolumn":
      case "endsection":
        this.#open.pop();
        return [];
      default: {
        const wrong = this.#otherItem(tag);
        return wrong === null ? this.#check(tag, pathsTakenAsOne(directive)) : [wrong];
      }
    }
  }

  #check(tag: TagNode, paths: readonly PathExpression[]): Diagnostic[] {
    if (!this.#open.some((loop) => loop?.repeatsBlocks)) return [];
    for (const path of paths) {
      const loop = this.#projected(path, tag.directive.kind === "value");
      if (loop !== null) return [warning(tag, path, loop)];
    }
    return [];
  }

  /**
   * Warns about a loop over a whole list within a loop over its groups, unless its own tag names the group:
   * `{{for i in items}}` in `{{for g in items.group(city)}}`.
   */
  #repeatedGroup(tag: TagNode): Diagnostic | null {
    const { directive } = tag;
    if (!("collection" in directive)) return null;
    const { collection, shape } = directive;
    const full = this.#fromRoot(collection).join("\0");
    const loop = this.#open.find((each) => each?.isGrouped && each.path.join("\0") === full);
    if (!loop || (shape !== null && namesIn(shape).includes(loop.alias))) return null;
    // A table of rows and columns has groups in groups.
    if (groups(shape)) return null;
    const { source } = collection;
    const problem = tagProblem(
      tag,
      "list_in_loop",
      `${tag.text} repeats all items of '${source}' in every group of ${loop.tag.text}.`,
      `For the items of the group write '${loop.alias}.items' in place of '${source}'.`,
    );
    return { ...problem, severity: "warning" };
  }

  /** Warns about `items[$index]` in a loop over `items.sort(name)`: the position is one in the sorted list. */
  #otherItem(tag: TagNode): Diagnostic | null {
    const loop = this.#open.at(-1);
    if (!loop?.isShaped || loop.isGrouped) return null;
    const list = loop.path.join("\0");
    const isList = (path: PathExpression): boolean => this.#fromRoot(path).join("\0") === list;
    const wrong = expressionsOf(tag.directive).flatMap(listsByIndex).find(isList);
    if (wrong === undefined) return null;
    const isNext = /\$index\s*[-+–]/.test(tag.text);
    const problem = tagProblem(
      tag,
      "list_in_loop",
      `In ${tag.text}, $index is the position in the list of ${loop.tag.text}, but '${wrong.source}' has other items or another order.`,
      `For a value of the item write '${loop.alias}.key' in place of '${wrong.source}[$index].key'.${isNext ? ` For the item before it write ${loop.shape}[$index - 1].` : ""}`,
    );
    return { ...problem, severity: "warning" };
  }

  /**
   * Returns the surrounding loop whose list a path crosses without using the name of the loop's item; null if there is
   * none.
   */
  #projected(path: PathExpression, printed: boolean): OpenLoop | null {
    const full = this.#fromRoot(path);
    // A path that begins at an item is reported for that item's own loop.
    const start = this.#open.findLastIndex((loop) => loop?.alias === path.head) + 1;
    for (const loop of this.#open.slice(start)) {
      if (loop === null || !loop.repeatsBlocks) continue;
      const next = full[loop.path.length];
      const through = loop.path.every((key, index) => key === full[index]);
      const whole = next === undefined ? printed : next !== ITEM && !/^\d+$/.test(next);
      // `items.count` is a function without its parentheses.
      const isCall = /^(?:count|length|size)$/.test(next ?? "");
      if (through && whole && !isCall) return loop;
    }
    return null;
  }

  /**
   * Returns the keys of a path from the root of the data, or from the innermost section, whose item may have the first
   * key.
   */
  #fromRoot({ head, rest }: PathExpression): string[] {
    const open = this.#open;
    const named = head === null ? open.at(-1) : open.findLast((loop) => loop?.alias === head);
    if (named) return [...named.path, ITEM, ...rest];
    const section = open.lastIndexOf(null);
    const start = section === -1 ? [] : [`${ITEM}${section}`];
    return head === null ? [...start, ...rest] : [...start, head, ...rest];
  }
}

/** Returns the lists of which an expression takes the element with the position in the innermost loop. */
function listsByIndex(expression: Expression): PathExpression[] {
  const inner = operandsOf(expression).flatMap(listsByIndex);
  if (expression.kind !== "element" || expression.of.kind !== "path") return inner;
  const { of, key } = expression;
  return isPosition(key) ? [of, ...inner] : inner;
}

/** Whether a key is `$index`, or a position before or after it: `$index - 1`. */
function isPosition(key: Expression): boolean {
  if (key.kind === "compute" && key.right.kind === "number") return isPosition(key.left);
  return key.kind === "variable" && key.name === "$index" && key.of === null;
}

/** Whether an expression groups a list, perhaps with functions on the groups after it. */
function groups(expression: Expression | null): boolean {
  if (expression?.kind !== "call") return false;
  return expression.name === "$group" || groups(expression.arguments[0] ?? null);
}

/** Returns the first names of all paths of an expression, also within arguments for each item. */
function namesIn(expression: Expression): (string | null)[] {
  if (expression.kind === "path") return [expression.head];
  const items = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  return [...operandsOf(expression), ...items].flatMap(namesIn);
}

/** Returns the paths for which a tag expects a single value: functions, `contains` and `:: delimiter` accept lists. */
function pathsTakenAsOne(directive: Directive): PathExpression[] {
  switch (directive.kind) {
    case "value": {
      const joins = directive.modifiers.some(({ name }) => name.endsWith("delimiter"));
      return joins ? [] : pathsIn(directive.expression);
    }
    case "if":
    case "elseif":
      return pathsIn(directive.condition);
    default:
      return [];
  }
}

function pathsIn(expression: Expression): PathExpression[] {
  switch (expression.kind) {
    case "path":
      return [expression];
    case "not":
    case "negate":
      return pathsIn(expression.operand);
    case "compare": {
      const right = pathsIn(expression.right);
      return expression.operator === "contains" ? right : [...pathsIn(expression.left), ...right];
    }
    case "and":
    case "or":
    case "compute":
      return [...pathsIn(expression.left), ...pathsIn(expression.right)];
    default:
      return [];
  }
}

function warning(tag: TagNode, path: PathExpression, loop: OpenLoop): Diagnostic {
  const { alias, collection } = loop;
  const keys = path.source.startsWith(collection.source)
    ? path.source.slice(collection.source.length)
    : path.rest.slice(-1).map(spellKey).join("");
  // `members.m.name`
  const after = keys.startsWith(`.${alias}.`) ? keys.slice(alias.length + 1) : keys;
  return {
    severity: "warning",
    code: "list_in_loop",
    message: `'${path.source}' in ${tag.text} means the values of all items of '${collection.source}' at once, in every repetition of ${loop.tag.text}.`,
    hint: `Did you mean '${alias}${loop.isGrouped ? ".items" : ""}${after}'?`,
    template: { ...placeOf(tag.place), tag: tag.text, near: tag.near },
  };
}
