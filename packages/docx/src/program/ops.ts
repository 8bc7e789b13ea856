import type { Depth } from "@quire/ooxml/internal/xml/depth";
import type { LinePiece } from "../deflate/pieces.ts";
import type { Expression, PathExpression } from "../language/grammar/expression.ts";
import type { ModifierCall } from "../language/modifiers.ts";
import type { Joined } from "../template/nodes/tag-uses.ts";
import type { ChartPointOp, PointColorOp, SeriesColorOp } from "./chart-ops.ts";
import type { ColumnsOp } from "./column-op.ts";
import type { CoveredColumns, GridColumnOp, TableSizeOp } from "./column-widths.ts";
import type { HeadersOp } from "./header-op.ts";
import type { BlockLists } from "./lists.ts";
import type { NoteKind, NumberOf } from "./numbered.ts";
import type { PictureShape } from "./picture-shape.ts";
import type { ItemLink, ItemTarget, Reference, TaggedNameOp } from "./references.ts";
import type { SequenceOp } from "./sequence-numbers.ts";
import type { StaticEffects, StaticOp } from "./static-op.ts";
import type {
  DecideOp,
  LinkOp,
  LookOp,
  NumberingOp,
  Shrinking,
  StyledOp,
  TagOrigin,
  TextMode,
  TextOp,
} from "./tag-ops.ts";

/** A cell of a row in which some cells may cover others. A covered cell is not written. */
export interface CellOp {
  readonly op: "cell";
  /** The number of columns of the table's grid. */
  readonly columns: number | ColumnsOp;
  /** The width with its unit (`w:type`), which must be the same for widths to be added. Null if it is unknown. */
  readonly width: { readonly amount: number | ColumnsOp; readonly unit: string } | null;
  /** The columns that it covers; null if tags do not set the widths of the table's columns. */
  readonly grid: CoveredColumns | null;
  /** The elements with both in the template, for a cell that covers no other. Null if they depend on the data. */
  readonly own: Readonly<Record<"columns" | "width", string | null>>;
  /** The tags with `span`. The last tag that applies wins. */
  readonly tags: LookOp["tags"];
  /** The value that the cell and the one to its left must have in common to be merged; null if they are not merged. */
  readonly by: TextOp | null;
  /** Whether the cell contains nothing but the text of `by`, so that it may be merged with other cells of the template. */
  readonly isAlone: boolean;
  /** Whether the cell has no other tags than those with `span`, so that it is the same for each item of a loop. */
  readonly isSame: boolean;
  readonly body: readonly Op[];
}

/** The beginning of a table with tags for the widths of its columns, to the end of its grid. */
export interface GridOp {
  readonly op: "grid";
  readonly body: readonly Op[];
}

/** The width of a cell of such a table, or of the space before or after the cells of a row. */
export interface CellWidthOp {
  readonly op: "cellWidth";
  readonly element: "w:tcW" | "w:wBefore" | "w:wAfter";
  readonly columns: CoveredColumns;
  /** Whether `body` has a fixed width, which counts as long as no tag changes one of the columns. */
  readonly isFixed: boolean;
  /** The element in the template. */
  readonly body: readonly Op[];
}

/** The tag of a loop over rows that a value merges, and the same tag with a sorted list; null if it is unknown. */
export interface MergeOrder {
  readonly loop: string;
  readonly sorted: string | null;
}

/**
 * A piece of a reference other than its text, such as the instruction of a field. If the document lacks one of the
 * reference's bookmarks, `otherwise` is written instead. This is decided at the `first` piece and applies to the
 * others.
 */
export interface ReferenceOp {
  readonly op: "reference";
  readonly reference: Reference;
  readonly first: boolean;
  readonly body: readonly Op[];
  readonly otherwise: readonly Op[];
}

/** A value of a line. */
export interface LineValue {
  readonly op: TextOp;
  readonly mode: TextMode;
  /** The path that is printed; null for any other expression. */
  readonly path: PathExpression | null;
  /** Whether a string is printed unchanged, apart from XML escapes. */
  readonly isPlain: boolean;
  /**
   * The key, if the path is a single key of the item of the innermost block, or of the data outside blocks. Null for
   * any other path, and for keys that every object has from its prototype.
   */
  readonly ownKey: string | null;
  /** Whether a value that looks like HTML splits the paragraph. */
  readonly cuts: boolean;
}

