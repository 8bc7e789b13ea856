import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, outcome, printed } from "../support/language.ts";

/** Returns the warnings and errors of a paragraph, each as its code and its hint. */
function hintsOf(text: string, data: Readonly<Record<string, unknown>>): Promise<string[]> {
  return hintsIn(p(text), data);
}

describe("a text with signs of HTML such as &amp;", () => {
  test.each([
    "plain text, 3 &lt; 4",
    "O&#39;Brien",
    "Caf&eacute;",
    "a&nbsp;b",
    "5 &#x20AC;",
    "M&uuml;ller",
  ])("is printed as it is, with a warning: %s", async (html) => {
    const data = { n: { html } };
    const { lines, warnings } = await outcome(p("{{n.html}}"), data);
    expect(lines).toEqual([html]);
    expect(warnings).toMatchObject([{ code: "detected_html", pointer: "/n/html" }]);
    expect(warnings[0]?.hint).toBe(
      "To print the characters, add :: html to the tag, or correct the data. If the signs are meant as they are, add :: text.",
    );
    expect(await hintsOf("{{n.html :: html}}", data)).toEqual([]);
    expect(await hintsOf("{{n.html :: text}}", data)).toEqual([]);
  });

  test("is printed as the hint says", async () => {
    expect(await printed("{{h :: html}}", { h: "3 &lt; 4" })).toBe("3 < 4");
  });

  test("has another hint if its elements are escaped", async () => {
    expect(await hintsOf("{{h}}", { h: "&lt;b&gt;x&lt;/b&gt;" })).toEqual([
      "detected_html: The elements of the HTML are escaped twice: give the HTML itself in the data. If the signs are meant as they are, add :: text.",
    ]);
  });

  test("is reported once for a tag", async () => {
    const template = "{{for i in l}}{{i}} {{endfor}}";
    expect(await hintsOf(template, { l: ["a", "b &amp; c", "d &amp; e"] })).toHaveLength(1);
  });

  test.each(["https://x.y?a=1&copy=2&lt=3", "R&D; M&A", "a & b; c", "&unknown;"])(
    "is not seen in %s",
    async (text) => {
      expect(await hintsOf("{{text}}", { text })).toEqual([]);
    },
  );
});

describe("a comparison that an earlier part of the condition makes unnecessary", () => {
  const weeks = ["2026-01-05"];

  test.each([
    ["{{if a isPresent and b > 1}}x{{endif}}", { a: null, b: null }],
    ["{{if a and b > 1}}x{{endif}}", { a: 0, b: null }],
    ["{{if a isEmpty or b > 1}}x{{endif}}", { a: null, b: null }],
    ["{{if not (a isPresent and b > 1)}}x{{endif}}", { a: null, b: null }],
    ["{{if c isPresent and c.age > 1}}x{{endif}}", { c: null }],
    ["{{if c isPresent and c.age > 1}}x{{endif}}", {}],
    ['{{$if(a isPresent and b > 1, "x", "y")}}', { a: null, b: null }],
    [
      "{{for i in l}}{{if i.a isPresent and i.b > 1}}x{{endif}}{{endfor}}",
      { l: [{ a: 1, b: 2 }, {}] },
    ],
    [
      '{{for x in l}}{{for w in weeks}}{{x.n :: color("#FF0000"), when(x.from isPresent and x.from <= w.addDays(6) and x.to >= w)}}{{endfor}}{{endfor}}',
      {
        weeks,
        l: [
          { n: "A", from: null, to: null },
          { n: "B", from: "2026-01-01", to: "2026-02-01" },
        ],
      },
    ],
  ])("may lack its value: %s", async (template, data) => {
    expect(await hintsOf(template, data)).toEqual([]);
  });

  test.each([
    ["{{if a isPresent and b > 1}}x{{endif}}", { a: 1, b: null }],
    ["{{if a isPresent and totl > 1}}x{{endif}}", { a: null, total: 2 }],
    ["{{if b > 1 and a isPresent}}x{{endif}}", { a: null, b: null }],
    ["{{if a isPresent or b > 1}}x{{endif}}", { a: null, b: null }],
    ['{{$if(a isPresent and totl > 1, "x", "y")}}', { a: null, total: 2 }],
  ])("is reported otherwise: %s", async (template, data) => {
    expect((await hintsOf(template, data)).join()).toMatch(/^missing_in_condition/);
  });

  test("keeps the correction of an object that the condition tests", async () => {
    const template = "{{if custmer isPresent and custmer.age > 1}}x{{endif}}";
    expect((await hintsOf(template, { customer: { age: 3 } })).join()).toContain("'customer'");
  });
});

