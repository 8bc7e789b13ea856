/** The content of a document as lines of text, in the notation of docs/recipes.md. */
import { bodyOf, partOf } from "../../../packages/ooxml/test/support/docx.ts";

/** The parts of a document that its paragraphs refer to. */
interface Reader {
  readonly links: ReadonlyMap<string, string>;
  /** Returns the number or bullet of a paragraph, and counts it; empty text for a paragraph outside lists. */
  readonly numberOf: (paragraph: string) => string;
}

/**
 * Returns the lines of the body: one for each paragraph or row, with ` ¦ ` between cells. A line break is `⏎`, and
 * looks, links, bookmarks, pictures and page breaks are in brackets. Blank lines at the end are left out.
 */
export function printedLines(bytes: Uint8Array): string[] {
  const reader: Reader = { links: linksOf(bytes), numberOf: countLists(bytes) };
  const blocks = bodyOf(bytes).matchAll(/<w:tbl>.*?<\/w:tbl>|<w:p(?: [^>]*)?(?:\/>|>.*?<\/w:p>)/gs);
  const lines = [...blocks].flatMap(([xml]) =>
    xml.startsWith("<w:tbl>") ? rowsOf(xml, reader) : [paragraphText(xml, reader)],
  );
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

function rowsOf(xml: string, reader: Reader): string[] {
  return [...xml.matchAll(/<w:tr[ >].*?<\/w:tr>/gs)].map(([row]) =>
    [...row.matchAll(/<w:tc[ >].*?<\/w:tc>/gs)]
      .map(([cell]) => cellText(cell, reader))
      .join(" ¦ ")
      .trim(),
  );
}

function cellText(xml: string, reader: Reader): string {
  if (xml.includes("<w:vMerge/>")) return "[merged]";
  const fill = /<w:shd [^>]*w:fill="(\w{6})"/.exec(xml)?.[1];
  const paragraphs = [...xml.matchAll(/<w:p(?: [^>]*)?(?:\/>|>.*?<\/w:p>)/gs)];
  const text = paragraphs.map(([paragraph]) => paragraphText(paragraph, reader)).join(" / ");
  const columns = /<w:gridSpan w:val="(\d+)"\/>/.exec(xml)?.[1];
  const looks = [
    ...(columns === undefined ? [] : [`[${columns} columns] `]),
    ...(fill === undefined ? [] : [`[fill #${fill}] `]),
  ];
  return `${looks.join("")}${text}`;
}

function paragraphText(xml: string, reader: Reader): string {
  const pieces = xml.matchAll(
    /<w:hyperlink [^>]*(?:r:id|w:anchor)="([^"]*)".*?<\/w:hyperlink>|<w:bookmarkStart [^>]*w:name="([^"]*)".*?<w:bookmarkEnd|<w:fldSimple w:instr=" PAGEREF (\w+) .*?<\/w:fldSimple>|<w:r>.*?<\/w:r>/gs,
  );
  const text = [...pieces].map(([piece, link, bookmark, page]) => {
    if (page !== undefined) return `[page of ${page}]`;
    if (bookmark !== undefined) return `[bookmark ${bookmark}: ${runText(piece)}]`;
    if (link === undefined) return runText(piece);
    const label = piece.replace(/<w:rPr>.*?<\/w:rPr>/gs, "");
    return `[link to ${reader.links.get(link) ?? link}: ${runText(label)}]`;
  });
  const number = reader.numberOf(xml);
  return number === "" ? text.join("") : `${number} ${text.join("")}`.trimEnd();
}

function runText(xml: string): string {
  const text = [
    ...xml.matchAll(
      /<w:t(?: [^>]*)?>([^<]*)<\/w:t>|<w:(br)\/>|<w:br w:type="(page)"\/>|<w:(drawing)>/g,
    ),
  ]
    .map(([, text, line, page]) => {
      if (text !== undefined) return unescapeXml(text);
      if (line !== undefined) return "⏎";
      return page === undefined ? "[picture]" : "[page break]";
    })
    .join("");
  const looks = [...xml.matchAll(/<w:(b|i)\/>|<w:color w:val="(\w{6})"\/>/g)].map(
    ([, name, color]) => {
      if (color !== undefined) return color === "FF0000" ? "red" : `#${color}`;
      return name === "b" ? "bold" : "italic";
    },
  );
  return looks.length === 0 || text === "" ? text : `[${looks.join(" ")}: ${text}]`;
}

/** Returns the external links of the body by relationship id. */
function linksOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  const relationships = partOf(bytes, "word/_rels/document.xml.rels").matchAll(
    /<Relationship [^>]*>/g,
  );
  return new Map(
    [...relationships].map(([xml]) => [
      / Id="([^"]*)"/.exec(xml)?.[1] ?? "",
      unescapeXml(/ Target="([^"]*)"/.exec(xml)?.[1] ?? ""),
    ]),
  );
}

/** Returns a function that gives each paragraph of a list its number, like Word. */
function countLists(bytes: Uint8Array): Reader["numberOf"] {
  const xml = partOf(bytes, "word/numbering.xml");
  const styles = partOf(bytes, "word/styles.xml");
  const counts = new Map<string, number[]>();
  const started = new Set<string>();
  return (paragraph) => {
    const name = /<w:pStyle w:val="(\w+)"\/>/.exec(paragraph)?.[1] ?? "-";
    const style = new RegExp(`<w:style [^>]*w:styleId="${name}".*?</w:style>`, "s").exec(styles);
    // The paragraph's own list takes precedence over the one of its style.
    const [, level, id] =
      /<w:ilvl w:val="(\d)"\/><w:numId w:val="(\d+)"\/>/.exec(paragraph + (style?.[0] ?? "")) ?? [];
    if (level === undefined || id === undefined) return "";
    const at = Number(level);
    const list = new RegExp(`<w:num [^>]*w:numId="${id}".*?</w:num>`, "s").exec(xml)?.[0] ?? "";
    const abstract = /<w:abstractNumId w:val="(\d+)"/.exec(list)?.[1] ?? "";
    const restarts = list.includes("<w:startOverride") && !started.has(id);
    started.add(id);
    const count = (restarts ? undefined : counts.get(abstract)) ?? [];
    counts.set(abstract, [...count.slice(0, at), (count[at] ?? 0) + 1]);
    const definition = new RegExp(`<w:abstractNum [^>]*Id="${abstract}".*?</w:abstractNum>`, "s");
    const format = (definition.exec(xml)?.[0] ?? "").split("<w:lvl ")[at + 1] ?? "";
    if (format.includes('w:val="bullet"')) return "•";
    const text = /<w:lvlText w:val="([^"]*)"/.exec(format)?.[1] ?? "";
    return text.replace(/%(\d)/g, (_, n) => String(counts.get(abstract)?.[n - 1] ?? ""));
  };
}

function unescapeXml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
