/** The tables of docs pages that show tags and the text that they print. */
import { docx, p, table } from "../../../packages/ooxml/test/support/docx.ts";

/** Returns the cells of the rows of a table, which is found by the beginning of its header row. */
export function cellsOf(page: string, head: string): string[][] {
  const lines = page.split("\n");
  const first = lines.findIndex((line) => head !== "" && line.startsWith(head)) + 2;
  const end = lines.findIndex((line, at) => at >= first && !line.startsWith("|"));
  return lines.slice(first, end).map((line) =>
    line
      .slice(2, -2)
      .split(/(?<!\\) \| /)
      .map((cell) => cell.replaceAll("\\|", "|")),
  );
}

/** Returns the data of a page or of a part of it: its first JSON block. */
export function dataOf(page: string): Record<string, unknown> {
  return JSON.parse(/^```json\n(.*?)^```$/ms.exec(page)?.[1] ?? "");
}

/** Returns the text of a cell without its backticks. Each line is a paragraph or a row. */
export function plain(cell: string): string {
  return cell.replaceAll("<br>", "\n").replaceAll("`", "");
}

/** Returns the cells of a row that is written with broken bars. */
export function cellsIn(line: string): string[] {
  return line.split("¦").map((cell) => cell.trim());
}

/**
 * Returns a template. Each line is a paragraph; lines with broken bars that follow each other are a table. `⏎` and
 * `[page break]` are breaks. `[1.]` and `[1.1]` at the beginning of a paragraph put it into a numbered list, whose levels
 * are linked to the styles Outline 1 and Outline 2. `[bookmark name: text]`, `[link to name: text]` and `[page of name]`
 * are a bookmark, a link to it and a reference to its page.
 */
export function templateOf(text: string): Uint8Array {
  const lines = text.split("\n");
  let body = "";
  let rows: string[][] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.includes("¦")) {
      body += paragraph(line);
      continue;
    }
    rows.push(cellsIn(line).map(paragraph));
    if (lines[at + 1]?.includes("¦")) continue;
    body += `${table(...rows)}<w:p/>`;
    rows = [];
  }
  return docx({ body, numbering: NUMBERING, styles: STYLES });
}

const LEVELS = { "[1.] ": 0, "[1.1] ": 1 };

function paragraph(text: string): string {
  const [mark, level] = Object.entries(LEVELS).find(([mark]) => text.startsWith(mark)) ?? ["", 0];
  const xml = p(text.slice(mark.length))
    .replaceAll("⏎", runWith("<w:br/>"))
    .replaceAll("[page break]", runWith('<w:br w:type="page"/>'))
    .replace(/\[bookmark (\w+): (.*?)\]/g, (_all, name, text) =>
      between(`<w:bookmarkStart w:id="1" w:name="${name}"/>${run(text)}<w:bookmarkEnd w:id="1"/>`),
    )
    .replace(/\[link to (\w+): (.*?)\]/g, (_all, name, text) =>
      between(`<w:hyperlink w:anchor="${name}">${run(text)}</w:hyperlink>`),
    )
    .replace(/\[page of (\w+)\]/g, (_all, name) =>
      between(`<w:fldSimple w:instr=" PAGEREF ${name} "><w:r><w:t>1</w:t></w:r></w:fldSimple>`),
    );
  if (mark === "") return xml;
  return xml.replace("<w:p>", `<w:p><w:pPr>${numbered(level)}</w:pPr>`);
}

function numbered(level: number): string {
  return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`;
}

function runWith(xml: string): string {
  return between(`<w:r>${xml}</w:r>`);
}

/** Returns XML for the middle of a run: the run ends before it and continues after it. */
function between(xml: string): string {
  return `</w:t></w:r>${xml}<w:r><w:t xml:space="preserve">`;
}

function run(text: string): string {
  return `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
}

const NUMBERING = `<w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>${[
  "%1.",
  "%1.%2",
]
  .map(
    (text, level) =>
      `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Outline${level + 1}"/><w:lvlText w:val="${text}"/></w:lvl>`,
  )
  .join("")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;

const STYLES = [0, 1]
  .map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="Outline${level + 1}"><w:name w:val="Outline ${level + 1}"/><w:pPr>${numbered(level)}</w:pPr></w:style>`,
  )
  .join("");
