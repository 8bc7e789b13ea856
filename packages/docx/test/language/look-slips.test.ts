import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const INVOICES = [
  { no: "A1", site: "North", amount: 100, due: "2026-01-02", late: true },
  { no: "A2", site: "North", amount: -5, due: "2026-02-02", late: false },
  { no: "A3", site: "South", amount: 900, due: "2026-03-02", late: true },
];

const DATA = {
  invoices: INVOICES,
  site: "Main",
  meds: [
    { name: "Aspirin", level: 1 },
    { name: "Ibuprofen", level: 2 },
  ],
  wards: [
    { name: "W1", meds: ["a", "b"] },
    { name: "W2", meds: ["c"] },
  ],
  patient: { id: "P-20417", photo: null },
  portal: "https://example.org/x",
  title: "Portal",
  report: "<p>Well</p>",
};

/** Returns the first warning or error of paragraphs, as its code and its hint. */
async function first(body: string, data: object = DATA): Promise<string> {
  const { warnings } = await outcome(body, { ...data });
  const [found] = warnings.filter(({ code }) => code !== "unused_value");
  return found === undefined ? "" : `${found.code}: ${found.hint}`;
}

/** Returns the hint for the first mistake of a tag in a loop over the invoices, or over another list. */
async function hintFor(tag: string, loop = "for i in invoices"): Promise<string> {
  return (await first(p(`{{${loop}}}{{${tag}}}{{endfor}}`))).replace(/^\w+: /, "");
}

/** Returns a table whose rows repeat. */
function table(...cells: readonly string[]): string {
  const row = cells.map((cell) => `<w:tc><w:tcPr/>${p(cell)}</w:tc>`).join("");
  return `<w:tbl><w:tblPr/><w:tblGrid>${'<w:gridCol w:w="900"/>'.repeat(cells.length)}</w:tblGrid><w:tr>${row}</w:tr></w:tbl>${p("")}`;
}

describe("a condition with a name for positions and signs that the data does not have", () => {
  test.each([
    ['row :: fill("#EEEEEE"), when(odd)', "$number % 2 == 1"],
    ["i.no :: bold, when(even)", "$number % 2 == 0"],
    ['i.amount :: color("red"), when(negative)', "i.amount < 0"],
    ["i.amount :: bold(positive)", "i.amount > 0"],
    ['row :: fill("#EEEEEE"), when(negative)', "amount < 0"],
  ])("%s", async (tag, meant) => {
    const hint = await first(
      table(`{{tablerow i in invoices}}{{${tag}}}`, "{{i.no}}{{endtablerow}}"),
    );
    expect(hint).toMatch(/^missing_in_condition: /);
    expect(hint).toContain(`write ${meant} in place of`.replace("write $", "Write $"));
  });

  test("is not reported if the data has the name, or if it may be an optional value", async () => {
    const tag = p('{{for i in invoices}}{{i.amount :: color("red"), when(negative)}}{{endfor}}');
    expect(await first(tag, { ...DATA, negative: false })).toBe("");
    expect(await first(p("{{if negative}}x{{endif}}"))).toBe("");
    expect(await first(p("{{if odd}}x{{endif}}"))).toBe("");
  });
});

describe("the key of merge", () => {
  const merged = (key: string): string =>
    table(
      `{{tablerow i in invoices.sort(site)}}{{i.site :: merge(${key})}}`,
      "{{i.no}}{{endtablerow}}",
    );

  test("is a value of the item, not the one outside the loop", async () => {
    expect(await first(merged("site"))).toBe("same_for_all_items: Write merge(i.site).");
    expect(await first(merged("i.site"))).toBe("");
  });

  test("is not a list", async () => {
    expect(await first(merged("invoices.site"))).toBe(
      "invalid_value: Name the value of one item: write merge(i.site).",
    );
  });
});

describe("the hint for a position", () => {
  test.each([
    ["$number.letter", "{{$number.letter()}}"],
    ["$number.roman :: lowercase", "{{$number.roman() :: lowercase}}"],
    ["$number()", "{{$number}}"],
    ["i.no :: bold, when($number.odd())", "{{i.no :: bold, when($number % 2 == 1)}}"],
    ["i.no :: bold, when($number.even())", "{{i.no :: bold, when($number % 2 == 0)}}"],
  ])("%s", async (tag, meant) => {
    expect(await hintFor(tag)).toBe(`Write ${meant}.`);
  });
});

