import type { Random } from "../../../contracts/test/support/random.ts";
import type { Block, Nest, Piece } from "./model.ts";
import { isChoice, isLoop, writtenValue } from "./oracle.ts";

/** The template XML of a model, and the formatting of each piece of text. */
export interface Drawing {
  readonly xml: string;
  readonly formatOf: (piece: object, character: number) => number;
}

/** Writes a model as WordprocessingML, with tags where authors write them, split into runs. */
export function draw(
  random: Random,
  blocks: readonly Nest<Block>[],
  place: "body" | "header",
): Drawing {
  const pen = new Pen(random);
  const groups = pen.grouped(blocks, holdsTags, () => false);
  const xml = place === "body" ? pen.groups(groups).join("") : pen.container(groups);
  return { xml, formatOf: (piece, at) => pen.formats.get(piece)?.[at] ?? -1 };
}

/** A tag of a block; `last` if it ends the block. */
interface Tag {
  readonly text: string;
  readonly nest: object;
  readonly tags: number;
  readonly tablerow: boolean;
  readonly last: boolean;
}

/** The content of one paragraph or row: tags, at most one block or row with content, and tags after it. */
interface Group<T> {
  readonly before: Tag[];
  thing: T | null;
  readonly after: Tag[];
}

/** The text of a paragraph, with the piece that formats each character, and other XML. */
type Strip = (
  | { readonly text: string; readonly piece: object | null }
  | { readonly xml: string }
)[];

/** True if tags can share the paragraph of this block without becoming text. */
function holdsTags(block: Block): boolean {
  return block.kind === "paragraph" && block.pieces.some(({ kind }) => kind !== "note");
}

const NOISE = [
  '<w:proofErr w:type="spellStart"/>',
  "<w:r><w:lastRenderedPageBreak/></w:r>",
  "<w:r><w:rPr><w:b/></w:rPr></w:r>",
  '<w:bookmarkStart w:id="7" w:name="x"/><w:bookmarkEnd w:id="7"/>',
  '<w:del w:id="9"><w:r><w:delText>{{gone</w:delText></w:r></w:del>',
];

const PROPERTIES = [
  "",
  '<w:pPr><w:pStyle w:val="List"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>',
  '<w:pPr><w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs><w:rPr><w:b/></w:rPr></w:pPr>',
];

class Pen {
  readonly formats = new Map<object, number[]>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Chooses the tags that share a paragraph or row with each other or with adjacent content. */
  grouped<T extends { readonly kind: string }>(
    nests: readonly Nest<T>[],
    holds: (thing: T) => boolean,
    mayHoldAll: (thing: T) => boolean,
  ): Group<T>[] {
    const groups: Group<T>[] = [];
    let open: Group<T> | null = null;
    let forced = false;
    const start = (group: Group<T>): Group<T> => {
      groups.push(group);
      return group;
    };
    for (const item of flat(nests)) {
      const glue = forced || !this.#random.oneIn(3);
      forced = false;
      if (!("nest" in item)) {
        const fits = holds(item);
        if (open !== null && open.thing === null && glue && fits) open.thing = item;
        else open = start({ before: [], thing: item, after: [] });
        if (!fits) open = null;
        continue;
      }
      forced = item.tablerow && !item.last;
      const must = item.tablerow && item.last;
      const fits = open !== null && glue && fitsTag(open, item, mayHoldAll);
      // The row of the first tablerow tag follows.
      const late = forced && open?.thing !== null;
      if (open === null || !(must || (fits && !late))) {
        open = start({ before: [], thing: null, after: [] });
      }
      (open.thing === null ? open.before : open.after).push(item);
    }
    return groups;
  }

  /** Writes one paragraph or table per group. */
  groups(groups: readonly Group<Block>[]): string[] {
    return groups.map(({ before, thing, after }) => {
      if (thing?.kind === "table") return this.#table(thing);
      const strip: Strip = [];
      for (const { text } of before) this.#tag(strip, text);
      if (thing !== null) this.#pieces(strip, thing.pieces);
      for (const { text } of after) this.#tag(strip, text);
      return this.#paragraph(strip);
    });
  }

