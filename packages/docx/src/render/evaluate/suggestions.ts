import { nearest } from "@quire/contracts";
import {
  isPlainName,
  type PathExpression,
  quotedKey,
  spellKey,
} from "../../language/grammar/expression.ts";
import { contained, didYouMean } from "../../language/mistakes/suggest.ts";
import {
  dollarNameMeant,
  nestedMeant,
  ownNameMeant,
  variableOfItem,
  withoutItem,
} from "./built-in-meant.ts";
import type { Evaluation } from "./context/evaluation.ts";
import {
  hasOwn,
  INDEX,
  isThere,
  otherItemsHave,
  resolve,
  resolveHead,
  type Scope,
  step,
} from "./context/scope.ts";
import { chainMeant, functionOfValue, modifierMeant } from "./dotted-names.ts";
import { keysOf } from "./hints/candidate-keys.ts";
import { hintInGroup } from "./hints/groups.ts";
import { hintForKeyOfItems } from "./hints/keys-of-lists.ts";
import { lengthOf } from "./hints/length-meant.ts";
import { hintForMadeList } from "./hints/made-lists.ts";
import { atOtherLevel, hintForParent, keyElsewhere, outsideOfTurn } from "./hints/other-level.ts";
import { hintForItem, itemMeant, positionMeant, spacedKeyMeant } from "./hints/other-names.ts";
import { hintForOuterList } from "./hints/outer-items.ts";
import { hintForNeighbor } from "./hints/parent-items.ts";
import { hintForFunctionName, hintForMisplaced, hintForSingleValue } from "./misplaced-names.ts";
import { hintOutsideLoop } from "./outside-loops.ts";

/**
 * Returns a suggestion for a path without a value, as a sentence, or null if no name is similar. `isWhole`: whether the
 * path is the whole value of its tag, so that modifiers may follow it.
 */
export function hintForMissing(
  path: PathExpression,
  env: Evaluation,
  isWhole = true,
): string | null {
  const outside = hintOutsideLoop(path, env);
  if (outside !== null) return outside;
  const beside = hintForNeighbor(path, env) ?? hintInGroup(path, env);
  if (beside !== null) return beside;
  const made = hintForMadeList(path, env);
  if (made !== null) return made;
  const misplaced = hintForParent(path, env) ?? hintForMisplaced(path, env);
  if (misplaced !== null) return misplaced;
  if (env.scope?.siblings !== undefined && /^(?:desc|descending|reverse)$/i.test(path.source))
    return typeof env.scope.item === "object"
      ? "For the reverse order, write desc after the key, without a comma: sort(date desc)."
      : "The elements are single values, which are written as 'this': sort(this desc).";
  if (otherItemsHave(path, env.scope)) return null;
  const near =
    withoutItem(path, env) ??
    outsideOfTurn(path, env) ??
    outsideOfItem(path, env) ??
    spacedKey(path, headNames(env), env) ??
    positionMeant(path) ??
    variableOfItem(path, env) ??
    dollarNameMeant(path, env) ??
    nestedMeant(path, env) ??
    spacedKeyMeant(path, env) ??
    correctedPath(path, env, nearest, false) ??
    itemMeant(path, env) ??
    chainMeant(path, env) ??
    (isWhole ? modifierMeant(path, env) : null) ??
    functionOfValue(path, env) ??
    ownNameMeant(path, env) ??
    correctedPath(path, env, contained, true) ??
    atOtherLevel(path, env);
  return near === null || near === path.source
    ? (hintForOuterList(path, env) ??
        hintForFunctionName(path) ??
        hintForSingleValue(path, env) ??
        hintForKeyOfItems(path, env))
    : (hintForItem(near, path, env) ?? didYouMean(near, path.source));
}

