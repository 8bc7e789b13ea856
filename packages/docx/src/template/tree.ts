import type { Diagnostic } from "@quire/contracts";
import type { Delimiters } from "../language/delimiters/delimiters.ts";
import { type Dialect, type Directive, parseDirective } from "../language/directive.ts";
import { guessDirective } from "../language/guess.ts";
import { TagSyntaxError } from "../language/tokens.ts";
import { HELD_INSTRUCTION, reportHeldTags } from "./fields/fields.ts";
import { INDEX_TEXT } from "./fields/held-entries.ts";
import { HELD_NUMBERS } from "./fields/held-numbers.ts";
import { dropTaggedEntries } from "./fields/index-entries.ts";
import { escapedTag } from "./mistakes/escaped-tag.ts";
import { LookAlikes } from "./mistakes/look-alikes.ts";
import { nestedTag } from "./mistakes/nested-tag.ts";
import { brokenTagProblem, strayDelimiter } from "./mistakes/stray.ts";
import { tagWarnings } from "./mistakes/tag-warnings.ts";
import { byParagraph, textAround } from "./nodes/diagnostics.ts";
import {
  type AttributePiece,
  closest,
  type ElementNode,
  element,
  insertAt,
  type Place,
  type TagNode,
  type TextNode,
} from "./nodes/nodes.ts";
import { HELD_TEXT } from "./nodes/own-comments.ts";
import { HOLDS_TEXT } from "./nodes/paragraph-texts.ts";
import { notePlace, Places } from "./nodes/places.ts";
import { INNER, type ScannedText, scanTags, type TagPiece } from "./nodes/scan.ts";
import { linkTags, writtenAttributes } from "./tags/attribute-tags.ts";
import { Backslashes } from "./tags/backslashes.ts";
import { type Breach, brokenDirective } from "./tags/broken-tags.ts";
import { asWritten, tagPiece } from "./tags/escapes.ts";
import type { LexedPart, Token } from "./tags/lexer.ts";
import { syntaxProblems } from "./tags/syntax-problems.ts";

/** A part as a tree, with its tags and their problems. */
export interface PartTree {
  readonly part: string;
  /** The text before the root element: the XML declaration. */
  readonly prolog: string;
  readonly root: ElementNode;
  /** Every tag, in document order. */
  readonly tags: readonly TagNode[];
  /**
   * Whether the part must be written again even if it has no tags, because it has escaped delimiters or includes other
   * templates.
   */
  readonly changed: boolean;
  /** For a chart that shows a list: its tags in the order of the loop, and the relationships that it no longer uses. */
  readonly list?: { readonly tags: readonly TagNode[]; readonly unlinked: ReadonlySet<string> };
  readonly problems: readonly Diagnostic[];
  /** Block tags that a backslash turns into text, in document order. */
  readonly escaped: LexedPart["escaped"];
  /** Warnings, for example about text that looks like a tag. They are reported only if the template has no problems. */
  readonly warnings: readonly Diagnostic[];
}

/** What {@link buildTree} needs to know about the template that contains a part. */
export interface TreeContext {
  readonly delimiters: Delimiters;
  readonly dialect: Dialect;
  /** The ids of the paragraph styles for headings. */
  readonly headingStyles: ReadonlySet<string>;
  /** The targets of the part's hyperlinks, by relationship id. */
  readonly linkTargets: ReadonlyMap<string, string>;
}

/**
 * Builds the tree of a part from its tokens. The XML is canonical, so it is correctly nested, and everything that looks
 * like an XML tag is one.
 */
export function buildTree(part: string, lexed: LexedPart, context: TreeContext): PartTree {
  const builder = new TreeBuilder(part, lexed.hidden, context);
  for (const token of lexed.tokens) {
    if (token.kind === "xml") builder.xml(token.xml);
    else if (token.kind === "text") builder.text(token.xml);
    else builder.tag(token);
  }
  return builder.finish(lexed);
}

