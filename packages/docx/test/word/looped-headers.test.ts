/** Headers and footers that use the items of a loop: each section of pages shows the values of its item. */
import { isQuireError } from "@quire/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { docx, p, partOf, r } from "../../../ooxml/test/support/docx.ts";
import { png } from "../../../ooxml/test/support/pictures.ts";
import { unzipped } from "../../../ooxml/test/support/unzip.ts";
import { compileTemplate } from "../../src/index.ts";
import { type AddedPart, withFile, withParts } from "../support/add-parts.ts";
import { CHART, chart, SMART_ART, smartArt } from "../support/figures.ts";
import { compileTwins } from "../support/plain/compare.ts";
import { assertSound } from "../support/sound.ts";

type Data = Record<string, unknown>;
type Stories = Readonly<Record<string, string>>;

const MAIN = "word/document.xml";

/** The references of a section: `h1` is the header in `header1.xml`, `f1:first` the first footer in `footer1.xml`. */
function references(shown: string): string {
  return shown
    .split(" ")
    .filter((each) => each !== "")
    .map((each) => {
      const [name = "", type = "default"] = each.split(":");
      const element = name.startsWith("f") ? "w:footerReference" : "w:headerReference";
      return `<${element} w:type="${type}" r:id="rId_${name}"/>`;
    })
    .join("");
}

/** A section break, in a paragraph with this text. */
const brk = (shown = "", text = ""): string =>
  `<w:p><w:pPr><w:sectPr>${references(shown)}<w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:pPr>${text === "" ? "" : r(text)}</w:p>`;

/** A section break between the items of a loop, as the documentation shows it. */
const between = (shown = "", condition = "not $last"): string =>
  p(`{{if ${condition}}}`) + brk(shown) + p("{{endif}}");

const loop = (inner: string, list = "l in ls"): string =>
  p(`{{for ${list}}}`) + inner + p("{{endfor}}");

/** Returns a template. `end`: the references of the last section. */
function template(body: string, stories: Stories, end = ""): Uint8Array {
  const names = Object.fromEntries(
    Object.entries(stories).map(([name, xml]) => [
      fileOf(name),
      xml.startsWith("<") ? xml : p(xml),
    ]),
  );
  const file = withFile(docx({ body, stories: names }), MAIN, (xml) => {
    const at = xml.lastIndexOf("<w:sectPr/>");
    return `${xml.slice(0, at)}<w:sectPr>${references(end)}</w:sectPr>${xml.slice(at + "<w:sectPr/>".length)}`;
  });
  return withFile(file, "word/_rels/document.xml.rels", (xml) =>
    xml.replace(
      /Id="rId\d+"(?= Type="[^"]*" Target="(header|footer)(\d)\.xml")/g,
      (_all, kind, number) => `Id="rId_${kind[0]}${number}"`,
    ),
  );
}

const fileOf = (name: string): string =>
  `${name.startsWith("f") ? "footer" : "header"}${name.slice(1)}.xml`;

/** The relationships of a part: targets by id. */
function targetsOf(bytes: Uint8Array, part: string): ReadonlyMap<string, string> {
  const at = part.lastIndexOf("/") + 1;
  const name = `${part.slice(0, at)}_rels/${part.slice(at)}.rels`;
  if (!unzipped(bytes).has(name)) return new Map();
  return new Map(
    [...partOf(bytes, name).matchAll(/Id="([^"]*)" Type="[^"]*" Target="([^"]*)"/g)].map(
      ([, id = "", target = ""]) => [id, target.replace(/^(?!\/|https?:)/, "/word/").slice(1)],
    ),
  );
}

const textOf = (xml: string): string =>
  [...xml.matchAll(/<w:t(?: [^>]*)?>([^<]*)/g)].map(([, text]) => text).join("|");

/**
 * Returns the text of each section with what Word shows in it: a section without a reference shows the header of the
 * section before.
 */
