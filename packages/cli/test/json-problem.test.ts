import { expect, test } from "vitest";
import { jsonMistake } from "../src/entries/json-problem.ts";

const VALID = '[{"a": [1, -2.5e3, "x\\u00e9\\n"], "b": {}, "c": [true, null, {"d": ""}]}]';

/** Yields the text with one character removed, added or replaced, at every index. */
function* mutations(text: string): Generator<string> {
  for (let at = 0; at <= text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    yield before + after.slice(1);
    yield before;
    for (const character of '[]{}":,\\x1-.\n') {
      yield before + character + after;
      yield before + character + after.slice(1);
    }
  }
}

function isValid(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("every mistake in JSON has a place within the text, and a fix", () => {
  const invalid = [...mutations(VALID)].filter((text) => text !== "" && !isValid(text));
  expect(invalid.length).toBeGreaterThan(1000);
  for (const text of invalid) {
    const [, column, why = ""] = /\(.*column (\d+)\)\. (.+)$/s.exec(jsonMistake(text)) ?? [];
    // A text that does not begin like JSON is in another format, and has no place.
    if (column === undefined) expect(text).not.toMatch(/^[[{"]/);
    else expect([text, Number(column) <= text.length + 1, why.at(-1)]).toEqual([text, true, "."]);
    if (why.startsWith("It ends too early")) expect(isValid(text + closing(text))).toBe(true);
  }
});

/** Returns the end that makes a text complete: the brackets that the message names, after a missing name or value. */
function closing(text: string): string {
  const missing = [...jsonMistake(text).matchAll(/'([\]}])'/g)].map(([, bracket]) => bracket);
  const value = /[[{]\s*$|[^[{,:\s]\s*$/.test(text) ? "" : "0";
  const isName = /[{,]\s*$|"\s*$/.test(text) && !isValid(text + value + missing.join(""));
  return isName ? nameFor(text, missing.join("")) : value + missing.join("");
}

/** Completes a text that ends where a name, or the colon after it, must follow. */
function nameFor(text: string, brackets: string): string {
  const ends = [`"k": 0${brackets}`, `: 0${brackets}`, `0${brackets}`];
  return ends.find((end) => isValid(text + end)) ?? "";
}
