import { QuireError } from "@quire/contracts";
import { SaxesParser } from "saxes";
import { DEFAULT_LIMITS } from "../limits/limits.ts";
import { malformed } from "../limits/refusal.ts";
import { escapeAttribute, escapeText } from "./escape.ts";
import { type Attributes, UsualPrefixes } from "./prefixes.ts";
import { weightOf } from "./scan-tag.ts";

/**
 * The number of elements that may still be read. Opening braces, escaped characters and line ends also count. Parts
 * that are in memory at the same time share one allowance.
 */
export interface Allowance {
  nodes: number;
  readonly most: number;
}

/** Returns a new allowance. */
export function fullAllowance(most = DEFAULT_LIMITS.elements): Allowance {
  return { nodes: most, most };
}

/**
 * Returns an allowance without a limit, for parts of an opened package that are read only to find mistakes. The sizes
 * of these parts have been checked.
 */
export function unbounded(): Allowance {
  return fullAllowance(Number.POSITIVE_INFINITY);
}

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The events of {@link parseXml}. Text is unescaped, in any number of pieces. */
export interface XmlHandler {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close: (name: string) => void;
  readonly text?: (text: string) => void;
}

/**
 * Reads a part with a full XML parser. Throws `invalid_template` when the part is not well-formed, has a document type
 * declaration (which allows entity attacks, and which no office program writes) or is nested too deeply. Throws
 * `limit_exceeded` if the allowance is used up.
 */
export function parseXml(
  part: string,
  xml: string,
  handler: XmlHandler,
  allowance = fullAllowance(),
): void {
  const parser = new SaxesParser({ xmlns: false, fragment: false });
  let depth = 0;
  parser.on("error", (error) => {
    throw malformed(part, `its XML is broken (${error.message})`, error);
  });
  parser.on("doctype", () => {
    throw malformed(part, "it has a document type declaration, which no Word document does");
  });
  parser.on("opentag", (tag) => {
    depth += 1;
    spend(allowance, part, weightOf(Object.keys(tag.attributes).length));
    if (depth > DEFAULT_LIMITS.depth) {
      throw malformed(part, `its elements are nested deeper than ${DEFAULT_LIMITS.depth} levels`);
    }
    handler.open(tag.name, tag.attributes);
  });
  parser.on("closetag", (tag) => {
    depth -= 1;
    handler.close(tag.name);
  });
  const { text } = handler;
  if (text !== undefined) {
    const read = (piece: string): void => {
      // Characters that are escaped again become four times as long.
      spend(allowance, part, countOf("{", piece) + countOf(">", piece));
      text(piece);
    };
    parser.on("text", read);
    parser.on("cdata", read);
  }
  // The parser splits text at each of these characters. Lines may end in CR and LF.
  const ends = countOf("\r", xml);
  spend(allowance, part, countOf("&", xml) + Math.floor(ends / LINES_OF_ELEMENT));
  checkSections(part, xml);
  parser.write(ends > 0 ? xml.replace(/\r\n/g, "\n").replace(/\r/g, "\n") : xml).close();
}

/** The number of line ends that take as much work as an element. */
const LINES_OF_ELEMENT = 4;

/** More characters than this in comments and similar markup are treated as an attack: documents have a few hundred. */
const MAX_SECTIONS = 1_000_000;

/**
 * Throws if comments and similar markup are too long. The parser needs a long time for them, and none of them is kept.
 */
function checkSections(part: string, xml: string): void {
  let total = 0;
  for (const [start, end] of SECTIONS) {
    for (let at = xml.indexOf(start); at !== -1; ) {
      const after = xml.indexOf(end, at + start.length);
      const next = after === -1 ? xml.length : after;
      total += next - at;
      at = xml.indexOf(start, next);
    }
  }
  if (total <= MAX_SECTIONS) return;
  throw malformed(
    part,
    `its comments, CDATA sections and processing instructions have more than ${MAX_SECTIONS} characters in total`,
  );
}

