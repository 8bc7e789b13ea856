import { kindOf } from "../../../format/print.ts";
import type { Wording } from "../../../language/delimiters/wording.ts";
import type {
  CallExpression,
  Expression,
  PathExpression,
} from "../../../language/grammar/expression.ts";
import { isArgumentPerItem, pathsOf } from "../../../language/grammar/expression.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { FUNCTIONS, makesList } from "../../../language/grammar/functions.ts";
import { noteAbsent } from "../absent-in-choice.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";
import { pathsOfCondition } from "../condition-paths.ts";
import type { Evaluation, Evaluator } from "../context/evaluation.ts";
import {
  chosenList,
  Entry,
  entriesOf,
  Group,
  noteElements,
  noteMade,
  noteSource,
} from "../context/origins.ts";
import { placed } from "../context/placed.ts";
import { madeElementPointer } from "../context/pointers.ts";
import { callSteps } from "../context/weights.ts";
import { noteCall } from "../doubts/calls.ts";
import { noteLeftOut } from "../doubts.ts";
import { noteLengths } from "../hints/length-meant.ts";
import { hintForArgument, hintForMissing } from "../suggestions.ts";
import { callFunction, numberOf } from "./aggregates.ts";
import { DATE_FUNCTIONS, dateIn, fromUnix } from "./dates.ts";
import { hintForForms } from "./form-hints.ts";
import { formatterOf } from "./formatted.ts";
import { LIST_FUNCTIONS } from "./lists.ts";
import { isLanguage, languageHint, NUMBER_FUNCTIONS } from "./numbers.ts";
import { toDate, toNumber } from "./parsed.ts";
import { range } from "./range.ts";
import { runningTotal } from "./running-total.ts";
import { isShared } from "./shared-results.ts";
import { noteChosen, noteSingle } from "./single-sums.ts";
import { TEXT_FUNCTIONS, textIn } from "./texts.ts";
import { hintForTimes } from "./times.ts";
import { noList, notAList } from "./wrong-lists.ts";

/** Functions that skip the elements of a list that have no value. */
const LEAVES_OUT: ReadonlySet<FunctionName> = new Set([
  "$sum",
  "$average",
  "$min",
  "$max",
  "$join",
]);

/** Number of steps to write a number in words. */
const NUMBER_STEPS = 16;

/**
 * Returns the result of a function, or undefined if a value that it needs is missing. Throws {@link EvaluationError}
 * for values that the function does not take.
 */
export function evaluateCall(call: CallExpression, env: Evaluation, by: Evaluator): unknown {
  const [first, ...others] = call.arguments;
  if (call.name === "$if") return choose(call, env, by);
  if (call.name === "$running") return runningTotal(call, env, by);
  const known = env.results?.get(call);
  if (known !== undefined && isShared(call, known.of, env)) return known.result;
  env.gaps.count = 0;
  const of = first === undefined ? undefined : by.evaluate(first, env);
  if (of === undefined && first?.kind === "path") env.missed.push(first);
  if (first !== undefined && LEAVES_OUT.has(call.name)) noteLeftOut(first, of, call, env);
  if (of === undefined) return undefined;
  noteSingle(call, of, env);
  noteChosen(call, of, env);
  if (Array.isArray(of)) {
    env.spend(of.length);
    if (first?.kind === "path") noteSource(of, first, env.scope);
    if (first?.kind === "list") noteElements(of, first, env.scope);
  }
  const values = [of, ...others.map((other, index) => givenValue(other, index, call, env, by))];
  env.spend(callSteps(call.name, values), "texts");
  const result = called(call, values, env, by);
  noteCall(call, values, result, env);
  if (first?.kind === "path" && Array.isArray(result) && makesList(call.name)) {
    noteMade(result, () => first, env.scope);
  }
  // A missing result is not shared, because missing values must be reported for each place.
  if (result !== undefined && isShared(call, of, env)) {
    env.results ??= new Map();
    env.results.set(call, { of, result });
  }
  return result;
}

/** Returns the value of an argument; undefined if it is evaluated for each item. */
function givenValue(
  argument: Expression,
  index: number,
  call: CallExpression,
  env: Evaluation,
  by: Evaluator,
): unknown {
  if (isArgumentPerItem(call, index + 1)) return undefined;
  const value = by.evaluate(argument, env);
  if (value !== undefined) return value;
  // Without its end, a range is missing like the value that it is called on.
  if (call.name !== "$range") checkGiven(call, index, argument, env);
  else if (argument.kind === "path") env.missed.push(argument);
  return undefined;
}

function hintForGiven(
  { name, arguments: [of] }: CallExpression,
  argument: PathExpression,
  env: Evaluation,
): Wording | null {
  if (isLanguage(argument.source, name)) return languageHint(argument.source, name);
  if (name === "$join" && of?.kind === "path") {
    const { source } = argument;
    if (/^(?:newline|linebreak|line_break|br|nl)$/i.test(source))
      return `For a line break write ${of.source}.join($newline).`;
    return `To join a value of each item, write ${of.source}.map(${source}).join(", "). If it is text, put it in quotes: "${source}".`;
  }
  if (FUNCTIONS[name].of === "date") return hintForMissing(argument, env, false) ?? ADD;
  if (name !== "$concat") return hintForArgument(argument, env, exampleOf(name));
  return `Write what is printed in its place, as in (${argument.source} ?? ""), or text in quotes: "${argument.source}".`;
}

const ADD = "Add it to the data, or correct its name.";

