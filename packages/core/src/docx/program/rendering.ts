import type { Expression, PathExpression } from "../template/expression.ts";
import type { PreparedImages } from "../values/image/prepare-images.ts";
import type { Budget } from "./budget.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import type { Findings } from "./findings.ts";
import type { TagOrigin } from "./ops.ts";
import type { Output } from "./output.ts";
import type { PrintContext, PrintOptions } from "./print-tag.ts";
import { nearMiss, pointerOf, type RenderData, type Scope } from "./scope.ts";

/** The part of a message that names the budget when something outside of the parts uses it up. */
const EXPRESSIONS = "expressions";

/** All that the rendering of one document shares: its data, its options, what it finds and what it adds. */
export class Rendering implements PrintContext {
  readonly env: Evaluation & { scope: Scope | null };
  readonly findings: Findings;
  readonly options: PrintOptions;
  readonly images: PreparedImages | null;
  readonly budget: Budget;
  readonly output: Output;

  constructor(given: {
    readonly data: RenderData;
    readonly findings: Findings;
    readonly options: PrintOptions;
    readonly images: PreparedImages | null;
    readonly budget: Budget;
    readonly output: Output;
  }) {
    const { data, budget } = given;
    this.findings = given.findings;
    this.options = given.options;
    this.images = given.images;
    this.budget = budget;
    this.output = given.output;
    this.env = {
      data,
      scope: null,
      spend: (elements) => budget.steps(EXPRESSIONS, elements),
      missed: [] as PathExpression[],
      results: new Map(),
    };
  }

  /** The value of a condition. A comparison with what is missing is told: it may be a slip of the pen. */
  condition(origin: TagOrigin, condition: Expression): unknown {
    const value = evaluate(condition, this.env);
    for (const path of comparedPaths(condition)) {
      if (evaluate(path, this.env) !== undefined) continue;
      const near = nearMiss(path, this.env);
      this.findings.add(origin, {
        severity: "warning",
        code: "missing_in_condition",
        message: `The condition ${origin.text} compares '${path.source}', which the data does not have.`,
        ...(near === null ? {} : { hint: `Did you mean '${near}'?` }),
        pointer: pointerOf(path, this.env),
      });
    }
    return value;
  }
}

const compared = new WeakMap<Expression, readonly PathExpression[]>();

/** The paths that a condition compares with something that is there. */
function comparedPaths(condition: Expression): readonly PathExpression[] {
  const known = compared.get(condition);
  if (known !== undefined) return known;
  const asked = new Set(findTested(condition));
  const paths = findCompared(condition).filter(({ source }) => !asked.has(source));
  compared.set(condition, paths);
  return paths;
}

/** The paths of which a condition asks whether they are there: then it knows what it compares. */
function findTested(condition: Expression): string[] {
  switch (condition.kind) {
    case "path":
      return [condition.source];
    case "not":
    case "isPresent":
    case "isEmpty":
      return findTested(condition.operand);
    case "and":
    case "or":
      return [...findTested(condition.left), ...findTested(condition.right)];
    default:
      return [];
  }
}

function findCompared(condition: Expression): PathExpression[] {
  switch (condition.kind) {
    case "not":
      return findCompared(condition.operand);
    case "and":
    case "or":
      return [...findCompared(condition.left), ...findCompared(condition.right)];
    case "compare": {
      const sides = [condition.left, condition.right];
      // Whoever compares with null asks whether the value is there.
      if (sides.some((side) => side.kind === "literal" && side.value === null)) return [];
      return sides.filter((side) => side.kind === "path");
    }
    default:
      return [];
  }
}