const SECTIONS = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
] as const;

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
    count += 1;
  return count;
}

function spend(allowance: Allowance, part: string, nodes: number): void {
  allowance.nodes -= nodes;
  if (allowance.nodes >= 0) return;
  throw new QuireError(
    "limit_exceeded",
    `The Word file is too large: up to its part ${part} it has more than ${allowance.most} elements, braces and escaped characters.`,
  );
}

/** Returns the attributes in the form of a canonical start tag, each with a space before it. */
export function attributeList(attributes: Attributes): string {
  let list = "";
  for (const name of Object.keys(attributes)) {
    list += ` ${name}="${escapeAttribute(attributes[name] ?? "")}"`;
  }
  return list;
}

/** The name of a `w:t` in a `w:moveFrom` until the part is written, so that no tag is found in the moved text. */
export const MOVED_TEXT = "w:movedText";

/** Returns the name with which an element is written to a document. */
export function writtenName(name: string): string {
  return name === MOVED_TEXT ? "w:t" : name;
}

/** The roots of stories, of charts and SmartArt, and of properties. */
const ROOTS =
  /^w:|^(?:c|cx):chartSpace$|^c:userShapes$|^dgm:dataModel$|^\w+:drawing$|^(?:\w+:)?(?:coreProperties|Properties|CoverPageProperties)$/;

/**
 * Converts a part to canonical form: every `<` begins a tag and every `>` ends one; attributes are in double quotes
 * after one space; empty elements are self-closing; comments, CDATA sections and processing instructions are removed.
 * Namespaces that Word knows have Word's prefixes. A `w:t` in a `w:moveFrom` is renamed to {@link MOVED_TEXT}, because
 * it counts as deleted. Later steps rely on this form, because docxtemplater's lexer is not a full XML parser.
 */
export function canonicalXml(part: string, xml: string, allowance = fullAllowance()): string {
  const out = new Pieces(XML_DECLARATION);
  const prefixes = new UsualPrefixes((why) => malformed(part, why));
  const names: string[] = [];
  let pending = "";
  let movedAway = 0;
  const settle = (): void => {
    if (pending !== "") out.add(`${pending}>`);
    pending = "";
  };
  const handler: XmlHandler = {
    open(written, given) {
      const [usual, attributes] = prefixes.open(written, given);
      if (names.length === 0 && !ROOTS.test(usual)) {
        throw malformed(part, `its root element is ${written}, which Word does not write`);
      }
      if (usual === "w:moveFrom") movedAway += 1;
      const name = movedAway > 0 && usual === "w:t" ? MOVED_TEXT : usual;
      names.push(name);
      settle();
      pending = `<${name}${attributeList(attributes)}`;
    },
    close() {
      prefixes.close();
      const name = names.pop() ?? "";
      if (name === "w:moveFrom") movedAway -= 1;
      if (pending === "") {
        out.add(`</${name}>`);
        return;
      }
      out.add(`${pending}/>`);
      pending = "";
    },
    text(text) {
      // Outside the root, this can only be white space.
      if (names.length === 0) return;
      settle();
      out.add(escapeText(text).replaceAll("\r", "&#13;"));
    },
  };
  parseXml(part, xml, handler, allowance);
  return out.whole();
}

/** Text that consists of very many pieces. Pieces are joined early, because separate pieces take more memory. */
class Pieces {
  readonly #joined: string[] = [];
  readonly #pieces: string[];

  constructor(first: string) {
    this.#pieces = [first];
  }

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length >= AT_ONCE) this.#join();
  }

  whole(): string {
    this.#join();
    return this.#joined.join("");
  }

  #join(): void {
    this.#joined.push(this.#pieces.join(""));
    this.#pieces.length = 0;
  }
}

/** Enough pieces for about 50,000 characters of text. */
const AT_ONCE = 2_000;
