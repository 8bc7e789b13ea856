import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../language/delimiters/wording.ts";
import { LOOKS } from "../language/grammar/modifier-signatures.ts";
import { spellExpression } from "../language/grammar/spell.ts";
import { type Look, type LookTarget, lookTarget, type TargetElement } from "../language/looks.ts";
import type { ModifierCall } from "../language/modifiers.ts";
import { spellModifiers } from "../language/spell-modifiers.ts";
import { ownRows } from "./blocks/own-rows.ts";
import { tagProblem } from "./nodes/diagnostics.ts";
import type { TagNode } from "./nodes/nodes.ts";
import { shapeAround } from "./shape-fill.ts";
import type { BoxProblem } from "./text-boxes.ts";

/** Returns the looks that the modifiers of a tag set. */
export function looksOf({ directive }: TagNode): Set<Look> {
  const names = directive.kind === "value" ? directive.modifiers.map(({ name }) => name) : [];
  return new Set(LOOKS.filter((look) => (names as readonly string[]).includes(look)));
}

/** Maximum number of tags with looks in a part. Each may change all runs of a row, so more would take too long. */
export const MAX_LOOKS = 1_000;

export function tooMany(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "too_many_looks",
    `More than ${MAX_LOOKS} tags of this part change the look of text, cells or rows.`,
    "Use a loop, or styles of Word.",
  );
}

export function notInText(tag: TagNode): Diagnostic {
  return outside(
    tag,
    `${tag.text} is not in running text, so its look cannot change.`,
    "Leave out the modifiers that change the look.",
  );
}

/** `isAllIn`: whether all cells of a row are in the block, too. */
export function inBlock(
  tag: TagNode,
  target: TargetElement,
  block: TagNode | undefined,
  isAllIn: boolean,
): Diagnostic {
  const { text = "", directive } = block ?? {};
  const isOfColumn = target === "row" && directive?.kind === "tablecolumn";
  const inRow = isAllIn ? "" : " For the row, move the tag into a cell outside of the block.";
  return tagProblem(
    tag,
    "look_in_block",
    `${tag.text} changes its whole ${target}, but it is in the block ${text}, which begins inside of that ${target}.`,
    isOfColumn
      ? `For the cell in each of these columns write ${tag.text.replace("row", "cell")}.${inRow}`
      : withCondition(tag, block, target),
  );
}

/** Returns the problem of a tag for a row in a block that is the whole content of the only cell of the row. */
export function inWholeRow(tag: TagNode, block: TagNode, around: readonly TagNode[]): Diagnostic {
  return tagProblem(
    tag,
    "look_in_block",
    `${tag.text} changes its whole row, but it is in the block ${block.text}, which begins inside of that row.`,
    ownRows(block, around),
  );
}

function hasWhen(modifiers: readonly ModifierCall[]): boolean {
  return modifiers.some(({ name }) => name === "when");
}

/** Returns the hint for a tag in a block: the condition of the block belongs into the tag. */
function withCondition(tag: TagNode, block: TagNode | undefined, target: TargetElement): Wording {
  const { directive } = tag;
  const by = block?.directive;
  if (by?.kind !== "if" || directive.kind !== "value" || hasWhen(directive.modifiers))
    return `Move the tag out of the block. For a condition, write it into the tag: :: ${target === "column" ? 'width("3cm")' : 'fill("red")'}, when(condition).`;
  const { expression, modifiers } = directive;
  return withTags`Move the tag out of the block, and write the condition into it: {{${spellExpression(expression)} :: ${spellModifiers(modifiers)}, when(${spellExpression(by.condition)})}}.`;
}