class TreeBuilder {
  readonly #part: string;
  readonly #context: TreeContext;
  readonly #document: ElementNode = element("", "");
  readonly #tags: TagNode[] = [];
  readonly #problems: { readonly tag: TagNode; readonly error: TagSyntaxError }[] = [];
  readonly #broken: { readonly tag: TagNode; readonly breach: Breach; readonly meant: string }[] =
    [];
  readonly #backslashes: Backslashes;
  readonly #strays: Diagnostic[] = [];
  readonly #doubtful: Diagnostic[] = [];
  readonly #places: Places;
  readonly #lookAlikes: LookAlikes;
  readonly #hidden: number | null;
  #holdsInstructions = false;
  #holdsEntries = false;
  #prolog = "";
  #escaped = false;
  #at: ElementNode = this.#document;

  constructor(part: string, hidden: number | null, context: TreeContext) {
    this.#part = part;
    this.#hidden = hidden;
    this.#context = context;
    this.#backslashes = new Backslashes(hidden, context.delimiters);
    this.#places = new Places(part, context.headingStyles);
    const { delimiters } = context;
    this.#lookAlikes = new LookAlikes(this.#places, delimiters, (text) =>
      asWritten(text, hidden, delimiters),
    );
  }

  /** Reads XML tags and the text between them. */
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
    this.#lookAlikes.text(escaped, this.#at.name);
    const { delimiters } = this.#context;
    const xml = asWritten(escaped, this.#hidden, delimiters);
    this.#escaped ||= xml !== escaped;
    const last = this.#at.children.at(-1);
    const node: TextNode = last?.kind === "text" ? last : { kind: "text", xml: "", parent: null };
    if (node !== last) this.#append(node);
    this.#backslashes.follow(node, escaped);
    node.xml += xml;
  }

  tag({ content, lost }: Extract<Token, { kind: "tag" }>): void {
    const piece = tagPiece(content, this.#hidden, this.#context.delimiters);
    const tag =
      piece.breach === null ? this.#tagNode(piece, null) : this.#brokenTag(piece, piece.breach);
    this.#append(tag);
    tag.lost = lost;
    this.#lookAlikes.tag(tag.text);
  }

  finish(lexed: LexedPart): PartTree {
    const root = this.#document.children.find((node) => node.kind === "element");
    if (root === undefined) throw new Error(`The part ${this.#part} has no root element.`);
    root.parent = null;
    if (this.#holdsEntries) dropTaggedEntries(root, this.#context.delimiters);
    for (const tag of this.#tags) tag.near = textAround(tag);
    this.#backslashes.drop();
    const { delimiters } = this.#context;
    const placeAt = (paragraph: number) => this.#places.ofParagraph(paragraph);
    const problems = lexed.problems.map(({ code, near, paragraph }) =>
      strayDelimiter(code, placeAt(paragraph), near, delimiters),
    );
    problems.push(...this.#strays);
    for (const { tag, breach, meant } of this.#broken)
      problems.push(brokenTagProblem(tag, breach, meant));
    problems.push(...syntaxProblems(this.#problems, this.#tags));
    if (this.#holdsInstructions) problems.push(...reportHeldTags(root, delimiters, placeAt));
    const warnings = this.#tags.flatMap(tagWarnings);
    warnings.push(...this.#lookAlikes.found, ...this.#doubtful);
    for (const { text, near, paragraph } of lexed.doubtful) {
      warnings.push(escapedTag(text, near, placeAt(paragraph)));
    }
    return {
      part: this.#part,
      prolog: this.#prolog,
      root,
      tags: this.#tags,
      changed: this.#escaped,
      problems,
      escaped: lexed.escaped,
      warnings: warnings.toSorted(byParagraph),
    };
  }

  #tagNode({ content, nested, text }: TagPiece, owner: ElementNode | null): TagNode {
    const { dialect } = this.#context;
    let directive: Directive;
    let syntaxError: TagSyntaxError | null = null;
    try {
      if (nested !== null) throw nestedTag(nested, text, dialect);
      directive = parseDirective(content, dialect, this.#problems.length);
    } catch (error) {
      if (!(error instanceof TagSyntaxError)) throw error;
      syntaxError = error;
      directive = guessDirective(nested === null ? content : nested.replaceAll(INNER, ""));
    }
    const tag = this.#newTag(text, directive, owner);
    if (syntaxError !== null) this.#problems.push({ tag, error: syntaxError });
    return tag;
  }

  #brokenTag({ content, text }: TagPiece, breach: Breach): TagNode {
    const directive = brokenDirective(content, breach, this.#context.dialect);
    const tag = this.#newTag(text, directive, null);
    this.#broken.push({ tag, breach, meant: content.trim() });
    return tag;
  }

  #newTag(text: string, directive: Directive, owner: ElementNode | null): TagNode {
    const { delimiters } = this.#context;
    const at = { place: this.#placeHere(), near: text, owner, parent: null };
    const tag: TagNode = { kind: "tag", text, delimiters, directive, ...at };
    this.#tags.push(tag);
    return tag;
  }

  #placeHere(): Place {
    const { row, cell, ...place } = this.#places.at(closest(this.#at, "w:p"));
    // The properties of a table precede its first row.
    return row === undefined || cell === undefined || row === 0 ? place : { ...place, row, cell };
  }

  /** Reads one XML tag without its angle brackets. */
  #tagOfXml(tag: string): void {
    if (tag.startsWith("?")) {
      this.#prolog = `<${tag}>\n`;
      return;
    }
    if (tag.startsWith("/")) {
      this.#close(this.#at);
      this.#at = this.#at.parent ?? this.#document;
      return;
    }
    const empty = tag.endsWith("/");
    const body = empty ? tag.slice(0, -1) : tag;
    const space = body.indexOf(" ");
    const written = space === -1 ? body : body.slice(0, space);
    const name = HELD.get(written) ?? written;
    this.#holdsInstructions ||= written === HELD_INSTRUCTION;
    this.#holdsEntries ||= written === INDEX_TEXT;
    const node = element(name, space === -1 ? "" : body.slice(space), this.#places.open(name));
    this.#append(node);
    this.#lookAlikes.open(node);
    notePlace(node, () => this.#placeHere());
    this.#findAttributeTags(node);
    if (empty) this.#close(node);
    else this.#at = node;
  }

  #close(element: ElementNode): void {
    this.#places.close(element);
    this.#lookAlikes.close(element);
  }

  /** Finds tags in alternative texts and similar attributes, and in the address of a link. */
  #findAttributeTags(node: ElementNode): void {
    const { delimiters, linkTargets } = this.#context;
    const link = linkTargets.size === 0 ? null : linkTags(node, linkTargets, delimiters);
    const tagged = new Map<string, readonly AttributePiece[]>();
    if (link !== null) {
      const pieces = this.#pieces(link, node, "r:id");
      if (link.pieces.some(({ kind }) => kind === "tag")) tagged.set("r:id", pieces);
    }
    if (MAY_HOLD_TAGS.test(node.attributes) || node.attributes.includes(delimiters.start)) {
      for (const [name, text] of writtenAttributes(node)) {
        const pieces = this.#pieces(
          scanTags(text, delimiters, { isInstruction: name === "w:instr" }),
          node,
          name,
        );
        const isText = pieces.every((piece) => typeof piece === "string");
        if (isText && pieces.join("") === text) continue;
        tagged.set(name, pieces);
        this.#escaped ||= isText;
      }
    }
    if (tagged.size > 0) node.tagged = tagged;
  }

  /** Returns the text and the tags of an attribute or of a link's address. Reports problems with the tags. */
  #pieces(scanned: ScannedText, owner: ElementNode, name: string): AttributePiece[] {
    const { delimiters } = this.#context;
    const place = this.#placeHere();
    const { pieces, stray, source, doubtful } = scanned;
    const near = source.slice(0, 80);
    if (name !== "w:instr") this.#lookAlikes.attribute(scanned, place);
    if (stray !== null && source.includes(delimiters.start)) {
      this.#strays.push(strayDelimiter(stray, place, near, delimiters));
    }
    for (const text of doubtful) this.#doubtful.push(escapedTag(text, near, place));
    return pieces.map((piece) => (piece.kind === "tag" ? this.#tagNode(piece, owner) : piece.text));
  }

  #append(node: ElementNode["children"][number]): void {
    insertAt(this.#at, this.#at.children.length, node);
  }
}

/** The original names of the elements that are renamed while a part is lexed. */
const HELD: ReadonlyMap<string, string> = new Map([
  [HELD_INSTRUCTION, "w:instrText"],
  [HELD_TEXT, "w:t"],
  ...HELD_NUMBERS,
]);

/**
 * Matches attributes that must be examined for tags and for text that looks like a tag. Attributes with other
 * delimiters are also examined.
 */
const MAY_HOLD_TAGS = /[{｛«]/;
