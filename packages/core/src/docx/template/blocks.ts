import type { Diagnostic } from "../../errors.ts";
import { tagProblem } from "./diagnostics.ts";
import type { Directive } from "./directive.ts";
import type { TagNode } from "./nodes.ts";
import { nearest } from "./suggest.ts";

/** A block: the tag that opens it, the tags that begin its further branches, the tag that ends it. */
export interface Block {
  readonly kind: "for" | "tablerow" | "tablecolumn" | "section" | "if";
  readonly open: TagNode;
  readonly branches: readonly TagNode[];
  readonly close: TagNode;
}

/** A block's tags in document order. */
export function blockTags(block: Block): TagNode[] {
  return [block.open, ...block.branches, block.close];
}

/** Whether a tag stands in the text of a run, and not in an attribute, an equation, a field or a property. */
export function isInText(tag: TagNode): boolean {
  return tag.owner === null && tag.parent?.name === "w:t";
}

const OPENED_BY = {
  endfor: "for",
  endtablerow: "tablerow",
  endtablecolumn: "tablecolumn",
  endif: "if",
  endsection: "section",
} as const;

/** Deeper nesting of blocks is refused: a rendering is one call in another for each of them. */
const MAX_DEPTH = 256;

interface OpenBlock {
  readonly kind: Block["kind"];
  readonly open: TagNode;
  readonly branches: TagNode[];
}

/**
 * Pairs the block tags of one part. Every tag that has no counterpart, or whose block crosses
 * another one, is a problem; all of them are found. Blocks come in the order of their ends.
 */
export function pairBlocks(tags: readonly TagNode[]): {
  readonly blocks: readonly Block[];
  readonly problems: readonly Diagnostic[];
} {
  const pairing = new Pairing();
  for (const tag of tags) pairing.tag(tag);
  pairing.finish();
  return pairing;
}

class Pairing {
  readonly blocks: Block[] = [];
  readonly problems: Diagnostic[] = [];
  readonly #open: OpenBlock[] = [];

  tag(tag: TagNode): void {
    const { kind } = tag.directive;
    this.#checkPlace(tag);
    switch (kind) {
      case "for":
      case "tablerow":
      case "tablecolumn":
      case "section":
      case "if":
        this.#open.push({ kind, open: tag, branches: [] });
        if (this.#open.length === MAX_DEPTH + 1) this.problems.push(tooDeep(tag));
        break;
      case "elseif":
      case "else":
        addBranch(this.#open.at(-1), tag, this.problems);
        break;
      case "endfor":
      case "endtablerow":
      case "endtablecolumn":
      case "endif":
        this.#close(tag, this.#innermost(OPENED_BY[kind]));
        break;
      case "endsection":
        this.#close(tag, this.#sectionFor(tag.directive.name));
    }
  }

  finish(): void {
    for (const { open: tag } of this.#open) {
      this.problems.push(
        tagProblem(
          tag,
          "unclosed_block",
          `The block ${tag.text} is not closed.`,
          `Add ${endOf(tag.directive)} where it ends.`,
        ),
      );
    }
  }

  /** Blocks stand where they have a meaning. */
  #checkPlace(tag: TagNode): void {
    const { directive } = tag;
    if (!isInText(tag) && directive.kind !== "value" && directive.kind !== "note") {
      this.problems.push(
        tagProblem(
          tag,
          "tag_out_of_text",
          `${tag.text} stands where only values can stand: in an alternative text, a link, a field, an equation or a property of the document.`,
          "Put the block into the running text, around what it is for.",
        ),
      );
    }
  }

  #innermost(kind: Block["kind"]): number {
    return this.#open.findLastIndex((block) => block.kind === kind);
  }

  /** The innermost open section with this name; without a name, the innermost one. */
  #sectionFor(name: string | null): number {
    if (name === null) return this.#innermost("section");
    const exact = this.#openSection((own) => own === name);
    // What begins with a condition may be ended with its path: {{#n > 1}} … {{/n}}.
    return exact === -1 ? this.#openSection((own) => pathOf(own) === name) : exact;
  }

  #openSection(is: (name: string) => boolean): number {
    return this.#open.findLastIndex(
      ({ open: { directive } }) => directive.kind === "section" && is(directive.name),
    );
  }

  /** Takes the block that a tag closes off the stack. Blocks left open inside it are crossed by it. */
  #close(tag: TagNode, index: number): void {
    if (index === -1) {
      this.problems.push(
        tagProblem(
          tag,
          "unopened_block",
          `${tag.text} closes a block that was not opened.`,
          this.#openingHint(tag.directive),
        ),
      );
      return;
    }
    const [block, ...crossed] = this.#open.splice(index);
    for (const inner of crossed) {
      this.problems.push(
        tagProblem(
          tag,
          "crossed_block",
          `${tag.text} stands before the block ${inner.open.text} is closed.`,
          `Close ${inner.open.text} first, with ${endOf(inner.open.directive)}.`,
        ),
      );
    }
    if (block !== undefined) this.blocks.push({ ...block, close: tag });
  }

  #openingHint(directive: Directive): string {
    if (directive.kind !== "endsection") {
      const kind = directive.kind.replace("end", "");
      return `Add {{${kind} …}} before it, or remove it.`;
    }
    const innermost = this.#open.at(-1)?.open;
    if (innermost !== undefined && innermost.directive.kind !== "section") {
      return `To close ${innermost.text}, write ${endOf(innermost.directive)}.`;
    }
    const names = this.#open.flatMap(({ open }) =>
      open.directive.kind === "section" ? [open.directive.name] : [],
    );
    const near = directive.name === null ? null : nearest(directive.name, names);
    return near === null ? "Add {{#path}} before it, or remove it." : `Did you mean {{/${near}}}?`;
  }
}

/** The first path of a section's condition. */
function pathOf(name: string): string {
  return /^[^<>=!+*/%()&|,-]+/.exec(name)?.[0] ?? name;
}

/** The tag that would end a block. */
function endOf(directive: Directive): string {
  return directive.kind === "section" ? `{{/${directive.name}}}` : `{{end${directive.kind}}}`;
}

function tooDeep(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "nested_too_deep",
    `${tag.text} stands in more than ${MAX_DEPTH} blocks, one inside the other.`,
    "Close the blocks that should not hold it.",
  );
}

function addBranch(block: OpenBlock | undefined, tag: TagNode, problems: Diagnostic[]): void {
  if (block?.kind !== "if") {
    const message =
      block === undefined
        ? `${tag.text} stands outside of an {{if}}.`
        : `${tag.text} stands in ${block.open.text}, which is not closed before it.`;
    problems.push(
      tagProblem(
        tag,
        "unopened_block",
        message,
        block?.kind === "section"
          ? `For what shows when it does not, write {{^path}} … {{/path}}.`
          : "Put it between {{if condition}} and {{endif}}.",
      ),
    );
    return;
  }
  if (block.branches.at(-1)?.directive.kind === "else") {
    problems.push(
      tagProblem(
        tag,
        "branch_after_else",
        `${tag.text} stands after {{else}}, so it would never be shown.`,
        "Make {{else}} the last branch of its {{if}}.",
      ),
    );
  }
  block.branches.push(tag);
}
