import { Random } from "../../../contracts/test/support/random.ts";

/** The formatting of a character: a size, and the element around its run. */
interface Look {
  readonly size: number;
  readonly around: "" | "w:ins" | "w:hyperlink";
}

/**
 * A piece of a paragraph. A tag prints with the look of its first character; its other characters may have any look.
 */
interface Piece {
  readonly text: string;
  readonly tag: boolean;
  readonly look: Look;
}

/** A paragraph of pieces, or XML between paragraphs. */
export type Strip = readonly Piece[] | string;

/** How to split a template into runs, and what to put between them. */
export interface Plan {
  readonly seed: number;
  readonly noise: readonly string[];
}

/** Word's marks between two runs, without text. `#` becomes a unique number. */
export const NOISE = [
  '<w:proofErr w:type="spellStart"/>',
  '<w:proofErr w:type="gramEnd"/>',
  "<w:r><w:lastRenderedPageBreak/></w:r>",
  "<w:r><w:t></w:t></w:r>",
  '<w:r><w:rPr><w:sz w:val="8"/></w:rPr></w:r>',
  '<w:bookmarkStart w:id="#" w:name="b#"/><w:bookmarkEnd w:id="#"/>',
  '<w:bookmarkStart w:id="#" w:name="_GoBack"/><w:bookmarkEnd w:id="#"/>',
  '<w:del w:id="#" w:author="a"><w:r><w:delText>{{gone</w:delText></w:r></w:del>',
  '<w:ins w:id="#" w:author="a"/>',
  '<w:permStart w:id="#" w:edGrp="everyone"/><w:permEnd w:id="#"/>',
];

/** Data with all required values of the tags in random templates, but not all optional values. */
export const SPLIT_DATA = {
  name: "A & B\nLtd",
  text: "  some <text> with {{braces}} and\ta tab ",
  "first name": "Ann",
  n: 1234.5,
  zero: 0,
  flag: true,
  off: false,
  date: "2026-03-09",
  at: "2026-03-09T12:30:00Z",
  phone: "5551234",
  tags: ["x", "y", "z"],
  none: [],
  obj: { name: "O", n: 2, tags: ["p"] },
  items: [
    { name: "Pen", n: 2, tags: ["a", "b"], items: [{ name: "refill", n: 1 }] },
    { name: "Ink", n: 9.99, tags: [], flag: true },
    { name: "", n: -3 },
  ],
};

const TEXTS = [
  "Dear ",
  "a & b",
  " - ",
  "x<y>",
  " } ",
  " { ",
  "[[sig]]",
  "日本 😀",
  "“quoted”",
  "\\ ",
];
const ESCAPES = [
  "\\{{name}}",
  "\\{{",
  "\\{{#items}}",
  "\\\\{{name}}",
  "\\\\\\{{name}}",
  "c:\\{{name}}",
  "\\}}",
  '{"a":{"b":{{n}}}}',
  "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}",
];
const VALUES = [
  "name",
  "text",
  "n",
  "flag",
  "zero",
  "obj.name",
  "obj.tags",
  "tags",
  "tags[1]",
  "items[0].name",
  "missing.value",
  'this["first name"]',
  "n * 2 + zero",
  "-n",
  "(n - 1) % 7",
  "0.1 + 0.2",
  "$sum(items.n)",
  "$count(items)",
  "$join(tags)",
  "$round(n)",
  "$max(items.n)",
  "items.name",
];
const MODIFIERS = [
  "",
  "",
  "",
  " :: optional",
  ' :: default("n/a {x}")',
  " :: default(“curly”)",
  " :: uppercase",
  " :: trim, capitalize",
  ' :: truncate(5, "…")',
  " :: lowercase :: trim",
];
const FORMATTED = [
  'date :: format("dd-mmm-yy")',
  'at :: format("yyyy-MM-dd HH:mm")',
  'n :: format("EU-Number")',
  'n :: number("#,##0.00")',
  "n :: currency('EUR')",
  "n :: percent(1)",
  'phone :: format("xxx-xxxx")',
  'tags :: delimiter("; "), lastdelimiter(" & ")',
  "flag :: checkbox",
  "text :: text",
];
const CONDITIONS = [
  "flag",
  "off",
  "not off",
  "n > 3 and flag",
  'name == "A"',
  "name != ‘B’",
  "tags contains 'y'",
  "none isEmpty",
  "missing isPresent",
  "!(n <= 3) || off",
  "n >= 1 && zero < 1",
  "items",
];

