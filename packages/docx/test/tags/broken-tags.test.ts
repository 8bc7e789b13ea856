import type { Diagnostic } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { p, r, table } from "../../../ooxml/test/support/docx.ts";
import type { CompileOptions } from "../../src/index.ts";
import { outcome } from "../support/language.ts";

type Delimiters = CompileOptions["delimiters"];

/** Returns the diagnostics of a body: code, tag and hint of each. */
async function told(body: string, delimiters?: Delimiters): Promise<unknown[]> {
  return (await problems(body, delimiters)).map(({ code, template, hint }) => [
    code,
    template?.tag,
    hint,
  ]);
}

/** Like {@link told}, without hints. */
async function briefly(body: string, delimiters?: Delimiters): Promise<unknown[]> {
  return (await problems(body, delimiters)).map(({ code, template }) => [code, template?.tag]);
}

async function problems(body: string, delimiters?: Delimiters): Promise<readonly Diagnostic[]> {
  const { error, warnings } = await outcome(body, {}, { delimiters });
  expect(error).toBe("invalid_template");
  return warnings;
}

/** Returns a paragraph with each character in a separate run. */
function shattered(text: string): string {
  return `<w:p>${[...text].map((each) => r(each)).join("")}</w:p>`;
}

const SQUARE = { start: "[[", end: "]]" };
const SINGLE = { start: "{", end: "}" };

const TEMPLATES = [
  ["{{for x in l}}", "y", "{{endfor}}"],
  ["{{if a and b}}", "y", "{{endif}}"],
  ["{{if a}}", "x", "{{elseif b > 1}}", "y", "{{else}}", "z", "{{endif}}"],
  ["{{#a}}", "x", "{{/a}}"],
  ["{{^a}}", "x", "{{/a}}"],
  ["{{#a}}", "x", "{{/}}"],
  ["{{#n > 1}}", "x", "{{/n}}"],
  ["{{if a}}", "x", "{{for i in l}}", "y", "{{endfor}}", "z", "{{endif}}"],
  ["{{#a}}", "x", "{{#b}}", "y", "{{/b}}", "z", "{{/a}}"],
  ["{{if a}}", "x", "{{if b}}", "y", "{{else}}", "z", "{{endif}}", "{{endif}}"],
];

/** The pieces of a template with one broken tag, this tag, and its correct form. */
type Broken = readonly [pieces: readonly string[], tag: string, whole: string];

/** Returns the variants of each template in which one tag is broken. */
function broken(cut: (tag: string) => string): [text: string, broken: Broken][] {
  return TEMPLATES.flatMap((pieces) =>
    pieces.flatMap((whole, at): [string, Broken][] => {
      const tag = cut(whole);
      if (!whole.startsWith("{{") || tag === "{{/" || tag === "/}}") return [];
      const cutPieces = pieces.with(at, tag);
      return [[cutPieces.join(" "), [cutPieces, tag, whole]]];
    }),
  );
}

/** Returns three bodies: one paragraph, one run per character, and one paragraph per piece. */
function bodies(pieces: readonly string[]): string[] {
  const text = pieces.join(" ");
  return [p(text), shattered(text), pieces.map((piece) => p(piece)).join("")];
}

function single(text: string): string {
  return text.replace("{{", "{").replace("}}", "}");
}

function inBrackets(text: string): string {
  return text.replaceAll("{", "[").replaceAll("}", "]");
}

