import { pointerOf } from "@quire/core/host";
import type { z } from "zod";
import { type FieldProblem, invalid } from "../wire/problem.ts";

const EXPECTED: Readonly<Record<string, string>> = {
  string: "a string",
  object: "an object",
  array: "a list",
  boolean: "true or false",
  int: "an integer",
  number: "a number",
};

/** Parses a value with a schema and returns it. Throws a 400 with all problems. Their paths get the prefix `at`. */
export function check<T extends z.ZodType>(schema: T, value: unknown, at = ""): z.output<T> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map((issue) => problemOf(issue, at)));
}

function problemOf(issue: z.core.$ZodIssue, at: string): FieldProblem {
  const path = at + pointerOf(issue.path.map(String));
  const name = path === "" ? "The body" : `The field '${String(issue.path.at(-1))}'`;
  const isMissing = issue.input === undefined;
  if (isMissing) return { path, code: "required", message: `${name} is required.` };
  switch (issue.code) {
    case "invalid_value": {
      const values = issue.values.map((value) => JSON.stringify(value)).join(" or ");
      return { path, code: "wrong_value", message: `${name} must be ${values}.` };
    }
    case "invalid_type": {
      const expected = EXPECTED[issue.expected] ?? issue.expected;
      return { path, code: "wrong_type", message: `${name} must be ${expected}.` };
    }
    case "too_small":
      return { path, code: "empty", message: `${name} must not be empty.` };
    case "too_big":
      return { path, code: "limit_exceeded", message: `${name} is too long.` };
    default:
      return { path, code: "wrong_value", message: `${name} is not valid.` };
  }
}