  #table({ rows }: Extract<Block, { kind: "table" }>): string {
    const groups = this.grouped(
      rows,
      () => true,
      ({ cells }) => cells.length > 1,
    );
    const xml = groups.map(({ before, thing, after }) => {
      const cells = thing?.cells ?? this.#random.several(1, 3, () => []);
      const xmls = cells.map((cell, index) => {
        const content = this.grouped(cell, holdsTags, () => false);
        if (index === 0 && before.length > 0) this.#addTags(content, before, "before");
        if (index === cells.length - 1 && after.length > 0) this.#addTags(content, after, "after");
        return `<w:tc><w:tcPr/>${this.container(content)}</w:tc>`;
      });
      return `<w:tr><w:trPr><w:tblHeader/></w:trPr>${xmls.join("")}</w:tr>`;
    });
    return `<w:tbl><w:tblPr/><w:tblGrid/>${xml.join("")}</w:tbl>`;
  }

  /** Puts row tags at the start of the first cell or at the end of the last cell. */
  #addTags(content: Group<Block>[], tags: readonly Tag[], side: "before" | "after"): void {
    const edge = side === "before" ? content[0] : content.at(-1);
    const own = { before: [...tags], thing: null, after: [] };
    const shared = edge !== undefined && (edge.thing === null || holdsTags(edge.thing));
    if (!shared || this.#random.oneIn(3)) {
      if (side === "before") content.unshift(own);
      else content.push(own);
    } else if (side === "before") edge.before.unshift(...tags);
    else (edge.thing === null ? edge.before : edge.after).push(...tags);
  }

  container(content: readonly Group<Block>[]): string {
    return content.length === 0 ? "<w:p/>" : this.groups(content).join("");
  }

  #pieces(strip: Strip, pieces: readonly Nest<Piece>[]): void {
    for (const item of flat(pieces)) {
      if ("nest" in item) this.#tag(strip, item.text);
      else if (item.kind === "note") this.#tag(strip, "{{! a note }}");
      else if (item.kind === "text") strip.push({ text: item.text, piece: item });
      else if (item.kind === "value") {
        strip.push({ text: writtenValue(item.path, item.modifiers), piece: item });
      } else {
        const box = this.container(this.grouped(item.content, holdsTags, () => false));
        strip.push({
          xml: `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><w:txbxContent>${box}</w:txbxContent></w:drawing></mc:Choice></mc:AlternateContent></w:r>`,
        });
      }
    }
  }

  #tag(strip: Strip, text: string): void {
    strip.push({ text, piece: null });
  }

  /** Writes the strip as runs, split anywhere, with Word's marks between them. */
  #paragraph(strip: Strip): string {
    const random = this.#random;
    const often = random.pick([2, 10, 60]);
    const runs: string[] = [];
    let text = "";
    let format = 0;
    const cut = (): void => {
      if (text !== "") runs.push(this.#run(text, format));
      text = "";
      format = random.below(4);
    };
    for (const part of strip) {
      if ("xml" in part) {
        cut();
        runs.push(part.xml);
        continue;
      }
      for (const character of part.text) {
        if (random.oneIn(often)) cut();
        text += character;
        if (part.piece !== null) this.#note(part.piece, format);
      }
    }
    cut();
    return `<w:p>${random.pick(PROPERTIES)}${runs.join("")}</w:p>`;
  }

  #note(piece: object, format: number): void {
    const formats = this.formats.get(piece) ?? [];
    formats.push(format);
    this.formats.set(piece, formats);
  }

  #run(text: string, format: number): string {
    const random = this.#random;
    const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const properties = format === 0 ? "" : `<w:rPr><w:sz w:val="${format}"/></w:rPr>`;
    const run = `<w:r>${properties}<w:t xml:space="preserve">${escaped}</w:t></w:r>`;
    const noise = random.oneIn(5) ? random.pick(NOISE) : "";
    if (random.oneIn(9)) return `<w:hyperlink w:anchor="_top">${run}</w:hyperlink>${noise}`;
    if (random.oneIn(9)) return `<w:ins w:id="3">${run}</w:ins>${noise}`;
    return run + noise;
  }
}

/** True if one more tag does not change the meaning of a group: its block must not start and end in the same place. */
function fitsTag<T>(group: Group<T>, tag: Tag, mayHoldAll: (thing: T) => boolean): boolean {
  const held = [...group.before, ...group.after].filter(({ nest }) => nest === tag.nest);
  if (!tag.last || held.length < tag.tags - 1) return true;
  const begins = group.before.some(({ nest }) => nest === tag.nest);
  return begins && held.length === 1 && group.thing !== null && mayHoldAll(group.thing);
}

/** Yields the blocks, rows or pieces in order, with the tags of the loops and conditions around them. */
function* flat<T extends { readonly kind: string }>(nests: readonly Nest<T>[]): Generator<Tag | T> {
  for (const nest of nests) {
    if (isLoop(nest)) {
      const tablerow = nest.word === "tablerow";
      const base = { nest, tags: 2, tablerow };
      const head = `${nest.word} ${nest.alias} in ${nest.list.join(".")}`;
      yield { ...base, text: `{{${head}${nest.optional ? " :: optional" : ""}}}`, last: false };
      yield* flat(nest.body);
      yield { ...base, text: `{{end${nest.word}}}`, last: true };
    } else if (isChoice(nest)) {
      const base = { nest, tags: nest.branches.length + 1, tablerow: false };
      for (const [index, { condition, body }] of nest.branches.entries()) {
        const word = index === 0 ? "if" : condition === null ? "else" : "elseif";
        const text = `{{${word}${condition === null ? "" : ` ${condition.text}`}}}`;
        yield { ...base, text, last: false };
        yield* flat(body);
      }
      yield { ...base, text: "{{endif}}", last: true };
    } else yield nest as T;
  }
}
