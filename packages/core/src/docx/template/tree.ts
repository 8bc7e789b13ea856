import type { Diagnostic } from "../../errors.ts";
import { tagProblem } from "./diagnostics.ts";
import { type Directive, guessDirective, parseDirective } from "./directive.ts";
import { TagSyntaxError } from "./expression.ts";
import type { LexedPart } from "./lexer.ts";
import { closest, type ElementNode, insertAt, type TagNode } from "./nodes.ts";

/** A part as a tree, with its tags, and what is wrong with them. */
export interface PartTree {
  readonly part: string;
  /** What stands before the root element: the XML declaration. */
  readonly prolog: string;
  readonly root: ElementNode;
  /** Every tag, in document order. */
  readonly tags: readonly TagNode[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Builds the tree of a part from its tokens. The XML is canonical: what looks like a tag is one, and
 * the nesting is right.
 */
export function buildTree(part: string, lexed: LexedPart): PartTree {
  const builder = new TreeBuilder(part);
  for (const token of lexed.tokens) {
    if (token.kind === "xml") builder.xml(token.xml);
    else if (token.kind === "text") builder.text(token.xml);
    else builder.tag(token.content);
  }
  return builder.finish(lexed);
}

class TreeBuilder {
  readonly #part: string;
  readonly #document: ElementNode = element("", "");
  readonly #tags: TagNode[] = [];
  readonly #problems: { readonly tag: TagNode; readonly error: TagSyntaxError }[] = [];
  #prolog = "";
  #at: ElementNode = this.#document;
  #paragraphs = 0;

  constructor(part: string) {
    this.#part = part;
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

  text(xml: string): void {
    if (xml === "" || this.#at === this.#document) return;
    const last = this.#at.children.at(-1);
    if (last?.kind === "text") last.xml += xml;
    else this.#append({ kind: "text", xml, parent: null });
  }

  tag(content: string): void {
    let directive: Directive;
    let syntaxError: TagSyntaxError | null = null;
    try {
      directive = parseDirective(content);
    } catch (error) {
      if (!(error instanceof TagSyntaxError)) throw error;
      syntaxError = error;
      directive = guessDirective(content);
    }
    const paragraph = closest(this.#at, "w:p")?.paragraph ?? 0;
    const tag: TagNode = {
      kind: "tag",
      content,
      directive,
      part: this.#part,
      paragraph,
      parent: null,
    };
    this.#append(tag);
    this.#tags.push(tag);
    if (syntaxError !== null) this.#problems.push({ tag, error: syntaxError });
  }

  finish(lexed: LexedPart): PartTree {
    const root = this.#document.children.find((node) => node.kind === "element");
    if (root === undefined) throw new Error(`The part ${this.#part} has no root element.`);
    root.parent = null;
    const problems = lexed.problems.map(
      ({ code, context, paragraph }): Diagnostic => ({
        severity: "error",
        code,
        message:
          code === "unclosed_tag"
            ? "A tag is opened with '{{' and not closed with '}}' in the same paragraph."
            : "A '}}' closes a tag that was not opened with '{{'.",
        hint: "Write each tag as {{name}}, within one paragraph.",
        template: { part: this.#part, paragraph, near: context },
      }),
    );
    // A stray delimiter leaves an empty tag behind: told once is enough.
    const own = this.#problems.filter(({ tag }) => tag.content !== "" || problems.length === 0);
    for (const { tag, error } of own) {
      problems.push(tagProblem(tag, "tag_syntax", error.message, error.hint));
    }
    return { part: this.#part, prolog: this.#prolog, root, tags: this.#tags, problems };
  }

  /** One XML tag without its angle brackets. */
  #tagOfXml(tag: string): void {
    if (tag.startsWith("?")) {
      this.#prolog = `<${tag}>\n`;
      return;
    }
    if (tag.startsWith("/")) {
      this.#at = this.#at.parent ?? this.#document;
      return;
    }
    const empty = tag.endsWith("/");
    const body = empty ? tag.slice(0, -1) : tag;
    const space = body.indexOf(" ");
    const name = space === -1 ? body : body.slice(0, space);
    if (name === "w:p") this.#paragraphs += 1;
    const node = element(
      name,
      space === -1 ? "" : body.slice(space),
      name === "w:p" ? this.#paragraphs : 0,
    );
    this.#append(node);
    if (!empty) this.#at = node;
  }

  #append(node: ElementNode["children"][number]): void {
    insertAt(this.#at, this.#at.children.length, node);
  }
}

function element(name: string, attributes: string, paragraph = 0): ElementNode {
  return { kind: "element", name, attributes, children: [], parent: null, paragraph };
}
