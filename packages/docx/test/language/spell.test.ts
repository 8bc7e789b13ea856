import { expect, test } from "vitest";
import { directiveOf, expressionsOf } from "../../src/language/directive.ts";
import type { Expression } from "../../src/language/grammar/expression.ts";
import { isSpelledAlike, spellExpression } from "../../src/language/grammar/spell.ts";

const VALUES = [
  ...["a.b[0]", 'customer["first name"]', "this.x", "12.50", '"a \\"b\\""', "$newline", "$today"],
  ...[
    "a + b * c",
    "(a + b) * c",
    "a - (b - c)",
    "a - b - c",
    "a / (b * c)",
    "-a",
    "-(a + b)",
    "a % 2",
  ],
  ...["a ?? b", "(a ?? 0) + 1", "a ?? b ?? c", "items.sum(price * qty)", "(a + b).round(2)"],
  ...[
    "items.where(not paid and qty > 2).sort(date desc, name).limit(3)",
    "items.first(id == x).name",
  ],
  ...[
    '$if(paid, "a", "b")',
    "$running(i.amount)",
    "$range(3)",
    "[a, b].max()",
    "row.v[$index - 1]",
  ],
  ...["i.$index", "$number.roman()", "prices.entries().map(value)", 'items.join(", ", " and ")'],
];
const CONDITIONS = [
  ...["a == 1 and (b or c)", "not (a and b)", "a isPresent and not b isEmpty", 'tags contains "x"'],
  ...['status in ["a", "b"]', "a ?? b", "(a ?? 0) > 1", "a and b and c", "a or b and c"],
];

function parsed(text: string): Expression {
  const directive = directiveOf(text);
  const [expression] = directive === null ? [] : expressionsOf(directive);
  if (expression === undefined) throw new Error(`${text} is not valid`);
  return expression;
}

test.each([...VALUES, ...CONDITIONS.map((each) => `if ${each}`)])(
  "%s keeps its meaning",
  (text) => {
    const expression = parsed(text);
    const spelled = spellExpression(expression);
    const again = parsed(text.startsWith("if ") ? `if ${spelled}` : spelled);
    expect(spellExpression(again)).toBe(spelled);
    expect(again).toEqual(expression);
  },
);

test("distinguishes expressions that differ only in their parentheses", () => {
  expect(isSpelledAlike(parsed("a - (b - c)"), parsed("a - b - c"))).toBe(false);
  expect(isSpelledAlike(parsed("$sum(items, price)"), parsed("items.sum(price)"))).toBe(true);
});
