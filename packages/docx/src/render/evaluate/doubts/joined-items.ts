import { withTags } from "../../../language/delimiters/wording.ts";
import { hasPlace, type PathExpression } from "../../../language/grammar/expression.ts";
import type { TagOrigin } from "../../../program/tag-ops.ts";
import { joinedInCell, joinedInListItem } from "../../../template/mistakes/joined-items.ts";
import type { Joined, JoinedWords } from "../../../template/nodes/tag-uses.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { hasOwn } from "../context/scope.ts";

/** A block, with the list that it repeats. */
interface Block {
  readonly origin: TagOrigin;
  readonly list: PathExpression;
  /** The name of the items; null in a section. */
  readonly alias: string | null;
  readonly mayJoin: Joined | undefined;
}

/** Number of items that are examined. */
const MAX_EXAMINED = 20;

/**
 * Warns about items that run together in one list item or cell. Only the data shows this: a list may have one item, and
 * a section may be a condition. Signs of one character, such as stars, may be meant.
 */
export function noteJoined(
  { origin, list, alias, mayJoin }: Block,
  items: readonly unknown[],
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (mayJoin === undefined || items.length < 2) return;
  const examined = items.slice(0, MAX_EXAMINED);
  if (examined.every(isSign)) return;
  const name = hasPlace(list) ? `'${list.source}'` : origin.text;
  if (typeof mayJoin === "object") {
    if (!areWords(mayJoin, examined)) return;
    const message = `The items of ${name} run together in one paragraph, because nothing separates them.`;
    diagnostics.warn(
      origin,
      "joined_in_paragraph",
      message,
      pointerOf(list, env),
      () =>
        withTags`To separate them, write {{${mayJoin.separated}}}. For a paragraph for each item, put ${origin.text} and its end into separate paragraphs, before and after this one.`,
    );
    return;
  }
  const { code, message, hint } =
    mayJoin === "cell"
      ? joinedInCell(name, `${alias ?? "i"} in ${listIn(origin.text) ?? list.source}`)
      : joinedInListItem(`The items of ${name}`, origin.text);
  diagnostics.warn(origin, code, message, pointerOf(list, env), () => hint);
}

/** Whether the printed values are words, which are not meant to run together. */
function areWords({ first, last }: JoinedWords, items: readonly unknown[]): boolean {
  const words = items.filter((item) => isWord(valueAt(item, first)) && isWord(valueAt(item, last)));
  return words.length > 1;
}

function valueAt(item: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((of, key) => (hasOwn(of, key) ? of[key] : undefined), item);
}

function isWord(value: unknown): boolean {
  return typeof value === "string" && WORD.test(value);
}

/** A text of three or more characters with a letter or digit at both ends. */
const WORD = /^[\p{L}\p{N}].+[\p{L}\p{N}]$/su;

function isSign(item: unknown): boolean {
  return typeof item === "string" && item.length < 3;
}

/** Returns the list in the tag of a loop, with its functions. */
function listIn(tag: string): string | null {
  return /^\S*\s*for\s+\S+\s+in\s+([^{}]+?)\s*(?:::[^{}]*)?\}+$/.exec(tag)?.[1] ?? null;
}
