/** Templates and data that are costly for their size, or invalid. */
import { manyObjects, tagged, wordFile } from "../../benchmarks/service/hostile-files.ts";
import { writeZip } from "../../benchmarks/word/zip.ts";
import { rawForm, rawPdf, rawStream, textField } from "../../packages/pdf/test/support/pdf.ts";
import type { Entry } from "./client.ts";
import { BROKEN, filteredShapes, hugePng, longPath, nestedUse, showing } from "./pictures.ts";

/** A template and the request that uses it. */
export interface HostileDocument {
  readonly name: string;
  readonly template: () => Uint8Array;
  /** The extension of the template's file name. Default: `docx`. */
  readonly extension?: string;
  /** Returns the data of each entry. Default: no data. */
  readonly data?: (entry: number) => unknown;
  /** Number of entries. Default 4. */
  readonly entries?: number;
  /** The output type. Default: `docx`. */
  readonly output?: "docx" | "pdf";
  readonly fileName?: string;
  /** Members that are added to the request. */
  readonly more?: object;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const many = <T>(count: number, make: (index: number) => T): T[] => numbers(count).map(make);
const paragraph = (text: string): string =>
  `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const paragraphs = (...texts: readonly string[]): Uint8Array =>
  wordFile(texts.map(paragraph).join(""));
const LOOPS = (inner: string): string => `{{for a in l}}{{for b in l}}${inner}{{endfor}}{{endfor}}`;
const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64");
const field = (at: number): string =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>SEQ t${at % 7}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
const PDF = { output: "pdf" } as const;
const FORM = {
  extension: "pdf",
  output: "pdf",
  more: { pdf: { metadata: { title: "t" } } },
} as const;

const TAGS: readonly HostileDocument[] = [
  {
    name: "100 tags of 180,000 characters",
    template: () => tagged(many(100, (n) => `a${n}.${"b".repeat(180_000)}`)),
    entries: 20,
  },
  { name: "one tag of 4 MB", template: () => tagged([`a.${"b".repeat(4_000_000)}`]) },
  {
    name: "20,000 unknown tags",
    template: () => tagged(many(20_000, (n) => `a${n}.b${n}`)),
    entries: 20,
  },
  {
    name: "tags of 230 additions each",
    template: () => tagged(many(18_500, (n) => `a${n}${" + b".repeat(230)}`)),
    entries: 8,
  },
  {
    name: "an expression of 100,000 brackets",
    template: () => tagged([`${"(".repeat(100_000)}a${")".repeat(100_000)}`]),
  },
  {
    name: "10,000 nested blocks",
    template: () => paragraphs(`${"{{if a}}".repeat(10_000)}x${"{{endif}}".repeat(10_000)}`),
    data: () => ({ a: true }),
  },
  {
    name: "19,999 unclosed blocks",
    template: () => paragraphs(...many(19_999, () => "{{if a}}")),
  },
  { name: "a million braces", template: () => paragraphs("{{".repeat(500_000)) },
  {
    name: "250,000 texts that are almost tags",
    template: () => paragraphs(...many(60_000, () => "{a} [b] &lt;&lt;d&gt;&gt;")),
  },
  {
    name: "a template that includes itself",
    template: () => paragraphs('{{include "self.docx"}}'),
  },
];

const LOOP_DATA = (count: number) => () => ({ l: numbers(count) });
const WORK: readonly HostileDocument[] = [
  {
    name: "QR codes in nested loops",
    template: () => paragraphs(LOOPS("{{a*1000+b :: qrcode}}")),
    data: LOOP_DATA(100),
    entries: 40,
  },
  {
    name: "barcodes in nested loops",
    template: () => paragraphs(LOOPS('{{a*1000+b :: barcode("code128")}}')),
    data: LOOP_DATA(100),
    entries: 20,
  },
  {
    name: "numbers in nested loops",
    template: () => paragraphs(LOOPS("{{a*b}}")),
    data: LOOP_DATA(3_000),
    entries: 8,
  },
  {
    name: "six nested loops",
    template: () => paragraphs(`${"{{for a in l}}".repeat(6)}{{a}}${"{{endfor}}".repeat(6)}`),
    data: LOOP_DATA(100),
  },
  {
    name: "$join in loops",
    template: () => paragraphs(LOOPS("{{if $join(l) == 1}}x{{endif}}")),
    data: LOOP_DATA(2_000),
    entries: 8,
  },
  {
    name: "contains in loops",
    template: () => paragraphs(LOOPS("{{if t contains u}}x{{endif}}")),
    data: () => ({ l: numbers(500), t: "ab".repeat(200_000), u: `${"ab".repeat(9_000)}c` }),
    entries: 8,
  },
  {
    name: "long texts in upper case",
    template: () => paragraphs(LOOPS("{{t :: uppercase}}")),
    data: () => ({ l: numbers(100), t: "ßé".repeat(100_000) }),
    entries: 8,
  },
  {
    name: "truncate of letters with accents",
    template: () => paragraphs(LOOPS("{{t :: truncate(90000)}}")),
    data: () => ({ l: numbers(30), t: "e\u0301".repeat(100_000) }),
  },
  {
    name: "numbers of 400 digits",
    template: () => paragraphs(LOOPS('{{n * n * n :: number("#,##0.00")}}')),
    data: () => ({ l: numbers(300), n: "9".repeat(390) }),
  },
  {
    name: "dates in loops",
    template: () => paragraphs(LOOPS('{{d :: format("dd MMMM yyyy HH:mm:ss")}}')),
    data: () => ({ l: numbers(1_000), d: "2026-01-31T10:00:00Z" }),
  },
  {
    name: "50,000 rows of five cells",
    template: () =>
      wordFile(
        `<w:tbl><w:tblGrid/><w:tr>${many(5, (n) => `<w:tc>${paragraph(n === 0 ? "{{for a in l}}{{a}}" : n === 4 ? "{{a}}{{endfor}}" : "{{a}}")}</w:tc>`).join("")}</w:tr></w:tbl>`,
      ),
    data: LOOP_DATA(50_000),
    entries: 10,
  },
  {
    name: "50,000 rows, as PDF",
    template: () =>
      wordFile(
        `<w:tbl><w:tblGrid/><w:tr><w:tc>${paragraph("{{for a in l}}{{a}}{{endfor}}")}</w:tc></w:tr></w:tbl>`,
      ),
    data: LOOP_DATA(50_000),
    entries: 2,
    ...PDF,
  },
  {
    name: "captions in loops",
    template: () => wordFile(`${paragraph("{{for a in l}}")}${field(0)}${paragraph("{{endfor}}")}`),
    data: LOOP_DATA(50_000),
  },
  {
    name: "sums in loops",
    template: () => paragraphs(LOOPS("{{$sum(l)}}")),
    data: LOOP_DATA(2_000),
  },
  {
    name: "as many entries as keys",
    template: () => paragraphs("{{k1}}"),
    data: () => Object.fromEntries(many(60_000, (n) => [`k${n}`, n])),
    entries: 4,
  },
];

const RICH: readonly HostileDocument[] = [
  {
    name: "1 MB of HTML",
    template: () => paragraphs("{{t :: html}}"),
    data: () => ({ t: "<p><b>b</b><i>i</i><a href='https://x.example'>l</a></p>".repeat(17_000) }),
    entries: 8,
  },
  {
    name: "HTML of 60,000 levels",
    template: () => paragraphs("{{t :: html}}"),
    data: () => ({ t: "<div><b>".repeat(60_000) }),
    entries: 8,
  },
  {
    name: "HTML lists of many levels",
    template: () => paragraphs("{{t :: html}}"),
    data: () => ({ t: "<ul><li>a".repeat(50_000) }),
    entries: 8,
  },
  {
    name: "HTML tables within tables",
    template: () => paragraphs("{{t :: html}}"),
    data: () => ({ t: "<table><tr><td colspan=9999 rowspan=9999>a".repeat(10_000) }),
    entries: 8,
  },
  {
    name: "HTML attributes and entities",
    template: () => paragraphs("{{t :: html}}"),
    data: () => ({ t: `<p ${"a=b ".repeat(100_000)}>${"&amp;&#x10FFFF;".repeat(30_000)}` }),
    entries: 8,
  },
  {
    name: "Markdown brackets",
    template: () => paragraphs("{{t :: markdown}}"),
    data: () => ({ t: "[".repeat(500_000) }),
    entries: 8,
  },
  {
    name: "Markdown stars",
    template: () => paragraphs("{{t :: markdown}}"),
    data: () => ({ t: "*a **a _a `".repeat(60_000) }),
    entries: 8,
  },
  {
    name: "Markdown quotes of many levels",
    template: () => paragraphs("{{t :: markdown}}"),
    data: () => ({ t: `${">".repeat(300_000)}a\n${"- ".repeat(100_000)}a` }),
    entries: 8,
  },
  {
    name: "rich text of one word, in loops",
    template: () => paragraphs(LOOPS("{{t :: html}}")),
    data: () => ({ l: numbers(300), t: "<p>a<p>b<ol><li>c</ol>" }),
    entries: 8,
  },
];

