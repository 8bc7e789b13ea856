import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import {
  type CallExpression,
  type Expression,
  hasPlace,
  type PathExpression,
  sourceOf,
  spellKey,
} from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import type { TagOrigin } from "../../program/tag-ops.ts";
import { noteBlank, noteEmptyMarkup } from "./blank-texts.ts";
import type { Diagnostics } from "./context/document-diagnostics.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { leavesOf, placeOf, pointerOf } from "./context/pointers.ts";
import { hasOwn, turnIn, turnNamed } from "./context/scope.ts";
import type { DoubtfulName } from "./context/section-keys.ts";
import { isSettled, isShown } from "./doubts/settled.ts";
import { noteTruthOfList } from "./doubts/truth-of-lists.ts";

/**
 * Reports the doubts about a tag that were recorded since its evaluation began. `missing` is the severity for missing
 * values. A tag may allow missing values. In a condition, they are always a warning.
 */
export function reportDoubts(
  { doubts }: Pick<Evaluation, "doubts">,
  origin: TagOrigin,
  diagnostics: Diagnostics,
  missing: "by policy" | "allowed" | "warning" = "warning",
): void {
  for (const { code, message, hint, pointers, isMissing, truthOf, ...only } of doubts) {
    const { ifPrinted } = only;
    if (isSettled(only, origin.text)) continue;
    if (ifPrinted !== undefined && !isShown(ifPrinted, origin)) continue;
    if (isMissing && missing === "allowed") continue;
    if (truthOf !== undefined && origin.printed?.has(truthOf) === true) continue;
    const severity = isMissing && missing === "by policy" ? diagnostics.severityOfGaps : "warning";
    const diagnostic = { severity, code, message: message(origin.text) };
    diagnostics.addAt(origin, diagnostic, pointers, () => hint);
  }
  doubts.length = 0;
}

/** Removes the doubts about comparisons that were recorded from one index to another, because they do not matter. */
export function settleComparisons({ doubts }: Evaluation, from: number, to = doubts.length): void {
  const settled = doubts.splice(from, to - from);
  doubts.push(...settled.filter(({ code }) => code !== "doubtful_comparison"));
}

/**
 * Records elements for which the value of a path, or of the keys after a list, is missing or null, in a list that is
 * printed or used in a computation.
 */
export function noteGaps(of: Expression, list: unknown, env: Evaluation): void {
  if ((of.kind !== "path" && of.kind !== "member") || !Array.isArray(list)) return;
  if (env.gaps.count === 0 && !list.includes(null) && !list.includes(undefined)) return;
  env.doubts.push({
    code: "skipped_value",
    message: (tag) =>
      `The tag ${tag} leaves out elements of '${spellExpression(of)}' that have no value.`,
    hint: "Give each element a value, or write :: optional in the tag if some may lack one.",
    pointers: of.kind === "path" ? gapsOf(of, env) : sourcesOf(of, env),
    isMissing: true,
  });
}

/** Records elements that a function leaves out of its list because they have no value. */
export function noteLeftOut(
  of: Expression,
  list: unknown,
  call: Pick<CallExpression, "name">,
  env: Evaluation,
): void {
  noteGaps(of, list, env);
  if (of.kind === "list") noteMissingElements(of.items, list, call, env);
}

/** Records elements without a value of a list that is written in brackets, such as `[net, freight].sum()`. */
function noteMissingElements(
  items: readonly Expression[],
  list: unknown,
  { name }: Pick<CallExpression, "name">,
  env: Evaluation,
): void {
  if (!Array.isArray(list)) return;
  const missing = items.filter(
    (item, index): item is PathExpression => item.kind === "path" && isMissing(list[index]),
  );
  const [first] = missing;
  if (first === undefined) return;
  const { source } = first;
  env.doubts.push({
    code: "skipped_value",
    message: (tag) => `The tag ${tag} leaves out '${source}', which has no value.`,
    hint:
      name === "$join"
        ? 'Correct its name, add it to the data, or leave out empty values: [a, b].nonEmpty().join(", ").'
        : `Correct its name, add it to the data, or write what counts in its place: (${source} ?? 0).`,
    pointers: missing.map((path) => pointerOf(path, env)),
    isMissing: true,
  });
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined;
}

