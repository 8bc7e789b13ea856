import { isQuireError } from "@quire/contracts";
import { expect, test } from "vitest";
import { compileText } from "../../src/index.ts";

test.each([
  ["plain", []],
  ["{{id}}-{{! note }}{{name :: uppercase}}", [["id"], ["name"]]],
  ['{{a["first name"]}}', [["a", "first name"], ['a["first name"]']]],
  ["{{items[0].id}}", [["items", "0", "id"], ["items[0].id"]]],
  ["{{a.b + $sum(c)}}", [["a", "b"], ["a.b"], ["c"]]],
  ["{{this.a}}{{.b.c}}", [["a"], ["b", "c"]]],
  ['{{a :: default("b")}}', [["a"]]],
])("the text %j has the paths that its tags name", (text, paths) => {
  expect(compileText(text).paths).toEqual(paths);
});

test.each(["{{$number}}", "{{$index :: optional}}", "{{$number + 1}}"])(
  "%s is an error in a text template, which has no loops, and the hint suggests a data key",
  (text) => {
    try {
      compileText(`invoice-${text}`);
      expect.unreachable();
    } catch (error) {
      if (!isQuireError(error)) throw error;
      expect(error.code).toBe("invalid_template");
      expect(error.diagnostics).toMatchObject([
        {
          code: "tag_outside_loop",
          message: `${text} is the position in a loop, and plain text has no loops.`,
          hint: "Name a key of the data that differs from entry to entry, such as {{invoice_number}}.",
        },
      ]);
    }
  },
);
