import type { Diagnostic } from "@quire/contracts";
import { nearest } from "@quire/contracts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { Directive } from "../../language/directive.ts";
import { sectionError } from "../../language/foreign.ts";
import { spellOperand } from "../../language/grammar/spell.ts";
import { valueNamed } from "../../language/keyword-hints.ts";
import { openerMeant } from "../../language/keywords.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";
import { MAX_DEPTH } from "./blocks.ts";

/** Returns the tag that would end a block. */
export function endOf(directive: Directive): Wording {
  return directive.kind === "section"
    ? withTags`{{/${directive.written}}}`
    : withTags`{{end${directive.kind}}}`;
}

/** Returns the problem of a block without an end. */
export function unclosed(open: TagNode, hint: Wording | null): Diagnostic {
  return tagProblem(
    open,
    "unclosed_block",
    `The block ${open.text} is not closed.`,
    hint ?? withTags`Add ${endOf(open.directive)} where it ends.`,
  );
}

/** Returns the problem of a block without an end, reported at the word that was probably meant to end it. */
export function misspeltEnd(tag: TagNode, open: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "unclosed_block",
    `The block ${open.text} is not closed: ${tag.text} does not end it.`,
    withTags`Did you mean ${endOf(open.directive)}?`,
  );
}

/** Returns the problem of a block without an end, reported at the tag that opens it a second time. */
export function openedAgain(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "unclosed_block",
    `The block ${tag.text} is not closed: the second ${tag.text} opens it again.`,
    withTags`Did you mean ${endOf(tag.directive)}?`,
  );
}

/** Returns the problem of an end of the wrong kind, reported where a block that has no other end should be closed. */
export function wrongEnd(tag: TagNode, open: TagNode): Diagnostic {
  // With docxtemplater's delimiters, {#each items} may be a section named `each items`, but the end has another name.
  const { directive } = open;
  const error = directive.kind === "section" ? sectionError("#", directive.written) : null;
  if (error !== null) return tagProblem(open, "tag_syntax", error.message, error.hint);
  return tagProblem(
    tag,
    "unopened_block",
    `${tag.text} does not close ${open.text}, which is open there.`,
    withTags`To close ${open.text}, write ${endOf(open.directive)}.`,
  );
}

/** Returns the problem of an end without a block. `hint` comes from {@link openingHint}. */
export function unopened(tag: TagNode, hint: Wording): Diagnostic {
  return tagProblem(tag, "unopened_block", `${tag.text} closes a block that was not opened.`, hint);
}

/**
 * Returns a possible reason for an end without a block. `open`: the tags that open the surrounding blocks, innermost
 * last.
 */
export function openingHint(tag: TagNode, open: readonly TagNode[]): Wording {
  const { directive } = tag;
  if (directive.kind !== "endsection") {
    return withTags`Add {{${directive.kind.replace("end", "")} …}} before it, or remove it.`;
  }
  if (LOOKS_OF_TEXT.has(directive.name ?? "")) {
    return withTags`Format the text in Word, or write {{total :: ${directive.name ?? "bold"}}} for a value.`;
  }
  const innermost = open.at(-1);
  if (innermost !== undefined && innermost.directive.kind !== "section") {
    return withTags`To close ${innermost.text}, write ${endOf(innermost.directive)}.`;
  }
  const near = nearestSection(directive.name, open);
  if (near !== null) return withTags`Did you mean ${endOf(near)}?`;
  const name = directive.name ?? "path";
  const opener = openerMeant(name);
  if (opener?.loose === false) {
    return withTags`Write {{${opener.kind} …}} before it and {{end${opener.kind}}} in its place, or remove it.`;
  }
  const path = tag.text.includes(name) ? name : "path";
  return withTags`Add {{#${path}}} before it, or {{^${path}}} for the opposite case ({{!${path}}} is a comment), or remove it.`;
}

const LOOKS_OF_TEXT = new Set(["bold", "italic", "underline", "strike"]);

/** Limits for comparing names. Comparing more names, or longer ones, would take too long. */
const COMPARED = { sections: 32, length: 64 };