function* gapsOf(path: PathExpression, env: Evaluation): Generator<string> {
  let found = false;
  for (const { value, pointer } of leavesOf(path, env)) {
    if (!isMissing(value)) continue;
    found = true;
    yield pointer;
  }
  if (!found) yield pointerOf(path, env);
}

function sourcesOf(of: Expression, env: Evaluation): string[] {
  const source = sourceOf(of);
  return source === null ? [] : [pointerOf(source, env)];
}

/**
 * Records a number of the data in brackets that takes an element by its position, although another element has that
 * number as its id. `found`: the element at the position.
 */
export function notePosition(
  path: PathExpression,
  position: string,
  list: readonly unknown[],
  found: unknown,
  env: Evaluation,
): void {
  if (isCounted(path, env)) return;
  const identity = env.sections.identityOf(list, env);
  if (identity === null || !identity.values.has(position)) return;
  const { key } = identity;
  if (hasOwn(found, key) && String(found[key]) === position) return;
  env.doubts.push({
    code: "position_in_brackets",
    message: (tag) =>
      `In the tag ${tag}, the number '${path.source}' in brackets is a position, from 0: it does not take the element with this '${key}'.`,
    hint: `To look for the key, write first(${key} == ${path.source}) in place of the brackets.`,
    pointers: [pointerOf(path, env)],
    isMissing: false,
  });
}

/**
 * Records `$number` in brackets, which takes the element after the one at the position in the loop, unless the elements
 * are the items of the loop itself. If the last element is missing, its error has the hint.
 */
export function noteNumber(
  { name, of: item }: Extract<Expression, { kind: "variable" }>,
  of: Expression,
  list: readonly unknown[],
  { scope, doubts }: Evaluation,
): void {
  const turn = item === null ? turnIn(scope) : turnNamed(item, scope);
  if (name !== "$number" || turn === null || turn.index !== 0 || turn.items === list) return;
  if (list[0] === turn.item || list.length <= (turn.length ?? 0)) return;
  const source = of.kind === "path" ? of.source : "list";
  const index = `${item === null ? "" : `${item}.`}$index`;
  doubts.push({
    code: "position_in_brackets",
    message: (tag) =>
      `In the tag ${tag}, $number in brackets takes the element after the one at this position.`,
    hint: `${FROM_ZERO} write ${source}[${index}].`,
    pointers: [],
    isMissing: false,
  });
}

/** Begins the hint for `$number` in brackets. */
export const FROM_ZERO = "Positions in brackets count from 0, but $number counts from 1:";

/** Whether a name is the item of a loop over `$range(…)` or other numbers that the template has. */
function isCounted({ head, rest }: PathExpression, { scope }: Evaluation): boolean {
  const turn = head === null || rest.length > 0 ? null : turnNamed(head, scope);
  return turn !== null && !hasPlace(turn.path);
}

/** Strings that mean false in CSV and forms. */
const SAYS_NO =
  /^\s*(?:false|no|n|off|nein|non|nee|nej|não|falsch|faux|falso|fałsz|нет|-?0+(?:[.,]0+)?)\s*$/iu;
