import type { Diagnostic } from "../../errors.ts";
import { unescapeText } from "../package/xml.ts";
import { placeOf, tagProblem, textAround } from "./diagnostics.ts";
import { type Dialect, type Directive, guessDirective, parseDirective } from "./directive.ts";
import { revealDelimiters } from "./escapes.ts";
import { HELD_INSTRUCTION } from "./fields.ts";
import type { LexedPart } from "./lexer.ts";
import {
  type AttributePiece,
  closest,
  type ElementNode,
  insertAt,
  type Place,
  type TagNode,
} from "./nodes.ts";
import { Places } from "./places.ts";
import { type Delimiters, scanTags } from "./scan.ts";
import { TagSyntaxError } from "./tokens.ts";

/** A part as a tree, with its tags, and what is wrong with them. */
export interface PartTree {
  readonly part: string;
  /** What stands before the root element: the XML declaration. */
  readonly prolog: string;
  readonly root: ElementNode;
  /** Every tag, in document order. */
  readonly tags: readonly TagNode[];
  /** Whether it is written anew even without a tag: delimiters are escaped in it, or it includes others. */
  readonly changed: boolean;
  readonly problems: readonly Diagnostic[];
}

/** What is known of the template around a part. */
export interface TreeContext {
  readonly delimiters: Delimiters;
  readonly dialect: Dialect;
  /** The ids of the styles that make a paragraph a heading. */
  readonly headingStyles: ReadonlySet<string>;
  /** The targets of the part's hyperlinks, by relationship id. */
  readonly linkTargets: ReadonlyMap<string, string>;
}

/**
 * Builds the tree of a part from its tokens. The XML is canonical: what looks like a tag is one, and
 * the nesting is right.
 */
export function buildTree(part: string, lexed: LexedPart, context: TreeContext): PartTree {
  const builder = new TreeBuilder(part, lexed.hidden, context);
  for (const token of lexed.tokens) {
    if (token.kind === "xml") builder.xml(token.xml);
    else if (token.kind === "text") builder.text(token.xml);
    else builder.tag(token.content);
  }
  return builder.finish(lexed);
}

class TreeBuilder {
  readonly #part: string;
  readonly #context: TreeContext;
  readonly #document: ElementNode = element("", "");
  readonly #tags: TagNode[] = [];
  readonly #problems: { readonly tag: TagNode; readonly error: TagSyntaxError }[] = [];
  readonly #strays: Diagnostic[] = [];
  readonly #places: Places;
  readonly #hidden: number | null;
  #prolog = "";
  #escaped = false;
  #at: ElementNode = this.#document;

  constructor(part: string, hidden: number | null, context: TreeContext) {
    this.#part = part;
    this.#hidden = hidden;
    this.#context = context;
    this.#places = new Places(part, context.headingStyles);
  }

  /** Any number of tags with text between them. */
  xml(xml: string): void {
    let from = 0;
    for (let open = xml.indexOf("<"); open !== -1; open = xml.indexOf("<", from)) {
      this.text(xml.slice(from, open));
      const close = xml.indexOf(">", open);
      this.#tagOfXml(xml.slice(open + 1, close));
      from = close + 1;
    }
    this.text(xml.slice(from));
  }

