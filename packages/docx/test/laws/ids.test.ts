import { describe, expect, test } from "vitest";
import { p, r, table } from "../../../ooxml/test/support/docx.ts";
import { all, rootOf } from "../support/labels.ts";
import { render } from "../support/render.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, type WordFile, wordFile } from "../support/word-file.ts";

const FOR = p("{{for i in l}}");
const END = p("{{endfor}}");
const l = [
  { t: "a", m: [1, 2] },
  { t: "b", m: [] },
  { t: "c", m: [3] },
];

/** Renders a file, checks that Word would open it without repair, and returns its parts. */
async function sound(
  file: WordFile | string,
  data: Record<string, unknown> = { l },
): Promise<Map<string, string>> {
  const { bytes } = await render(wordFile(typeof file === "string" ? { body: file } : file), data);
  assertSound(bytes);
  return partsOf(bytes);
}

function values(
  parts: Map<string, string>,
  element: string,
  attribute: string,
  part = "word/document.xml",
): (string | null)[] {
  return all(rootOf(parts.get(part) ?? ""), element).map((each) => each.getAttribute(attribute));
}

const start = (id: number, name: string): string =>
  `<w:bookmarkStart w:id="${id}" w:name="${name}"/>`;
const end = (id: number): string => `<w:bookmarkEnd w:id="${id}"/>`;
const drawing = (attributes: string, content = ""): string =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr ${attributes}/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp>${content}<wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
const reference = (id: number, kind = "footnote"): string =>
  `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
const note = (id: number, content: string, kind = "footnote"): string =>
  `<w:${kind} w:id="${id}">${content}</w:${kind}>`;
const separator =
  '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>';

describe("drawings", () => {
  test.each([
    ["first among the attributes", 'id="4" name="Shape"'],
    ["last among the attributes", 'name="Shape" id="4"'],
    ["before an alternative text with a tag", 'id="4" name="Shape" descr="of {{i.t}}"'],
    ["after an alternative text with a tag", 'descr="of {{i.t}}" name="Shape" id="4"'],
    ["between texts with tags", 'name="{{i.t}}" id="4" descr="of {{i.t}}"'],
  ])("have a unique id in each iteration, with the attribute %s", async (_name, attributes) => {
    const parts = await sound(
      `<w:p>${drawing('id="9" name="before"')}</w:p>${FOR}<w:p>${drawing(attributes)}</w:p>${END}`,
    );
    expect(new Set(values(parts, "wp:docPr", "id")).size).toBe(4);
    if (attributes.includes("descr")) {
      expect(values(parts, "wp:docPr", "descr").slice(1)).toEqual(["of a", "of b", "of c"]);
    }
  });

  test("have ids that differ from those in other parts", async () => {
    const parts = await sound({
      body: `${FOR}<w:p>${drawing('id="1" name="x"')}</w:p>${END}`,
      parts: {
        "header1.xml": `<w:p>${drawing('id="2" name="y"')}</w:p>`,
        "footer1.xml": `<w:p>${r("{{for i in l}}")}${drawing('id="3" name="z"')}${r("{{endfor}}")}</w:p>`,
      },
    });
    const ids = ["document", "header1", "footer1"].flatMap((part) =>
      values(parts, "wp:docPr", "id", `word/${part}.xml`),
    );
    expect(ids).toHaveLength(7);
    expect(new Set(ids).size).toBe(7);
  });

  test("have unique ids in nested text boxes, in both alternatives", async () => {
    const inner = drawing(
      'id="2" name="inner"',
      `<wps:txbx><w:txbxContent>${p("{{i.t}}")}</w:txbxContent></wps:txbx>`,
    );
    const outer = drawing(
      'id="1" name="outer"',
      `<wps:txbx><w:txbxContent><w:p>${inner}</w:p></w:txbxContent></wps:txbx>`,
    );
    const parts = await sound(`${FOR}<w:p>${outer}</w:p>${END}`);
    expect(new Set(values(parts, "wp:docPr", "id")).size).toBe(6);
  });
});

describe("bookmarks", () => {
  test.each([
    ["around the item's text", `${FOR}<w:p>${start(1, "x")}${r("{{i.t}}")}${end(1)}</w:p>${END}`],
    ["around the item's paragraph", FOR + start(1, "x") + p("{{i.t}}") + end(1) + END],
    [
      "in the paragraphs of the loop's tags",
      `<w:p>${r("{{for i in l}}")}${start(1, "x")}</w:p>${p("{{i.t}}")}<w:p>${end(1)}${r("{{endfor}}")}</w:p>`,
    ],
    [
      "around two paragraphs",
      `${FOR}<w:p>${start(1, "x")}${r("{{i.t}}")}</w:p><w:p>${r("more")}${end(1)}</w:p>${END}`,
    ],
    [
      "around a row",
      table([`${p("{{tablerow i in l}}")}`, p("{{i.t}}{{endtablerow}}")])
        .replace("<w:tr>", `<w:tr>${start(1, "x")}`)
        .replace("</w:tr>", `${end(1)}</w:tr>`) + p(""),
    ],
    [
      "of two overlapping ranges",
      `${FOR}<w:p>${start(1, "x")}${start(2, "y")}${r("{{i.t}}")}${end(1)}${end(2)}</w:p>${END}`,
    ],
    [
      "inline",
      `<w:p>${r("{{for i in l}}")}${start(1, "x")}${r("{{i.t}}")}${end(1)}${r("{{endfor}}")}</w:p>`,
    ],
    [
      "in a loop within the loop",
      `${FOR}${p("{{for j in i.m}}")}<w:p>${start(1, "x")}${r("{{j}}")}${end(1)}</w:p>${END}${END}`,
    ],
    [
      "around a loop within the loop",
      `${FOR}<w:p>${start(1, "x")}${r("{{i.t}}")}</w:p>${p("{{for j in i.m}}")}${p("{{j}}")}${END}<w:p>${r("z")}${end(1)}</w:p>${END}`,
    ],
  ])("are pairs with unique ids and names: %s", async (_name, body) => {
    const parts = await sound(body);
    expect(
      values(parts, "w:bookmarkStart", "w:name").filter((name) => name?.startsWith("x")),
    ).toHaveLength(3);
    expect((await sound(body, { l: l.slice(0, 1) })).get("word/document.xml")).toContain(
      'w:name="x"',
    );
    await sound(body, { l: [] });
  });

  test.each([
    [
      "begins before the loop and ends in it",
      `<w:p>${start(1, "x")}${r("a")}</w:p>${FOR}<w:p>${r("{{i.t}}")}${end(1)}</w:p>${END}`,
    ],
    [
      "begins in the loop and ends after it",
      `${FOR}<w:p>${start(1, "x")}${r("{{i.t}}")}</w:p>${END}<w:p>${end(1)}${r("a")}</w:p>`,
    ],
    [
      "begins in one loop and ends in another",
      `${FOR}<w:p>${start(1, "x")}${r("{{i.t}}")}</w:p>${END}${FOR}<w:p>${r("{{i.t}}")}${end(1)}</w:p>${END}`,
    ],
    [
      "begins in a loop and ends in a loop within it",
      `${FOR}<w:p>${start(1, "x")}${r("{{i.t}}")}</w:p>${p("{{for j in i.m}}")}<w:p>${r("{{j}}")}${end(1)}</w:p>${END}${END}`,
    ],
    [
      "begins in a condition and ends after it",
      `${p("{{if l}}")}<w:p>${start(1, "x")}${r("a")}</w:p>${p("{{endif}}")}<w:p>${end(1)}${r("a")}</w:p>`,
    ],
    [
      "begins before a condition and ends in it",
      `<w:p>${start(1, "x")}${r("a")}</w:p>${p("{{if l}}")}<w:p>${r("b")}${end(1)}</w:p>${p("{{endif}}")}`,
    ],
    [
      "begins in one branch and ends in the other",
      `${p("{{if l}}")}<w:p>${start(1, "x")}${r("a")}</w:p>${p("{{else}}")}<w:p>${r("b")}${end(1)}</w:p>${p("{{endif}}")}`,
    ],
  ])("always begin and end once if the template's bookmark %s", async (_name, body) => {
    await sound(body);
    await sound(body, { l: [{ t: "only", m: [1] }] });
    await sound(body, { l: [] });
    await sound(body, {
      l: [
        { t: "x", m: [] },
        { t: "y", m: [1] },
      ],
    });
  });

  test("get names that no other bookmark of the template has", async () => {
    const taken = `<w:p>${start(5, "x_2")}${end(5)}${start(6, "X_3")}${end(6)}</w:p>`;
    await sound(`${FOR}<w:p>${start(1, "x")}${r("{{i.t}}")}${end(1)}</w:p>${END}${taken}`);
    const header = { "header1.xml": taken };
    await sound({
      body: `${FOR}<w:p>${start(1, "x")}${r("{{i.t}}")}${end(1)}</w:p>${END}`,
      parts: header,
    });
  });

  test("get unique names, even if their names are as long as Word allows", async () => {
    const [one, two] = ["a", "b"].map((letter) => `${"n".repeat(39)}${letter}`);
    await sound(
      `${FOR}<w:p>${start(1, one ?? "")}${end(1)}${start(2, two ?? "")}${end(2)}${r("{{i.t}}")}</w:p>${END}`,
    );
  });
});

describe("paragraphs, controls, changes", () => {
  test("paragraphs and rows have unique ids", async () => {
    const paragraph = `<w:p w14:paraId="00000001" w14:textId="77777777">${r("{{i.t}}")}</w:p>`;
    await sound(FOR + paragraph + END);
    const row = `<w:tbl><w:tblPr/><w:tblGrid/><w:tr w14:paraId="00000002"><w:tc><w:p w14:paraId="00000003">${r("{{tablerow i in l}}{{i.t}}{{endtablerow}}")}</w:p></w:tc></w:tr></w:tbl>`;
    await sound(`${row}<w:p/>`);
  });

  test("content controls have unique ids", async () => {
    const control = (content: string): string =>
      `<w:sdt><w:sdtPr><w:alias w:val="n"/><w:id w:val="-42"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    await sound(FOR + control(p("{{i.t}}")) + END);
    await sound(`<w:p>${r("{{for i in l}}")}${control(r("{{i.t}}"))}${r("{{endfor}}")}</w:p>`);
    await sound(control(FOR + p("{{i.t}}") + END));
  });

  test("tracked changes have unique ids", async () => {
    const change = `<w:ins w:id="5" w:author="a">${r("{{i.t}}")}</w:ins><w:del w:id="6" w:author="a"><w:r><w:delText>x</w:delText></w:r></w:del>`;
    const properties = '<w:pPr><w:pPrChange w:id="7" w:author="a"><w:pPr/></w:pPrChange></w:pPr>';
    await sound(`${FOR}<w:p>${properties}${change}</w:p>${END}`);
  });

  test("a comment has its reference between its marks, and another id in each iteration", async () => {
    const commented = `<w:commentRangeStart w:id="0"/>${r("{{i.t}}")}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>`;
    const comments = { "comments.xml": `<w:comment w:id="0" w:author="a">${p("why")}</w:comment>` };
    await sound({ body: `${FOR}<w:p>${commented}</w:p>${END}`, parts: comments });
    const outside = `<w:p><w:commentRangeStart w:id="0"/>${r("a")}</w:p>${FOR}<w:p>${r("{{i.t}}")}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>${END}`;
    await sound({ body: outside, parts: comments });
    await sound({ body: outside, parts: comments }, { l: [] });
  });
});

