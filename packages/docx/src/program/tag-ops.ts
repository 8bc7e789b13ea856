import type { Box } from "../fit/box.ts";
import type { Delimiters } from "../language/delimiters/delimiters.ts";
import type { Expression, PathExpression } from "../language/grammar/expression.ts";
import type { SlotLook, TargetElement } from "../language/looks.ts";
import type { ModifierCall } from "../language/modifiers.ts";
import type { CountedTag, EmptyPlace } from "../template/nodes/counted-tag.ts";
import type { Place } from "../template/nodes/nodes.ts";
import type { Indents } from "../template/nodes/paragraph-properties.ts";
import type { InnerLoop, Numbering } from "../template/nodes/tag-uses.ts";
import type { FlowContext } from "./flow.ts";

/** The origin of an op, for messages during rendering. */
export interface TagOrigin {
  readonly place: Place;
  /** The tag with its delimiters, verbatim. It is printed if its value is missing. */
  readonly text: string;
  readonly delimiters: Delimiters;
  /** The tag with the text around it. */
  readonly near: string;
  /** Texts in quotes that may be meant as paths. Absent if the tag has no such text. */
  readonly quoted?: readonly string[];
  /** For a condition that names the item of a loop within its block: that loop. */
  readonly innerLoop?: InnerLoop;
  /** The paths in a block's conditions that the block also prints. Absent if it prints no such path. */
  readonly printed?: ReadonlySet<string>;
  /** The paths in a block that may be meant as keys of its item, each with its first tag. May be absent. */
  readonly outer?: ReadonlyMap<PathExpression, TagOrigin>;
  /** For a loop with one condition around all its content: a tag there that counts positions, or the empty place. */
  readonly counted?: CountedTag | EmptyPlace;
  /** For a condition around all content of a row: the hint how to hide the row. */
  readonly emptyRow?: string;
  /** For a tag in a column that repeats: the name of the items of its loop. */
  readonly column?: string;
  /** Whether the list of these items belongs to the first item of another list: `halls[0].prices`. */
  readonly ofFirst?: boolean;
  /** For the conditions of an `include` with several templates: whether one of them must hold. */
  readonly mustHold?: boolean;
}

/**
 * The target of a printed value: a `w:t` of a run, the text of another element, an attribute, or the instruction of a
 * field. In a link address within an instruction, the value begins the address (`address`) or continues it
 * (`addressPart`).
 */
export type TextMode = "run" | "plain" | "attribute" | "instruction" | "address" | "addressPart";

/** A tag that prints a value. */
export interface TextOp {
  readonly op: "text";
  readonly origin: TagOrigin;
  readonly expression: Expression;
  readonly modifiers: readonly ModifierCall[];
  readonly mode: TextMode;
  /** The context that rich text and pictures need; null if they are not possible. */
  readonly flow: FlowContext | null;
  /** Why an image cannot replace the picture with this alternative text. Absent if an image can. */
  readonly noPicture?: string;
  /** Maximum number of characters that Word allows in this attribute. Absent if the length is unlimited. */
  readonly most?: number;
}

/** A tag that changes how something looks. */
export interface LookTag extends Pick<TextOp, "origin" | "modifiers"> {
  /** The first word, as in `{{row :: bold}}`; null if it changes the value that it prints. */
  readonly target: TargetElement | null;
  /**
   * The number of a tag that a {@link DecideOp} decides. Where it changes something, it then has no modifiers. Null for
   * other tags.
   */
  readonly number: number | null;
}

/**
 * Decides what tags such as `{{row :: bold}}` change in the next element, which they are in: a loop in the element has
 * other items. Writes nothing.
 */
export interface DecideOp {
  readonly op: "decide";
  readonly tags: readonly LookTag[];
}

/** A property that tags may set, as XML; otherwise the one of the template, which may be empty. */
export interface LookOp {
  readonly op: "look";
  readonly look: SlotLook;
  readonly tags: readonly LookTag[];
  readonly otherwise: string;
}

/** A cell or a text box in which text becomes smaller until it fits. */
export interface Shrinking {
  readonly box: Box;
  /** The first tag with `shrink` in the box, for messages. */
  readonly origin: TagOrigin;
  /** For messages: the value of the first tag in the box that is not in a block there. Null without such a tag. */
  readonly value: Expression | null;
  /** The tags that shrink all of its text. The last that applies wins. */
  readonly tags: readonly LookTag[];
  /** Whether another form of the text box, with the same text, reports the problems. */
  readonly isSilent: boolean;
}

/** The style of a paragraph if tags may choose it. As in `StyleChoice` of the template. */
export interface StyleOp {
  readonly tags: LookOp["tags"];
  readonly style: string | null;
  readonly numbering: Numbering | null;
}

/**
 * The `w:numPr` or the `w:ind` of a paragraph whose style tags may choose. Written if the list of the style restarted, so
 * that the paragraph must name its list. `own`: the indents of the paragraph itself.
 */
export interface StyledOp {
  readonly op: "styled";
  readonly of: "list" | "indents";
  readonly style: StyleOp;
  readonly own: Indents;
}

/**
 * Continues or restarts the list of the next paragraph; `numId` is null if it has no numbers. `style` is set if tags may
 * choose the style of the paragraph, whose list it then is. Writes nothing.
 */
export interface NumberingOp {
  readonly op: "numbering";
  readonly numId: number | null;
  readonly style: StyleOp | null;
  readonly tags: LookOp["tags"];
}

/** A piece of an address: text, or a tag. */
export type AddressPiece = string | TextOp;

/** Writes ` r:id="…"` for a link whose address has tags; nothing if the address is not safe. */
export interface LinkOp {
  readonly op: "link";
  readonly origin: TagOrigin;
  /** The name of the link element. */
  readonly element: string;
  readonly pieces: readonly AddressPiece[];
}