  text(escaped: string): void {
    if (escaped === "" || this.#at === this.#document) return;
    if (escaped.trim() === "" && !HOLDS_TEXT.test(this.#at.name)) return;
    const xml = revealDelimiters(escaped, this.#hidden, this.#context.delimiters);
    this.#escaped ||= xml !== escaped;
    const last = this.#at.children.at(-1);
    if (last?.kind === "text") last.xml += xml;
    else this.#append({ kind: "text", xml, parent: null });
  }

  tag(content: string): void {
    const { start, end } = this.#context.delimiters;
    const tag = this.#tagNode(content, `${start}${content}${end}`, null);
    this.#append(tag);
  }

  finish(lexed: LexedPart): PartTree {
    const root = this.#document.children.find((node) => node.kind === "element");
    if (root === undefined) throw new Error(`The part ${this.#part} has no root element.`);
    root.parent = null;
    for (const tag of this.#tags) tag.near = textAround(tag);
    const problems = lexed.problems.map(({ code, near, paragraph }) =>
      strayDelimiter(code, this.#places.ofParagraph(paragraph), near, this.#context.delimiters),
    );
    problems.push(...this.#strays);
    // A stray delimiter leaves an empty tag behind: told once is enough.
    const own = this.#problems.filter(
      ({ tag }) => !isEmpty(tag, this.#context.delimiters) || problems.length === 0,
    );
    for (const { tag, error } of own) {
      problems.push(tagProblem(tag, "tag_syntax", error.message, error.hint));
    }
    return {
      part: this.#part,
      prolog: this.#prolog,
      root,
      tags: this.#tags,
      changed: this.#escaped,
      problems,
    };
  }

  #tagNode(content: string, text: string, owner: ElementNode | null): TagNode {
    let directive: Directive;
    let syntaxError: TagSyntaxError | null = null;
    try {
      directive = parseDirective(content, this.#context.dialect);
    } catch (error) {
      if (!(error instanceof TagSyntaxError)) throw error;
      syntaxError = error;
      directive = guessDirective(content);
    }
    const place = this.#places.at(closest(this.#at, "w:p"));
    const tag: TagNode = { kind: "tag", text, directive, place, near: text, owner, parent: null };
    this.#tags.push(tag);
    if (syntaxError !== null) this.#problems.push({ tag, error: syntaxError });
    return tag;
  }

  /** One XML tag without its angle brackets. */
  #tagOfXml(tag: string): void {
    if (tag.startsWith("?")) {
      this.#prolog = `<${tag}>\n`;
      return;
    }
    if (tag.startsWith("/")) {
      this.#places.close(this.#at);
      this.#at = this.#at.parent ?? this.#document;
      return;
    }
    const empty = tag.endsWith("/");
    const body = empty ? tag.slice(0, -1) : tag;
    const space = body.indexOf(" ");
    const written = space === -1 ? body : body.slice(0, space);
    const name = written === HELD_INSTRUCTION ? "w:instrText" : written;
    const node = element(name, space === -1 ? "" : body.slice(space), this.#places.open(name));
    this.#append(node);
    this.#findAttributeTags(node);
    if (empty) this.#places.close(node);
    else this.#at = node;
  }

  /** Tags in alternative texts and the like, and in the target of a link. */
  #findAttributeTags(node: ElementNode): void {
    const { start } = this.#context.delimiters;
    const link = LINKS.has(node.name) ? this.#linkTarget(node) : null;
    if (link === null && !node.attributes.includes(start)) return;
    const tagged = new Map<string, readonly AttributePiece[]>();
    const address = link === null ? [] : this.#pieces(link, node);
    if (address.some((piece) => typeof piece !== "string")) tagged.set("r:id", address);
    for (const [, name = "", value = ""] of node.attributes.matchAll(/ ([^=]+)="([^"]*)"/g)) {
      if (!TAGGED_ATTRIBUTES.has(name) || !value.includes(start)) continue;
      tagged.set(name, this.#pieces(unescapeAttribute(value), node));
    }
    if (tagged.size > 0) node.tagged = tagged;
  }

  /** The target of a link when it holds a tag. Word writes the braces of an address as `%7B`. */
  #linkTarget(node: ElementNode): string | null {
    const id = / r:id="([^"]*)"/.exec(node.attributes)?.[1];
    const target = id === undefined ? undefined : this.#context.linkTargets.get(id);
    if (target === undefined) return null;
    const { start, end } = this.#context.delimiters;
    const readable = decodeTags(target, start, end);
    return readable.includes(start) ? readable : null;
  }

  #pieces(source: string, owner: ElementNode): AttributePiece[] {
    const { delimiters } = this.#context;
    const { pieces, stray } = scanTags(source, delimiters);
    if (stray) {
      const place = this.#places.at(closest(this.#at, "w:p"));
      this.#strays.push(strayDelimiter("unclosed_tag", place, source.slice(0, 80), delimiters));
    }
    return pieces.map((piece) =>
      piece.kind === "text" ? piece.text : this.#tagNode(piece.content, piece.text, owner),
    );
  }

  #append(node: ElementNode["children"][number]): void {
    insertAt(this.#at, this.#at.children.length, node);
  }
}

/** Elements whose text is content; between others stand spaces that only lay out the XML. */
const HOLDS_TEXT = /:t$|Text$|^(?:dc|cp|vt):|^[A-Z]/;

/** Attributes that an author writes text into. */
const TAGGED_ATTRIBUTES = new Set(["descr", "title", "alt", "w:tooltip", "w:instr"]);

/** Elements whose relationship is a link. */
const LINKS = new Set(["w:hyperlink", "a:hlinkClick"]);

/** The target with the percent signs within and around its tags decoded; what is no tag stays as it is. */
function decodeTags(target: string, start: string, end: string): string {
  const open = encodeURIComponent(start);
  if (!target.toLowerCase().includes(open.toLowerCase())) return target;
  const braces = target.replaceAll(/%7b/gi, "{").replaceAll(/%7d/gi, "}");
  const { pieces } = scanTags(braces, { start, end });
  return pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      try {
        return `${start}${decodeURIComponent(piece.content)}${end}`;
      } catch {
        return piece.text;
      }
    })
    .join("");
}

function strayDelimiter(
  code: "unclosed_tag" | "unopened_tag",
  place: Place,
  near: string,
  delimiters: Delimiters,
): Diagnostic {
  const { start, end } = delimiters;
  return {
    severity: "error",
    code,
    message:
      code === "unclosed_tag"
        ? `A tag is opened with '${start}' and not closed with '${end}' in the same paragraph.`
        : `A '${end}' closes a tag that was not opened with '${start}'.`,
    hint: hintFor(near, delimiters),
    template: { ...placeOf(place), near },
  };
}

function hintFor(near: string, { start, end }: Delimiters): string {
  const brace = near.includes(start + start[0]) || near.includes(end + (end.at(-1) ?? ""));
  if (brace) {
    return `A character of '${start}' directly beside it cannot be told from it: put a space between them.`;
  }
  return `Write each tag as ${start}name${end}, within one paragraph; write \\${start} for the characters themselves.`;
}

function isEmpty(tag: TagNode, { start, end }: Delimiters): boolean {
  return tag.text === `${start}${end}`;
}

function unescapeAttribute(value: string): string {
  return unescapeText(
    value.replaceAll("&quot;", '"').replaceAll("&#9;", "\t").replaceAll("&#10;", "\n"),
  );
}

function element(name: string, attributes: string, paragraph = 0): ElementNode {
  return { kind: "element", name, attributes, children: [], parent: null, paragraph };
}