function sectionsIn(bytes: Uint8Array, type = "default"): string[] {
  const targets = targetsOf(bytes, MAIN);
  const current = { header: "", footer: "" };
  const xml = partOf(bytes).replace(
    /(<w:p>(?:(?!<\/w:p>).)*?)<w:sectPr>.*?<\/w:sectPr>(.*?<\/w:p>)/g,
    (all) => {
      const [section = ""] = /<w:sectPr>.*?<\/w:sectPr>/.exec(all) ?? [];
      return `${all.replace(section, "")}${section}`;
    },
  );
  return [...xml.matchAll(/(.*?)<w:sectPr>(.*?)<\/w:sectPr>/gs)].map(
    ([, content = "", section = ""]) => {
      for (const kind of ["header", "footer"] as const) {
        const reference = new RegExp(`<w:${kind}Reference w:type="${type}" r:id="([^"]*)"/>`);
        const id = reference.exec(section)?.[1];
        if (id !== undefined) current[kind] = textOf(partOf(bytes, targets.get(id) ?? ""));
      }
      const shown = [current.header, current.footer].filter((each) => each !== "").join(" / ");
      return `${textOf(content)}: ${shown}`;
    },
  );
}

/** Renders a template. The document is sound, compiles as a template, and is what the plain renderer writes. */
async function rendered(file: Uint8Array, data: Data) {
  const compiled = await compileTemplate(file);
  const { bytes, warnings } = compiled.render(data);
  expect(compiled.render(data).bytes).toEqual(bytes);
  expect(compiled.check(data)).toEqual(warnings);
  expect((await compileTwins(file)).difference(data)).toBeNull();
  assertSound(bytes);
  await compileTemplate(bytes);
  const parts = [...unzipped(bytes).keys()].toSorted();
  return { bytes, parts, warnings: warnings.map(({ message }) => message) };
}

/** Returns the errors of a template, or of its data. */
async function problemsOf(file: Uint8Array, data: Data | null = null): Promise<string[]> {
  try {
    const compiled = await compileTemplate(file);
    if (data !== null) {
      expect(compiled.check(data).some(({ severity }) => severity === "error")).toBe(true);
      compiled.render(data);
    }
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return error.diagnostics.map(({ message, hint }) => `${message} ${hint}`);
  }
  return [];
}

const LS = [
  { no: 1, name: "Ann" },
  { no: 2, name: "Bob & Co" },
  { no: 3, name: "Cy" },
];

