import PizZip from "pizzip";

/** Returns the text of a document's headers, body and footers, with one entry for each paragraph that has text. */
export function documentText(bytes: Uint8Array): string[] {
  const zip = new PizZip(bytes, { checkCRC32: true });
  const part = (name: string) => zip.file(name)?.asText() ?? "";
  const names = Object.keys(zip.files);
  const stories = [/^word\/header\d+\.xml$/, /^word\/document\.xml$/, /^word\/footer\d+\.xml$/];
  const chunks = importedTexts(part("word/_rels/document.xml.rels"), part);
  return stories.flatMap((pattern) =>
    names
      .filter((name) => pattern.test(name))
      .toSorted()
      .flatMap((name) => paragraphs(part(name), chunks)),
  );
}

/** Returns the number of pictures in a document. */
export function pictureCount(bytes: Uint8Array): number {
  const document = new PizZip(bytes).file("word/document.xml")?.asText() ?? "";
  return document.split("<a:blip ").length - 1;
}

/** Matches the text of a part and its separators. These documents have no paragraphs in text boxes. */
const TEXT =
  /<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<w:(br|tab|cr)\b[^>]*\/>|(<\/w:p>)|<w:altChunk\s[^>]*r:id="([^"]*)"/g;

function paragraphs(xml: string, chunks: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  let text = "";
  for (const [, characters, mark, end, chunk] of xml.matchAll(TEXT)) {
    if (characters !== undefined) text += decode(characters);
    else if (mark !== undefined) text += mark === "tab" ? "\t" : "\n";
    else if (chunk !== undefined) found.push(...(chunks.get(chunk) ?? []));
    else if (end !== undefined) {
      found.push(text);
      text = "";
    }
  }
  // Empty paragraphs are ignored, because only the text is compared.
  return found.filter((each) => each.trim() !== "");
}

/** Returns the text of HTML files that Word would import, by the relationship id in the body. */
function importedTexts(
  relations: string,
  part: (name: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const chunks = new Map<string, readonly string[]>();
  for (const [relation] of relations.matchAll(/<Relationship\s[^>]*\/aFChunk"[^>]*>/g)) {
    const id = /\sId="([^"]*)"/.exec(relation)?.[1];
    const target = /\sTarget="([^"]*)"/.exec(relation)?.[1];
    if (id !== undefined && target !== undefined) chunks.set(id, lines(part(`word/${target}`)));
  }
  return chunks;
}

function lines(html: string): string[] {
  return html
    .replace(/<\/(?:p|li|h\d)>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .split("\n")
    .map((line) => decode(line.trim()))
    .filter((line) => line !== "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return ENTITIES[name] ?? whole;
  });
}