/**
 * Several ops combined into one. Everything about their output is known except the text of the values. Only programs
 * that are ready to run have lines. If a value splits its paragraph, `body` runs instead.
 */
export interface LineOp extends StaticEffects {
  readonly op: "line";
  readonly pieces: readonly LinePiece[];
  readonly values: readonly LineValue[];
  /** The number of characters of the static text. */
  readonly characters: number;
  /** The alias of the innermost block's item; null in a section and outside blocks. */
  readonly item: string | null;
  /** How many more elements its static text opens than it closes, and how many of those are tables. */
  readonly opens: Depth;
  /** The number of steps that the line takes from the budget. */
  readonly steps: number;
  readonly body: readonly Op[];
}

/**
 * One step of a program. Static text is XML for the output. The XML of a list of ops need not be balanced, because a
 * block may begin in one run and end in another. The whole program is balanced.
 */
export type Op =
  | StaticOp
  | LineOp
  | TextOp
  | {
      readonly op: "repeat";
      readonly origin: TagOrigin;
      readonly alias: string;
      /** As in `Loop`. */
      readonly collection: PathExpression;
      readonly shape: Expression | null;
      readonly optional: boolean;
      /** Where items of a list would be printed without separators. Absent for other blocks. */
      readonly mayJoin?: Joined;
      /** The number of a loop around section breaks whose headers use items of loops. Absent for other loops. */
      readonly paged?: number;
      readonly lists: BlockLists;
      /** The names of the bookmarks in the body that belong to its iterations. */
      readonly bookmarks: ReadonlySet<string>;
      readonly body: readonly Op[];
    }
  | {
      readonly op: "section";
      readonly origin: TagOrigin;
      readonly condition: Expression;
      readonly inverted: boolean;
      /** As in `repeat`. */
      readonly mayJoin?: Joined;
      /** Whether a matching inverted section shows something if the value is missing. */
      readonly hasInverse: boolean;
      /** As in `repeat`. */
      readonly paged?: number;
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
  /** A cell or another container, which must end with a paragraph even if its blocks show nothing. */
  | { readonly op: "container"; readonly body: readonly Op[] }
  /**
   * A table. `vanishes`: whether it is omitted if no row remains. `apart`: whether it is separated from a table before
   * it. `isSized`: whether tags set the widths of its columns.
   */
  | {
      readonly op: "table";
      readonly isSized: boolean;
      readonly apart: boolean;
      readonly vanishes: boolean;
      readonly body: readonly Op[];
    }
  /** A row of which some cells may cover others. */
  | { readonly op: "coveringRow"; readonly body: readonly Op[] }
  | CellOp
  | GridOp
  | GridColumnOp
  | TableSizeOp
  | CellWidthOp
  /** The `w:gridSpan` or the `w:tcW` of a cell that may cover others. */
  | { readonly op: "cellSize"; readonly of: "columns" | "width" }
  /** A row of a table. It is omitted if no cell remains. */
  | { readonly op: "row"; readonly body: readonly Op[] }
  /** A paragraph with only blocks. If they show nothing, only its `marks` remain. */
  | { readonly op: "paragraph"; readonly marks: readonly Op[]; readonly body: readonly Op[] }
  /** A paragraph in which a value may be rich text. The parts before and after the value may be omitted. */
  | { readonly op: "flow"; readonly body: readonly Op[] }
  /** A content control around rows or paragraphs. It is omitted if nothing remains in it. */
  | { readonly op: "control"; readonly body: readonly Op[] }
  /**
   * Content that may occur only once, and is written where it is first shown. All ops with the same `key` are equal.
   */
  | { readonly op: "once"; readonly key: string; readonly body: readonly Op[] }
  /**
   * A number that differs in each iteration. Both ends of a range have the same number, and so do a comment and its
   * range.
   */
  | { readonly op: "id"; readonly of: NumberOf; readonly original: number }
  /** The name of a bookmark, at the bookmark or at a reference to it. It differs in each iteration. */
  | {
      readonly op: "bookmark";
      readonly name: string;
      /** Whether the bookmark begins here; otherwise something refers to it. */
      readonly starts: boolean;
      /** For a reference to a bookmark in another loop over the same list. */
      readonly link?: ItemLink;
      /** For a bookmark: the links that lead to it. */
      readonly targets?: readonly ItemTarget[];
    }
  /**
   * The number of a list, as the value of an attribute. `level` is set if a style numbers the paragraph. In this case,
   * the whole property is written if the list differs.
   */
  | { readonly op: "list"; readonly numId: number; readonly level: number | null }
  /** The number of a note, as the value of an attribute. The note is written with the data at this reference. */
  | { readonly op: "note"; readonly kind: NoteKind; readonly id: number }
  /**
   * The id of the relationship to a chart, as the value of an attribute. The chart is written for each iteration, with
   * the data there. `part` and `id`: the chart in the template.
   */
  | { readonly op: "chart"; readonly part: string; readonly id: string }
  | HeadersOp
  /** The end of the paragraph of a section break. Later output belongs to the next section. */
  | { readonly op: "nextSection" }
  | ReferenceOp
  | TaggedNameOp
  | SequenceOp
  | LinkOp
  /**
   * The `w:vMerge` of a cell in a column of merged cells whose rows depend on blocks. The cell continues the one above
   * if that cell belongs to a group from `first` to `last`; otherwise, it begins merged cells. If `above` is null, it
   * always begins merged cells. If `group` is also null, the cells are not merged and nothing is written.
   */
  | {
      readonly op: "merge";
      readonly column: number;
      /** The number of `tablecolumn` blocks around the cell. The cells of each repetition are merged for themselves. */
      readonly turns: number;
      readonly group: number | null;
      readonly above: readonly [first: number, last: number] | null;
      /** A tag with `merge`: the cell continues the one above only if both have the same text. */
      readonly by?: TextOp;
      /** Whether `by` is the key of the modifier. Without a value of the key, the cell is not merged. */
      readonly isKey?: boolean;
      /** The list that should be in the order of `by`. Absent if another order may be right. */
      readonly order?: MergeOrder;
    }
  | ChartPointOp
  | SeriesColorOp
  | PointColorOp
  /** The attribute with the state of a content control: ` w14:val="1"` of a check box, and so on. */
  | {
      readonly op: "state";
      readonly of: "checkbox" | "date" | "list";
      /** The tag that the control shows. */
      readonly value: TextOp;
      /** The values of a list's entries, as XML, by the text of each entry. */
      readonly entries: ReadonlyMap<string, string>;
      /** Whether only the texts of a list's entries are allowed. */
      readonly isClosed: boolean;
    }
  | LookOp
  | DecideOp
  | NumberingOp
  /** The content of a cell or a text box in which text becomes smaller until it fits. */
  | ({ readonly op: "shrink"; readonly body: readonly Op[] } & Shrinking)
  | StyledOp
  | {
      readonly op: "picture";
      readonly origin: TagOrigin;
      readonly expression: Expression;
      readonly modifiers: readonly ModifierCall[];
      readonly shape: PictureShape;
    }
  | ColumnsOp;

/** A block that may repeat. */
export type BlockOp = Extract<Op, { op: "repeat" | "section" }>;

/** Ops that output only the value of an attribute, an attribute, references, a picture or nothing. */
export type ValueOp = Extract<
  Op,
  {
    op:
      | ("id" | "bookmark" | "list" | "note" | "chart" | "link" | "headers" | "nextSection")
      | (
          | "merge"
          | "cellSize"
          | "gridColumn"
          | "tableSize"
          | "chartPoint"
          | "chartColor"
          | "state"
          | "picture"
          | "columns"
          | "sequence"
          | "taggedName"
          | "look"
          | "decide"
          | "numbering"
          | "styled"
        );
  }
>;