describe("HTML without text, which editors save for an empty field", () => {
  const EMPTY = ["<p></p>", "<p><br></p>", "<p>&nbsp;</p>", "<div><br/></div>", " <P> </P>"];

  test.each(EMPTY)("counts as text, with a warning: %s", async (html) => {
    const data = { n: { html } };
    for (const [tag, meant] of [
      ["{{if n.html}}", `n.html.replace("${html}", "") in place of n.html`],
      ["{{if n.html isPresent}}", `n.html.replace("${html}", "") in place of n.html isPresent`],
      ["{{if n.html isEmpty}}", `n.html.replace("${html}", "") isEmpty in place of n.html isEmpty`],
      ['{{if n.html != ""}}', `n.html.replace("${html}", "") != "" in place of n.html != ""`],
    ]) {
      expect(await hintsOf(`${tag}x{{endif}}`, data)).toEqual([
        `text_as_condition: Write ${meant}, or give empty text in the data.`,
      ]);
    }
  });

  test.each(EMPTY)("is empty in the form of the hint: %s", async (e) => {
    const form = `e.replace("${e}", "")`;
    const template = `{{if ${form}}}x{{else}}y{{endif}}{{if ${form} isEmpty}}x{{else}}y{{endif}}`;
    expect(await printed(template, { e })).toBe("yx");
    expect(await hintsOf(template, { e })).toEqual([]);
  });

  test("is reported in a selection, and not where the tag names it", async () => {
    const notes = [{ html: "<p></p>" }, { html: "<p>x</p>" }, { html: "<p></p>" }, {}];
    expect(await hintsOf("{{notes.where(html).count()}}", { notes })).toEqual([
      'text_as_condition: Write html.replace("<p></p>", "") in place of html, or give empty text in the data.',
    ]);
    const mended = '{{notes.where(html.replace("<p></p>", "")).count()}}';
    expect(await printed(mended, { notes })).toBe("1");
    expect(await hintsOf(mended, { notes })).toEqual([]);
    expect(await hintsOf('{{notes.count(html and html != "<p></p>")}}', { notes })).toEqual([]);
  });

  test("with attributes can only be mended in the data", async () => {
    const q = '<p class="x">&nbsp;</p>';
    expect(await hintsOf("{{if q}}x{{endif}}", { q })).toEqual([
      "text_as_condition: Give empty text in the data in its place.",
    ]);
  });

  test("is not replaced by a default", async () => {
    const [hint] = await hintsOf('{{e :: html, default("none")}}', { e: "<p></p>" });
    expect(hint).toBe(
      'empty_text: To print it for HTML without text, too, write {{$if(e.replace("<p></p>", ""), e, "none")}}.',
    );
    const mended = '{{$if(e.replace("<p></p>", ""), e, "none")}}';
    expect(await printed(mended, { e: "<p></p>" })).toBe("none");
  });

  test.each(["<p>x</p>", "<hr>", "<p><img src='a'></p>", "&amp;", "<none>"])(
    "is not %s",
    async (e) => {
      expect(await hintsOf("{{if e}}x{{endif}}", { e })).toEqual([]);
    },
  );
});