describe("a header that uses the item of a loop around section breaks", () => {
  const letters = loop(p("Dear {{l.name}}") + between("h1"));

  test.each([
    ["is linked to the section before", ""],
    ["shows the same header", "h1"],
  ])("has the values of each item, if the last section %s", async (_name, end) => {
    const file = template(letters, { h1: "No. {{l.no}} of {{company}}" }, end);
    const { bytes, warnings } = await rendered(file, { ls: LS, company: "Acme" });
    expect(sectionsIn(bytes)).toEqual([
      "Dear Ann: No. 1 of Acme",
      "Dear Bob &amp; Co: No. 2 of Acme",
      "Dear Cy: No. 3 of Acme",
    ]);
    expect(warnings).toEqual([]);
    expect(partOf(bytes).match(/(?<=r:id=")[^"]*/g)).toEqual(["rId_h1", "rIdQuire1", "rIdQuire2"]);
  });

  test("has its own part, with its content type, in each repetition", async () => {
    const file = template(letters, { h1: "{{l.no}}" });
    const { bytes, parts } = await rendered(file, { ls: LS });
    expect(parts.filter((name) => name.includes("header"))).toEqual([
      "word/header1.xml",
      "word/header2.xml",
      "word/header3.xml",
    ]);
    expect(partOf(bytes, "[Content_Types].xml").split("wordprocessingml.header+xml")).toHaveLength(
      4,
    );
  });

  test("is shown by the only section of a document with one item", async () => {
    const { bytes, parts } = await rendered(template(letters, { h1: "{{l.no}}" }), { ls: [LS[1]] });
    expect(sectionsIn(bytes)).toEqual(["Dear Bob &amp; Co: 2"]);
    expect(parts.filter((name) => name.includes("header"))).toEqual(["word/header1.xml"]);
  });

  test("is not in a document without items", async () => {
    for (const end of ["", "h1"]) {
      const { bytes, parts, warnings } = await rendered(
        template(letters, { h1: "{{l.no}}" }, end),
        { ls: [] },
      );
      expect(sectionsIn(bytes)).toEqual([": "]);
      expect(parts.filter((name) => name.includes("header"))).toEqual([]);
      expect(warnings).toEqual([]);
    }
  });

  test("may differ in the last section, as Word copies it without Link to Previous", async () => {
    const file = template(letters, { h1: "{{l.no}}", h2: "last {{l.no}}" }, "h2");
    const { bytes } = await rendered(file, { ls: LS });
    expect(sectionsIn(bytes).map((each) => each.split(": ")[1])).toEqual(["1", "2", "last 3"]);
    const one = await rendered(file, { ls: [LS[0]] });
    expect(sectionsIn(one.bytes)).toEqual(["Dear Ann: last 1"]);
    expect(one.parts.filter((name) => name.includes("header"))).toEqual(["word/header2.xml"]);
  });

  test("is of the first page, of even pages, or a footer, each with its own values", async () => {
    const stories = {
      h1: "{{l.no}}",
      h2: "first {{l.no}}",
      h3: "even {{l.no}}",
      f1: "{{l.$number}} / {{ls.count()}}",
      f2: "fixed",
    };
    const file = template(loop(p("x") + between("h1 h2:first h3:even f1 f2:first")), stories);
    const { bytes } = await rendered(file, { ls: LS });
    expect(sectionsIn(bytes)).toEqual(["x: 1 / 1 / 3", "x: 2 / 2 / 3", "x: 3 / 3 / 3"]);
    const first = ["x: first 1 / fixed", "x: first 2 / fixed", "x: first 3 / fixed"];
    expect(sectionsIn(bytes, "first")).toEqual(first);
    expect(sectionsIn(bytes, "even")).toEqual(["x: even 1", "x: even 2", "x: even 3"]);
  });

  test("uses the position in the loop", async () => {
    const text = "{{$number}} of {{$length}}{{if $last}}, the last{{endif}}";
    const { bytes } = await rendered(template(letters, { h1: text }), { ls: LS.slice(1) });
    expect(sectionsIn(bytes).map((each) => each.split(": ")[1])).toEqual([
      "1 of 2",
      "2 of 2, the last",
    ]);
  });

  test("uses the item of a section with this", async () => {
    const body = p("{{#ls}}") + p("Dear {{name}}") + between("h1") + p("{{/ls}}");
    const file = template(body, { h1: "{{.no}} {{name}} {{company}}" });
    const { bytes } = await rendered(file, { ls: LS, company: "Acme" });
    expect(sectionsIn(bytes).map((each) => each.split(": ")[1])).toEqual([
      "1 Ann Acme",
      "2 Bob &amp; Co Acme",
      "3 Cy Acme",
    ]);
  });

  test("repeats a list of the item, and shows parts of it on conditions", async () => {
    const header =
      p("{{for x in l.xs}}") +
      p("{{l.no}}.{{x}}") +
      p("{{endfor}}") +
      p("{{if l.no == 2}}two{{endif}}");
    const ls = LS.map((each) => ({ ...each, xs: ["a", "b"].slice(0, each.no - 1) }));
    const { bytes } = await rendered(template(letters, { h1: header }), { ls });
    expect(sectionsIn(bytes).map((each) => each.split(": ")[1])).toEqual([
      "",
      "2.a|two",
      "3.a|3.b",
    ]);
  });

  test("belongs to the item before a break that begins the loop", async () => {
    const body = loop(between("h1", "not $first") + p("Dear {{l.name}}"));
    const { bytes } = await rendered(template(body, { h1: "{{l.no}}" }), { ls: LS });
    expect(sectionsIn(bytes)).toEqual(["Dear Ann: 1", "Dear Bob &amp; Co: 2", "Dear Cy: 3"]);
  });

  test("is right for items that print nothing, also if the break begins the loop", async () => {
    const ls = [
      { no: 1, name: "" },
      { no: 2, name: "" },
      { no: 3, name: "" },
    ];
    const end = template(loop(p("{{l.name}}") + between("h1")), { h1: "{{l.no}}" });
    const begin = template(loop(between("h1", "not $first") + p("{{l.name}}") + p("")), {
      h1: "{{l.no}}",
    });
    expect(sectionsIn((await rendered(end, { ls })).bytes)).toEqual([": 1", ": 2", ": 3"]);
    const [message] = await problemsOf(begin, { ls });
    expect(message ?? sectionsIn((await rendered(begin, { ls })).bytes)).toContain(
      "no content of its item",
    );
  });

  test("counts the text in the paragraph of a break for the section before it", async () => {
    const body = loop(
      p("Dear {{l.name}}") + brk("h1", "{{l.no}}!") + p("Annex {{l.no}}") + between("h2"),
    );
    const file = template(body, { h1: "A{{l.no}}", h2: "B{{l.no}}" });
    const { bytes } = await rendered(file, { ls: LS.slice(0, 2) });
    expect(sectionsIn(bytes)).toEqual([
      "Dear Ann|1!: A1",
      "Annex 1: B1",
      "Dear Bob &amp; Co|2!: A2",
      "Annex 2: B2",
    ]);
  });

  test("is shared by the sections of one item", async () => {
    const body = loop(p("1") + brk("h1") + p("2") + between());
    const { bytes, parts } = await rendered(template(body, { h1: "{{l.no}}" }), {
      ls: LS.slice(0, 2),
    });
    expect(sectionsIn(bytes)).toEqual(["1: 1", "2: 1", "1: 2", "2: 2"]);
    expect(parts.filter((name) => name.includes("header"))).toHaveLength(2);
  });

  test("leaves a section without a header without one, also after an item", async () => {
    const body = loop(p("cover") + brk() + p("text") + between("h1"));
    const { bytes } = await rendered(template(body, { h1: "{{l.no}}" }), { ls: LS.slice(0, 2) });
    expect(sectionsIn(bytes)).toEqual(["cover: ", "text: 1", "cover: ", "text: 2"]);
  });

  test("leaves a header without items to the sections that show it", async () => {
    const body =
      p("cover") + brk("h2") + loop(p("cover {{l.no}}") + brk("h2") + p("text") + between("h1"));
    const file = template(body, { h1: "{{l.no}}", h2: "{{company}}" });
    const { bytes } = await rendered(file, { ls: LS.slice(0, 2), company: "Acme" });
    const [cover, ...others] = sectionsIn(bytes);
    expect(cover).toBe("cover: Acme");
    expect(others).toEqual(["cover 1: Acme", "text: 1", "cover 2: Acme", "text: 2"]);
    const empty = await rendered(file, { ls: [], company: "Acme" });
    expect(sectionsIn(empty.bytes)).toEqual(["cover: Acme", ": "]);
  });

  test("may be shown with content before and after the loop", async () => {
    const body = p("before") + letters + p("after");
    const { bytes } = await rendered(template(body, { h1: "{{l.no}}" }), { ls: LS.slice(0, 2) });
    expect(sectionsIn(bytes)).toEqual(["before|Dear Ann: 1", "Dear Bob &amp; Co|after: 2"]);
  });

  test("has its own pictures and links, also from values", async () => {
    const logo: AddedPart = {
      name: "word/media/logo.png",
      xml: png(1, 1),
      kind: "image",
      type: "image/png",
      id: "rIdLogo",
      owner: "word/header1.xml",
    };
    const link: AddedPart = {
      ...logo,
      name: "word/x.xml",
      id: "rIdUnused",
      kind: "custom",
      type: "application/xml",
      xml: "<x/>",
    };
    const header = `<w:p>${r('{{l.url :: link("page")}}')}<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata r:id="rIdLogo"/></v:shape></w:pict></w:r></w:p>`;
    const file = withParts(template(letters, { h1: header }), [logo, link]);
    const ls = LS.map((each) => ({ ...each, url: `https://example.com/${each.no}` }));
    const { bytes } = await rendered(file, { ls });
    for (const number of [1, 2, 3]) {
      const targets = [...targetsOf(bytes, `word/header${number}.xml`).values()];
      expect(targets).toContain(`ttps://example.com/${number}`);
      expect(targets).toContain("word/media/logo.png");
    }
  });

  test("needs a picture only if an item shows it", async () => {
    const logo: AddedPart = {
      name: "word/media/logo.png",
      xml: png(1, 1),
      kind: "image",
      type: "image/png",
      id: "rIdLogo",
      owner: "word/header1.xml",
    };
    const image = `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata r:id="rIdLogo"/></v:shape></w:pict></w:r></w:p>`;
    const header = p("{{l.no}}{{$first}}") + p("{{if l.logo}}") + image + p("{{endif}}");
    const file = withParts(template(letters, { h1: header }), [logo]);
    const flagged = (...logos: boolean[]) => ({
      ls: LS.map((each, index) => ({ ...each, logo: logos[index] })),
    });
    expect((await rendered(file, flagged(false, false, false))).parts).not.toContain(logo.name);
    for (const data of [
      flagged(true, false, false),
      flagged(false, true, false),
      flagged(false, false, true),
    ]) {
      expect((await rendered(file, data)).parts).toContain(logo.name);
    }
  });

  test("has a chart with the values of each item, and shares a chart without tags", async () => {
    const owner = "word/header1.xml";
    const title = "<c:title><a:t>{{l.no}}</a:t></c:title>";
    const file = withParts(template(letters, { h1: p("{{l.name}}") + CHART }), [
      { ...chart(title), owner },
    ]);
    const { bytes } = await rendered(file, { ls: LS });
    for (const number of [1, 2, 3]) {
      const shown = /<c:chart [^>]*r:id="([^"]*)"/.exec(
        partOf(bytes, `word/header${number}.xml`),
      )?.[1];
      const target = targetsOf(bytes, `word/header${number}.xml`).get(shown ?? "") ?? "";
      expect(partOf(bytes, target)).toContain(`<a:t>${number}<`);
    }
    const plain = withParts(template(letters, { h1: p("{{l.name}}") + CHART }), [
      { ...chart("<c:title/>"), owner },
    ]);
    const { parts } = await rendered(plain, { ls: LS });
    expect(parts.filter((name) => /charts\/chart/.test(name))).toHaveLength(1);
  });

  test("gives drawings and bookmarks their own numbers and names", async () => {
    const mark =
      '<w:p><w:bookmarkStart w:id="7" w:name="here"/><w:r><w:t>{{l.no}}</w:t></w:r><w:bookmarkEnd w:id="7"/></w:p>';
    const { bytes } = await rendered(template(letters, { h1: mark }), { ls: LS });
    const headers = [1, 2, 3].map((number) => partOf(bytes, `word/header${number}.xml`));
    expect(new Set(headers.map((xml) => /bookmarkStart w:id="(\d+)"/.exec(xml)?.[1])).size).toBe(3);
    expect(new Set(headers.map((xml) => /w:name="([^"]*)"/.exec(xml)?.[1])).size).toBe(3);
  });
});

