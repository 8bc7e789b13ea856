import type { LinePiece, StaticPiece } from "../deflate/pieces.ts";
import type { Depth } from "../package/depth.ts";
import type { Delimiters } from "../template/delimiters.ts";
import type { Expression, PathExpression } from "../template/language/expression.ts";
import type { ModifierCall } from "../template/language/modifiers.ts";
import type { Place } from "../template/nodes.ts";
import type { GroupedBox } from "../template/placeholders.ts";
import type { FlowContext } from "./flow.ts";
import type { BlockLists } from "./lists.ts";
import type { SequenceOp } from "./sequence-numbers.ts";

/** Where an op comes from, for messages at render time. */
export interface TagOrigin {
  readonly place: Place;
  /** The tag with its delimiters, verbatim: what is printed when its value is missing. */
  readonly text: string;
  readonly delimiters: Delimiters;
  /** The tag with the text around it. */
  readonly near: string;
  /** Of a block: the paths of its conditions that it also prints. */
  readonly printed?: ReadonlySet<string>;
}

/**
 * Whether XML ends where a paragraph ends, which is what a cell must do, or where a table ends, beside
 * which no other one may stand: marks of ranges, ends of content controls and spaces may follow.
 * `unchanged` when it holds nothing else than those.
 */
export type Ending = "paragraph" | "table" | "other" | "unchanged";

/**
 * What a value is printed into: a `w:t` of a run, the text of another element, an attribute, the
 * instruction of a field, or the address of a link that begins with it in such an instruction.
 */
export type TextMode = "run" | "plain" | "attribute" | "instruction" | "address" | "addressPart";

/** A tag that prints a value. */
export interface TextOp {
  readonly op: "text";
  readonly origin: TagOrigin;
  readonly expression: Expression;
  readonly modifiers: readonly ModifierCall[];
  readonly mode: TextMode;
  /** What rich text and pictures need to know of the paragraph around; null where they cannot stand. */
  readonly flow: FlowContext | null;
  /** Why the picture whose alternative text it is gives way to no image. Absent elsewhere. */
  readonly noPicture?: string;
  /** The most characters that Word allows there. Absent where it allows any number. */
  readonly most?: number;
}

/** A piece of an address: text, or a tag. */
export type AddressPiece = string | TextOp;

/** ` r:id="…"` of a link whose address holds tags; nothing when the address is no safe link. */
export interface LinkOp {
  readonly op: "link";
  readonly origin: TagOrigin;
  /** The element that it stands in. */
  readonly element: string;
  readonly pieces: readonly AddressPiece[];
}

/**
 * A piece of a placeholder picture: XML that stays, another tag, or what depends on the image that fills
 * it. `left` and `top` are its place in a group; `turn` are the attributes of `a:xfrm` for the angle, `crop`
 * stands behind the `a:blip`,
 * `extension` in it; `value` is the tag itself, where there is no image.
 */
export type PicturePiece =
  | string
  | TextOp
  | LinkOp
  | {
      readonly slot:
        | "embed"
        | "extension"
        | "crop"
        | "turn"
        | "width"
        | "height"
        | "left"
        | "top"
        | "description"
        | "value"
        | "id";
    };

/** A field or a link to bookmarks that a document may not have. */
export interface Reference {
  readonly names: readonly string[];
  readonly isLink: boolean;
  /** The place for a warning; null when there is another warning. */
  readonly origin: TagOrigin | null;
}

/**
 * A piece of a reference that is not its text, such as the instruction of a field. When the document lacks one of its
 * bookmarks, `otherwise` is written instead. The `first` piece decides for the others.
 */
export interface ReferenceOp {
  readonly op: "reference";
  readonly reference: Reference;
  readonly first: boolean;
  readonly body: readonly Op[];
  readonly otherwise: readonly Op[];
}