describe.each(["footnote", "endnote"])("%ss", (kind) => {
  const file = (body: string, ...notes: readonly string[]): WordFile => ({
    body,
    parts: { [`${kind}s.xml`]: separator.replaceAll("w:footnote", `w:${kind}`) + notes.join("") },
  });
  const texts = (parts: Map<string, string>): Map<string | null, string> =>
    new Map(
      all(rootOf(parts.get(`word/${kind}s.xml`) ?? ""), `w:${kind}`).map((each) => [
        each.getAttribute("w:id"),
        each.textContent ?? "",
      ]),
    );
  const read = (parts: Map<string, string>): (string | undefined)[] => {
    const found = texts(parts);
    return values(parts, `w:${kind}Reference`, "w:id").map((id) => found.get(id));
  };

  test("occur once for each reference, with the data of its iteration", async () => {
    const body = `${FOR}<w:p>${r("{{i.t}}")}${reference(1, kind)}</w:p>${END}<w:p>${r("end")}${reference(2, kind)}</w:p>`;
    const notes = [note(1, p("{{i.t}} {{x}}"), kind), note(2, p("last {{x}}"), kind)];
    const parts = await sound(file(body, ...notes), { l, x: "X" });
    expect(read(parts)).toEqual(["a X", "b X", "c X", "last X"]);
    expect(read(await sound(file(body, ...notes), { l: [], x: "X" }))).toEqual(["last X"]);
  });

  test("occur once for each reference, even without a tag", async () => {
    const parts = await sound(
      file(`${FOR}<w:p>${reference(1, kind)}</w:p>${END}`, note(1, p("same"), kind)),
    );
    expect(read(parts)).toEqual(["same", "same", "same"]);
  });

  test("may contain blocks over the data of the iteration", async () => {
    const inner = p("{{for j in i.m}}") + p("{{j}}") + p("{{endfor}}");
    const parts = await sound(
      file(`${FOR}<w:p>${reference(1, kind)}</w:p>${END}`, note(1, inner, kind)),
    );
    expect(read(parts)).toEqual(["12", "", "3"]);
  });

  test("work in nested loops, a row of a table, a section", async () => {
    const nested = `${FOR}${p("{{for j in i.m}}")}<w:p>${reference(1, kind)}</w:p>${END}${END}`;
    expect(read(await sound(file(nested, note(1, p("{{i.t}}{{j}}"), kind))))).toEqual([
      "a1",
      "a2",
      "c3",
    ]);
    const row =
      table([`<w:p>${r("{{#l}}{{t}}")}${reference(1, kind)}${r("{{/l}}")}</w:p>`]) + p("");
    expect(read(await sound(file(row, note(1, p("{{t}}"), kind))))).toEqual(["a", "b", "c"]);
  });

  test("that are repeated have bookmarks, drawings and paragraphs with unique ids", async () => {
    const marked = `<w:p w14:paraId="00000009">${start(3, "in")}${r("{{i.t}}")}${end(3)}</w:p>`;
    await sound(file(`${FOR}<w:p>${reference(1, kind)}</w:p>${END}`, note(1, marked, kind)));
    const shape = `<w:p>${drawing('id="7" name="s"')}</w:p>`;
    await sound(file(`${FOR}<w:p>${reference(1, kind)}</w:p>${END}`, note(1, shape, kind)));
  });
});