describe("a header that uses the items of nested loops", () => {
  const orders = loop(p("{{o}}") + between("h1"), "o in c.os");
  const body = loop(p("Dear {{c.n}}") + orders + between(), "c in cs");
  const cs = [
    { n: "A", os: ["a1", "a2"] },
    { n: "B", os: ["b1"] },
    { n: "C", os: ["c1", "c2"] },
  ];

  test("has the values of both", async () => {
    const { bytes } = await rendered(
      template(body, { h1: "{{o}} of {{c.n}}, {{c.$number}}.{{$number}}" }),
      { cs },
    );
    expect(sectionsIn(bytes)).toEqual([
      "Dear A|a1: a1 of A, 1.1",
      "a2: a2 of A, 1.2",
      "Dear B|b1: b1 of B, 2.1",
      "Dear C|c1: c1 of C, 3.1",
      "c2: c2 of C, 3.2",
    ]);
  });

  test("is written once for each item of the outer loop, if it uses only that", async () => {
    const { bytes, parts } = await rendered(template(body, { h1: "{{c.n}}" }), { cs });
    expect(sectionsIn(bytes).map((each) => each.split(": ")[1])).toEqual(["A", "A", "B", "C", "C"]);
    expect(parts.filter((name) => name.includes("header"))).toHaveLength(3);
  });

  test("is empty for an outer item whose list is empty", async () => {
    const some = [
      { n: "A", os: ["a1"] },
      { n: "B", os: [] },
      { n: "C", os: ["c1"] },
    ];
    const { bytes, warnings } = await rendered(template(body, { h1: "{{o}} {{$number}}" }), {
      cs: some,
    });
    expect(sectionsIn(bytes)).toEqual(["Dear A|a1: a1 1", "Dear B: ", "Dear C|c1: c1 1"]);
    expect(warnings).toEqual([]);
  });
});