/** A placeholder picture as it is written once its image is known. */
export interface PictureShape {
  readonly pieces: readonly PicturePiece[];
  /** The box that the author drew, in EMU. */
  readonly widthEmu: number;
  readonly heightEmu: number;
  /** How the author turned it, in sixtieths of a thousandth of a degree (ECMA-376 part 1, 20.1.10.3). */
  readonly angle: number;
  /** Whether the tag is all of the alternative text; else other text follows on further lines. */
  readonly isAlone: boolean;
  /** Whether it is no part of a group yet. */
  readonly isGroupable: boolean;
  /** Its box in the group that it is a part of; null when it is of none. */
  readonly grouped: GroupedBox | null;
  /** What stands in its place when nothing is to be shown; null for nothing at all. */
  readonly empty: string | null;
  /** The whole drawing as it is in the template, for when there is no image. */
  readonly original: readonly PicturePiece[];
  /** The other tags in it. */
  readonly others: readonly (TextOp | LinkOp)[];
}

/** What static text does to the page. */
interface StaticEffects {
  /** Whether it puts anything on the page by itself. */
  readonly visible: boolean;
  /** Whether a row of a table begins in it. */
  readonly row: boolean;
  /** Whether a cell of a table begins in it. */
  readonly cell: boolean;
  /** Whether a paragraph, a table or a row begins in it. */
  readonly block: boolean;
  readonly ending: Ending;
}

/** Text of the template, XML as it goes out. */
export interface StaticOp extends StaticEffects {
  readonly op: "static";
  readonly xml: string;
  /** As what it is compressed; absent until the program is ready to run. */
  readonly piece?: StaticPiece;
}

/** A value of a line. */
export interface LineValue {
  readonly op: TextOp;
  readonly mode: TextMode;
  /** What it prints, when that is a path. */
  readonly path: PathExpression | null;
  /** Whether a text prints as it is, but for what XML escapes. */
  readonly isPlain: boolean;
  /**
   * The key that it is, when the path is a single one of the item of the block around, or of the data
   * outside of blocks; null for any other path, and for what every object has from its prototype.
   */
  readonly ownKey: string | null;
  /** Whether a value that looks like HTML cuts the paragraph in two. */
  readonly cuts: boolean;
}

/**
 * Ops of which everything is known but the text of their values, made one: only programs that are ready
 * to run have it. When a value cuts its paragraph in two, `body` is run in its place.
 */
export interface LineOp extends StaticEffects {
  readonly op: "line";
  readonly pieces: readonly LinePiece[];
  readonly values: readonly LineValue[];
  /** The length of the static text. */
  readonly characters: number;
  /** What the item of the block around is called: its alias; null in a section and outside of blocks. */
  readonly item: string | null;
  /** How many elements, and tables among them, its static text opens more than it closes. */
  readonly opens: Depth;
  /** As how many ops it counts. */
  readonly steps: number;
  readonly body: readonly Op[];
}

/**
 * One step of a program. Static text is XML as it goes out; between the ops of a list the XML need
 * not be balanced (a block may begin in one run and end in another), the whole program is.
 */