describe("a reference to a bookmark in a loop", () => {
  const field = (instruction: string): string =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve">${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;

  test("refers to the bookmark of the same iteration, before and after it, also from an inner loop", async () => {
    const link = `<w:hyperlink w:anchor="b">${r("go")}</w:hyperlink>`;
    const body = `${FOR}<w:p>${link}${field(" PAGEREF b \\h ")}</w:p><w:p>${start(1, "b")}${r("{{i.t}}")}${end(1)}</w:p>${p("{{for j in i.m}}")}<w:p>${link}</w:p>${END}${END}`;
    const xml = (await sound(body)).get("word/document.xml") ?? "";
    const names = [...xml.matchAll(/w:name="(b\w*)"|w:anchor="(b\w*)"|PAGEREF (b\w*)/g)].map(
      ([, name, anchor, page]) => name ?? anchor ?? page,
    );
    expect(names[0]).toBe("b");
    const turns = xml
      .split(
        /(?=<w:p><w:hyperlink w:anchor="b\w*"><w:r><w:t[^>]*>go<\/w:t><\/w:r><\/w:hyperlink><w:r><w:fldChar)/,
      )
      .slice(1);
    expect(turns).toHaveLength(3);
    for (const turn of turns) {
      const used = new Set(
        [...turn.matchAll(/(?:w:name="|w:anchor="|PAGEREF )(b\w*)/g)].map(([, name]) => name),
      );
      expect(used.size).toBe(1);
    }
  });

  test.each([
    ["a section of true", "{{#i.on}}", "{{/}}"],
    ["an inverted section", "{{^i.off}}", "{{/}}"],
    ["a condition", "{{if i.on}}", "{{endif}}"],
    ["an object's section", "{{#i.o}}", "{{/}}"],
  ])(
    "is unique in a loop where %s shows it, and is found in each iteration",
    async (_name, open, close) => {
      const data = { l: ["a", "b", "c"].map((t) => ({ t, on: true, o: { k: 1 } })) };
      const marked = `<w:p>${start(1, "b")}${r("{{i.t}}")}${end(1)}</w:p>`;
      const link = `<w:p><w:hyperlink w:anchor="b">${r("go")}</w:hyperlink></w:p>`;
      const xml =
        (
          await sound(
            `${link}${FOR}${link}${p(open)}${marked}${link}${p(close)}${link}${END}`,
            data,
          )
        ).get("word/document.xml") ?? "";
      const names = [...xml.matchAll(/w:(?:name|anchor)="(b\w*)"/g)].map(([, name]) => name);
      expect(names).toEqual(["b", ..."bbbb", ...Array(4).fill("b_2"), ...Array(4).fill("b_3")]);
    },
  );

  test.each([
    ["a condition that only the last turn fulfils", p("{{if $last}}"), p("{{endif}}")],
    ["an inner list that is empty in the first turns", p("{{for j in i.m}}"), END],
  ])("is found if only %s shows the bookmark", async (_name, open, close) => {
    const data = { l: [{ m: [] }, { m: [] }, { m: [1] }] };
    const marked = `<w:p>${start(1, "b")}${r("x")}${end(1)}</w:p>`;
    const link = `<w:p><w:hyperlink w:anchor="b">${r("go")}</w:hyperlink></w:p>`;
    const xml = (await sound(link + FOR + open + marked + close + link + END + link, data)).get(
      "word/document.xml",
    );
    const anchors = [...(xml ?? "").matchAll(/w:anchor="(b\w*)"/g)].map(([, name]) => name);
    expect(xml).toContain('w:name="b"');
    expect(new Set(anchors)).toEqual(new Set(["b"]));
  });

  test("refers to the bookmark of the same iteration, wherever Word splits the instruction over runs", async () => {
    const split = (...pieces: string[]): string =>
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r>${pieces.map((piece) => `<w:r><w:instrText xml:space="preserve">${piece}</w:instrText></w:r>`).join("")}<w:r><w:fldChar w:fldCharType="separate"/></w:r>${r("1")}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    for (const pieces of [
      [" REF total \\h "],
      [" REF ", "total \\h "],
      [" REF to", "tal \\h "],
      [" R", "EF", " ", "total", " \\h "],
    ]) {
      const body = `${FOR}<w:p>${start(1, "total")}${r("{{i.t}}")}${end(1)}${split(...pieces)}</w:p>${END}`;
      const xml = (await sound(body)).get("word/document.xml") ?? "";
      const instructions = xml
        .split('w:fldCharType="begin"')
        .slice(1)
        .map((field) =>
          [...(field.split('"separate"')[0] ?? "").matchAll(/<w:instrText[^>]*>([^<]*)</g)]
            .map(([, text]) => text)
            .join(""),
        );
      expect(instructions).toEqual([" REF total \\h ", " REF total_2 \\h ", " REF total_3 \\h "]);
    }
  });

  test("from outside of the loop refers to the first iteration", async () => {
    const body = `<w:p>${field(" REF b ")}</w:p>${FOR}<w:p>${start(1, "b")}${r("{{i.t}}")}${end(1)}</w:p>${END}`;
    expect((await sound(body)).get("word/document.xml")).toContain(" REF b ");
  });
});