describe("a header that could show the wrong item", () => {
  const text = "No. {{l.no}}";

  test("is an error of the template if the section after the loop has no content of its items", async () => {
    const body = loop(p("Dear {{l.name}}") + brk("h1")) + p("Summary");
    const expected = expect.stringMatching(
      /^\{\{l\.no\}\} is in a header or footer that a section without content of the loop also shows\. .*Link to Previous.*\{\{if not \$last\}\}/,
    );
    expect(await problemsOf(template(body, { h1: text }))).toEqual([expected]);
    expect(await problemsOf(template(body, { h1: text, h2: "sum" }, "h2"))).toEqual([]);
    const { bytes } = await rendered(template(body, { h1: text, h2: "sum" }, "h2"), {
      ls: LS.slice(0, 2),
    });
    expect(sectionsIn(bytes)).toEqual([
      "Dear Ann: No. 1",
      "Dear Bob &amp; Co: No. 2",
      "Summary: sum",
    ]);
  });

  test("is an error of the template if a section before the loop shows it, too", async () => {
    const body = p("Cover") + brk("h1") + loop(p("Dear {{l.name}}") + between());
    expect(await problemsOf(template(body, { h1: text }))).toHaveLength(1);
  });

  test("is an error of the data if a section has content of several items", async () => {
    const body = loop(p("Dear {{l.name}}") + between("h1", "l.own"));
    const data = { ls: LS.map((each) => ({ ...each, own: each.no === 2 })) };
    expect(await problemsOf(template(body, { h1: text }), data)).toEqual([
      expect.stringMatching(
        /^The value for the tag \{\{l\.no\}\} is in the header or footer of a section with content of several items\. .*\{\{if not \$last\}\}/,
      ),
    ]);
    const own = { ls: LS.map((each) => ({ ...each, own: each.no < 3 })) };
    expect(sectionsIn((await rendered(template(body, { h1: text }), own)).bytes)).toHaveLength(3);
  });

  test("is an error of the data if the last section has no content of an item", async () => {
    const body = loop(p("Dear {{l.name}}") + between("h1", "l.own")) + p("Summary");
    const data = { ls: LS.map((each) => ({ ...each, own: true })) };
    expect(await problemsOf(template(body, { h1: text }), data)).toEqual([
      expect.stringMatching(/no content of its item\. .*Link to Previous/),
    ]);
  });

  test("is an error of the data for the position, if the section has content of several items", async () => {
    const orders = loop(p("{{o}}") + between("h1", "o == 'x'"), "o in l.os");
    const body = loop(orders + between(), "l in ls");
    const data = { ls: [{ os: ["a", "b"] }] };
    expect(await problemsOf(template(body, { h1: "{{$number}}" }), data)).toEqual([
      expect.stringContaining("content of several items"),
    ]);
  });

  test("is an error of the template for SmartArt, which all repetitions share", async () => {
    const file = withParts(
      template(loop(p("x") + between("h1")), { h1: p("{{l.no}}") + SMART_ART }),
      smartArt("<a:r><a:t>{{l.no}}</a:t></a:r>").map((part) => ({
        ...part,
        owner: "word/header1.xml",
      })),
    );
    expect((await problemsOf(file))[0]).toContain("every repetition shows the same SmartArt");
  });
});

