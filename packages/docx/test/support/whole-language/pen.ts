import type { Random } from "../../../../contracts/test/support/random.ts";
import { type Draft, text } from "./draft.ts";
import type { Names } from "./expressions.ts";
import type { Tags } from "./tags.ts";

/** The content of a paragraph: text with tags, which may be split into runs anywhere, and other XML. */
export type Strip = ({ readonly text: string } | { readonly xml: string })[];

/** A paragraph to which tags may still be added, or XML between paragraphs. */
export type Block = { readonly properties: string; readonly strip: Strip } | string;

/** A construct that a template uses more often than others, so that several occurrences affect one another. */
export type Focus = "nothing" | "notes" | "comments" | "lists" | "merges" | "fields";

/** Dependencies for writing a part. */
export interface Pen {
  readonly random: Random;
  readonly focus: Focus;
  readonly tags: Tags;
  readonly draft: Draft;
  /** The name of the part below `word/`. */
  readonly part: string;
  /** The delimiters of tags. */
  readonly start: string;
  readonly end: string;
  /** Generates blocks of any kind. */
  readonly blocks: (pen: Pen, names: Names, depth: number) => Block[];
  /** Generates the blocks of a container, with everything that is allowed there. */
  readonly container: (pen: Pen, names: Names, depth: number) => string;
}

const RUN_PROPERTIES = [
  "",
  "",
  "<w:b/>",
  '<w:sz w:val="30"/>',
  '<w:rStyle w:val="Strong"/><w:i/>',
  '<w:color w:val="FF0000"/>',
];
const NOISE = [
  '<w:proofErr w:type="spellStart"/>',
  "<w:r><w:lastRenderedPageBreak/></w:r>",
  "<w:r><w:rPr><w:b/></w:rPr></w:r>",
  "<w:r><w:t></w:t></w:r>",
  '<w:bookmarkStart w:id="#" w:name="b#"/><w:bookmarkEnd w:id="#"/>',
  '<w:del w:id="#" w:author="a"><w:r><w:delText>gone</w:delText></w:r></w:del>',
  '<w:permStart w:id="#" w:edGrp="everyone"/><w:permEnd w:id="#"/>',
];

/** Returns a unique id of a paragraph or row. */
export function paragraphId({ draft }: Pen): string {
  return ` w14:paraId="${(65536 + draft.next()).toString(16)}" w14:textId="77777777"`;
}

/** Returns the XML of blocks in a body, which may end in a table. */
export function written(pen: Pen, blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (typeof block === "string") return block;
      const pPr = block.properties === "" ? "" : `<w:pPr>${block.properties}</w:pPr>`;
      const id = pen.random.oneIn(8) ? paragraphId(pen) : "";
      return `<w:p${id}>${pPr}${runs(pen, block.strip)}</w:p>`;
    })
    .join("");
}

/** Returns the XML of blocks in a cell, a header or a text box, which ends in a paragraph. */
export function containerOf(pen: Pen, content: readonly Block[]): string {
  const last = content.at(-1);
  const ends = typeof last === "string" ? last.endsWith("</w:p>") : last !== undefined;
  return written(pen, content) + (ends ? "" : "<w:p/>");
}

/** Writes a strip as runs, split anywhere, with Word's marks between them. */
export function runs(pen: Pen, content: Strip): string {
  const { random } = pen;
  const often = random.pick([3, 20, 400]);
  const written: string[] = [];
  let open = "";
  let properties = "";
  const settle = (): void => {
    if (open !== "") {
      const rPr = properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`;
      written.push(`<w:r>${rPr}<w:t xml:space="preserve">${text(open)}</w:t></w:r>`);
      if (random.oneIn(12)) written.push(noise(pen));
    }
    open = "";
    properties = random.pick(RUN_PROPERTIES);
  };
  for (const each of content) {
    if ("xml" in each) {
      settle();
      written.push(each.xml);
      continue;
    }
    for (const character of each.text) {
      if (random.oneIn(often)) settle();
      open += character;
    }
  }
  settle();
  return written.join("");
}

function noise({ random, draft }: Pen): string {
  return random.pick(NOISE).replaceAll("#", String(draft.next()));
}
