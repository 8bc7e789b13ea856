import type { ExpressionReader } from "./cursor.ts";
import { withTags } from "./delimiters/wording.ts";
import { loopMeant } from "./foreign.ts";
import {
  type Expression,
  isMadeList,
  noPlace,
  type PathExpression,
  pathsOf,
  sourceOf,
} from "./grammar/expression.ts";
import type { FunctionName } from "./grammar/functions.ts";
import { valueNamed } from "./keyword-hints.ts";
import { parseModifiers } from "./modifiers.ts";
import { TagSyntaxError } from "./tokens.ts";

/** The keywords for blocks that repeat. */
export type LoopKeyword = "for" | "tablerow" | "tablecolumn";

/** The meaning of the tag that begins a block that repeats. */
export interface Loop {
  readonly kind: LoopKeyword;
  /** The name of the current item within the block. */
  readonly alias: string;
  /** The list, or the path that it begins with if functions shape it. See {@link noPlace} for a list without data. */
  readonly collection: PathExpression;
  /** The whole expression of a list that functions shape: `items.sort(name)`. Null for the path alone. */
  readonly shape: Expression | null;
  /** Set by `:: optional`: a missing list is treated as empty. */
  readonly optional: boolean;
}

/** Reads what follows the keyword of a loop. `behind`: its text, for messages. */
export function parseLoop(kind: LoopKeyword, parser: ExpressionReader, behind: string): Loop {
  const { alias: item, list } = loopMeant(behind);
  const form = withTags`{{${kind} ${item} in ${list}}}`;
  const alias = parser.peek();
  if (alias?.kind !== "name") {
    throw new TagSyntaxError(
      `'${kind}' needs a name for the item.`,
      withTags`Write ${form}.${valueNamed(kind, behind)}`,
    );
  }
  parser.next("a name");
  if (kind === "tablerow" && alias.text === "if" && !parser.is("in")) {
    throw new TagSyntaxError(
      "A row is shown by a condition with 'if'.",
      withTags`Write {{if ${behind.replace(/^if\s+/, "")}}} into the first and {{endif}} into the last cell of the row.`,
    );
  }
  if (kind === "tablecolumn" && alias.text === "if" && !parser.is("in")) {
    return conditionalColumn(parser);
  }
  if (parser.take("in") === null) {
    throw new TagSyntaxError(
      `'${kind} ${alias.text}' needs 'in' and a list.`,
      withTags`Write ${form}.`,
    );
  }
  parser.alias = alias.text;
  const { expression, modifiers } = parseModifiers(parser, parser.value());
  checkRepeated(expression, behind);
  const source = sourceOf(expression);
  if (source === null && !isMadeList(expression)) {
    throw new TagSyntaxError(
      `'${kind} ${alias.text} in' needs a list.`,
      expression.kind === "number"
        ? withTags`To repeat it a number of times, write {{${kind} ${alias.text} in $range(${expression.text})}}.`
        : withTags`Write ${form}.`,
    );
  }
  const other = modifiers.find(({ name }) => name !== "optional");
  if (other !== undefined) {
    const separator = `${other.name}(${JSON.stringify(other.arguments[0]?.value || ", ")})`;
    throw new TagSyntaxError(
      `The modifier '${other.name}' has no meaning for a list to repeat.`,
      other.name.endsWith("delimiter")
        ? withTags`Write it into the last tag in the loop, as in {{${alias.text}.key :: ${separator}}} for items with keys, or {{${alias.text} :: ${separator}}} for single values.`
        : "Leave it out: only 'optional' and functions such as 'sort' and 'where' are allowed there.",
    );
  }
  const shape = expression === source ? null : expression;
  const collection = source ?? noPlace();
  return { kind, alias: alias.text, collection, shape, optional: modifiers.length > 0 };
}

/** The functions that make one number or text from a list. */
const SINGLE: ReadonlySet<FunctionName> = new Set([
  "$count",
  "$sum",
  "$average",
  "$join",
  "$length",
]);

/** Throws for a list whose last function gives a single value, such as `items.sum(price)`. */
function checkRepeated(expression: Expression, behind: string): void {
  if (expression.kind !== "call" || !SINGLE.has(expression.name)) return;
  const name = expression.name.slice(1);
  const value = behind.replace(/^\S+\s+in\s+/, "").trim();
  const list = new RegExp(`^(.+)\\.${name}\\([^()]*\\)$`).exec(value)?.[1];
  throw new TagSyntaxError(
    `'${name}' gives a single ${name === "join" ? "text" : "value"}, and a block repeats a list.`,
    list === undefined
      ? withTags`Print it: {{${value}}}.`
      : withTags`Print it, {{${value}}}, or leave out '.${name}' to repeat the items: ${list}.${name === "count" ? ` For the numbers from 1 to it write $range(${value}).` : ""}`,
  );
}

/**
 * Reads the condition of `{{tablecolumn if condition}}`. The column repeats over a list of one element, or of none, that
 * has no name.
 */
function conditionalColumn(parser: ExpressionReader): Loop {
  const condition = parser.condition();
  parser.end();
  const [collection] = pathsOf(condition);
  if (collection === undefined) {
    throw new TagSyntaxError(
      "The condition of the column does not depend on the data.",
      withTags`Name a value, as in {{tablecolumn if show_prices}}.`,
    );
  }
  const list = (...items: readonly Expression[]): Expression => ({ kind: "list", items });
  const once = list({ kind: "literal", value: true });
  const shape: Expression = {
    kind: "call",
    name: "$if",
    arguments: [condition, once, list()],
    descending: [],
    alias: null,
  };
  return { kind: "tablecolumn", alias: "", collection, shape, optional: false };
}