describe("the hint for a condition", () => {
  test.each([
    ["unless(i.late)", "not i.late"],
    ["when(i.due.before($today))", "i.due < $today"],
    ['when(i.due.after("2026-01-01"))', 'i.due > "2026-01-01"'],
    ["when(i.due isPast)", "i.due < $today"],
    ["when(i.due isFuture)", "i.due > $today"],
    ["when(i.due isOverdue)", "i.due < $today"],
    ["when(i.amount > 500 & i.late)", "i.amount > 500 and i.late"],
    ["when(i.amount > 1,000)", "i.amount > 1000"],
  ])("%s", async (condition, meant) => {
    expect(await hintFor(`i.no :: bold, ${condition}`)).toBe(
      `Write {{i.no :: bold, when(${meant})}}.`,
    );
  });

  test("takes no text for a date", async () => {
    expect(await hintFor('i.no :: bold, when(i.no.before("@"))')).not.toContain("<");
  });
});

test("a style that is joined with a computation has a function", async () => {
  expect(await hintFor('paragraph :: style("Heading " + (m.level + 1))', "for m in meds")).toBe(
    'Write {{paragraph :: style($concat("Heading ", m.level + 1))}}.',
  );
});

describe("the hint for the form of a position", () => {
  test.each([
    ["a", "$number.letter()"],
    ["A", "$number.letter()"],
    ["I", "$number.roman()"],
    ["i", "$number.roman() :: lowercase"],
  ])('format("%s")', async (form, meant) => {
    expect(await hintFor(`$number :: format("${form}")`)).toBe(`Write {{${meant}}}.`);
  });
});

describe("the hint for the position in another loop", () => {
  const inner = (tag: string): string =>
    p(`{{for w in wards}}{{for m in w.meds}}{{${tag}}}{{endfor}}{{endfor}}`);

  test("has the name of its item", async () => {
    expect(await first(inner("$parent.$number"))).toContain("write w.$number.");
    expect(await first(inner("wards.$last"))).toContain(": w.$last.");
    expect(await hintFor("m.index", "for m in meds")).toBe(
      "For the position write m.$number, which counts from 1. m.$index counts from 0.",
    );
  });

  test("has a loop in place of a section", async () => {
    expect(await first(p("{{#wards}}{{wards.$number}}{{/wards}}"))).toContain(
      "{{for w in wards}} … {{endfor}} in place of {{#wards}}, with w.$number.",
    );
  });
});

describe("the hint for a tag that is only a look", () => {
  test.each([
    ["{{bold}}{{title}}{{/bold}}", ":: bold}} for a value"],
    ["{{for i in invoices}}{{bold}}{{i.no}}{{/bold}}{{endfor}}", ":: bold}} for a value"],
    ['{{if site}}{{color "red"}}x{{endif}}', '{{name :: color("red")}}'],
    ["{{mergeAcross}}{{site}}", "{{name :: mergeAcross}}"],
    ['{% cellbg "FFE0E0" %}{{site}}', '{{cell :: fill("#FFE0E0")}}'],
    ['{{cellbg "FFE0E0"}}', '{{cell :: fill("#FFE0E0")}}'],
    ['{{list :: numbering("continue")}}', 'Write {{paragraph :: numbering("continue")}} into'],
    ["{{paragraph :: numbering(5)}}", 'numbering("restart")'],
    ["{{paragraph :: level(2)}}", '{{paragraph :: style("List Number 2")}}'],
  ])("%s", async (text, meant) => {
    expect(await first(p(text))).toContain(meant);
  });
});

describe("the hint for modifiers", () => {
  test.each([
    ['title :: delimiter(", ", " and ")', 'title :: delimiter(", "), lastdelimiter(" and ")'],
    ['portal :: link(title, "blue")', 'portal :: link(title), color("blue")'],
    ['patient.photo :: width("4cm" x "3cm")', 'patient.photo :: width("4cm"), height("3cm")'],
    ['patient.photo :: maxwidth("4cm")', 'patient.photo :: width("4cm")'],
    ["report :: striptags", "report :: html"],
  ])("%s", async (tag, meant) => {
    expect(await first(p(`{{${tag}}}`))).toBe(`tag_syntax: Write {{${meant}}}.`);
  });

  test.each([
    ['patient.photo :: scale("50%")', 'width("4cm")'],
    ['patient.photo :: alt("Photo")', "alternative text of the placeholder picture"],
    ["patient.id :: barcode, text", 'barcode("code128", "text")'],
    ['patient.id :: barcode("code39"), text', 'barcode("code39", "text")'],
  ])("%s", async (tag, meant) => {
    expect(await first(p(`{{${tag}}}`))).toContain(meant);
  });
});
