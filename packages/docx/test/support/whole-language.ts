import type { Random } from "../../../contracts/test/support/random.ts";
import type { CompileOptions } from "../../src/index.ts";
import { draw } from "./draw.ts";
import { randomDocument } from "./model.ts";
import {
  NOISE,
  randomTemplate as splitTemplate,
  written as splitWritten,
} from "./split-template.ts";
import { blocks, container } from "./whole-language/blocks.ts";
import { Draft, text } from "./whole-language/draft.ts";
import { ROOT_NAMES } from "./whole-language/expressions.ts";
import { containerOf, type Focus, type Pen, runs, written } from "./whole-language/pen.ts";
import { Tags } from "./whole-language/tags.ts";

export { type Temper, wholeData } from "./whole-language/data.ts";

/** A template and its compile options. */
export interface WholeTemplate {
  readonly bytes: Uint8Array;
  readonly options: CompileOptions;
}

const DELIMITERS = [
  { start: "[[", end: "]]" },
  { start: "{%", end: "%}" },
  { start: "«", end: "»" },
  { start: "{", end: "}" },
  { start: "${", end: "}" },
];

const FOCUSES: readonly Focus[] = [
  ...(["nothing", "nothing", "nothing", "nothing"] as const),
  ...(["notes", "comments", "lists", "merges", "fields"] as const),
];

const NUMBERING = numbering();
const SUBSTEP =
  '<w:basedOn w:val="Step"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr><w:ind w:left="9"/></w:pPr>';
