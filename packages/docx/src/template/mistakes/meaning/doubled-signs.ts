import type { Diagnostic } from "@quire/contracts";
import { expressionsOf } from "../../../language/directive.ts";
import {
  allOf,
  type CallExpression,
  type Expression,
} from "../../../language/grammar/expression.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** What a format prints beside the number: a percent sign, or the currency with this code. */
type Sign = "%" | { readonly code: string };

/** Warns about a percent sign or a currency beside a tag that prints it itself. */
export function signTwice(tag: TagNode): Diagnostic | null {
  const { directive, text, near, delimiters } = tag;
  const at = near.indexOf(text);
  if (directive.kind !== "value" || at === -1) return null;
  const formats = directive.modifiers.map(({ name, arguments: [given] }) =>
    signOf(name, given?.value),
  );
  const sign = formats.find((each) => each !== null) ?? signOfCall(directive.expression);
  if (sign === null) return null;
  const place = placeOf(sign, near.slice(0, at), near.slice(at + text.length), delimiters.start);
  if (place === null) return null;
  const name = sign === "%" ? "percent sign" : "currency";
  const message = `The tag ${text} prints the ${name} itself, and the text ${place} it has one, too.`;
  return warning(tag, message, `Leave out the ${name} ${place} the tag.`);
}

/** Warns about `$concat("EUR ", net.currency("EUR"))`. */
export function signTwiceInText(tag: TagNode): Diagnostic[] {
  return expressionsOf(tag.directive)
    .flatMap(allOf)
    .flatMap((each) => (each.kind === "call" && each.name === "$concat" ? doubledIn(each) : []))
    .map((sign) => {
      const name = sign === "%" ? "percent sign" : "currency";
      const message = `In the tag ${tag.text}, a function prints the ${name}, and the text beside it has one, too.`;
      return warning(tag, message, `Leave out the ${name} in the text.`);
    });
}

/** Returns the signs that are in a text beside the function that prints them. */
function doubledIn({ arguments: parts }: CallExpression): Sign[] {
  return parts.flatMap((part, index) => {
    const sign = signOfCall(part);
    if (sign === null) return [];
    const [before, after] = [textOf(parts[index - 1]), textOf(parts[index + 1])];
    return placeOf(sign, before, after, null) === null ? [] : [sign];
  });
}

function textOf(part: Expression | undefined): string {
  return part?.kind === "literal" && typeof part.value === "string" ? part.value : "";
}

function signOfCall(expression: Expression): Sign | null {
  if (expression.kind !== "call") return null;
  return signOf(expression.name.slice(1), textOf(expression.arguments[1]));
}

/** Returns the sign that a format prints, or null. `given`: its argument, such as a currency or a pattern. */
function signOf(name: string, given = ""): Sign | null {
  if (name === "percent") return "%";
  if (name === "currency") return { code: given };
  if (name !== "number") return null;
  if (given.includes("%")) return "%";
  const found = Object.entries(SIGNS).find(([code, sign]) => {
    return given.includes(sign) || given.includes(code);
  });
  return found === undefined ? null : { code: found[0] };
}

/** Returns where the text beside a value has its sign, too; or null. */
function placeOf(
  sign: Sign,
  before: string,
  after: string,
  tagStart: string | null,
): "before" | "after" | null {
  const next = after.trimStart();
  if (sign === "%") return /^%(?!-?\p{L})/u.test(next) ? "after" : null;
  if (hasSignAtEnd(before, sign.code)) return "before";
  return hasSignAtStart(next, sign.code, tagStart) ? "after" : null;
}

/** Whether a text begins with the sign of a currency, or with its code as a word, which belongs to the tag before it. */
function hasSignAtStart(text: string, code: string, tagStart: string | null): boolean {
  const sign = SIGNS[code];
  if (sign !== undefined && text.startsWith(sign)) {
    const after = text.slice(sign.length).trimStart();
    const isTag = tagStart !== null && after.startsWith(tagStart);
    const isOfNext = /^[\d.,-]*\d/.test(after) || isTag;
    return (
      !isOfNext || (isTag && /^(?:end|else|\/)/.test(after.slice(tagStart.length).trimStart()))
    );
  }
  return (
    OWN_SIGN.test(code) && text.startsWith(code) && !/^[-\p{L}]/u.test(text.slice(code.length))
  );
}

/** The signs of currencies that authors type next to a tag. */
const SIGNS: Readonly<Record<string, string>> = {
  EUR: "€",
  USD: "$",
  GBP: "£",
  JPY: "¥",
  INR: "₹",
};

/** Whether a text ends with the sign of a currency, or with its code as a word. */
function hasSignAtEnd(text: string, code: string): boolean {
  const trimmed = text.trimEnd();
  const sign = SIGNS[code];
  if (sign !== undefined && trimmed.endsWith(sign)) return true;
  return OWN_SIGN.test(code) && new RegExp(`(?<![\\p{L}])${code}$`, "u").test(trimmed);
}

/** Currencies whose sign no other currency has, so that the code after it says nothing more. */
const OWN_SIGN = /^(?:EUR|GBP|INR|CHF|PLN|CZK|HUF|TRY)$/;

function warning(tag: TagNode, message: string, hint: string): Diagnostic {
  return { ...tagProblem(tag, "doubtful_sign", message, hint), severity: "warning" };
}