export function notOfParagraph(tag: TagNode): Diagnostic {
  const { directive } = tag;
  const message = `${tag.text} changes the numbering of a paragraph, but it is not a tag for a paragraph.`;
  if (directive.kind !== "value") return outside(tag, message, PUT.paragraph);
  const { expression, modifiers } = directive;
  const own = modifiers.filter(({ name }) => OF_NUMBERING.has(name));
  const isOfElement = expression.kind === "literal" || lookTarget(expression, modifiers) !== "text";
  return outside(
    tag,
    message,
    isOfElement
      ? withTags`Write {{paragraph :: ${spellModifiers(own)}}} into the paragraph.`
      : expression.kind === "path" && expression.source === "list"
        ? withTags`Write {{paragraph :: ${spellModifiers(own)}}} into the paragraph. If 'list' is a value, write {{list}} next to it.`
        : apart(tag, "paragraph", "numbering"),
  );
}

const OF_NUMBERING: ReadonlySet<string> = new Set(["numbering", "when"]);

export function notOfCell(tag: TagNode): Diagnostic {
  return outside(
    tag,
    `${tag.text} makes a cell cover the ones to its right, but it is not a tag for a cell.`,
    apart(tag, "cell", "span"),
  );
}

/** Returns the hint with two tags: one for a cell or paragraph with this look, and one for the value with all others. */
function apart({ directive }: TagNode, target: TargetElement, look: Look): Wording | undefined {
  if (directive.kind !== "value") return undefined;
  const { expression, modifiers } = directive;
  if (lookTarget(expression, modifiers) !== "text")
    return withTags`Write a tag for the ${target}, as in {{${target} :: ${spellModifiers(modifiers)}}}.`;
  const others = modifiers.filter(({ name }) => name !== look && name !== "when");
  const when = modifiers.filter(({ name }) => name === "when");
  const isLook = others.some(({ name }) => (LOOKS as readonly string[]).includes(name));
  const own = modifiers.filter(({ name }) => name === look);
  const rest = isLook ? [...others, ...when] : others;
  const value = `${spellExpression(expression)}${rest.length === 0 ? "" : ` :: ${spellModifiers(rest)}`}`;
  return withTags`Write two tags: {{${value}}}{{${target} :: ${spellModifiers([...own, ...when])}}}.`;
}

export function notOfColumn(tag: TagNode): Diagnostic {
  return outside(
    tag,
    `${tag.text} has '${[...looksOf(tag)].join("', '")}', but a tag for a column changes only its width.`,
    withTags`Write a tag for the column with 'width' only. For the look write a tag into each of its cells, as in {{cell :: fill("red")}}.`,
  );
}

/** Returns the problem of a tag with `shrink` that is not in a cell or a text box, or is for a row or a paragraph. */
export function notOfBox(tag: TagNode, target: LookTarget): Diagnostic {
  const isOther = target === "row" || target === "paragraph";
  return outside(
    tag,
    isOther
      ? `${tag.text} makes text smaller until it fits, but text fits in a cell or a text box, not in a ${target}.`
      : `${tag.text} makes text smaller until it fits, but it is not in a cell of a table or in a text box.`,
    isOther
      ? withTags`Write {{cell :: shrink}} for all text of a cell, {{shape :: shrink}} for a text box, or {{name :: shrink}} for one value.`
      : "Put it into a cell with a width, or into a text box.",
  );
}

/** Returns the problem of a tag with `shrink` in a cell or a text box that does not say how much text it can hold. */
export function withoutSize(tag: TagNode, problem: BoxProblem): Diagnostic {
  const { why, hint } = WITHOUT_SIZE[problem];
  return tagProblem(
    tag,
    "shrink_without_size",
    `${tag.text} makes text smaller until it fits, but ${why}.`,
    hint,
  );
}

