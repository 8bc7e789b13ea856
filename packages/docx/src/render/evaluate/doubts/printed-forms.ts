import { toDecimal } from "../../../format/decimal.ts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { spellExpression, spellOperand } from "../../../language/grammar/spell.ts";
import type { TextOp } from "../../../program/tag-ops.ts";
import { argumentOf, hasModifier } from "../../../values/modifiers.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { pointerOf } from "../context/pointers.ts";
import { turnNamed } from "../context/scope.ts";

type Valued = Pick<TextOp, "origin" | "expression" | "modifiers">;

/** Returns a value as a tag prints it; undefined if the tag cannot print it. */
type Print = (value: unknown) => string | undefined;

/** Warns about a default such as 0 that is printed without the format of the tag. */
export function notePlainDefault(
  { origin, expression, modifiers }: Valued,
  fallback: string,
  print: Print,
  diagnostics: Diagnostics,
): void {
  const number = toDecimal(fallback);
  if (number === null) return;
  const format = modifiers.find(({ name }) => /^(?:number|currency|percent)$/.test(name));
  if (format === undefined || print(number) === fallback) return;
  diagnostics.warn(
    origin,
    "modifier_without_effect",
    `The default is printed as it is: '${format.name}' in the tag ${origin.text} has no effect on it.`,
    undefined,
    () => {
      const { text, delimiters } = origin;
      const content = text.slice(delimiters.start.length, -delimiters.end.length);
      const others = content
        .slice(content.indexOf("::") + 2)
        .replace(/\bdefault\([^()]*\)\s*(?:,|::)?/, "")
        .replace(/[\s,:]+$/, "")
        .trim();
      const spelled = spellExpression(expression);
      const value = /^(?:path|call|member|element)$/.test(expression.kind)
        ? spelled
        : `(${spelled})`;
      return withTags`To format it, too, write {{${value} ?? ${number.toString()} :: ${others}}}.`;
    },
  );
}

/** Matches a date with a time that is not midnight. */
const WITH_TIME = /^\s*\d{4}-\d\d-\d\d[T ](?!00:00(?::00|\D|$))\d\d:\d\d/;

/** Warns about `{{start :: format("mm")}}` for a date with a time, which prints the month. */
export function noteMinutes(
  { origin, expression, modifiers }: Valued,
  value: string,
  diagnostics: Diagnostics,
): void {
  if (!hasModifier(modifiers, "format") || !WITH_TIME.test(value)) return;
  const pattern = argumentOf(modifiers, "format") ?? "";
  if (!/^mm?$/.test(pattern)) return;
  // Beside a day or a year and no hour, it is meant as the month.
  const beside = [...origin.near.matchAll(/format\(\s*\W([^()]*)\W\s*\)/gu)].map(([, own]) => own);
  const isOf = (sign: RegExp): boolean => beside.some((own) => sign.test(own ?? ""));
  if (isOf(/[dy]/) && !isOf(/[Hh]/)) return;
  diagnostics.warn(
    origin,
    "doubtful_date",
    `The tag ${origin.text} prints the month of a date with a time: '${pattern}' alone is the month.`,
    undefined,
    () =>
      withTags`For the minutes write {{${spellOperand(expression)}.minute().padStart(2, "0")}}. For the month write ${pattern.toUpperCase()}.`,
  );
}

/** Warns about groups with different dates as keys that a tag prints as the same month or year. */
export function noteSameKeys(
  { origin, expression, modifiers }: Valued,
  text: string,
  print: Print,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (expression.kind !== "path" || !hasModifier(modifiers, "format")) return;
  const { head, rest } = expression;
  const turn = head === null || rest.join(".") !== "key" ? null : turnNamed(head, env.scope);
  if (turn === null || turn.items === null || turn.index === null || turn.index === 0) return;
  const before = turn.items[turn.index - 1];
  if (!(turn.item instanceof Group) || !(before instanceof Group)) return;
  if (before.key === undefined || before.key === null || print(before.key) !== text) return;
  const pattern = argumentOf(modifiers, "format") ?? "";
  const loop = (turn.alias === null ? undefined : env.opened?.get(turn.alias)) ?? "";
  diagnostics.warn(
    origin,
    "doubtful_group",
    `Several groups print the same key in the tag ${origin.text}.`,
    pointerOf(expression, env),
    () => hintForPattern(pattern, loop, turn.alias ?? "g"),
  );
}

function hintForPattern(pattern: string, loop: string, item: string): Wording {
  const [, key = "date"] = /\bgroup\(\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\)/u.exec(loop) ?? [];
  if (/^[^A-Za-z]*y+[^A-Za-z]*$/.test(pattern)) {
    return withTags`To group by year write .group(${key}.year()), and {{${item}.key}} for the year.`;
  }
  if (/[dEe]/.test(pattern)) return `To group by day write .group(${key}.startOfDay()).`;
  return /^[^\p{L}]*(?:M+[^\p{L}]*y+|y+[^\p{L}]*M+)[^\p{L}]*$/u.test(pattern)
    ? `To group by month write .group(${key}.startOfMonth()).`
    : withTags`To group by the printed text write .group(${key}.format("${pattern}")), and {{${item}.key}}.`;
}