const STYLES = [
  '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>',
  style("paragraph", "Heading1", "heading 1", ""),
  style("paragraph", "Step", "Step", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'),
  style("paragraph", "Substep", "Substep", SUBSTEP),
  style("paragraph", "ListParagraph", "List Paragraph", ""),
  style("character", "Hyperlink", "Hyperlink", ""),
  style("character", "Strong", "Strong", ""),
  style("table", "TableGrid", "Table Grid", ""),
].join("");

/**
 * Returns a template that uses the whole language. The budget of `random` determines its size. Most templates are
 * valid, and {@link wholeData} has the keys that the tags use.
 */
export function wholeTemplate(random: Random): WholeTemplate {
  const size = random.budget;
  const auto = random.oneIn(20);
  const custom = auto || random.oneIn(6);
  const delimiters = auto ? { start: "{", end: "}" } : random.pick(DELIMITERS);
  const { start, end } = custom ? delimiters : { start: "{{", end: "}}" };
  const bytes = file(random, start, end, size);
  const included = [0, 1].map(() => {
    random.budget = size / 4;
    return forInclusion(random, start, end);
  });
  return {
    bytes,
    options: {
      ...(custom ? { delimiters: auto ? ("auto" as const) : { start, end } } : {}),
      readTemplate: async (name) => included[Number(/\d/.exec(name)?.[0])] ?? new Uint8Array(),
    },
  };
}

function penFor(random: Random, start: string, end: string): Pen {
  const tags = new Tags(random, start, end);
  const draft = new Draft();
  const focus = random.pick(FOCUSES);
  return { random, focus, tags, draft, part: "document.xml", start, end, blocks, container };
}

function file(random: Random, start: string, end: string, size: number): Uint8Array {
  const pen = penFor(random, start, end);
  const { draft } = pen;
  const share = (part: number): void => {
    random.budget = size * part;
  };
  share(0.7);
  const more = start === "{{" && random.oneIn(8) ? others(random) : "";
  const body = written(pen, blocks(pen, ROOT_NAMES, 0)) + more;
  const last = random.oneIn(5) ? "" : "<w:p/>";
  for (const [name, root] of [
    ["header1.xml", "w:hdr"],
    ["footer1.xml", "w:ftr"],
    ["header2.xml", "w:hdr"],
  ] as const) {
    share(0.1);
    if (!random.oneIn(3) && !draft.shown.has(name)) continue;
    const own = { ...pen, part: name };
    draft.story(name, root, containerOf(own, blocks(own, ROOT_NAMES, 2)));
  }
  draft.story("document.xml", "w:document", `<w:body>${body}${last}<w:sectPr/></w:body>`);
  addNotes(pen);
  addProperties(pen);
  if (!random.oneIn(6)) draft.story("styles.xml", "w:styles", STYLES);
  if (!random.oneIn(6)) draft.story("numbering.xml", "w:numbering", NUMBERING);
  return draft.bytes(random);
}

/** Content from the other generators. */
function others(random: Random): string {
  if (random.oneIn(2)) return draw(random, randomDocument(random), "body").xml;
  const plan = random.oneIn(3) ? null : { seed: random.below(1e6), noise: NOISE };
  const strips = splitTemplate(random.below(1e6), Math.max(5, random.budget));
  return strips.map((strip) => splitWritten(strip, plan)).join("");
}

function addNotes({ draft, random }: Pen): void {
  for (const kind of ["footnote", "endnote"] as const) {
    const notes = draft.notes[kind];
    if (notes.length === 0) continue;
    const special = ["separator", "continuationSeparator"].map(
      (type, index) =>
        `<w:${kind} w:type="${type}" w:id="${index - 1}"><w:p><w:r><w:${type}/></w:r></w:p></w:${kind}>`,
    );
    draft.story(`${kind}s.xml`, `w:${kind}s`, special.join("") + shuffled(random, notes).join(""));
  }
  const { comment } = draft.notes;
  if (comment.length > 0)
    draft.story("comments.xml", "w:comments", shuffled(random, comment).join(""));
}

function shuffled<T>(random: Random, things: readonly T[]): T[] {
  const order = things.map((thing) => ({ thing, rank: random.oneIn(3) ? random.below(9) : 0 }));
  return order.sort((a, b) => a.rank - b.rank).map(({ thing }) => thing);
}

function addProperties({ draft, random, tags }: Pen): void {
  const value = (): string => text(`of ${tags.plain(ROOT_NAMES)}`);
  if (random.oneIn(3)) {
    draft.properties(
      "docProps/core.xml",
      `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${value()}</dc:title><dc:creator>x</dc:creator></cp:coreProperties>`,
    );
  }
  if (random.oneIn(4)) {
    draft.properties(
      "docProps/custom.xml",
      `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="x"><vt:lpwstr>${value()}</vt:lpwstr></property></Properties>`,
    );
  }
  if (random.oneIn(4)) {
    draft.properties(
      "docProps/app.xml",
      `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Company>${value()}</Company></Properties>`,
    );
  }
}

/** Returns a template for others to include, which must not contain notes. */
function forInclusion(random: Random, start: string, end: string): Uint8Array {
  const pen = { ...penFor(random, start, end), part: "included.xml" };
  const { draft } = pen;
  const content = random.oneIn(5)
    ? `<w:p>${runs(pen, [{ text: "fixed" }])}</w:p>`
    : containerOf(pen, blocks(pen, ROOT_NAMES, 2));
  draft.move("included.xml", "document.xml");
  draft.story("document.xml", "w:document", `<w:body>${content}<w:sectPr/></w:body>`);
  if (!random.oneIn(4)) draft.story("styles.xml", "w:styles", STYLES);
  if (!random.oneIn(4)) draft.story("numbering.xml", "w:numbering", NUMBERING);
  return draft.bytes(random);
}

function style(type: string, id: string, name: string, content: string): string {
  return `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${content}</w:style>`;
}

function numbering(): string {
  const level = (at: number, shown: string, format = "decimal", start = 1): string =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${shown}"/></w:lvl>`;
  const definitions = [
    [level(0, "%1."), level(1, "%1.%2")],
    [level(0, "%1.", "decimal", 5)],
    [level(0, "•", "bullet")],
  ].map(
    (levels, id) =>
      `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${levels.join("")}</w:abstractNum>`,
  );
  const override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>';
  const lists = [
    [1, 0, ""],
    [2, 1, ""],
    [3, 2, ""],
    [4, 0, ""],
    [7, 0, override],
  ].map(
    ([id, of, more]) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`,
  );
  return definitions.join("") + lists.join("");
}
