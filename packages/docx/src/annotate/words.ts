import type { Diagnostic } from "@quire/contracts";

/** The words for the stories of a document, by the names that programs give to their parts. */
const STORIES: ReadonlyMap<string, string> = new Map([
  ["document", "body"],
  ["header", "header"],
  ["footer", "footer"],
  ["footnotes", "footnotes"],
  ["endnotes", "endnotes"],
  ["comments", "comments"],
  ["core", "document properties"],
  ["app", "document properties"],
  ["custom", "document properties"],
  ["chart", "chart"],
  ["chartex", "chart"],
]);

/** Stories that may occur several times in a document. The name of the part identifies each of them. */
const NUMBERED: ReadonlySet<string> = new Set(["header", "footer", "chart"]);

/**
 * Returns the location of a problem in words for authors: `Under 'Terms', table 2, row 3, cell 1, paragraph 14`, or `In
 * the header header1.xml, paragraph 2`. Empty if the problem has no location in the template.
 */
export function placeInWords({ template }: Diagnostic): string {
  if (template === undefined) return "";
  const { part, heading, table, row, cell, paragraph } = template;
  // For a PDF form, the part is `page N`, or `form` for a field that is not on a page.
  if (part === "form") return "";
  if (/^page \d+$/.test(part)) return `On ${part}`;
  const story = storyOf(part);
  const words = heading === undefined ? [] : [`under '${heading}'`];
  const numbers = Object.entries({ table, row, cell, paragraph });
  for (const [name, number] of numbers) if (number) words.push(`${name} ${number}`);
  if (story !== "body" || words.length === 0) words.unshift(`in the ${story}`);
  const text = words.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the words for the part of a problem. */
function storyOf(name: string): string {
  const template = includedTemplate(name);
  if (template === null) return ownStoryOf(name);
  return `${ownStoryOf(name.slice(template.length + 1))} of ${template}`;
}

/**
 * Returns the included template in a name of the form `template:part`; null if the part belongs to the main template.
 */
export function includedTemplate(part: string): string | null {
  const colon = part.lastIndexOf(":");
  return colon === -1 ? null : part.slice(0, colon);
}

function ownStoryOf(part: string): string {
  const file = part.slice(part.lastIndexOf("/") + 1);
  const [, kind = ""] = /^([a-z]+)\d*\.xml$/i.exec(file) ?? [];
  const name = STORIES.get(kind.toLowerCase());
  if (name === undefined) return `part ${part}`;
  return NUMBERED.has(name) ? `${name} ${file}` : name;
}
