import type { Expression } from "./grammar/expression.ts";
import { FUNCTIONS, type FunctionName } from "./grammar/functions.ts";
import { TagSyntaxError } from "./tokens.ts";

/** Throws {@link TagSyntaxError} if fixed arguments show that an author has swapped them. */
export function checkOrder(name: FunctionName, [of, ...given]: readonly Expression[]): void {
  if (of === undefined) return;
  const [first, second] = given;
  const method = name.slice(1);
  if (name === "$padStart" || name === "$padEnd") {
    if (first?.kind !== "literal" || second === undefined || second.kind === "literal") return;
    throw new TagSyntaxError(
      `The length of '${method}' comes before the text that fills it.`,
      `Write ${method}${FUNCTIONS[name].example}.`,
    );
  }
  if (name === "$substring" && second?.kind === "number" && Number(second.text) === 0) {
    throw new TagSyntaxError(
      "The second number of 'substring' is the number of characters, so the result is always empty.",
      "Write the position first, from 0: substring(0, 3) is the first three characters.",
    );
  }
  if (isSwapped(name, of, first)) {
    throw new TagSyntaxError(
      `The ${FUNCTIONS[name].of} of '${name}' comes before its other arguments.`,
      `Write ${first?.kind === "path" ? first.source : "value"}.${method}(${writtenOf(of)}).`,
    );
  }
}

/** Whether a fixed number or text is in the place of the value, and a path in the place of the argument. */
function isSwapped(name: FunctionName, of: Expression, first: Expression | undefined): boolean {
  if (first?.kind !== "path") return false;
  const kind = FUNCTIONS[name].of;
  return of.kind === "number" ? kind === "date" : isText(of) && kind === "list";
}

function isText(expression: Expression): boolean {
  return expression.kind === "literal" && typeof expression.value === "string";
}

function writtenOf(expression: Expression): string {
  if (expression.kind === "number") return expression.text;
  return expression.kind === "literal" ? JSON.stringify(expression.value) : "…";
}