describe("a sum of times", () => {
  const day = { date: "2026-01-06", start: "08:00", end: "16:15" };
  const entries = [day, { ...day, end: "18:30" }, { ...day, end: null }];
  const night = [day, { ...day, start: "22:00", end: "06:30" }];
  const SUM = '$concat(date, "T", start).hoursUntil($concat(date, "T", end))';

  /** Returns what the form in the hint of a tag prints. */
  async function mended(tag: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    const [hint = ""] = await hintsOf(`{{${tag}}}`, data);
    const form = / write (.+?)\.(?: Otherwise correct the data\.)?$/.exec(hint)?.[1] ?? "no form";
    expect(hint).toMatch(/^doubtful_computation/);
    expect(await hintsOf(`{{${form}}}`, data)).toEqual([]);
    return printed(`{{${form}}}`, data);
  }

  test.each([
    [`entries.where(end isPresent).sum(${SUM})`, "18.75"],
    [`entries.where(end isPresent).sum(${SUM} - 1)`, "16.75"],
    [`entries.sum($if(end isPresent, ${SUM}, 0))`, "18.75"],
    [`entries.where(end isPresent).average(${SUM})`, "9.375"],
  ])("in whole hours has a hint for the minutes: %s", async (tag, hours) => {
    expect(await mended(tag, { entries })).toBe(hours);
  });

  test("names the whole form", async () => {
    const shifts = [{ start: "2026-01-06T08:00", end: "2026-01-06T16:15" }];
    expect(await hintsOf("{{shifts.sum(start.hoursUntil(end))}}", { shifts })).toEqual([
      "doubtful_computation: 'hoursUntil' gives whole hours. For parts of hours write shifts.sum(start.minutesUntil(end)) / 60.",
    ]);
  });

  test.each([
    [`night.sum(${SUM})`, "16.75"],
    [`night.sum(${SUM} * 10)`, "167.5"],
    [`night.sum(${SUM.replace("hours", "minutes")})`, "1005"],
  ])("with an end after midnight has a hint for it: %s", async (tag, sum) => {
    expect(await mended(tag, { night })).toBe(sum);
  });

  test("of $running has a hint for the minutes", async () => {
    const shifts = [{ start: "2026-01-06T08:00", end: "2026-01-06T16:15" }];
    const template = "{{for s in shifts}}{{$running(s.start.hoursUntil(s.end))}}{{endfor}}";
    expect(await hintsOf(template, { shifts })).toEqual([
      "doubtful_computation: 'hoursUntil' gives whole hours. For parts of hours write $running(s.start.minutesUntil(s.end)) / 60.",
    ]);
  });

  test.each([
    "{{l.sum(start.hoursUntil(end))}}",
    "{{l.sum(start.hoursUntil(end) / 24) :: number(2)}}",
    "{{late.sum(due.minutesUntil(done))}}",
    "{{l.sum(start.daysUntil(end))}}",
  ])("that is right has none: %s", async (tag) => {
    const l = [{ start: "2026-01-05T22:00", end: "2026-01-06T06:00" }];
    const late = [
      { due: "2026-01-05T22:00", done: "2026-01-05T21:00" },
      { due: "2026-01-05T22:00", done: "2026-01-05T23:00" },
    ];
    expect(await hintsOf(tag, { l, late })).toEqual([]);
  });
});

describe("other tests of texts and times", () => {
  test("a list with HTML is printed as it is, with a warning", async () => {
    for (const l of [["<b>a</b>", "c"], ["a &amp; b"]]) {
      expect(await printed("{{l}}", { l })).toBe(l.join(", "));
      expect(await hintsOf("{{l}}", { l })).toEqual([
        "detected_html: To print the elements as rich text, add :: html to the tag. If the signs are meant as they are, add :: text.",
      ]);
      expect(await hintsOf("{{l :: html}}", { l })).toEqual([]);
      expect(await hintsOf("{{l :: text}}", { l })).toEqual([]);
    }
    expect(await printed("{{l :: html}}", { l: ["<b>a</b>", "b &amp; c"] })).toBe("a, b & c");
    expect(await hintsOf("{{l}}", { l: ["a", "b & c", "<d>"] })).toEqual([]);
  });

  test("text of spaces is present, with a warning", async () => {
    expect(await hintsOf("{{if a isPresent}}x{{endif}}", { a: "  " })).toEqual([
      "text_as_condition: Write a.trim() without 'isPresent', or give empty text in the data.",
    ]);
    expect(await hintsOf("{{if a.trim()}}x{{endif}}", { a: "  " })).toEqual([]);
  });

  test("a check box is not rich text", async () => {
    expect(await hintsOf("{{a :: checkbox}}", { a: "<p>x</p>" })).toEqual([]);
  });

  const times = { start: "2026-01-05T08:00", end: "2026-01-05T16:45" };

  test.each([
    "start.hoursUntil(end) > 8",
    "8 < start.hoursUntil(end)",
    "start.hoursUntil(end) <= 8",
  ])("whole hours are compared with a warning if the minutes matter: %s", async (condition) => {
    expect(await hintsOf(`{{if ${condition}}}x{{endif}}`, times)).toEqual([
      "doubtful_computation: 'hoursUntil' gives whole hours. For parts of hours write start.minutesUntil(end) / 60 in place of start.hoursUntil(end).",
    ]);
  });

  test.each([
    "start.hoursUntil(end) >= 8",
    "start.hoursUntil(end) > 7",
    "start.minutesUntil(end) / 60 > 8",
  ])("they are compared without one otherwise: %s", async (condition) => {
    expect(await hintsOf(`{{if ${condition}}}x{{endif}}`, times)).toEqual([]);
  });
});