const IMAGES: readonly HostileDocument[] = [
  {
    name: "an SVG of nested use",
    template: () => paragraphs("{{i}}"),
    data: () => ({ i: base64(nestedUse(9)) }),
    entries: 8,
  },
  {
    name: "an SVG of filters",
    template: () => paragraphs("{{i}}"),
    data: () => ({ i: base64(filteredShapes(5_000)) }),
    entries: 8,
  },
  {
    name: "an SVG of a long path",
    template: () => paragraphs("{{i}}"),
    data: () => ({ i: base64(longPath(60_000)) }),
    entries: 8,
  },
  {
    name: "SVGs in loops",
    template: () => paragraphs(LOOPS("{{i}}")),
    data: (entry) => ({ l: numbers(50), i: base64(filteredShapes(20 + entry)) }),
    entries: 8,
  },
  {
    name: "a PNG of 20,000 by 20,000",
    template: () => paragraphs("{{i}}"),
    data: () => ({ i: base64(hugePng(20_000, 300_000_000)) }),
    entries: 4,
    ...PDF,
  },
  ...BROKEN.map(
    ([extension, bytes], index): HostileDocument => ({
      name: `picture ${index + 1} of the template, ${extension}, as PDF`,
      template: () => showing(extension, bytes(), 1 + (index % 3) * 20),
      data: () => ({ name: "x" }),
      entries: 1,
      ...PDF,
    }),
  ),
];

