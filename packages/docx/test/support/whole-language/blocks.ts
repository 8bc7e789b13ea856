import { draw } from "../draw.ts";
import { randomDocument } from "../model.ts";
import { storyId } from "./draft.ts";
import type { Names } from "./expressions.ts";
import { picture, strip } from "./inline.ts";
import { type Block, containerOf, type Pen, type Strip, written } from "./pen.ts";
import { mergedTable, table } from "./table.ts";

const PROPERTIES = [
  "",
  "",
  "",
  '<w:pStyle w:val="Heading1"/>',
  '<w:pStyle w:val="Step"/>',
  '<w:pStyle w:val="Step"/><w:keepNext/><w:jc w:val="right"/>',
  '<w:keepNext/><w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs><w:rPr><w:b/></w:rPr>',
];

/** Returns random XML for a cell, a header or a text box. */
export function container(pen: Pen, names: Names, depth: number): string {
  return containerOf(pen, blocks(pen, names, depth));
}

/** Returns paragraphs, tables and other blocks, some of them in loops and conditions. */
export function blocks(pen: Pen, names: Names, depth: number): Block[] {
  const most = depth === 0 ? 12 : 4;
  return pen.random.several(1, most, () => block(pen, names, depth)).flat();
}

function block(pen: Pen, names: Names, depth: number): Block[] {
  const { random, draft, tags, focus } = pen;
  random.budget -= 1;
  const isDeep = depth > 4 || random.budget < 0;
  if (!isDeep && random.oneIn(2)) {
    if (focus === "lists") return listed(pen, names, depth);
    if (focus === "merges") return [mergedTable(pen, names, depth), "<w:p/>"];
  }
  const kind = random.below(isDeep ? 5 : 18);
  switch (kind) {
    case 0:
      return [item(pen, strip(pen, names, depth))];
    case 5:
    case 6:
    case 7:
    case 8:
      return around(pen, names, depth);
    case 9:
      return listed(pen, names, depth);
    case 10:
    case 11:
    case 12: {
      const first = table(pen, names, depth + 1);
      if (random.oneIn(6)) return [first, table(pen, names, depth + 2)];
      // The tag may also print a table.
      if (random.oneIn(6)) return [first, paragraph(pen, [{ text: tags.rich(names) }])];
      return random.oneIn(4) ? [first] : [first, paragraph(pen, [{ text: "after" }])];
    }
    case 13:
      return [control(pen, names, depth)];
    case 14:
      return [paragraph(pen, [{ xml: picture(pen, names) }])];
    case 15: {
      const id = draft.next();
      const mark = `w:id="${id}"`;
      const inner = blocks(pen, names, depth + 1);
      return [
        `<w:bookmarkStart ${mark} w:name="mark${id % 7}"/>`,
        ...inner,
        `<w:bookmarkEnd ${mark}/>`,
      ];
    }
    case 16:
      return [other(pen, names)];
    default:
      return [paragraph(pen, strip(pen, names, depth))];
  }
}

function paragraph(pen: Pen, content: Strip): Block {
  return { properties: pen.random.pick(PROPERTIES), strip: content };
}

const LISTS = [1, 1, 2, 3, 4, 7, 99];

/** Returns an item of a list. */
function item({ random }: Pen, content: Strip, list?: number): Block {
  const level = random.oneIn(4) ? 1 : 0;
  const numId = list ?? random.pick(LISTS);
  const properties = `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`;
  return { properties, strip: content };
}

/** Returns a block around paragraphs and tables, with its tags in separate paragraphs or next to other content. */
function around(pen: Pen, names: Names, depth: number): Block[] {
  const { random, tags } = pen;
  const { open, middles, close, inner } = tags.block(names);
  const body = (): Block[] => (random.oneIn(9) ? [] : blocks(pen, inner, depth + 1));
  const all: Block[] = [];
  const put = (tag: string, joins: boolean): void => {
    const last = all.at(-1);
    if (joins && typeof last === "object") last.strip.push({ text: tag });
    else if (random.oneIn(6)) all.push(paragraph(pen, [...strip(pen, inner, 9), { text: tag }]));
    else all.push(paragraph(pen, [{ text: tag }]));
  };
  all.push(paragraph(pen, [{ text: open }, ...(random.oneIn(6) ? strip(pen, inner, 9) : [])]));
  all.push(...body());
  for (const middle of middles) {
    put(middle, false);
    all.push(...body());
  }
  put(close, random.oneIn(6) && all.length > 1);
  return all;
}

/** Returns a list that is repeated as a whole or item by item. */
function listed(pen: Pen, names: Names, depth: number): Block[] {
  const { random, tags } = pen;
  const { open, middles, close, inner } = tags.block(names);
  const list = random.oneIn(3) ? undefined : random.pick(LISTS);
  if (depth < 3 && random.oneIn(3)) {
    const within = listed(pen, inner, depth + 1);
    const all = [paragraph(pen, [{ text: open }]), ...within, paragraph(pen, [{ text: close }])];
    if (middles.length === 0) return all;
  }
  const entry = (): Block => {
    const content: Strip = [{ text: "item " }, ...strip(pen, inner, depth + 2)];
    if (!random.oneIn(4)) return item(pen, content, list);
    return paragraph(pen, [{ text: tags.style(inner) }, ...content]);
  };
  const others = middles.flatMap((middle) => [paragraph(pen, [{ text: middle }]), entry()]);
  const items = [entry(), ...(random.oneIn(2) ? [entry()] : [])];
  const all = [
    paragraph(pen, [{ text: open }]),
    ...items,
    ...others,
    paragraph(pen, [{ text: close }]),
  ];
  return random.oneIn(2) ? [item(pen, [{ text: "first" }], list), ...all] : all;
}

/** Returns a content control around paragraphs; some controls are bound to other data. */
function control(pen: Pen, names: Names, depth: number): string {
  const { random, draft } = pen;
  const bound = random.oneIn(4) ? '<w:dataBinding w:xpath="/a" w:storeItemID="{1}"/>' : "";
  const inner = random.oneIn(2) ? around(pen, names, depth + 1) : blocks(pen, names, depth + 1);
  const content = written(pen, inner);
  return `<w:sdt><w:sdtPr><w:id w:val="${draft.next()}"/>${bound}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
}

/** Returns a section, an include tag, or content from another generator. */
function other(pen: Pen, names: Names): Block {
  const { random, tags, start, part } = pen;
  const isMain = part === "document.xml";
  if (isMain && random.oneIn(4)) {
    const properties = `<w:sectPr>${headerOf(pen)}<w:pgSz w:w="11906" w:h="16838"/></w:sectPr>`;
    return { properties, strip: [{ text: tags.plain(names) }] };
  }
  if (isMain && random.oneIn(2)) {
    return { properties: "", strip: [{ text: tags.tag(`include "inc${random.below(2)}.docx"`) }] };
  }
  // The other generator supports only these delimiters, and uses keys of the root.
  if (start !== "{{") return paragraph(pen, strip(pen, names, 9));
  const drawing = draw(random, randomDocument(random), "header");
  return drawing.xml.includes("w:txbxContent") ? "<w:p/>" : drawing.xml;
}

/** Returns the reference of a section to its header or footer, if it has one. */
function headerOf({ random, draft }: Pen): string {
  if (random.oneIn(2)) return "";
  const kind = random.pick(["header", "footer"] as const);
  const name = `${kind}1.xml`;
  draft.shown.add(name);
  return `<w:${kind}Reference w:type="default" r:id="${storyId(name)}"/>`;
}
