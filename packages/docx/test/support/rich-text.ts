import { SaxesParser } from "saxes";
import { expect } from "vitest";
import type { RichContext } from "../../src/values/rich/context.ts";
import type { RichDocument } from "../../src/values/rich/model.ts";
import { parseHtml } from "../../src/values/rich/read/parse-html.ts";
import { blocksXml, inlineXml } from "../../src/values/rich/write.ts";

export interface TestContext extends RichContext {
  readonly lists: string[];
  readonly warned: string[];
  readonly links: string[];
}

export function context(changes: Partial<RichContext> = {}): TestContext {
  const lists: string[] = [];
  const warned: string[] = [];
  const links: string[] = [];
  return {
    runProperties: "",
    paragraphProperties: "",
    style: () => null,
    link: (url) => `rId${links.push(url)}`,
    image: (_uri, { width, height }, alt) =>
      `<w:drawing w="${width}" h="${height}" alt="${alt.length}"/>`,
    list: ({ kind, text, start, level }) =>
      lists.push(`${kind}${text === null ? "" : ` ${text}`} ${start} ${level}`),
    warn: (_code, message) => warned.push(message),
    lists,
    warned,
    links,
    ...changes,
  };
}

export const STYLES = new Map([
  ["heading 1", "Heading1"],
  ["list paragraph", "ListParagraph"],
  ["quote", "Quote"],
  ["table grid", "TableGrid"],
  ["hyperlink", "Hyperlink"],
]);

export function styled(changes: Partial<RichContext> = {}): TestContext {
  return context({ style: (name) => STYLES.get(name) ?? null, ...changes });
}

export interface Parsed {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Parsed[];
  text: string;
}

/** Parses XML strictly; throws when it is not well-formed. */
export function parseXml(xml: string): Parsed {
  const root: Parsed = { name: "root", attributes: {}, children: [], text: "" };
  const stack = [root];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const node = { name, attributes: { ...attributes }, children: [], text: "" };
    stack.at(-1)?.children.push(node);
    stack.push(node);
  });
  parser.on("closetag", () => {
    stack.pop();
  });
  parser.on("text", (text) => {
    const top = stack.at(-1);
    if (top !== undefined) top.text += text;
  });
  parser.write(`<body>${xml}</body>`).close();
  return root.children[0] ?? root;
}

/** Returns the text of XML: paragraphs in lines, a cell in brackets, ⏎ for a line break, ⇥ for a tab. */
export function textOf(node: Parsed): string {
  switch (node.name) {
    case "w:t":
      return node.text;
    case "w:br":
      return "⏎";
    case "w:tab":
      return "⇥";
    case "w:p":
      return `${node.children.map(textOf).join("")}\n`;
    case "w:tc":
      return `[${node.children.map(textOf).join("").trimEnd()}]`;
    case "w:tr":
      return `${node.children.map(textOf).join("")}\n`;
    default:
      return node.children.map(textOf).join("");
  }
}

export function lines(document: RichDocument, where = context()): string[] {
  return textOf(parseXml(blocksXml(document, where)))
    .split("\n")
    .slice(0, -1);
}

/** Returns the runs of an inline document, each as `properties:text`. */
export function runs(html: string, where = context()): string[] {
  const document = parseHtml(html);
  expect(document.inline).toBe(true);
  return runsOf(inlineXml(document, where));
}

export function runsOf(xml: string): string[] {
  parseXml(xml);
  return [
    ...xml.matchAll(
      /<w:r>(?:<w:rPr>(.*?)<\/w:rPr>)?<w:t xml:space="preserve">(.*?)<\/w:t><\/w:r>/g,
    ),
  ].map(([, properties = "", text = ""]) => `${properties}:${text}`);
}

export function pPrs(xml: string): string[] {
  return [...xml.matchAll(/<w:p>(?:<w:pPr>(.*?)<\/w:pPr>)?/g)].map(([, pPr = ""]) => pPr);
}

export function codes(document: RichDocument): string[] {
  return document.warnings.map(({ code }) => code);
}