/** Text that programs and people write for a missing value. */
const SAYS_NOTHING = /^\s*(?:null|undefined|nil|nan|#?n\/a|[-–—])\s*$/i;
/** Maximum length of the strings that are checked. Longer ones mean "no" only if they have many zeros or spaces. */
const MAX_NO = 20;

/** What the truth of a value is used for. */
type Use = "condition" | "negated" | "check box";

/** Records a string that means "no" but counts as true. */
export function noteTruth(
  expression: Expression,
  value: unknown,
  env: Evaluation,
  use: Use = "condition",
): void {
  if (Array.isArray(value) && expression.kind === "path") noteTruthOfList(expression, value, env);
  if (typeof value !== "string") return;
  noteEmptyMarkup(expression, value, env);
  if (value.length > MAX_NO) return;
  if (value !== "" && value.trim() === "") noteBlank(expression, env);
  const isNothing = SAYS_NOTHING.test(value);
  if (!isNothing && !SAYS_NO.test(value)) return;
  const name = expression.kind === "path" ? expression.source : "paid";
  const place = placeOf(expression, env);
  // It is one of the known words.
  const no = value.trim();
  env.doubts.push({
    code: "text_as_condition",
    message: (tag) =>
      `The tag ${tag} treats text that means ${isNothing ? "no value" : "no"} as true: only empty text counts as false.`,
    hint: hintForNo(name, no, use, isNothing),
    pointers: place === undefined ? [] : [place],
    isMissing: false,
    ...(expression.kind === "path" ? { truthOf: expression.source } : {}),
  });
}

function hintForNo(name: string, no: string, use: Use, isNothing: boolean): Wording {
  const instead = isNothing ? "Give null" : "Give false or 0";
  const start = `${instead} in the data instead of text, or compare it with the text, as in`;
  switch (use) {
    case "check box":
      return withTags`${start} {{(${name} != "${no}") :: checkbox}}. If any text counts, write {{(not (${name} isEmpty)) :: checkbox}}.`;
    case "negated":
      return `${start} ${name} == "${no}" without 'not'. If any text counts, write ${name} isEmpty.`;
    case "condition":
      return `${start} ${name} != "${no}". If any text counts, write not (${name} isEmpty).`;
  }
}

/** Whether a value is present. Records empty text and HTML without text, which are. */
export function isGiven(operand: Expression, value: unknown, env: Evaluation): boolean {
  if (value === "" && operand.kind === "path") notePresent(operand, env);
  if (typeof value === "string" && value !== "") {
    if (value.trim() === "") noteBlank(operand, env, "without 'isPresent'");
    else noteEmptyMarkup(operand, value, env, "isPresent");
  }
  return value !== undefined;
}

function notePresent(operand: PathExpression, env: Evaluation): void {
  const { source } = operand;
  env.doubts.push({
    code: "empty_text",
    message: (tag) => `In the tag ${tag}, '${source}' is empty text, which is present.`,
    hint: `To ask for text, write ${source} without 'isPresent': empty text counts as false.`,
    pointers: [pointerOf(operand, env)],
    isMissing: false,
    ifPrinted: source,
  });
}

/** Records a name that may not have the value that its author means. */
export function noteName(path: PathExpression, doubtful: DoubtfulName, env: Evaluation): void {
  const name = path.head ?? "";
  const { section, isHidden } = doubtful;
  const own = `this${spellKey(name)}`;
  const key: PathExpression = { kind: "path", source: own, head: null, rest: [name] };
  const pointers = [pointerOf(key, { ...env, scope: section })];
  if (isHidden) {
    const loop = env.opened?.get(name) ?? "the loop";
    env.doubts.push({
      code: "hidden_key",
      message: (tag) =>
        `The tag ${tag} refers to the item of ${loop}, although the surrounding section also has the key '${name}'.`,
      hint: withTags`Give the item of the loop another name, or write {{${own}}} for the key.`,
      pointers,
      isMissing: false,
      unlessNamed: name,
    });
    return;
  }
  env.doubts.push({
    code: "value_from_outside",
    message: (tag) =>
      `The tag ${tag} takes '${name}' from outside its section '${section.path.source}': this item has no such key, but other items do.`,
    hint: withTags`Give the key to each item, with null where it has no value, or write {{${own}}} for the item's own value.`,
    pointers,
    isMissing: false,
  });
}