/** Returns the open section with the most similar name; null if none is similar. */
export function nearestSection(name: string | null, open: readonly TagNode[]): Section | null {
  if (name === null || name.length > COMPARED.length) return null;
  const sections = open
    .slice(-COMPARED.sections)
    .flatMap(({ directive }) => (directive.kind === "section" ? [directive] : []))
    .filter((section) => section.name.length <= COMPARED.length)
    .reverse();
  const names = sections.map((section) => section.name);
  return sections[names.indexOf(nearest(name, names) ?? "")] ?? null;
}

type Section = Extract<Directive, { kind: "section" }>;

/** Returns the problem of a block that is still open where the block around it ends. */
export function crossed(tag: TagNode, inner: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "crossed_block",
    `${tag.text} comes before the block ${inner.text} is closed.`,
    withTags`Close ${inner.text} first, with ${endOf(inner.directive)}.`,
  );
}

const BOX_HINT = "Put all tags of the block inside the text box, or all outside it.";

/** Returns the problem of a block with only its beginning, or only its end, in a text box. */
export function crossesBox(open: TagNode, begins: "inside" | "outside"): Diagnostic {
  const message =
    begins === "inside"
      ? `The block ${open.text} begins in a text box and ends outside it.`
      : `The block ${open.text} begins outside a text box and ends in it.`;
  return tagProblem(open, "block_crosses_element", message, BOX_HINT);
}

/** Returns the problem of a branch in a text box that belongs to a block around the box. */
export function branchInBox(tag: TagNode, open: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "block_crosses_element",
    `${tag.text} is in a text box, but the rest of ${open.text} is outside it.`,
    BOX_HINT,
  );
}

/** Returns the problem of a branch outside every `if`, or in a block without branches. */
export function strayBranch(
  tag: TagNode,
  around: TagNode | null,
  isInIf: boolean,
  hint: Wording | null,
): Diagnostic {
  return tagProblem(
    tag,
    "unopened_block",
    around === null
      ? withTags`${tag.text} is outside any {{if}}.`
      : `${tag.text} is in ${around.text}, which is not closed before it.`,
    hint ?? branchHint(tag, around, isInIf),
  );
}

function branchHint(tag: TagNode, around: TagNode | null, isInIf: boolean): Wording {
  const value = around === null && tag.directive.kind === "else" ? valueNamed("else", "") : "";
  if (around?.directive.kind === "section") {
    return withTags`To show something in the opposite case, write {{^path}} … {{/path}}.`;
  }
  const [, condition] =
    around?.text.match(/^\S{0,3}\s*tablecolumn\s+if\s+([^{}]+?)\s*[}\])]+$/) ?? [];
  if (condition !== undefined) {
    const not = /\s/.test(condition) ? `not (${condition})` : `not ${condition}`;
    return withTags`For the opposite case, write another column: {{tablecolumn if ${not}}} … {{endtablecolumn}}.`;
  }
  if (around !== null && !isInIf && "collection" in around.directive) {
    const { collection, shape } = around.directive;
    const list = spellOperand(shape ?? collection);
    return withTags`For an empty list, write {{if ${list} isEmpty}} … {{endif}} after the loop.`;
  }
  return around !== null && isInIf
    ? withTags`Close ${around.text} before it, with ${endOf(around.directive)}.`
    : withTags`Put it between {{if condition}} and {{endif}}.${value}`;
}

/** Returns the problem of a word that would be a key of the data but is clearly meant to begin a branch. */
export function misspeltBranch(
  tag: TagNode,
  open: TagNode,
  keyword: "else" | "elseif",
): Diagnostic {
  return tagProblem(
    tag,
    "tag_syntax",
    `${tag.text} cannot begin a branch of ${open.text}.`,
    withTags`Write {{${keyword === "else" ? keyword : "elseif condition"}}}.`,
  );
}

export function afterElse(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "branch_after_else",
    withTags`${tag.text} comes after {{else}}, so it would never be shown.`,
    withTags`Make {{else}} the last branch of its {{if}}.`,
  );
}

export function tooDeep(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "nested_too_deep",
    `${tag.text} is in more than ${MAX_DEPTH} nested blocks.`,
    "Close the blocks that should not contain it.",
  );
}

export function outOfText(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "tag_out_of_text",
    `${tag.text} is in a place that takes only values: an alternative text, a watermark, a chart, SmartArt, a list entry, a link, a field, an equation or a document property.`,
    "Put the block into the body text, around the content that it controls.",
  );
}
