import { type Diagnostic, isQuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { docx, p, r, type TestDocument, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { lines } from "../support/render.ts";

/** Returns all problems of a template, or an empty list if it compiles. */
async function told(
  document: string | TestDocument,
  templates: Readonly<Record<string, Uint8Array>> = {},
): Promise<readonly Diagnostic[]> {
  const bytes = docx(typeof document === "string" ? { body: document } : document);
  try {
    await compileTemplate(bytes, {
      readTemplate: async (name) => templates[name] ?? (name === "itself" ? bytes : raise(name)),
    });
    return [];
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return error.diagnostics;
  }
}

function raise(name: string): never {
  throw new Error(`There is no ${name}.`);
}

/** Returns the only problem of a template. */
async function only(body: string): Promise<Diagnostic> {
  const [first, ...others] = await told(body);
  if (first === undefined) throw new Error("Nothing was told.");
  expect(others).toEqual([]);
  return first;
}

/** Returns a text box as Word writes it: once for itself, and once for older programs. */
function box(inner: string): string {
  const text = `<w:txbxContent>${inner}</w:txbxContent>`;
  return `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>${text}</w:drawing></mc:Choice><mc:Fallback><w:pict>${text}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
}

function boxed(inner: string): string {
  return `<w:p>${box(inner)}</w:p>`;
}

function control(inner: string): string {
  return `<w:sdt><w:sdtContent>${inner}</w:sdtContent></w:sdt>`;
}

describe("a keyword in upper or mixed case", () => {
  test.each([
    ["{{if a}}A{{Else}}B{{endif}}", "{{Else}}", "{{else}}"],
    ["{{if a}}A{{ELSE IF b}}B{{endif}}", "{{ELSE IF b}}", "{{elseif …}}"],
    ["{{if a}}A{{ELSE}}B{{endif}}", "{{ELSE}}", "{{else}}"],
    ["{{if a}}A{{ElseIf b}}B{{else}}C{{endif}}", "{{ElseIf b}}", "{{elseif …}}"],
    ["{{if a}}A{{EndIf}}", "{{EndIf}}", "{{endif}}"],
    ["{{for i in l}}A{{ENDFOR}}", "{{ENDFOR}}", "{{endfor}}"],
    ["{{For i in l}}{{i}}{{endfor}}", "{{For i in l}}", "{{for …}}"],
    ["{{if a}}{{for i in l}}A{{Endfor}}B{{else}}C{{endif}}", "{{Endfor}}", "{{endfor}}"],
    ["{{Endfor}}", "{{Endfor}}", "{{endfor}}"],
  ])("is reported once, at its tag: %s", async (text, tag, hint) => {
    const problem = await only(p(text));
    expect(problem).toMatchObject({ code: "tag_syntax", template: { tag } });
    expect(problem.message).toBe("Keywords are written in lowercase letters.");
    expect(problem.hint).toBe(`Write ${hint}.`);
  });

  test("is a key if the tag continues as one", async () => {
    expect(
      await lines(p("{{Else.x}} {{For}} {{Endif :: optional}}"), { Else: { x: 1 }, For: 2 }),
    ).toEqual(["1 2 "]);
  });
});

describe("a command of docx-templates", () => {
  const OF_PEER = "is a command of docx-templates";
  test.each([
    ["{{IF paid}}", "Write {{if paid}} … {{endif}}", `IF ${OF_PEER}`],
    ["{{IF $o.paid == 'x'}}", "Write {{if o.paid == 'x'}} … {{endif}}", `IF ${OF_PEER}`],
    ["{{IF !paid}}", "Write {{if !paid}} … {{endif}}", `IF ${OF_PEER}`],
    ["{{IF (a && b)}}", "Write {{if (a && b)}} … {{endif}}", `IF ${OF_PEER}`],
    ["{{IF a.map(x => x)}}", "Write {{if condition}} … {{endif}}", `IF ${OF_PEER}`],
    ["{{FOR p IN people}}", "Write {{for p in people}} … {{endfor}}", `FOR ${OF_PEER}`],
    ["{{FOR p IN (people)}}", "Write {{for p in people}} … {{endfor}}", `FOR ${OF_PEER}`],
    ["{{END-IF}}", "Write {{endif}}", `END-IF ${OF_PEER}`],
    ["{{END-FOR p}}", "Write {{endfor}}", `END-FOR ${OF_PEER}`],
    ["{{INS name}}", "Write {{name}}", `INS ${OF_PEER}`],
    ["{{INS $p.name}}", "Write {{p.name}}", `INS ${OF_PEER}`],
    ["{{EXEC n = 1}}", "Compute the value in the data", `EXEC ${OF_PEER}`],
    ["{{= name}}", "Write {{name}}", "'='"],
  ])("is rejected by name: %s", async (tag, hint, named) => {
    const [problem] = await told(p(tag));
    expect(problem).toMatchObject({ code: "tag_syntax", template: { tag } });
    expect(`${problem?.message} ${problem?.hint}`).toContain(named);
    expect(problem?.hint).toContain(hint);
  });

  test("is reported once for each tag of a block", async () => {
    const text = "{{IF a}}A{{ELSE}}B{{END-IF}}{{FOR x IN l}}{{x}}{{END-FOR x}}";
    expect((await told(p(text))).map(({ template }) => template?.tag)).toEqual([
      "{{IF a}}",
      "{{ELSE}}",
      "{{END-IF}}",
      "{{FOR x IN l}}",
      "{{END-FOR x}}",
    ]);
  });

  test("is a key if the tag continues as one", async () => {
    const data = { IF: { x: 1 }, INS: 2, END: 3, EXEC: 4 };
    expect(await lines(p("{{IF.x}} {{INS}} {{END}} {{END - INS}} {{EXEC + 1}}"), data)).toEqual([
      "1 2 3 1 5",
    ]);
  });
});

describe("a misspelled branch", () => {
  test.each([
    ["{{esle}}", "Write {{else}}."],
    ["{{otherwise}}", "Write {{else}}."],
    ["{{elif}}", "Write {{elseif condition}}."],
    ["{{elif b}}", "Did you mean 'elseif'?"],
    ["{{elsif b}}", "Did you mean 'elseif'?"],
    ["{{else-if b}}", "Write {{else}}, or {{elseif b}} for a condition."],
    ["{{else b}}", "Write {{else}}, or {{elseif b}} for a condition."],
  ])("in an if is never read as a value: %s", async (tag, hint) => {
    expect(await only(p(`{{if a}}A${tag}B{{endif}}`))).toMatchObject({
      code: "tag_syntax",
      hint,
      template: { tag },
    });
  });

  test("outside of an if is a data key", async () => {
    expect(
      await lines(p("{{otherwise}}{{for i in l}}{{elif}}{{endfor}}"), {
        otherwise: "x",
        elif: "y",
        l: [1],
      }),
    ).toEqual(["xy"]);
  });

  test("else if, in two words, is accepted", async () => {
    expect(await told(p("{{if a}}A{{else if b}}B{{endif}}"))).toEqual([]);
  });

  test("after an unclosed block reports the missing end", async () => {
    expect(await only(p("{{if a}}{{for i in l}}x{{else}}y{{endif}}"))).toMatchObject({
      template: { tag: "{{else}}" },
      hint: "Close {{for i in l}} before it, with {{endfor}}.",
    });
  });
});

describe("a misspelled end", () => {
  test.each([
    ["{{for i in l}}x{{ednfor}}", "{{ednfor}}", "{{endfor}}"],
    ["{{for i in l}}x{{endfro}}", "{{endfro}}", "{{endfor}}"],
    ["{{for i in l}}x{{endloop}}", "{{endloop}}", "{{endfor}}"],
    ["{{for i in l}}x{{end_for}}", "{{end_for}}", "{{endfor}}"],
    ["{{for i in l}}x{{next}}", "{{next}}", "{{endfor}}"],
    ["{{for i in l}}x{{end}}", "{{end}}", "{{endfor}}"],
    ["{{#items}}x{{end}}", "{{end}}", "{{/items}}"],
    ["{{if a}}x{{edif}}", "{{edif}}", "{{endif}}"],
    ["{{if a}}x{{end_if}}", "{{end_if}}", "{{endif}}"],
    ["{{if a}}x{{fi}}", "{{fi}}", "{{endif}}"],
    ["{{if a}}x{{done}}", "{{done}}", "{{endif}}"],
    ["{{for i in l}}{{if a}}x{{edif}}{{endfor}}", "{{edif}}", "{{endif}}"],
    ["{{for i in l}}{{for j in m}}x{{ednfor}}{{endfor}}", "{{ednfor}}", "{{endfor}}"],
    ["{{if a}}{{for i in l}}x{{ednfor}}{{else}}y{{endif}}", "{{ednfor}}", "{{endfor}}"],
    ["{{for i in l}}{{next}}x{{ednfor}}", "{{ednfor}}", "{{endfor}}"],
  ])("is reported at its place, and closes its block: %s", async (text, tag, end) => {
    const problem = await only(p(text));
    expect(problem).toMatchObject({ code: "unclosed_block", template: { tag } });
    expect(problem.hint).toBe(`Did you mean ${end}?`);
  });

  test.each([
    ["{{if a}}x{{end-if}}", "{{endif}}"],
    ["{{if a}}x{{end if}}", "{{endif}}"],
    ["{{for i in l}}x{{end for}}", "{{endfor}}"],
    ["{{for i in l}}x{{end each}}", "{{endfor}}"],
  ])("in two words is reported once: %s", async (text, end) => {
    expect(await only(p(text))).toMatchObject({
      code: "tag_syntax",
      hint: `Write ${end}, in one word.`,
    });
  });

  test("is a data key if all blocks are closed", async () => {
    const text =
      "{{for i in l}}{{end}} {{next}} {{done}} {{fi}}{{endfor}}; {{end - start}} {{end.x}} {{next}}";
    expect(await told(p(text))).toEqual([]);
    const data = { l: [1], end: 5, next: 6, done: 7, fi: 8, start: 2 };
    expect(await lines(p(text.replace("{{end.x}} ", "")), data)).toEqual(["5 6 7 8; 3 6"]);
  });

  test("in a closed block remains a key, even if another block is not closed", async () => {
    const body = p("{{for i in l}}{{next}}{{endfor}}{{for j in m}}y");
    expect((await only(body)).template?.tag).toBe("{{for j in m}}");
  });

  test("is not found in a key that is only a little similar", async () => {
    expect((await only(p("{{for i in l}}{{vendor}}{{endDate}}"))).template?.tag).toBe(
      "{{for i in l}}",
    );
  });
});

describe("the end of another block", () => {
  test.each([
    ["{{if a}}x{{endfor}}", "{{endfor}}", "To close {{if a}}, write {{endif}}."],
    ["{{for i in l}}x{{endif}}", "{{endif}}", "To close {{for i in l}}, write {{endfor}}."],
    ["{{if a}}x{{/if}}", "{{/if}}", "To close {{if a}}, write {{endif}}."],
    ["{{for i in l}}x{{/for}}", "{{/for}}", "To close {{for i in l}}, write {{endfor}}."],
    ["{{for i in l}}x{{/l}}", "{{/l}}", "To close {{for i in l}}, write {{endfor}}."],
    ["{{for i in l}}x{{/}}", "{{/}}", "To close {{for i in l}}, write {{endfor}}."],
    ["{{#items}}x{{/itms}}", "{{/itms}}", "To close {{#items}}, write {{/items}}."],
    ["{{#items}}x{{endfor}}", "{{endfor}}", "To close {{#items}}, write {{/items}}."],
    [
      "{{for i in l}}{{if a}}x{{endfor}}y{{endfor}}",
      "{{endfor}}",
      "To close {{if a}}, write {{endif}}.",
    ],
    ["{{#items}}x{{/itms}}y{{/items}}", "{{/itms}}", "Did you mean {{/items}}?"],
    ["{{if a}}x{{endfor}}y{{endif}}", "{{endfor}}", "Add {{for …}} before it, or remove it."],
  ])("is one mistake: %s", async (text, tag, hint) => {
    expect(await only(p(text))).toMatchObject({ code: "unopened_block", hint, template: { tag } });
  });

  test.each([
    "{{for x in l}}{{if a}}{{endfor}}{{endif}}",
    "{{if a}}{{for x in l}}{{endif}}{{endfor}}",
    "{{#l}}{{#m}}{{/l}}{{/m}}",
    "{{for x in l}}{{if a}}x{{endfor}}",
    "{{for a in l}}{{if x}}{{for b in l}}{{endif}}{{endfor}}{{endfor}}",
  ])("crosses the block once: %s", async (text) => {
    expect((await only(p(text))).code).toBe("crossed_block");
  });

  test("is reported for each of several blocks", async () => {
    const problems = await told(p("{{if a}}{{if b}}x{{endfor}}{{endfor}}"));
    expect(problems.map(({ hint }) => hint)).toEqual([
      "To close {{if b}}, write {{endif}}.",
      "To close {{if a}}, write {{endif}}.",
    ]);
  });
});

describe("a block of another template language", () => {
  test.each([
    ["{{#if note}}A{{else}}B{{/if}}", "{{if note}} … {{endif}}"],
    ["{{#if note}}A{{else if x}}B{{/if}}", "{{if note}} … {{endif}}"],
    ["{{#if a == “b”}}A{{endif}}", "{{if a == “b”}} … {{endif}}"],
    ["{{#if (eq a b)}}A{{/if}}", "{{if a == b}} … {{endif}}"],
    ["{{#if (other a)}}A{{/if}}", "{{if condition}} … {{endif}}"],
    ["{{#each items}}{{name}}{{/each}}", "{{for item in items}} … {{endfor}}"],
    ["{{#each items}}{{name}}{{else}}none{{/each}}", "{{for item in items}} … {{endfor}}"],
    ["{{#each items as |it|}}x{{/each}}", "{{for it in items}} … {{endfor}}"],
    ["{{#each item in items}}x{{/each}}", "{{for item in items}} … {{endfor}}"],
    ["{{#each this.rows}}x{{/each}}", "{{for item in this.rows}} … {{endfor}}"],
    ["{{#for x in l}}x{{/for}}", "{{for x in l}} … {{endfor}}"],
    ["{{#unless paid}}x{{/unless}}", "{{if not paid}} … {{endif}}"],
    ["{{#unless a or b}}x{{/unless}}", "{{if not (a or b)}} … {{endif}}"],
    ["{{#with customer}}{{name}}{{/with}}", "{{#customer}} … {{/customer}}"],
    ["{{-w:p items}}x{{/items}}", "{{for item in items}} … {{endfor}}"],
  ])("is reported once, with the Quire syntax for it: %s", async (text, written) => {
    const problem = await only(p(text));
    expect(problem.code).toBe("tag_syntax");
    expect(problem.hint).toContain(`Write ${written}`);
  });

  test.each([
    "{{#if}}x{{/if}}",
    "{{#each}}x{{/each}}",
    "{{#if > 3}}x{{/if}}",
    "{{#with isEmpty}}x{{/with isEmpty}}",
  ])("is not reported for a key with such a name: %s", async (text) => {
    expect(await told(p(text))).toEqual([]);
  });

  test.each([
    "{{fro i in items}}x{{endfor}}",
    "{{forr i in items}}x{{endfor}}",
    "{{foreach i in items}}x{{endfor}}",
    "{{loop i in items}}x{{endfor}}",
    "{{iff x}}y{{else}}z{{endif}}",
    "{{unless x}}y{{endif}}",
    "{{foreach i in items}}x",
    "{{for i in l}}{{form x}}{{endfor}}",
    "{{if a}}{{is x}}{{endif}}",
  ])("has a first word that is reported once: %s", async (text) => {
    expect((await only(p(text))).hint).toMatch(/^Did you mean '/);
  });

  test("does not end the loop around it, so later tags may use loop variables", async () => {
    await only(p("{{for i in l}}{{#if a}}x{{/if}}{{$number}}{{endfor}}"));
    await only(p("{{for i in l}}{{fro j in m}}x{{endfor}}{{$number}}{{endfor}}"));
  });
});

describe("a tag of another template language", () => {
  test.each([
    ["{{%photo}}", "{{photo}}"],
    ["{{%%photo}}", "{{photo}}"],
    ["{{@index}}", "{{$index}}"],
    ["{{@first}}", "{{$first}}"],
    ["{{@html}}", "{{html :: html}}"],
    ["{{~body}}", "{{body :: html}}"],
    ["{{&name}}", "{{name}}"],
    ["{{> terms.docx}}", '{{include "terms.docx"}}'],
    ["{{include terms.docx}}", '{{include "terms.docx"}}'],
    ["{{include terms-2024.docx}}", '{{include "terms-2024.docx"}}'],
    ["{{{name}}}", "{{name}}"],
  ])("is reported with the Quire syntax for it: %s", async (text, written) => {
    expect((await only(p(text))).hint).toContain(`rite ${written}`);
  });

  test("with three braces is reported once, next to another that is not closed", async () => {
    const problems = await told(p("a {{{name}}} b {{c"));
    expect(problems.map(({ code }) => code)).toEqual(["unclosed_tag", "unclosed_tag"]);
    expect(problems[0]?.message).toContain("'{{{'");
  });

  test("include is a key if no name follows", async () => {
    expect(await lines(p("{{include}} {{include * 2}}"), { include: 3 })).toEqual(["3 6"]);
  });
});

describe("a block and a text box", () => {
  test.each([
    ["begun outside", p("{{if a}}") + boxed(p("x{{endif}}")), "ends in it"],
    ["begun next to it", `<w:p>${r("{{if a}}")}${box(p("x{{endif}}"))}</w:p>`, "ends in it"],
    ["begun inside", boxed(p("{{if a}}x")) + p("{{endif}}"), "ends outside it"],
    ["begun outside, with a branch", p("{{if a}}") + boxed(p("x{{else}}y{{endif}}")), "ends in it"],
    [
      "of a loop",
      p("{{for i in l}}{{if a}}") + boxed(p("{{endif}}")) + p("{{endfor}}"),
      "ends in it",
    ],
  ])("%s are one mistake", async (_what, body, message) => {
    const problem = await only(body);
    expect(problem.code).toBe("block_crosses_element");
    expect(problem.message).toContain(message);
  });

  test("are one mistake if only a branch is in the box", async () => {
    expect(await only(p("{{if a}}") + boxed(p("{{else}}")) + p("{{endif}}"))).toMatchObject({
      code: "block_crosses_element",
      template: { tag: "{{else}}" },
    });
  });

  test("are accepted if the block begins and ends in the box, or contains all of it", async () => {
    const inner = boxed(p("{{if b}}x{{else}}y{{endif}}"));
    expect(await told(inner + p("{{if a}}") + inner + p("{{endif}}"))).toEqual([]);
  });

  test("report a mistake in both copies of the box once, and the same mistake elsewhere separately", async () => {
    const wrong = "{{b c}} {{b c}}";
    const problems = await told(boxed(p(`{{if a}}${wrong}`)));
    expect(problems.map(({ code }) => code).sort()).toEqual([
      "tag_syntax",
      "tag_syntax",
      "unclosed_block",
    ]);
    expect((await only(boxed(p("x{{endif}}")))).code).toBe("unopened_block");
    expect((await only(boxed(p("{{for i in l}}{{ednfor}}")))).template?.tag).toBe("{{ednfor}}");
    expect(await told(p(wrong))).toHaveLength(2);
  });
});

describe("the problems of a template", () => {
  test("are reported in the order of the document, regardless of their kind", async () => {
    const problems = await told({
      body:
        p("{{if a}}") +
        p("{{note :: upcase}}") +
        p('{{amount :: currency("x")}}') +
        p("{{note") +
        table([p("x{{for i in l}}y"), p("a{{endfor}}b")]) +
        p("{{$index}}{{a | b}}"),
      stories: { "header1.xml": p("{{a b}}") },
    });
    expect(problems.map(({ template }) => [template?.part, template?.paragraph])).toEqual([
      ...[1, 2, 3, 4, 5, 7, 7].map((paragraph) => ["word/document.xml", paragraph]),
      ["word/header1.xml", 1],
    ]);
  });

  test("include a block that crosses a content control, even if another block is not closed", async () => {
    const crossing = `<w:p>${r("{{if note}} a ")}${control(r("b {{endif}} c"))}</w:p>`;
    const codes = async (body: string): Promise<string[]> =>
      (await told(body)).map(({ code }) => code);
    expect(await codes(crossing + p("{{if x}}"))).toEqual([
      "block_crosses_element",
      "unclosed_block",
    ]);
    expect(await codes(p("{{endfor}}") + crossing)).toEqual([
      "unopened_block",
      "block_crosses_element",
    ]);
  });

  test("do not include a block in a control if its end may belong to another block", async () => {
    const body = `${p("{{if a}}")}<w:p>${r("x ")}${control(r("y {{if b}} z"))}</w:p>${p("{{endif}}")}`;
    expect((await only(body)).code).toBe("unclosed_block");
  });

  test("are reported once for a template that is included twice", async () => {
    const part = docx({ body: p("{{a b}}") + p("{{if x}}") });
    const include = p('{{include "part"}}');
    const problems = await told(include + p("{{c d}}") + include, { part });
    expect(problems.map(({ template }) => [template?.part, template?.paragraph])).toEqual([
      ["word/document.xml", 2],
      ["part:word/document.xml", 1],
      ["part:word/document.xml", 2],
    ]);
  });

  test("are reported once for a template that includes itself", async () => {
    const problems = await told(p("{{a b}}") + p('{{include "itself"}}'));
    expect(problems.map(({ code }) => code)).toEqual(["tag_syntax", "include_too_deep"]);
    expect(problems[1]?.message).toBe(
      "{{include \"itself\"}} includes the template 'itself' in itself, which would never end.",
    );
  });
});