const WITHOUT_SIZE: Readonly<Record<BoxProblem, { readonly why: string; readonly hint: string }>> =
  {
    "no width": {
      why: "its cell has no known width",
      hint: "Give the cell a width: in Word, Table Properties, Cell, Preferred width, measured in centimeters or inches.",
    },
    "no size": {
      why: "the size of its text box is not known",
      hint: "Draw the text box again with a current version of Word, outside of old groups.",
    },
    grows: {
      why: "its text box grows with its text",
      hint: "In Word, Format Shape, Text Box, clear 'Resize shape to fit text'.",
    },
    turned: {
      why: "its text does not run from left to right",
      hint: "Leave out 'shrink', or set the text direction to horizontal. To turn a text box, turn the whole shape.",
    },
    covers: {
      why: "the width of its cell depends on the cells that it covers",
      hint: "Merge the cells in Word, or leave out 'shrink'.",
    },
    "given width": {
      why: "a tag sets the width of its column",
      hint: "Set the width in Word and leave out the tag for the column, or leave out 'shrink'.",
    },
  };

export function notOfShape(tag: TagNode): Diagnostic {
  const looks = [...looksOf(tag)];
  const others = looks.filter((look) => !OF_SHAPES.has(look));
  const own = looks.filter((look) => OF_SHAPES.has(look));
  return outside(
    tag,
    `${tag.text} has '${others.join("', '")}', but a tag for a shape changes only its fill.`,
    own.length > 0
      ? withTags`Write a tag for the shape with '${own.join("' and '")}' only. For its text write a tag into each paragraph, as in {{paragraph :: bold}}.`
      : `For the text of the shape write ${tag.text.replace("shape", "paragraph")} into each of its paragraphs.`,
  );
}

/** Returns the problem of a tag outside shapes. The author may want to print a value with this name. */
export function outsideShape(tag: TagNode): Diagnostic {
  const place = isOfShape(tag) ? "Put it into the text of a shape or a text box. " : "";
  const value = tag.text.replace("shape", '["shape"]');
  const look = looksOf(tag).has("shrink")
    ? ""
    : `For the look of a paragraph write ${tag.text.replace("shape", "paragraph")}. `;
  return outside(
    tag,
    `${tag.text} is not in a shape.`,
    `${place}${look}To print a value named 'shape' write ${value}.`,
  );
}

/** Returns the problem of a tag outside the element that it changes. */
export function outsideElement(tag: TagNode, target: keyof typeof PUT): Diagnostic {
  const place = target === "column" ? "column of a table" : target;
  return outside(tag, `${tag.text} is not in a ${place}.`, elsewhere(tag, target));
}

/** Returns the hint for a tag outside the element that it changes: outside tables, a paragraph may be meant. */
function elsewhere(tag: TagNode, target: keyof typeof PUT): string {
  if (target === "column") {
    return `${PUT.column} To print a picture named 'column' write ${tag.text.replace("column", '["column"]')}.`;
  }
  const isOfCell = looksOf(tag).has("span") || looksOf(tag).has("shrink");
  if (shapeAround(tag) !== null && isOfShape(tag)) {
    const fill = looksOf(tag).has("fill") ? "fill of the " : "";
    return `${PUT[target]} For the ${fill}shape write ${tag.text.replace(target, "shape")}.`;
  }
  if (target === "paragraph" || isOfCell) return PUT[target];
  const { directive } = tag;
  const look = directive.kind === "value" ? spellModifiers(directive.modifiers) : "";
  return `${PUT[target]} For the look of a paragraph write ${tag.text.replace(target, "paragraph")}, and for a value write :: ${look} into its tag.`;
}

const PUT = {
  cell: "Put it into a cell of a table.",
  row: "Put it into a row of a table.",
  column: "Put it into a cell of the column.",
  paragraph: "Put it into a paragraph.",
} as const;

/** Whether a tag may change a shape. */
export function isOfShape(tag: TagNode): boolean {
  return looksOf(tag).isSubsetOf(OF_SHAPES);
}

const OF_SHAPES: ReadonlySet<Look> = new Set(["fill", "shrink"]);

function outside(tag: TagNode, message: string, hint: Wording | undefined): Diagnostic {
  return tagProblem(tag, "look_outside", message, hint);
}