export type Op =
  | StaticOp
  | LineOp
  | TextOp
  | {
      readonly op: "repeat";
      readonly origin: TagOrigin;
      readonly alias: string;
      readonly collection: PathExpression;
      readonly optional: boolean;
      readonly lists: BlockLists;
      /** The names of the bookmarks in the body that belong to its turns. */
      readonly bookmarks: ReadonlySet<string>;
      readonly body: readonly Op[];
    }
  | {
      readonly op: "section";
      readonly origin: TagOrigin;
      readonly condition: Expression;
      readonly inverted: boolean;
      /** Whether the items of a list run together in one list item. */
      readonly mayJoin: boolean;
      /** Whether an inverted section beside it shows something if the value is missing. */
      readonly hasInverse: boolean;
      readonly lists: BlockLists;
      readonly bookmarks: ReadonlySet<string>;
      readonly body: readonly Op[];
    }
  | {
      readonly op: "choose";
      readonly branches: readonly {
        readonly origin: TagOrigin;
        /** Null for the `else` branch. */
        readonly condition: Expression | null;
        readonly body: readonly Op[];
      }[];
    }
  /** A cell or another container that must end in a paragraph, whatever its blocks leave. */
  | { readonly op: "container"; readonly body: readonly Op[] }
  /** A table: with `vanishes` left out whole when no row remains, with `apart` kept apart from a table before it. */
  | {
      readonly op: "table";
      readonly apart: boolean;
      readonly vanishes: boolean;
      readonly body: readonly Op[];
    }
  /** A row of a table: left out whole when no cell remains. */
  | { readonly op: "row"; readonly body: readonly Op[] }
  /** A paragraph of nothing but blocks: when they show nothing, all that stays are its `marks`. */
  | { readonly op: "paragraph"; readonly marks: readonly Op[]; readonly body: readonly Op[] }
  /** A paragraph in which a value may be rich text: what stands before and after it may vanish. */
  | { readonly op: "flow"; readonly body: readonly Op[] }
  /** A content control around rows or paragraphs: left out whole when nothing remains in it. */
  | { readonly op: "control"; readonly body: readonly Op[] }
  /** What is written the first time that it shows, as it may be there once; all with one `key` are the same. */
  | { readonly op: "once"; readonly key: string; readonly body: readonly Op[] }
  /** A number that is another one in each turn; both ends of a range share it, and a comment with its range. */
  | { readonly op: "id"; readonly of: NumberOf; readonly original: number }
  /** The name of a bookmark, which is another one in each turn, where it stands or is referred to. */
  | {
      readonly op: "bookmark";
      readonly name: string;
      /** Whether the bookmark begins here; else something refers to it. */
      readonly starts: boolean;
    }
  /** The number of a list, as an attribute's value; `level` is given where a style numbers the paragraph: then the whole property is written, when it is another list. */
  | { readonly op: "list"; readonly numId: number; readonly level: number | null }
  /** The number of a note, as an attribute's value; the note is written with the data of this place. */
  | { readonly op: "note"; readonly kind: NoteKind; readonly id: number }
  | ReferenceOp
  | SequenceOp
  | LinkOp
  /**
   * The `w:vMerge` of a cell in a column of merged ones whose rows depend on blocks: it goes on the cell
   * above when that one is of one of these groups, and else begins merged cells itself. With `above` null
   * it begins them always; with `group` null, too, the cells here are not merged and nothing is written.
   */
  | {
      readonly op: "merge";
      readonly column: number;
      readonly group: number | null;
      readonly above: readonly [first: number, last: number] | null;
    }
  /** The attribute with the state of a content control: ` w14:val="1"` of a check box, and so on. */
  | {
      readonly op: "state";
      readonly of: "checkbox" | "date" | "list";
      /** The tag that the control shows. */
      readonly value: TextOp;
      /** Of a list, by the texts that it shows: the values of its entries, as XML. */
      readonly entries: ReadonlyMap<string, string>;
      /** Whether only the texts of its entries are allowed in it. */
      readonly isClosed: boolean;
    }
  /** A placeholder picture. */
  | {
      readonly op: "picture";
      readonly origin: TagOrigin;
      readonly expression: Expression;
      readonly modifiers: readonly ModifierCall[];
      readonly shape: PictureShape;
    }
  /** A number that depends on how many columns a `tablecolumn` makes. */
  | {
      readonly op: "columns";
      /** `sum`: the columns that a merged cell covers. `share`: the width that is left for one column. */
      readonly compute: "sum" | "share";
      /** Columns that are not repeated, or the width of all. */
      readonly base: number;
      readonly repeated: readonly {
        readonly columns: number;
        readonly collection: PathExpression;
      }[];
    };

/** Ops that write only the value of an attribute, an attribute, or a picture. */
export type ValueOp = Extract<
  Op,
  {
    op:
      | ("id" | "bookmark" | "list" | "note" | "link")
      | ("merge" | "state" | "picture" | "columns" | "sequence");
  }
>;

/** What has a number of its own in each turn. */
export type NumberOf = "drawing" | "mark" | "comment";

/** What stands apart from the text that refers to it. */
export type NoteKind = "footnote" | "endnote" | "comment";