test("a comment occurs in each iteration that shows it, even if the first does not", async () => {
  const commented = `<w:p><w:commentRangeStart w:id="0"/>${r("{{i.t}}")}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>`;
  const body = `${FOR}${p("{{if $index > 0}}")}${commented}${p("{{endif}}")}${END}`;
  const comments = { "comments.xml": `<w:comment w:id="0" w:author="a">${p("why")}</w:comment>` };
  const xml = (await sound({ body, parts: comments })).get("word/document.xml") ?? "";
  expect(xml.match(/<w:commentReference/g)).toHaveLength(2);
  expect(xml).not.toContain("<w:r></w:r>");
});

test("comment marks occur in each iteration of their paragraph, and never without a comment", async () => {
  const commented = `<w:p><w:commentRangeStart w:id="0"/>${r("{{if i.on}}")}${r("{{i.t}}")}${r("{{endif}}")}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>`;
  const bare = `<w:p><w:commentRangeStart w:id="0"/>${r("{{if i.on}}")}${r("{{i.t}}")}${r("{{endif}}")}<w:commentRangeEnd w:id="0"/></w:p>`;
  const comments = { "comments.xml": `<w:comment w:id="0" w:author="a">${p("why")}</w:comment>` };
  const data = { l: [{ t: "a" }, { t: "b" }, { t: "c", on: true }] };
  for (const [paragraph, count] of [
    [commented, 3],
    [bare, 0],
  ] as const) {
    const file = { body: FOR + paragraph + END, parts: comments };
    const xml = (await sound(file, data)).get("word/document.xml") ?? "";
    expect(xml.match(/<w:commentRangeStart/g) ?? []).toHaveLength(count);
    expect(xml.match(/<w:commentRangeEnd/g) ?? []).toHaveLength(count);
  }
});

describe("notes", () => {
  const notes = (content: string): Readonly<Record<string, string>> => ({
    "footnotes.xml": content,
  });

  test("occur twice for two references", async () => {
    const body = `<w:p>${reference(2)}${reference(2)}${r("{{x}}")}</w:p>`;
    const parts = await sound({ body, parts: notes(separator + note(2, p("why"))) }, { x: 1 });
    const ids = values(parts, "w:footnote", "w:id", "word/footnotes.xml");
    expect(ids).toEqual(expect.arrayContaining(values(parts, "w:footnoteReference", "w:id")));
  });

  test("with references to notes are rejected in a template with tags", async () => {
    const body = `<w:p>${reference(2)}${r("{{x}}")}</w:p>`;
    const own = note(2, `<w:p>${reference(2)}${r("round")}</w:p>`);
    await expect(render(wordFile({ body, parts: notes(own) }), { x: 1 })).rejects.toMatchObject({
      diagnostics: [{ code: "note_in_note" }],
    });
  });
});