/** Returns the key that differs from a name only in spaces around it, such as `"Name "`; or null. */
function spacedKey(
  { head, rest }: PathExpression,
  names: readonly string[],
  env: Evaluation,
): string | null {
  if (head === null || isThere(head, env)) return null;
  const key = names.find((name) => name !== head && name.trim() === head);
  return key === undefined ? null : spelled(key, rest, env);
}

/** Returns the hint for an argument without a value. `example`: a value that the argument may have. */
export function hintForArgument(
  path: PathExpression,
  env: Evaluation,
  example: string | null = null,
): string | null {
  const near = hintForMissing(path, env, false);
  if (/^(?:[dMyHms]{1,4}\.)+[dMyHms]{1,4}$/.test(path.source)) {
    return `Text goes in quotes: "${path.source}".`;
  }
  if (path.rest.length > 0) {
    const elsewhere = near ?? keyElsewhere(path, env);
    if (elsewhere !== null) return elsewhere;
    const isName = path.head === null ? !path.source.startsWith(".") : isThere(path.head, env);
    const text = isName ? "" : `Text goes in quotes: "${path.source}". `;
    return `${text}If it may be missing, write what counts in its place: ${path.source} ?? ${example ?? '"…"'}.`;
  }
  if (path.head !== null && isThere(path.head, env)) {
    const other = example === null ? "" : `, as in ${path.source} ?? ${example}`;
    return `The data has '${path.source}' without a value: fill it, or write a value in its place${other}.`;
  }
  return `Text goes in quotes: "${path.source}".${near === null ? "" : ` ${near}`}`;
}

/** Returns the path without `this`, if the item lacks a name that is known outside it; otherwise null. */
function outsideOfItem({ head, rest, source }: PathExpression, env: Evaluation): string | null {
  const [name, ...keys] = rest;
  if (head !== null || name === undefined || !/^this\b/.test(source)) return null;
  const path = { kind: "path", source: "", head: name, rest: keys } as const;
  return resolve(path, env) === undefined ? null : spelled(name, keys, env);
}

/** Finds the candidate that a word probably means. */
type Match = (word: string, candidates: readonly string[]) => string | null;

/**
 * Returns the path with every unknown name corrected, or null if nothing changes. With `strict`, also returns null if a
 * name remains unknown.
 */
export function correctedPath(
  path: PathExpression,
  env: Evaluation,
  match: Match,
  strict: boolean,
): string | null {
  const dotted = path.rest.length === 0 ? null : dottedKey(path, env, match);
  if (dotted !== null) return dotted;
  const begin = headOf(path.head, env, match, strict);
  if (begin === null) return null;
  return correctedKeys(begin, path.rest, { env, match, strict });
}

/** How unknown names are corrected. */
interface Correcting {
  readonly env: Evaluation;
  readonly match: Match;
  readonly strict: boolean;
}

function correctedKeys(
  begin: Beginning,
  rest: readonly string[],
  correcting: Correcting,
): string | null {
  const { env, match, strict } = correcting;
  const keys = [...begin.keys];
  let { value, changed } = begin;
  for (const [index, key] of rest.entries()) {
    const there = isKeyOf(value, key, env);
    if (!there && key === "length" && !strict) {
      return lengthOf(value, spelled(begin.head, keys, env));
    }
    const turn = INDEX.test(key) ? null : turnOver(value, env);
    if (turn !== null) return inTurn(turn, rest.slice(index), correcting);
    const right = there ? key : match(key, keysOf(value));
    if (right === null) {
      if (strict || !changed || typeof value !== "object") return null;
      keys.push(...rest.slice(index));
      break;
    }
    changed ||= !there;
    keys.push(right);
    value = step(value, right, env);
  }
  return changed ? (elementIn(value, env) ?? spelled(begin.head, keys, env)) : null;
}

function isKeyOf(value: unknown, key: string, env: Evaluation): boolean {
  return hasKey(value, key) || step(value, key, env) !== undefined;
}