const bookmark = (id: number): string =>
  `<w:bookmarkStart w:id="${id}" w:name="b${id}"/><w:bookmarkEnd w:id="${id}"/>`;
const nestedTable = (levels: number): string =>
  levels === 0
    ? paragraph("x")
    : `<w:tbl><w:tblGrid/><w:tr><w:tc>${nestedTable(levels - 1)}${nestedTable(Math.min(levels - 1, 1))}<w:p/></w:tc></w:tr></w:tbl>`;
const LAYOUT: readonly HostileDocument[] = [
  {
    name: "100,000 bookmarks, as PDF",
    template: () =>
      wordFile(`<w:p>${many(100_000, bookmark).join("")}<w:r><w:t>{{a}}</w:t></w:r></w:p>`),
    data: () => ({ a: 1 }),
    entries: 1,
    ...PDF,
  },
  {
    name: "a word of 2 MB, as PDF",
    template: () => paragraphs("{{a}}", "x".repeat(2_000_000)),
    data: () => ({ a: 1 }),
    entries: 2,
    ...PDF,
  },
  {
    name: "a word of 1 MB from the data, as PDF",
    template: () => paragraphs("{{a}}"),
    data: () => ({ a: "x".repeat(1_000_000) }),
    entries: 2,
    ...PDF,
  },
  {
    name: "tables within tables, as PDF",
    template: () => wordFile(`${nestedTable(30)}${paragraph("{{a}}")}`),
    data: () => ({ a: 1 }),
    entries: 2,
    ...PDF,
  },
  {
    name: "20,000 pages, as PDF",
    template: () =>
      wordFile(
        `${paragraph("{{for a in l}}")}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${paragraph("{{endfor}}")}`,
      ),
    data: LOOP_DATA(20_000),
    entries: 2,
    ...PDF,
  },
  {
    name: "65,536 fields",
    template: () => wordFile(`${many(65_536 / 4, field).join("")}${paragraph("{{a}}")}`),
    data: () => ({ a: 1 }),
    entries: 8,
  },
  {
    name: "65,536 fields, as PDF",
    template: () => wordFile(`${many(65_536 / 4, field).join("")}${paragraph("{{a}}")}`),
    data: () => ({ a: 1 }),
    entries: 1,
    ...PDF,
  },
];

const bomb = (bytes: number): Uint8Array =>
  writeZip([{ name: "word/document.xml", content: new Uint8Array(bytes) }]);
