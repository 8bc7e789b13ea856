import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { written } from "../../../language/literal-conditions.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** Warns about `{{at.hour()}}:{{at.minute()}}`, which prints 9:5 at five past nine. */
export function minuteAfterHour(tag: TagNode): Diagnostic | null {
  const { directive, text, near } = tag;
  if (directive.kind !== "value" || directive.modifiers.length > 0) return null;
  const { expression } = directive;
  if (expression.kind !== "call" || expression.name !== "$minute") return null;
  const [of] = expression.arguments;
  const before = near.slice(0, Math.max(near.indexOf(text), 0));
  if (!/hour\(\)[^\p{L}\p{N}({]*[:.]\s?$/u.test(before)) return null;
  const time = of === undefined ? null : written(of);
  const message = `The tag ${text} prints no leading zero: five past nine is 9:5.`;
  return doubtfulSign(
    tag,
    message,
    withTags`For the time write {{${time ?? "date"} :: format("HH:mm")}}.`,
  );
}

/** Matches hours that are computed from minutes and not rounded down, before a colon: `{{minutes / 60}}:`. */
const HOURS = /\/\s*60\b(?![^{}]*"(?:down|floor)")[^{}]*\}\}\s?(?::|h)\s?$/;

/** Warns about `{{minutes / 60}}:{{minutes % 60}}`, which prints 1.5:30 for 90 minutes. */
export function minutesAfterHours(tag: TagNode): Diagnostic | null {
  const { directive, text, near } = tag;
  if (directive.kind !== "value" || directive.expression.kind !== "compute") return null;
  const { operator, left, right } = directive.expression;
  if (operator !== "%" || right.kind !== "number" || right.text !== "60") return null;
  const before = near.slice(0, Math.max(near.indexOf(text), 0));
  const minutes = written(left);
  if (minutes === null || !HOURS.test(before)) return null;
  return doubtfulSign(
    tag,
    `The hours before the tag ${text} are not rounded down: 90 minutes are 1.5 hours and 30 minutes.`,
    withTags`Write {{(${minutes} / 60).round(0, "down")}}:{{(${minutes} % 60).padStart(2, "0")}}.`,
  );
}

function doubtfulSign(tag: TagNode, message: string, hint: Wording): Diagnostic {
  return { ...tagProblem(tag, "doubtful_sign", message, hint), severity: "warning" };
}