/** Returns the name of the element in a loop over a list of strings or numbers. */
function elementIn(value: unknown, env: Evaluation): string | null {
  const turn = turnOver(value, env);
  return turn === null || typeof turn.item === "object" ? null : (turn.alias ?? "this");
}

/**
 * Returns the innermost iteration over a list. In a loop over `persons`, `person.role` means `p.role`, not all roles.
 */
function turnOver(value: unknown, env: Evaluation): Scope | null {
  if (!Array.isArray(value)) return null;
  for (let at = env.scope; at !== null; at = at.outer) {
    const isItem = at.index !== null && at.length === value.length && value[at.index] === at.item;
    if (isItem) return at;
  }
  return null;
}

/** Returns the path of these keys of an item, with unknown keys corrected, or null if a key remains unknown. */
function inTurn(
  { alias }: Scope,
  keys: readonly string[],
  { env, match, strict }: Correcting,
): string | null {
  const [first = "", ...others] = keys;
  const [head, rest] = alias === null ? [first, others] : [alias, keys];
  const path = { kind: "path", source: "", head, rest } as const;
  const corrected = correctedPath(path, env, match, strict);
  return corrected ?? (resolve(path, env) === undefined ? null : spelled(head, rest, env));
}

/** Returns the key of flat data that the whole path probably means. Such a key is written without brackets. */
function dottedKey({ source, head }: PathExpression, env: Evaluation, match: Match): string | null {
  if (head !== null && isThere(head, env)) return null;
  const flat = headNames(env).filter((name) => name.includes(".") && name !== source);
  const near = match(source, flat);
  return near?.split(".").every(isPlainName) ? near : null;
}

interface Beginning {
  readonly head: string | null;
  /** If the head is the name of an item: the key of that item that the path's first name probably means. */
  readonly keys: readonly string[];
  readonly value: unknown;
  readonly changed: boolean;
}

function headOf(
  head: string | null,
  env: Evaluation,
  match: Match,
  strict: boolean,
): Beginning | null {
  if (head === null || isThere(head, env)) {
    return { head, keys: [], value: resolveHead(head, env), changed: false };
  }
  const found = (name: string): Beginning => {
    return { head: name, keys: [], value: resolveHead(name, env), changed: true };
  };
  const inItem = (near: Match): Beginning | null => (strict ? null : keyOfItem(head, env, near));
  const own = inItem((word, keys) => keys.find((key) => key === word) ?? null);
  if (own !== null) return own;
  const near = match(
    head,
    headNames(env).filter((name) => !name.includes(".")),
  );
  return near === null ? inItem(match) : found(near);
}

/** Returns a key of the item of an outer loop, to be written after the name of the item. */
function keyOfItem(head: string, env: Evaluation, match: Match): Beginning | null {
  for (let at = env.scope; at !== null; at = at.outer) {
    const key = at.alias === null ? null : match(head, keysOf(at.item));
    if (key === null) continue;
    return { head: at.alias, keys: [key], value: step(at.item, key, env), changed: true };
  }
  return null;
}

/** Whether an object, or the first element of a list, has a key, even with the value null. */
function hasKey(value: unknown, key: string): boolean {
  return hasOwn(value, key) || (Array.isArray(value) && hasOwn(value[0], key));
}

/** Returns the path as an author has to write it. */
export function spelled(head: string | null, keys: readonly string[], env: Evaluation): string {
  const rest = keys.map(spellKey).join("");
  if (head === null || isPlainName(head)) return `${head ?? "this"}${rest}`;
  return hasOwn(resolveHead(null, env), head)
    ? `this${spellKey(head)}${rest}`
    : `${quotedKey(head)}${rest}`;
}

function headNames({ scope, data }: Evaluation): string[] {
  const names = [...keysOf(data)];
  for (let at = scope; at !== null; at = at.outer) {
    if (at.alias === null) names.push(...keysOf(at.item));
    else names.push(at.alias);
  }
  return names;
}