describe("a block tag with a missing brace is one problem", () => {
  test.each(broken((tag) => tag.slice(0, -1)))("in %s", async (_, [pieces, tag, whole]) => {
    const expected = [
      "unclosed_tag",
      tag,
      `Write ${whole}, or \\{{ for the characters themselves.`,
    ];
    for (const body of bodies(pieces)) {
      expect(await told(body)).toEqual([expected]);
      expect(await told(inBrackets(body), SQUARE)).toEqual([expected.map(inBrackets)]);
    }
  });

  test.each(broken((tag) => tag.slice(1)))("in %s", async (_, [pieces, tag, whole]) => {
    const expected = [
      "unopened_tag",
      tag,
      `Write ${whole}, or \\}} for the characters themselves.`,
    ];
    for (const body of bodies(pieces)) {
      expect(await told(body)).toEqual([expected]);
      expect(await told(inBrackets(body), SQUARE)).toEqual([expected.map(inBrackets)]);
    }
  });

  test.each(broken((tag) => tag.slice(0, -2)))("in %s", async (_, [pieces, tag, whole]) => {
    const expected = [
      "unclosed_tag",
      tag,
      `Write ${whole}, or \\{{ for the characters themselves.`,
    ];
    for (const body of bodies(pieces)) {
      expect(await told(body)).toEqual([expected]);
    }
    for (const body of bodies(pieces.map(single))) {
      expect(await briefly(body, SINGLE)).toEqual([["unclosed_tag", single(tag)]]);
    }
  });

  test.each(broken((tag) => tag.slice(2)))("in %s", async (_, [pieces, tag, whole]) => {
    const expected = [
      "unopened_tag",
      tag,
      `Write ${whole}, or \\}} for the characters themselves.`,
    ];
    for (const body of bodies(pieces)) {
      expect(await told(body)).toEqual([expected]);
    }
    for (const body of bodies(pieces.map(single))) {
      expect(await briefly(body, SINGLE)).toEqual([["unopened_tag", single(tag)]]);
    }
  });

  test("in the rows of a table", async () => {
    const rows = (first: string, last: string): string =>
      table([p("head"), p("head")], [p(`${first}a`), p(`{{x}}${last}`)]);
    expect(await briefly(rows("{{tablerow x in l}", "{{endtablerow}}"))).toEqual([
      ["unclosed_tag", "{{tablerow x in l}"],
    ]);
    expect(await briefly(rows("{{#l}}", "{{/l}"))).toEqual([["unclosed_tag", "{{/l}"]]);
    expect(await briefly(rows("{#l}}", "{{/l}}"))).toEqual([["unopened_tag", "{#l}}"]]);
  });

  test("reported with its place and the unchanged text around it", async () => {
    const [problem, ...more] = await problems(p("a") + p("Yes {{if c} yes {{else}} no {{endif}}"));
    expect(more).toEqual([]);
    expect(problem).toMatchObject({
      message: "The tag {{if c} is not closed with '}}'.",
      template: { paragraph: 2, tag: "{{if c}", near: "Yes {{if c} yes {{else}} no {{endif}}" },
    });
  });

  test("also if its syntax is wrong", async () => {
    expect(await briefly(p("{{for x on l}a{{endfor}}"))).toEqual([
      ["unclosed_tag", "{{for x on l}"],
    ]);
    expect(await briefly(p("{{if a}}a{{endfr}"))).toEqual([["unclosed_tag", "{{endfr}"]]);
  });

  test("in addition to other reported problems", async () => {
    expect(await briefly(p("{{if c}a") + p("{{endif}}") + p("{{for x in l}}"))).toEqual([
      ["unclosed_tag", "{{if c}"],
      ["unclosed_block", "{{for x in l}}"],
    ]);
    expect(await briefly(p("{{a} {{b}} {{endif}"))).toEqual([
      ["unclosed_tag", "{{a}"],
      ["unclosed_tag", "{{endif}"],
      ["unopened_block", "{{endif}"],
    ]);
  });

  test("but text that only starts like a block is not a block", async () => {
    expect(await briefly(p("{{if you like, write {{a}}"))).toEqual([["unclosed_tag", "{{if you"]]);
    expect(await briefly(p("and/or }} {{a}}"))).toEqual([["unopened_tag", undefined]]);
    expect(await briefly(p('{{"a": 1} {{b}}'))).toEqual([["unclosed_tag", undefined]]);
  });
});

describe("branches without the tag that opens their block", () => {
  test.each([
    [["a", "{{else}}", "b", "{{endif}}"]],
    [["a", "{{elseif b}}", "b", "{{else}}", "c", "{{endif}}"]],
    [["{{for x in l}}", "a", "{{else}}", "b", "{{endif}}", "{{endfor}}"]],
    [["{{if a}}", "x", "{{endif}}", "b", "{{else}}", "c", "{{endif}}"]],
  ])("are reported once with their end tag, in %j", async (pieces) => {
    for (const body of bodies(pieces)) {
      expect(await briefly(body)).toHaveLength(1);
    }
  });

  test("are reported separately if they belong to two blocks", async () => {
    const text = "a {{else}} b {{endif}} c {{else}} d {{endif}}";
    expect(await told(p(text))).toHaveLength(2);
    expect(await told(p("a {{else}} b {{endif}} c {{endif}}"))).toHaveLength(2);
  });
});

describe("a block tag after a backslash", () => {
  test.each([
    ["C:\\{{if c}}a{{endif}}", "\\{{if c}}"],
    ["\\{{#c}}a{{/c}}", "\\{{#c}}"],
    ["\\{{if c}}a{{else}}b{{endif}}", "\\{{if c}}"],
    ["{{for x in l}}a\\{{endfor}}", "\\{{endfor}}"],
    ["\\{{if a}}\\{{endif}} \\{{if c}}a{{endif}}", "\\{{if c}}"],
  ])("is named in the hint for its counterpart, in %s", async (text, escaped) => {
    const [problem, ...more] = await problems(p(text));
    expect(more).toEqual([]);
    expect(problem?.hint).toBe(
      `A backslash turns ${escaped} into text: remove it, or write \\${escaped} to print a backslash and keep the tag.`,
    );
    expect(problem?.template?.near).toBe(text);
    const [split] = await problems(shattered(text));
    expect(split).toEqual(problem);
  });

  test("is not named if it is unrelated to the problem", async () => {
    expect((await problems(p("\\{{for x in l}}a{{endif}}")))[0]?.hint).toMatch(/^Add /);
    expect((await problems(p("{{if a}}") + p("\\{{if b}} \\{{endif}}")))[0]?.hint).toMatch(/^Add /);
  });
});

test("the hint for a keyword in two words is the keyword in one word", async () => {
  const hintOf = async (text: string): Promise<unknown> => {
    const found = await problems(table([p(text)]));
    expect(found).toHaveLength(1);
    return found[0]?.hint;
  };
  expect(await hintOf("{{if a}}x{{el se}}y{{endif}}")).toBe("Write {{else}}.");
  expect(await hintOf("{{i f a}}x{{endif}}")).toBe("Write {{if …}}.");
  expect(await hintOf("{{for x in l}}y{{end for}}")).toBe("Write {{endfor}}, in one word.");
  expect(await hintOf("{{table row x in l}}y{{endtablerow}}")).toBe("Write {{tablerow x in l}}.");
});