/** Returns a random template that uses the whole language. A larger `size` allows more nested blocks. */
export function randomTemplate(seed: number, size: number): Strip[] {
  return new Author(new Random(seed, size)).blocks("", 0);
}

class Author {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns paragraphs, tables, and blocks around them. `item` is the name of the innermost item. */
  blocks(item: string, depth: number): Strip[] {
    const random = this.#random;
    return random.several(1, 4, () => this.#block(item, depth)).flat();
  }

  #block(item: string, depth: number): Strip[] {
    const random = this.#random;
    random.budget -= 1;
    const kind = depth > 3 || random.budget < 0 ? 0 : random.below(8);
    if (kind < 3) return [this.#paragraph(item, depth)];
    if (kind === 3) return this.#table(item, depth);
    const { open, middle, close, inner } = this.#blockTags(item);
    const body = this.blocks(inner, depth + 1);
    const other = middle === null ? [] : [[this.#tag(middle)], ...this.blocks(item, depth + 1)];
    if (random.oneIn(2)) return [[this.#tag(open)], ...body, ...other, [this.#tag(close)]];
    return [
      [this.#tag(open), ...this.#pieces(inner, depth)],
      ...body,
      ...other,
      [...this.#pieces(middle === null ? inner : item, depth), this.#tag(close)],
    ];
  }

  #blockTags(item: string): { open: string; middle: string | null; close: string; inner: string } {
    const random = this.#random;
    const under = item === "" || random.oneIn(3) ? "" : `${item}.`;
    switch (random.below(6)) {
      case 0:
        return {
          open: `{{if ${random.pick(CONDITIONS)}}}`,
          middle: random.pick([null, "{{else}}", "{{elseif zero}}", "{{else if n}}"]),
          close: "{{endif}}",
          inner: item,
        };
      case 1: {
        const list = random.pick([
          "items",
          "tags",
          "obj",
          "flag",
          "none",
          "off",
          "n > 2",
          "missing",
        ]);
        return {
          open: `{{#${list}}}`,
          middle: null,
          close: random.pick([`{{/${list}}}`, "{{/}}"]),
          inner: item,
        };
      }
      case 2: {
        const list = random.pick(["none", "off", "items", "missing"]);
        return { open: `{{^${list}}}`, middle: null, close: `{{/${list}}}`, inner: item };
      }
      default: {
        const alias = random.pick(["i", "j", "item"]);
        return {
          open: `{{for ${alias} in ${under}items${under === "" ? "" : " :: optional"}}}`,
          middle: null,
          close: "{{endfor}}",
          inner: alias,
        };
      }
    }
  }

  #table(item: string, depth: number): Strip[] {
    const random = this.#random;
    const columns = random.oneIn(4);
    const strips: Strip[] = [
      '<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="900"/><w:gridCol w:w="900"/></w:tblGrid>',
    ];
    for (let rows = 1 + random.below(3); rows > 0; rows--) {
      const [open, close, inner] = random.pick(
        [
          ["", "", item],
          ["{{tablerow r in items}}", "{{endtablerow}}", "r"],
          ["{{#items}}", "{{/items}}", item],
          ["{{if flag}}", "{{endif}}", item],
        ].filter(([tag]) => tag === "" || !columns) as [string, string, string][],
      );
      const oneCell = columns && rows === 1;
      if (oneCell) {
        const column = [
          this.#tag("{{tablecolumn c in tags}}"),
          ...this.#pieces("c", depth),
          this.#tag("{{endtablecolumn}}"),
        ];
        strips.push(
          "<w:tr><w:tc><w:tcPr/>",
          column,
          "</w:tc><w:tc>",
          this.#paragraph(item, depth),
          "</w:tc></w:tr>",
        );
        continue;
      }
      const first = [...(open === "" ? [] : [this.#tag(open)]), ...this.#pieces(inner, depth)];
      const last = [...this.#pieces(inner, depth), ...(close === "" ? [] : [this.#tag(close)])];
      strips.push('<w:tr><w:tc><w:tcPr><w:tcW w:w="900" w:type="dxa"/></w:tcPr>');
      strips.push(
        first,
        "</w:tc><w:tc>",
        ...(random.oneIn(3) ? this.blocks(inner, depth + 2) : []),
        last,
      );
      strips.push("</w:tc></w:tr>");
    }
    strips.push("</w:tbl>", [{ text: "after", tag: false, look: this.#look() }]);
    return strips;
  }

  #paragraph(item: string, depth: number): Piece[] {
    return this.#pieces(item, depth);
  }

  #pieces(item: string, depth: number): Piece[] {
    return this.#random.several(0, 4, () => this.#piece(item, depth)).flat();
  }

  #piece(item: string, depth: number): Piece[] {
    const random = this.#random;
    random.budget -= 1;
    const look = this.#look();
    switch (random.below(depth > 4 ? 7 : 9)) {
      case 0:
      case 1:
        return [{ text: random.pick(TEXTS), tag: false, look }];
      case 2:
        return [{ text: random.pick(ESCAPES), tag: false, look }];
      case 3:
        return [this.#tag(random.pick(["{{! a note }}", "{{ name }}"]))];
      case 4:
        return [this.#tag(`{{${random.pick(FORMATTED)}}}`)];
      case 5:
      case 6: {
        const own =
          item !== "" && random.oneIn(2)
            ? random.pick([`${item}.name`, `${item}.n`, `${item}.tags`, "$number", "$first"])
            : random.pick(VALUES);
        return [this.#tag(`{{${own}${random.pick(MODIFIERS)}}}`)];
      }
      default: {
        const { open, middle, close, inner } = this.#blockTags(item);
        const other = middle === null ? [] : [this.#tag(middle), ...this.#pieces(item, depth + 1)];
        return [this.#tag(open), ...this.#pieces(inner, depth + 1), ...other, this.#tag(close)];
      }
    }
  }

  #tag(text: string): Piece {
    return { text, tag: true, look: this.#look() };
  }

  #look(): Look {
    return lookOf(this.#random);
  }
}

function lookOf(random: Random): Look {
  return { size: random.below(4), around: random.pick(["", "", "", "", "w:ins", "w:hyperlink"]) };
}

let marks = 100;

/** Returns a paragraph as XML, with one run per piece or split by a plan, with marks between the runs. */
export function written(strip: Strip, plan: Plan | null): string {
  if (typeof strip === "string") return strip;
  if (plan === null)
    return `<w:p>${strip.map(({ text, look }) => run([text], look)).join("")}</w:p>`;
  const random = new Random(plan.seed + strip.length * 7919 + (strip[0]?.text.length ?? 0), 0);
  const often = random.pick([2, 6, 20]);
  const xml: string[] = [];
  let texts: string[] = [];
  let look: Look | null = null;
  const settle = (): void => {
    if (look !== null && texts.length > 0) xml.push(run(texts, look));
    texts = [];
    if (random.oneIn(3)) xml.push(noise(random, plan));
  };
  for (const piece of strip) {
    let own = piece.look;
    for (const [index, character] of [...piece.text].entries()) {
      const cut = random.oneIn(often);
      if (piece.tag && index > 0 && cut) own = lookOf(random);
      if (look === null || cut || own.size !== look.size || own.around !== look.around) {
        settle();
        look = own;
      }
      if (texts.length === 0 || random.oneIn(often * 2)) texts.push("");
      texts[texts.length - 1] += character;
    }
  }
  settle();
  return `<w:p>${xml.join("")}</w:p>`;
}

function noise(random: Random, { noise: choices }: Plan): string {
  marks += 1;
  return random.pick(choices).replaceAll("#", String(marks));
}

/** Returns a run with several text elements, in its surrounding element. */
function run(texts: readonly string[], { size, around }: Look): string {
  const properties = size === 0 ? "" : `<w:rPr><w:sz w:val="${size}"/></w:rPr>`;
  const escaped = texts.map(
    (text) =>
      `<w:t xml:space="preserve">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</w:t>`,
  );
  const xml = `<w:r>${properties}${escaped.join("")}</w:r>`;
  marks += 1;
  if (around === "w:ins") return `<w:ins w:id="${marks}" w:author="a">${xml}</w:ins>`;
  return around === "w:hyperlink" ? `<w:hyperlink w:anchor="_top">${xml}</w:hyperlink>` : xml;
}
