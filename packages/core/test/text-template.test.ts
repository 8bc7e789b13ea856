import { expect, test } from "vitest";
import { compileText } from "../src/index.ts";

test.each([
  ["plain", []],
  ["{{id}}-{{! note }}{{name :: uppercase}}", [["id"], ["name"]]],
  ['{{a["first name"]}}', [["a", "first name"], ['a["first name"]']]],
  ["{{items[0].id}}", [["items", "0", "id"], ["items[0].id"]]],
  ["{{a.b + $sum(c)}}", [["a", "b"], ["a.b"], ["c"]]],
  ["{{this.a}}{{.b.c}}", [["a"], ["b", "c"]]],
  ['{{a :: default("b")}}', [["a"]]],
])("the text %j tells the places that its tags name", (text, paths) => {
  expect(compileText(text).paths).toEqual(paths);
});