/** Returns an example of the first argument of a function; null if it is not a number or text. */
function exampleOf(name: FunctionName): string | null {
  return /^\(("[^"]*"|\d+)\)$/.exec(FUNCTIONS[name].example)?.[1] ?? null;
}

/** Throws for a missing value in place of an argument. An optional one would count as not given. */
function checkGiven(
  call: CallExpression,
  index: number,
  argument: Expression,
  env: Evaluation,
): void {
  const { name } = call;
  if (argument.kind !== "path") return;
  const hint = hintForGiven(call, argument, env);
  throw Object.assign(
    new EvaluationError(`the argument '${argument.source}' of ${name} was not provided`),
    { argument: index + 1, ...(hint === null ? {} : { hint }) },
  );
}

function choose(
  { arguments: [condition, one, other] }: CallExpression,
  env: Evaluation,
  by: Evaluator,
): unknown {
  const absentBefore = env.absent;
  env.absent = false;
  const isTrue = condition !== undefined && by.holds(condition, env);
  if (condition !== undefined) noteLengths(pathsOfCondition(condition).others, env);
  if (condition !== undefined && isAbsent(env)) noteAbsent(condition, env, by);
  env.absent = absentBefore === true || isAbsent(env);
  const chosen = isTrue ? one : other;
  forgetTruths(condition, [one, other], env);
  const value = chosen === undefined ? undefined : by.evaluate(chosen, env);
  if (chosen?.kind !== "path") return value;
  if (value === undefined) env.missed.push(chosen);
  if (!Array.isArray(value)) return value;
  env.spend(value.length);
  return chosenList(value, chosen, env.scope);
}

/** Forgets doubts about a condition whose value `$if` also prints: it only tests whether there is text. */
function forgetTruths(
  condition: Expression | undefined,
  results: readonly (Expression | undefined)[],
  { doubts }: Evaluation,
): void {
  if (condition === undefined || doubts.length === 0) return;
  const printed = results.flatMap((each) => (each === undefined ? [] : pathsOf(each)));
  const sources = new Set(printed.map(({ source }) => source));
  const kept = doubts.filter(({ truthOf }) => truthOf === undefined || !sources.has(truthOf));
  doubts.splice(0, doubts.length, ...kept);
}

/** Whether a value was missing since `absent` was reset. */
function isAbsent({ absent }: Evaluation): boolean {
  return absent === true;
}

/** Returns a function on a single value; null for other functions. */
function functionOfValue(
  name: FunctionName,
): ((of: unknown, given: readonly unknown[], env: Evaluation) => unknown) | null {
  const [ofText, ofNumber] = [TEXT_FUNCTIONS[name], NUMBER_FUNCTIONS[name]];
  if (ofText !== undefined) {
    return (of, given, { locale, spend }) => {
      const context = { name, locale, spend };
      return ofText(textIn(of, 0, context), given, context);
    };
  }
  if (ofNumber !== undefined) {
    return (of, given, { locale, spend }) => {
      spend(NUMBER_STEPS, "texts");
      return ofNumber(numberOf(name, of), given, { name, locale });
    };
  }
  if (name === "$fromUnix") return (of, [unit]) => fromUnix(of, unit);
  if (name === "$toNumber") return (of, [sign]) => toNumber(of, sign);
  if (name === "$toDate") return (of, [pattern], env) => toDate(of, pattern, env);
  if (name === "$range") return range;
  const formatter = formatterOf(name);
  if (formatter !== null) return formatter;
  const ofDate = DATE_FUNCTIONS[name];
  if (ofDate === undefined) return null;
  return (of, given, { timeZone }) => {
    const context = { name, timeZone };
    return ofDate(dateIn(of, 0, context), given, { ...context, value: of });
  };
}

/** Functions on lists that also take a single value. */
const OF_VALUES: ReadonlySet<FunctionName> = new Set([...LEAVES_OUT, "$count"]);

function called(
  call: CallExpression,
  values: readonly unknown[],
  env: Evaluation,
  by: Evaluator,
): unknown {
  const { name } = call;
  const [of, ...given] = values;
  try {
    const ofValue = functionOfValue(name);
    if (ofValue !== null) return ofValue(of, given, env);
    if (name === "$entries") return entriesIn(of, call, env);
    const ofList = LIST_FUNCTIONS[name];
    const isExtreme = Array.isArray(of) && (name === "$min" || name === "$max");
    const takesValues = OF_VALUES.has(name) && call.arguments.length === 1 && !isExtreme;
    const wrong = notAList(call, of);
    if (wrong !== null) throw wrong;
    if (ofList === undefined || takesValues) return callFunction(call, values);
    if (!Array.isArray(of)) throw noList(call, of, OF_VALUES.has(name));
    return ofList({ call, list: of, env, values, by });
  } catch (error) {
    hintForTimes(error, call, values);
    hintForForms(error, call, values, env);
    const isOfElement = error instanceof EvaluationError && (error.argument ?? 0) === 0;
    if (isOfElement && error.element !== undefined && Array.isArray(of)) {
      const pointer = madeElementPointer(of, error.element, env);
      if (pointer !== null) error.pointer ??= pointer;
    }
    throw placed(error, call, env);
  }
}

function entriesIn(of: unknown, call: CallExpression, env: Evaluation): readonly unknown[] {
  const [first] = call.arguments;
  if (!isObject(of)) {
    const hint = Array.isArray(of)
      ? "A list needs no entries: repeat it, as in {{for i in items}}."
      : 'Name an object, such as { "a": 1, "b": 2 }.';
    throw Object.assign(
      new EvaluationError(`$entries needs an object, but got ${withArticle(of)}`),
      { argument: 0, hint },
    );
  }
  env.spend(Object.keys(of).length);
  return entriesOf(of, first?.kind === "path" ? first : null, env.scope);
}

/** Whether a value is an object of the data, not one that a function made. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return kindOf(value) === "object" && !(value instanceof Group || value instanceof Entry);
}
