import { describe, expect, test } from "vitest";
import { p, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { complex, marked, simple } from "../support/fields.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, type WordFile, wordFile } from "../support/word-file.ts";

type Data = Readonly<Record<string, unknown>>;

const para = (...runs: readonly string[]): string => `<w:p>${runs.join("")}</w:p>`;
const loop = (tag: string, ...content: readonly string[]): string =>
  p(`{{for ${tag}}}`) + content.join("") + p("{{endfor}}");
const section = (name: string, ...content: readonly string[]): string =>
  p(`{{#${name}}}`) + content.join("") + p(`{{/${name}}}`);

/** Returns a link with the text of a tag. */
const link = (tag: string, name = "X"): string =>
  para(`<w:hyperlink w:anchor="${name}">${r(`${tag}→`)}</w:hyperlink>`);

/** Returns a paragraph with a bookmark around a tag. */
const heading = (tag: string, name = "X"): string => para(marked(name, `${tag}!`));

/** Returns a text box with its copy for older programs. */
const box = (content: string): string =>
  `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:docPr id="1" name="b"/><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${content}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;

/**
 * Renders a file. Returns the texts of its references, each with the text of the bookmark that it leads to, or null if
 * it became plain text.
 */
async function rendered(file: WordFile | string, data: Data) {
  const bytes = wordFile(typeof file === "string" ? { body: file } : file);
  const template = await compileTemplate(bytes);
  const document = template.render(data);
  assertSound(document.bytes);
  expect(template.check(data)).toEqual(document.warnings);
  const all = [...partsOf(document.bytes).values()].join("");
  const marks = new Map<string, string>();
  for (const [, name = "", text = ""] of all.matchAll(
    /<w:bookmarkStart [^>]*w:name="([^"]*)"\/><w:r>.*?<w:t[^>]*>([^<]*)!</g,
  )) {
    expect(marks.has(name)).toBe(false);
    marks.set(name, text);
  }
  const links = [...all.matchAll(/<w:p>(?:(?!<\/w:p>).)*?→.*?<\/w:p>/g)].map(([xml]) => {
    const text = /<w:t[^>]*>([^<]*)→/.exec(xml)?.[1] ?? "";
    const [, anchor, field] = /w:anchor="([^"]*)"|(?:REF|HYPERLINK \\l|IF) "?(\w+)/.exec(xml) ?? [];
    const name = anchor ?? field;
    return [text, name === undefined ? null : (marks.get(name) ?? "nowhere")] as const;
  });
  const warnings = document.warnings.filter(({ code }) => code !== "unused_value");
  return { links, warnings, codes: warnings.map(({ code }) => code), all, marks };
}

/** Expects each reference to lead to the bookmark with its own text, without warnings. */
async function expectOwn(file: WordFile | string, data: Data, texts: readonly string[]) {
  const { links, codes } = await rendered(file, data);
  expect(links).toEqual(texts.map((text) => [text, text]));
  expect(codes).toEqual([]);
}

const products = [
  { name: "Pen", kind: "office", tags: ["x", "y"] },
  { name: "Ink", kind: "art", tags: ["x"] },
  { name: "Cap", kind: "office", tags: [] },
  { name: "Bow", kind: "art", tags: ["z", "x"] },
];
const NAMES = ["Pen", "Ink", "Cap", "Bow"];
const SORTED = ["Bow", "Cap", "Ink", "Pen"];
const chapters = [
  { name: "A", sections: [{ name: "A1" }, { name: "A2" }] },
  { name: "B", sections: [] },
  { name: "C", sections: [{ name: "C1" }] },
];

const overview = loop("p in products", link("{{p.name}}"));
const details = loop("q in products", heading("{{q.name}}"));

describe("a reference in a loop leads to the bookmark of the same item in another loop", () => {
  test("whether it comes first or last, and the first bookmark keeps its name", async () => {
    for (const body of [overview + details, details + overview]) {
      await expectOwn(body, { products }, NAMES);
      const { marks } = await rendered(body, { products });
      expect([...marks.keys()]).toEqual(["X", "X_2", "X_3", "X_4"]);
    }
  });

  test.each([
    ["a page", complex(" PAGEREF X \\h ", "1")],
    ["a text", complex(" REF X \\h ", "text")],
    ["a simple field", simple(" PAGEREF X ", "1")],
    ["a link as a field", complex(' HYPERLINK \\l "X" ', "1")],
    ["a comparison", complex(' IF X = "a" "b" "c" ', "c")],
    ["an instruction over several runs", complex([" PAGE", "REF X", " \\h "], "1")],
  ])("as %s", async (_name, field) => {
    const body = loop("p in products", para(r("{{p.name}}→"), field)) + details;
    const { links } = await rendered(body, { products });
    expect(links).toEqual(NAMES.map((name) => [name, name]));
  });

  test.each([
    ["products.sort(name)", "products"],
    ["products", "products.sort(name desc)"],
    ["products.sort(name)", "products.sort(kind, name)"],
    ["products.reverse()", "products.where(name != null)"],
    ['products.where(kind == "art")', "products.sort(name)"],
    ["products.sort(name).limit(2)", "products"],
    ["products.distinct(kind)", "products.skip(0)"],
    ["products.nonEmpty()", "products.sort(name)"],
  ])("over %s and %s", async (first, second) => {
    const parts = [
      loop(`p in ${first}`, link("{{p.name}}")),
      loop(`q in ${second}`, heading("{{q.name}}")),
    ];
    for (const body of [parts.join(""), parts.toReversed().join("")]) {
      const { links, codes } = await rendered(body, { products });
      expect(links.length).toBeGreaterThan(1);
      for (const [text, target] of links) expect(target).toBe(text);
      expect(codes).toEqual([]);
    }
  });

  test("in rows of a table, in columns, and in content that a condition shows", async () => {
    const rows = table(
      ["{{tablerow p in products.sort(name)}}"].map(
        (tag) => p(tag) + link("{{p.name}}") + p("{{endtablerow}}"),
      ),
    );
    await expectOwn(rows + details + p(""), { products }, SORTED);
    const columns = `<w:tbl><w:tr><w:tc>${p("{{tablecolumn p in products}}")}${link("{{p.name}}")}</w:tc></w:tr><w:tr><w:tc>${heading("{{p.name}}")}${p("{{endtablecolumn}}")}</w:tc></w:tr></w:tbl>`;
    await expectOwn(columns + p(""), { products }, NAMES);
    const shown = loop("p in products", p("{{if p.name}}"), link("{{p.name}}"), p("{{endif}}"));
    await expectOwn(shown + details, { products }, NAMES);
  });

  test("in nested loops, with other names of the items", async () => {
    const tree = loop(
      "c in chapters.sort(name desc)",
      link("{{c.name}}"),
      loop("s in c.sections.reverse()", link("{{s.name}}", "Y")),
    );
    const text = loop(
      "chapter in chapters",
      heading("{{chapter.name}}"),
      loop("part in chapter.sections", heading("{{part.name}}", "Y")),
    );
    for (const body of [tree + text, text + tree]) {
      await expectOwn(body, { chapters }, ["C", "C1", "B", "A", "A2", "A1"]);
    }
  });

  test("in sections", async () => {
    const tree = section("chapters", link("{{name}}"), section("sections", link("{{name}}", "Y")));
    const text = section(
      "chapters",
      heading("{{name}}"),
      section("sections", heading("{{name}}", "Y")),
    );
    for (const body of [tree + text, text + tree]) {
      await expectOwn(body, { chapters }, ["A", "A1", "A2", "B", "C", "C1"]);
    }
    await expectOwn(
      section("products", link("{{name}}")) + loop("p in products", heading("{{p.name}}")),
      { products },
      NAMES,
    );
  });

  test("with an overview in each repetition of a loop around both", async () => {
    const body = loop(
      "c in chapters",
      loop("s in c.sections.reverse()", link("{{s.name}}")),
      loop("s in c.sections", heading("{{s.name}}")),
    );
    await expectOwn(body, { chapters }, ["A2", "A1", "C1"]);
  });

  test("if only one of the two is in groups, or in several levels", async () => {
    const groups = (content: string): string =>
      loop("g in products.group(kind)", p("{{g.key}}"), loop("p in g.items.sort(name)", content));
    const flat = (content: string): string => loop("p in products.sort(name)", content);
    const own = async (body: string, data: Data, names: readonly string[]): Promise<void> => {
      const { links, codes } = await rendered(body, data);
      expect(links.toSorted()).toEqual(names.map((name) => [name, name]));
      expect(codes).toEqual([]);
    };
    for (const [one, other] of [
      [groups, flat],
      [flat, groups],
      [groups, groups],
    ] as const) {
      await own(one(link("{{p.name}}")) + other(heading("{{p.name}}")), { products }, SORTED);
      await own(other(heading("{{p.name}}")) + one(link("{{p.name}}")), { products }, SORTED);
    }
    const nested = (content: string): string =>
      loop("c in chapters", loop("s in c.sections", content));
    const index = (content: string): string =>
      loop("s in chapters.sections.sort(name desc)", content);
    for (const [one, other] of [
      [nested, index],
      [index, nested],
    ] as const) {
      const [before, after] = [one(link("{{s.name}}")), other(heading("{{s.name}}"))];
      await own(before + after, { chapters }, ["A1", "A2", "C1"]);
      await own(after + before, { chapters }, ["A1", "A2", "C1"]);
    }
  });

  test("if the template or the data makes the list, also from equal values", async () => {
    const both = (list: string, tag = "{{i}}"): string =>
      loop(`i in ${list}`, link(tag)) + loop(`i in ${list}`, heading(tag));
    const data = { n: 3, text: "a,b", o: { k: 1, l: 2 }, one: "u", two: "v", products };
    await expectOwn(both("$range(n)"), data, ["1", "2", "3"]);
    await expectOwn(both('text.split(",")'), data, ["a", "b"]);
    await expectOwn(both("o.entries()", "{{i.key}}"), data, ["k", "l"]);
    await expectOwn(both("[one, two]"), data, ["u", "v"]);
    await expectOwn(both("products.group(kind)", "{{i.key}}"), data, ["office", "art"]);
    await expectOwn(both("products.map(name)"), data, NAMES);
    const texts = loop("t in list", link("{{t}}")) + loop("t in list", heading("{{t}}"));
    const { all } = await rendered(texts, { list: ["a", "a", "b"] });
    const names = [...all.matchAll(/w:(?:anchor|name)="(X\w*)"/g)].map(([, name]) => name);
    expect(names).toEqual(["X", "X_2", "X_3", "X", "X_2", "X_3"]);
  });

  test("with more loops around one of the two", async () => {
    const text = loop("c in chapters", loop("s in c.sections", heading("{{c.name}}{{s.name}}")));
    const tree = loop("c in chapters", link("{{c.name}}"));
    const { links, codes } = await rendered(tree + text, { chapters });
    expect(links).toEqual([
      ["A", "AA1"],
      ["B", null],
      ["C", "CC1"],
    ]);
    expect(codes).toEqual(["reference_removed"]);
    const tagged = loop("p in products", loop("t in p.tags", link("{{p.name}}")));
    const found = await rendered(tagged + details, { products });
    expect(found.links.map(([, target]) => target)).toEqual(["Pen", "Pen", "Ink", "Bow", "Bow"]);
    const copies = loop("n in $range(2)", loop("p in products", heading("{{n}}{{p.name}}")));
    const copied = await rendered(overview + copies, { products });
    expect(copied.links.map(([, target]) => target)).toEqual(NAMES.map((name) => `1${name}`));
    expect([...found.codes, ...copied.codes]).toEqual([]);
  });

  test("with every pair of items of two loops over one list", async () => {
    const pairs = (content: string): string =>
      loop("a in products.limit(2)", loop("b in products.limit(2)", content));
    const names = ["PenPen", "PenInk", "InkPen", "InkInk"];
    await expectOwn(
      pairs(link("{{a.name}}{{b.name}}")) + pairs(heading("{{a.name}}{{b.name}}")),
      { products },
      names,
    );
    const { links } = await rendered(pairs(link("{{b.name}}")) + details, { products });
    expect(links.map(([, target]) => target)).toEqual(["Pen", "Ink", "Pen", "Ink"]);
  });

  test("from several places in other orders, and from outside to the first one", async () => {
    const index = loop("p in products.sort(name)", link("{{p.name}}"));
    const first = para(`<w:hyperlink w:anchor="X">${r("first→")}</w:hyperlink>`);
    const body = first + index + overview + details + first + index;
    const { links, codes, marks } = await rendered(body, { products });
    const own = (names: readonly string[]) => names.map((name) => [name, name]);
    expect(links).toEqual([
      ["first", "Pen"],
      ...own([...SORTED, ...NAMES]),
      ["first", "Pen"],
      ...own(SORTED),
    ]);
    expect([...marks.keys()]).toEqual(["X", "X_2", "X_3", "X_4"]);
    expect(codes).toEqual([]);
  });

  test("from notes, headers, text boxes and to bookmarks in other parts", async () => {
    const note = '<w:r><w:footnoteReference w:id="2"/></w:r>';
    const notes = (content: string) => ({
      "footnotes.xml": `<w:footnote w:id="2">${content}</w:footnote>`,
    });
    const noted = loop("p in products.sort(name)", para(r("{{p.name}}"), note));
    for (const body of [noted + details, details + noted]) {
      await expectOwn({ body, parts: notes(link("{{p.name}}")) }, { products }, SORTED);
    }
    const marks = loop("p in products", para(r("{{p.name}}"), note));
    const inNote = { body: overview + marks, parts: notes(heading("{{p.name}}")) };
    await expectOwn(inNote, { products }, NAMES);
    const header = { "header1.xml": loop("h in products.sort(name)", link("{{h.name}}")) };
    await expectOwn({ body: details, parts: header }, { products }, SORTED);
    const toHeader = { "header1.xml": details };
    await expectOwn({ body: overview, parts: toHeader }, { products }, NAMES);
  });

  test("in text boxes with a copy for older programs", async () => {
    const { all, codes } = await rendered(box(overview) + details, { products });
    const anchors = [...all.matchAll(/w:anchor="(\w+)"/g)].map(([, name]) => name);
    expect(anchors).toEqual(["X", "X_2", "X_3", "X_4", "X", "X_2", "X_3", "X_4"]);
    expect(codes).toEqual([]);
  });

  test("also in its result that Word has copied from the heading", async () => {
    const field = complex(" REF X \\h ", "{{p.name}}!");
    const body =
      loop("p in products.sort(name)", para(r("{{p.name}}→"), field)) +
      loop("p in products", heading("{{p.name}}"));
    const { links, codes, all } = await rendered(body, { products });
    expect(links).toEqual(SORTED.map((name) => [name, name]));
    expect(codes).toEqual([]);
    for (const name of NAMES) expect(all.split(`>${name}!<`)).toHaveLength(3);
  });
});

describe("a reference to an item whose bookmark the document does not have", () => {
  test.each([
    [
      "a condition",
      loop("q in products", p('{{if q.kind == "art"}}'), heading("{{q.name}}"), p("{{endif}}")),
    ],
    ["a selection", loop('q in products.where(kind == "art")', heading("{{q.name}}"))],
    ["a limit of a sorted list", loop("q in products.sort(kind).limit(2)", heading("{{q.name}}"))],
  ])("is plain text, with a warning: %s", async (_name, text) => {
    for (const body of [overview + text, text + overview]) {
      const { links, codes, warnings } = await rendered(body, { products });
      expect(links).toEqual([
        ["Pen", null],
        ["Ink", "Ink"],
        ["Cap", null],
        ["Bow", "Bow"],
      ]);
      expect(codes).toEqual(["reference_removed"]);
      expect(warnings[0]).toMatchObject({
        message:
          "The link refers to the bookmark 'X', but this document does not have it for the same item. The document has its text without the link.",
        hint: "Put the reference into a block with the same condition as the bookmark.",
        pointers: ["/products/0", "/products/2"],
      });
    }
  });

  test("is plain text if the list of the bookmarks is empty", async () => {
    const body = overview + loop("q in products.limit(0)", heading("{{q.name}}"));
    const { links, codes } = await rendered(body, { products });
    expect(links).toEqual(NAMES.map((name) => [name, null]));
    expect(codes).toEqual(["reference_removed"]);
    expect((await rendered(body, { products: [] })).codes).toEqual([]);
  });

  test("is never the bookmark of an equal text in another list", async () => {
    const docs = [{ tags: ["a", "b"] }, { tags: ["b"] }];
    const body =
      loop("t in docs.tags", link("{{t}}")) +
      loop("d in docs", loop("t in d.tags", heading("{{t}}")));
    const { links, codes } = await rendered(body, { docs });
    expect(links).toEqual([
      ["a", null],
      ["b", null],
      ["b", null],
    ]);
    expect(codes).toEqual(["reference_removed"]);
  });
});

describe("a reference in a loop over other items than the loop of its bookmark", () => {
  const warning = {
    severity: "warning",
    code: "same_for_all_items",
    message:
      "The link is in {{for s in others}}, and its bookmark 'X' is in {{for q in products}}, which repeats other items. So every repetition leads to the first bookmark.",
    hint: "Repeat both over the same list, or put the reference into the loop of the bookmark.",
    template: { part: "word/document.xml", paragraph: 2, tag: "X" },
  };
  const others = [{ name: "O" }, { name: "Q" }];

  test("leads to the first one, with a warning", async () => {
    const body = loop("s in others", link("{{s.name}}")) + details;
    const template = await compileTemplate(wordFile({ body }));
    expect(template.warnings).toMatchObject([warning]);
    const { links, warnings } = await rendered(body, { products, others });
    expect(links).toEqual([
      ["O", "Pen"],
      ["Q", "Pen"],
    ]);
    expect(warnings).toMatchObject([warning]);
  });

  test("leads to the first one in the items that both have, with a warning", async () => {
    const text = (list: string, content: string): string =>
      loop("c in chapters", loop(`s in ${list}`, content));
    const body = text("c.notes", link("{{c.name}}")) + text("c.sections", heading("{{s.name}}"));
    const data = { chapters: chapters.map((each) => ({ ...each, notes: [1, 2] })) };
    const { links, codes } = await rendered(body, data);
    expect(links.map(([, target]) => target)).toEqual(["A1", "A1", null, null, "C1", "C1"]);
    expect(codes).toEqual(["same_for_all_items", "reference_removed"]);
  });

  test("is also reported if the bookmark is in several loops", async () => {
    const body = overview + details + loop("s in others", heading("{{s.name}}"));
    const { warnings } = await compileTemplate(wordFile({ body }));
    expect(warnings.map(({ code }) => code)).toEqual(["same_for_all_items"]);
  });

  test.each([
    ["the reference is in no loop", link("{{name}}") + details],
    [
      "the reference is in a condition",
      p("{{if name}}") + link("{{name}}") + p("{{endif}}") + details,
    ],
    [
      "the reference is in a section, which may be a condition",
      section("name", link("{{name}}")) + details,
    ],
    ["the bookmark is in no loop", overview + heading("{{name}}")],
    [
      "the bookmark is in a section, which may be a condition",
      overview + section("name", heading("{{name}}")),
    ],
    [
      "a column is a condition",
      `<w:tbl><w:tr><w:tc>${p("{{tablecolumn if shown}}")}${link("{{name}}")}${p("{{endtablecolumn}}")}</w:tc></w:tr></w:tbl>${details}`,
    ],
  ])("is not reported if %s", async (_name, body) => {
    const { codes, links } = await rendered(body, { name: "N", shown: true, products });
    expect(codes).toEqual([]);
    for (const [, target] of links) expect(["N", "Pen"]).toContain(target);
  });
});

test("ten thousand references find the bookmarks of their items in another order", async () => {
  const items = Array.from({ length: 10_000 }, (_, at) => ({ name: `n${(at * 7919) % 10_000}` }));
  const body =
    loop("i in items.sort(name)", link("{{i.name}}")) + loop("i in items", heading("{{i.name}}"));
  const { bytes, warnings } = (await compileTemplate(wordFile({ body }))).render({ items });
  expect(warnings).toEqual([]);
  const xml = partsOf(bytes).get("word/document.xml") ?? "";
  const marks = new Map(
    [...xml.matchAll(/w:name="(\w+)"\/>.*?<w:t[^>]*>(\w+)!/g)].map(([, name, text]) => [
      name,
      text,
    ]),
  );
  const links = [...xml.matchAll(/w:anchor="(\w+)".*?<w:t[^>]*>(\w+)→/g)];
  expect(links).toHaveLength(10_000);
  expect(links.filter(([, name, text]) => marks.get(name) !== text)).toEqual([]);
});

describe("a reference in a section over other items than the section of its bookmark", () => {
  const body = section("others", link("{{name}}")) + section("products", heading("{{name}}"));
  const others = [{ name: "O" }, { name: "Q" }];

  test("is reported only if the data repeats both", async () => {
    expect((await compileTemplate(wordFile({ body }))).warnings).toEqual([]);
    const { links, warnings } = await rendered(body, { products, others });
    expect(links).toEqual([
      ["O", "Pen"],
      ["Q", "Pen"],
    ]);
    expect(warnings).toMatchObject([
      {
        code: "same_for_all_items",
        message:
          "The link is in {{#others}}, and its bookmark 'X' is in {{#products}}, which repeats other items. So every repetition leads to the first bookmark.",
        hint: "Repeat both over the same list, or put the reference into the loop of the bookmark.",
        template: { part: "word/document.xml", paragraph: 2, tag: "X" },
        pointers: ["/others/0", "/others/1"],
      },
    ]);
    const back = section("products", heading("{{name}}")) + section("others", link("{{name}}"));
    expect((await rendered(back, { products, others })).codes).toEqual(["same_for_all_items"]);
  });

  test.each([
    ["the reference is shown once", { products, others: [{ name: "O" }] }],
    ["the reference is shown for an object", { products, others: { name: "O" } }],
    ["the reference is shown under a condition", { products, others: true, name: "O" }],
    ["the bookmark is shown once", { products: products.slice(0, 1), others }],
    ["the bookmark is shown for an object", { products: products[0], others }],
  ])("is not reported if %s", async (_name, data) => {
    const { codes, links } = await rendered(body, data);
    expect(codes).toEqual([]);
    for (const [, target] of links) expect(target).toBe("Pen");
  });

  test("is not reported because of the copy of a text box", async () => {
    const target = section("products", box(heading("{{name}}")));
    const file = wordFile({ body: section("others", link("{{name}}")) + target });
    const template = await compileTemplate(file);
    for (const [count, codes] of [
      [1, []],
      [2, ["same_for_all_items"]],
    ] as const) {
      const data = { products: products.slice(0, count).map(({ name }) => ({ name })), others };
      expect(template.render(data).warnings.map(({ code }) => code)).toEqual(codes);
    }
  });

  test("is not reported if each item that both have shows the bookmark once", async () => {
    const both = (name: string, content: string): string =>
      loop("c in chapters", section(`c.${name}`, content));
    const body = both("notes", link("{{c.name}}")) + both("parts", heading("{{c.name}}"));
    const data = (parts: number) => ({
      chapters: ["A", "B"].map((name) => ({ name, notes: [{}, {}], parts: Array(parts).fill({}) })),
    });
    const { links, codes } = await rendered(body, data(1));
    expect(links.map(([, target]) => target)).toEqual(["A", "A", "B", "B"]);
    expect(codes).toEqual([]);
    expect((await rendered(body, data(2))).codes).toEqual(["same_for_all_items"]);
  });

  test("is reported if one of the two is in a loop", async () => {
    for (const mixed of [
      loop("o in others", link("{{o.name}}")) + section("products", heading("{{name}}")),
      section("others", link("{{name}}")) + details,
    ]) {
      expect((await compileTemplate(wordFile({ body: mixed }))).warnings).toEqual([]);
      const { codes } = await rendered(mixed, { products, others });
      expect(codes).toEqual(["same_for_all_items"]);
    }
  });
});

describe("a loop over the list of the loop around it", () => {
  const recs = ["A", "B", "C"].map((id) => ({ id }));

  test("leads from each record to all records", async () => {
    const body = loop("r in recs", heading("{{r.id}}"), loop("n in recs", link("{{n.id}}")));
    await expectOwn(body, { recs }, ["A", "B", "C", "A", "B", "C", "A", "B", "C"]);
    const chosen = loop("n in recs.where(id != r.id)", link("{{n.id}}"));
    const others = loop("r in recs", heading("{{r.id}}"), chosen);
    await expectOwn(others, { recs }, ["B", "C", "A", "C", "A", "B"]);
  });

  test("does not change references that are in no such loop, or to a bookmark in the inner loop", async () => {
    const own = loop("r in recs", heading("{{r.id}}"), loop("n in others", link("{{r.id}}")));
    await expectOwn(own, { recs, others: [1, 2] }, ["A", "A", "B", "B", "C", "C"]);
    const inner = loop("n in recs", heading("{{r.id}}{{n.id}}"), link("{{r.id}}{{n.id}}"));
    const pairs = recs.flatMap((r) => recs.map((n) => r.id + n.id));
    await expectOwn(loop("r in recs", inner), { recs }, pairs);
  });
});