/** Paragraphs with the item of a loop, blank ones, and section breaks with these headers and conditions. */
function pieces(alias: string): fc.Arbitrary<string> {
  const text = fc.constantFrom(p(`<${alias} {{${alias}.id}}>`), p(""));
  const header = fc.constantFrom("", "h1", "h2", "h3");
  const condition = fc.constantFrom("not $last", "not $last", "not $first", "$index == 1", "true");
  const broken = fc.tuple(header, condition).map(([shown, when]) => between(shown, when));
  return fc.array(fc.oneof(text, broken), { maxLength: 4 }).map((all) => all.join(""));
}

test("no section shows the header of an item without content in it, for random sections", async () => {
  const inner = pieces("o").map((xml) => (xml.includes("sectPr") ? loop(xml, "o in c.os") : ""));
  const body = fc
    .tuple(pieces("c"), inner, pieces("c"))
    .map((all) => loop(all.join("") + between("h1"), "c in cs"));
  const ids = (name: string, count: number): { id: string }[] =>
    Array.from({ length: count }, (_, index) => ({ id: `${name}${index}` }));
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.nat(3),
      fc.nat(2),
      fc.constantFrom("", "h2"),
      async (xml, count, inC, end) => {
        const stories = { h1: "c={{c.id}};", h2: "c={{c.id}};o={{o.id}};", h3: "plain" };
        const used = Object.entries(stories).filter(
          ([name]) => xml.includes(`rId_${name}`) || name === end,
        );
        const cs = ids("c", count).map((c) => ({ ...c, os: ids(`${c.id}o`, inC) }));
        const bytes = await documentOf(
          template(p("before") + xml + p("after"), Object.fromEntries(used), end),
          { cs },
        );
        for (const section of bytes === null ? [] : sectionsIn(bytes)) {
          const at = section.lastIndexOf(": ");
          for (const [, alias, id] of section.slice(at).matchAll(/(\w)=(\w+);/g)) {
            shown += 1;
            const others = section
              .slice(0, at)
              .matchAll(new RegExp(`&lt;${alias} (\\w+)&gt;`, "g"));
            for (const [, other] of others) expect(other).toBe(id);
          }
        }
      },
    ),
    { numRuns: manyRuns(100, 800) },
  );
  expect(shown).toBeGreaterThan(manyRuns(3, 40));
}, 300_000);

