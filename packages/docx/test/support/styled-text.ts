import { SaxesParser } from "saxes";

/**
 * Returns the visible text of a part with its formatting: one line per paragraph, with the style of each stretch before
 * its text, and lines for the start and end of tables, rows and cells. The result does not depend on run boundaries.
 */
export function styledText(xml: string): string[] {
  const parser = new SaxesParser();
  const open: string[] = [];
  const lines: string[] = [];
  const paragraphs: { text: string; style: string }[] = [];
  let size = "";
  const style = (): string => {
    const around = ["w:ins", "w:hyperlink"].filter((name) => open.includes(name));
    return [...around, size].join("+");
  };
  const add = (text: string): void => {
    const line = paragraphs.at(-1);
    if (line === undefined || text === "") return;
    if (line.style !== style()) {
      line.style = style();
      line.text += `⟦${line.style}⟧`;
    }
    line.text += text;
  };
  parser.on("opentag", ({ name, attributes }) => {
    open.push(name);
    if (name === "w:p") paragraphs.push({ text: "", style: "" });
    if (name === "w:r") size = "";
    if (name === "w:sz" && !open.includes("w:pPr")) size = attributes["w:val"] ?? "";
    if (name === "w:br") add("⏎");
    if (name === "w:tab" && open.at(-2) === "w:r") add("⇥");
    if (["w:tbl", "w:tr", "w:tc"].includes(name)) lines.push(`<${name}>`);
    if (name === "w:gridSpan") lines.push(`span ${attributes["w:val"]}`);
  });
  parser.on("text", (text) => {
    if (open.at(-1) === "w:t") add(text);
  });
  parser.on("closetag", ({ name }) => {
    open.pop();
    if (name === "w:p") lines.push(paragraphs.pop()?.text ?? "");
    if (["w:tbl", "w:tr", "w:tc"].includes(name)) lines.push(`</${name}>`);
  });
  parser.write(xml).close();
  return lines;
}
