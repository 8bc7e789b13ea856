import { describe, expect, test } from "vitest";
import { bodyOf, docx, p, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome } from "../support/language.ts";

const W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';

function control(properties: string, content: string): string {
  return `<w:sdt ${W14}><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
}

const box = (checked: number): string =>
  `<w14:checkbox><w14:checked w14:val="${checked}"/><w14:checkedState w14:val="2612" w14:font="MS Gothic"/></w14:checkbox>`;
const list = (kind: "dropDownList" | "comboBox"): string =>
  `<w:${kind} w:lastValue="xx"><w:listItem w:displayText="Austria &amp; South" w:value="A&amp;T"/><w:listItem w:displayText="Germany" w:value="DE"/><w:listItem w:value="CH"/></w:${kind}>`;

/** Returns the states of the controls in a document, in document order. */
function states(bytes: Uint8Array): string[] {
  const names = /<(?:w14:checked|w:date|w:dropDownList|w:comboBox)\b([^>]*?)\/?>/g;
  return [...bodyOf(bytes).matchAll(names)].map(([, attributes = ""]) => attributes.trim());
}

const codes = (warnings: readonly { readonly code: string }[]): string[] =>
  warnings.map(({ code }) => code);

describe("A check box control", () => {
  test.each([
    [true, 0, "1", "☒"],
    [false, 1, "0", "☐"],
    [0, 1, "0", "☐"],
  ])("has the state of its content for %j", async (v, before, state, text) => {
    const body = p("") + control(box(before), p("{{v :: checkbox}}"));
    const { bytes, lines, warnings } = await outcome(body, { v });
    expect(lines).toEqual(["", text]);
    expect(states(bytes)).toEqual([`w14:val="${state}"`]);
    expect(warnings).toEqual([]);
  });

  test("has its state in each iteration of a loop, and the default's state without a value", async () => {
    const inner = control(box(1), r('{{x.v :: default("no"), checkbox}}'));
    const body = p("{{for x in l}}") + `<w:p>${inner}</w:p>` + p("{{endfor}}");
    const { bytes } = await outcome(body, { l: [{ v: true }, {}, { v: false }] });
    expect(states(bytes)).toEqual(['w14:val="1"', 'w14:val="0"', 'w14:val="0"']);
  });

  test.each(["{{if v}}☒{{else}}☐{{endif}}", "{{v :: checkbox}} {{w}}", "{{v}}"])(
    "around %s becomes plain text, with a warning, also without data",
    async (content) => {
      const body = control(box(1), p(content));
      const { bytes, warnings } = await outcome(body, {
        v: true,
        ...(content.includes("w}") && { w: "x" }),
      });
      expect(bodyOf(bytes)).not.toContain("w14:checkbox");
      expect(warnings).toMatchObject([
        { code: "control_state", hint: expect.stringContaining("{{member :: checkbox}}") },
      ]);
      const template = await compileTemplate(docx({ body }));
      expect(codes(template.warnings)).toEqual(["control_state"]);
    },
  );

  test("without a tag does not change", async () => {
    const { bytes } = await outcome(control(box(1), p("☒")) + p("{{v}}"), { v: 1 });
    expect(states(bytes)).toEqual(['w14:val="1"']);
  });
});

describe("A date control", () => {
  const date =
    '<w:date w:fullDate="2020-01-01T00:00:00Z"><w:dateFormat w:val="dd.MM.yyyy"/></w:date>';

  test.each([
    [
      '{{v :: format("dd.MM.yyyy")}}',
      "1980-02-29",
      "29.02.1980",
      'w:fullDate="1980-02-29T00:00:00Z"',
    ],
    [
      '{{v :: format("dd.MM.yyyy")}}',
      "29.2.1980",
      "29.02.1980",
      'w:fullDate="1980-02-29T00:00:00Z"',
    ],
    ["{{v}}", "soon", "soon", ""],
    ["{{v}} {{v}}", "1980-02-29", "1980-02-29 1980-02-29", ""],
    ["{{v :: optional}}", null, "", ""],
  ])("with %s and %j has the matching state", async (content, v, text, state) => {
    const { bytes, lines } = await outcome(control(date, p(content)), { v });
    expect(lines).toEqual([text]);
    expect(states(bytes)).toEqual([state]);
  });
});

describe("A list control", () => {
  test.each([
    ["Austria & South", 'w:lastValue="A&amp;T"'],
    ["Germany", 'w:lastValue="DE"'],
    ["CH", 'w:lastValue="CH"'],
  ])("that shows %s has the value of that entry", async (v, state) => {
    const { bytes, warnings } = await outcome(control(list("dropDownList"), p("{{v}}")), { v });
    expect(states(bytes)).toEqual([state]);
    expect(warnings).toEqual([]);
  });

  test("reports a text that is not one of its entries, with its place in the data", async () => {
    const body =
      p("{{for x in l}}") + control(list("dropDownList"), p("{{x.v}}")) + p("{{endfor}}");
    const { bytes, warnings } = await outcome(body, { l: [{ v: "Germany" }, { v: "Peru" }] });
    expect(states(bytes)).toEqual(['w:lastValue="DE"', ""]);
    expect(warnings).toMatchObject([{ code: "not_in_list", pointer: "/l/1/v" }]);
    expect(JSON.stringify(warnings)).not.toContain("Peru");
  });

  test("accepts any text if it is a combo box", async () => {
    const { bytes, warnings } = await outcome(control(list("comboBox"), p("{{v}}")), { v: "Peru" });
    expect([states(bytes), warnings]).toEqual([[""], []]);
  });

  test("with several tags gets a warning because their text cannot be checked", async () => {
    const body = control(list("dropDownList"), p("{{v}} {{w}}"));
    const { warnings } = await outcome(body, { v: 1, w: 2 });
    expect(codes(warnings)).toEqual(["control_state"]);
  });
});

describe("The mark of a placeholder", () => {
  const grey =
    '<w:r><w:rPr><w:rStyle w:val="PlaceholderText"/><w:b/></w:rPr><w:t>{{v}}</w:t></w:r>';

  test("is removed with the placeholder, and so is its style", async () => {
    const body = control("<w:showingPlcHdr/><w:text/>", `<w:p>${grey}</w:p>`);
    const { bytes } = await outcome(body, { v: "Ann" });
    expect(bodyOf(bytes)).not.toMatch(/showingPlcHdr|PlaceholderText/);
    expect(bodyOf(bytes)).toContain("<w:b/>");
  });

  test("is kept in a control without a tag, and other styles of tags are also kept", async () => {
    const body =
      control("<w:showingPlcHdr/>", p("Click here.")) + control("<w:text/>", `<w:p>${grey}</w:p>`);
    const { bytes } = await outcome(body, { v: "Ann" });
    expect(bodyOf(bytes).match(/showingPlcHdr|PlaceholderText/g)).toHaveLength(2);
  });
});