/** Returns a document; null if the template or the data has errors. */
async function documentOf(file: Uint8Array, data: Data): Promise<Uint8Array | null> {
  try {
    const { bytes } = (await compileTemplate(file)).render(data, { onMissing: "fail" });
    assertSound(bytes);
    return bytes;
  } catch (error) {
    if (isQuireError(error)) return null;
    throw error;
  }
}

describe("a header of a malformed file", () => {
  const body = loop(p("{{l.no}}") + between("h1"));
  test("is copied unchanged if its relationship leads to nothing", async () => {
    const file = withFile(
      template(body, { h1: "{{l.no}}" }),
      "word/_rels/document.xml.rels",
      (xml) => xml.replace('Target="header1.xml"', 'Target="missing.xml"'),
    );
    const { bytes } = (await compileTemplate(file)).render({ ls: LS });
    expect(partOf(bytes).match(/w:headerReference/g)).toHaveLength(2);
  });

  test("may be shared by thousands of sections", async () => {
    const many = Array.from({ length: 1000 }, (_, at) =>
      loop(p(`{{x${at}.no}}`) + between("h1", "$first"), `x${at} in ls`),
    ).join("");
    const file = template(many, { h1: "{{x0.no}} {{x999.no}}" });
    expect((await problemsOf(file)).length).toBeGreaterThan(0);
  });
});