const PACKAGES: readonly HostileDocument[] = [
  {
    name: "a zip that unpacks to 300 MB",
    template: () =>
      wordFile("<w:p/>", {
        parts: [{ name: "word/media/a.png", content: new Uint8Array(300_000_000) }],
      }),
  },
  { name: "a main part of zeros", template: () => bomb(90_000_000) },
  {
    name: "a main part of 90 MB of spaces",
    template: () => wordFile(`<w:p><w:r><w:t>${" ".repeat(90_000_000)}{{a}}</w:t></w:r></w:p>`),
  },
  {
    name: "65,000 parts",
    template: () =>
      wordFile("<w:p/>", { parts: many(65_000, (n) => ({ name: `a/${n}`, content: "" })) }),
  },
  {
    name: "entities of entities",
    template: () =>
      wordFile("<w:p><w:r><w:t>&lol9;</w:t></w:r></w:p>", {
        prologue: `<!DOCTYPE w [<!ENTITY lol0 "lol">${many(9, (n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`).join("")}]>`,
      }),
  },
  {
    name: "XML of 100,000 levels",
    template: () => wordFile(`${"<w:p>".repeat(100_000)}${"</w:p>".repeat(100_000)}`),
  },
  { name: "1,000,000 empty paragraphs", template: () => wordFile("<w:p/>".repeat(1_000_000)) },
  {
    name: "70,000 relationships",
    template: () =>
      wordFile(paragraph("{{a}}"), {
        relationships: many(
          70_000,
          (n) =>
            `<Relationship Id="r${n}" Type="http://x/hyperlink" Target="https://x.example/${n}" TargetMode="External"/>`,
        ).join(""),
      }),
  },
  {
    name: "an attribute of 4 MB",
    template: () => wordFile(`<w:p w:rsidR="${"0".repeat(3_999_999)}"/>${paragraph("{{a}}")}`),
  },
  {
    name: "16 MB of content types",
    template: () =>
      wordFile(paragraph("{{a}}"), {
        types: many(
          150_000,
          (n) => `<Override PartName="/word/p${n}.xml" ContentType="application/xml"/>`,
        ).join(""),
      }),
  },
  { name: "a truncated file", template: () => paragraphs("{{a}}").subarray(0, 300) },
  {
    name: "a long name",
    template: () => paragraphs("{{a}}"),
    fileName: `${"n".repeat(250)}`,
    entries: 50,
  },
  {
    name: "a name of emoji",
    template: () => paragraphs("{{a}}"),
    fileName: "👩‍👩‍👧".repeat(40),
    entries: 10,
  },
];

const FORMS: readonly HostileDocument[] = [
  { name: "a form of 300,000 objects", template: () => manyObjects(300_000), entries: 4, ...FORM },
  {
    name: "a form of 2,600,000 objects",
    template: () => manyObjects(2_600_000),
    entries: 2,
    ...FORM,
  },
  {
    name: "a form of 10,000 fields with scripts",
    template: () =>
      rawForm(
        many(10_000, (n) =>
          textField(`f${n}`).replace(/>>$/, "/AA << /K << /S /JavaScript /JS (x) >> >> >>"),
        ),
      ),
    entries: 4,
    ...FORM,
  },
  {
    name: "a form with a stream that unpacks to 1 GB",
    template: () =>
      rawForm([textField("a")], {
        page: "/Contents 6 0 R",
        objects: [rawStream("", Buffer.alloc(1_000_000_000), true)],
      }),
    entries: 4,
    ...FORM,
  },
  {
    name: "pages that are their own children",
    template: () =>
      rawPdf([
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [3 0 R] >> >>",
        "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>",
        "<< /FT /Tx /T (a) /Kids [3 0 R] /Parent 3 0 R >>",
      ]),
    entries: 4,
    ...FORM,
  },
  {
    name: "a form of arrays in arrays",
    template: () =>
      rawForm([textField("a")], { catalog: `/X ${"[".repeat(200_000)}${"]".repeat(200_000)}` }),
    entries: 4,
    ...FORM,
  },
  {
    name: "a truncated form",
    template: () => manyObjects(50_000).subarray(0, 100_000),
    entries: 4,
    ...FORM,
  },
];

/** All hostile templates with their data. */
export const DOCUMENTS: readonly HostileDocument[] = [
  ...TAGS,
  ...WORK,
  ...RICH,
  ...IMAGES,
  ...LAYOUT,
  ...PACKAGES,
  ...FORMS,
];

/** Returns the entries of a document's request. */
export function entriesOf({ data = () => ({}), entries = 4, fileName }: HostileDocument): Entry[] {
  return many(entries, (entry) => ({
    data: data(entry),
    ...(fileName === undefined ? {} : { name: fileName }),
  }));
}