describe("a header that uses no item", () => {
  test("is one part for all sections, although the loop has section breaks", async () => {
    for (const text of [
      "{{company}}",
      "{{for l in ls}}{{l.no}}{{endfor}}",
      "{{ls.count()}} {{.company}}",
    ]) {
      const file = template(loop(p("x") + between("h1")), { h1: text });
      const { bytes, parts } = await rendered(file, { ls: LS, company: "Acme" });
      expect(parts.filter((name) => name.includes("header"))).toEqual(["word/header1.xml"]);
      expect(partOf(bytes).match(/w:headerReference/g)).toHaveLength(2);
    }
  });

  test("is not a header of the item because Word copied the tag of a heading into a field", async () => {
    const field = `<w:p><w:fldSimple w:instr=" STYLEREF &quot;Heading 1&quot; ">${r("{{l.name}}")}</w:fldSimple></w:p>`;
    const file = template(loop(p("{{l.name}}") + between("h1")), { h1: field });
    const compiled = await compileTemplate(file);
    const { bytes, warnings } = compiled.render({ ls: LS });
    expect([...unzipped(bytes).keys()].filter((name) => name.includes("header"))).toHaveLength(1);
    expect(warnings[0]?.code).toBe("stale_field");
  });

  test("belongs to a loop of Oracle BI Publisher: the hint names the section break", async () => {
    const body = p("{{for-each@section:ls}}") + p("x") + p("{{end for-each}}");
    expect((await problemsOf(template(body, { h1: "x" })))[0]).toContain(
      "For pages with their own header, end the loop with a section break",
    );
  });

  test("has no value for the item of a loop without section breaks, and the hint says what to do", async () => {
    const file = template(loop(p("{{l.name}}")), { h1: "{{l.no}}" }, "h1");
    const { warnings } = (await compileTemplate(file)).render({ ls: [{ name: "Ann" }] });
    expect(warnings.map(({ hint }) => hint)).toEqual([
      "'l' is known only between {{for l in ls}} and its 'endfor'. A header or footer can use it if the section break of its pages is in the loop.",
    ]);
  });
});

describe("the data of a header that uses the item of a loop", () => {
  const FILE = template(loop(p("Dear {{l.name}}") + between("h1")), {
    h1: "{{l.no}} of {{company}}, {{l.total :: number(2)}}",
  });

  test("has its names in the schema, the types, the sample and the tags", async () => {
    const compiled = await compileTemplate(FILE);
    const schema = compiled.schema() as {
      properties: Record<string, { items?: { required?: string[] } }>;
    };
    expect(Object.keys(schema.properties).toSorted()).toEqual(["company", "ls"]);
    expect(schema.properties.ls?.items?.required?.toSorted()).toEqual(["name", "no", "total"]);
    expect(compiled.types()).toContain("readonly no: TemplateDataPrinted");
    const tag = compiled.tags.find(({ tag_content }) => tag_content === "{{l.no}}");
    expect(tag?.json_paths).toEqual(["ls", "ls.no"]);
    expect(tag?.place.part).toBe("word/header1.xml");
    const sample = compiled.sample();
    expect(compiled.render(sample).warnings).toEqual([]);
    await rendered(FILE, sample);
  });

  test("are used, and are missing at the place of their item", async () => {
    const compiled = await compileTemplate(FILE);
    const full = {
      company: "Acme",
      ls: [
        { name: "A", no: 1, total: 2 },
        { name: "B", no: 2, total: 3, extra: 1 },
      ],
    };
    expect(compiled.check(full).map(({ pointer }) => pointer)).toEqual(["/ls/1/extra"]);
    const missing = {
      company: "Acme",
      ls: [
        { name: "A", no: 1, total: 2 },
        { name: "B", total: 3 },
      ],
    };
    expect(compiled.check(missing).map(({ pointer }) => pointer)).toEqual(["/ls/1/no"]);
  });

  test("is limited: too many headers are an error", async () => {
    const compiled = await compileTemplate(FILE);
    const ls = Array.from({ length: 200 }, (_, no) => ({ name: "x", no, total: no }));
    expect(() => compiled.render({ ls, company: "" }, { limits: { steps: 20_000 } })).toThrow(
      "for the charts, headers and footers of loops",
    );
  });
});
