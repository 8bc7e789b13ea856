import type { PartContent } from "@quire/ooxml/internal/write";

/** A relationship of a part that is copied. */
export interface CopiedRelationship {
  readonly id: string;
  readonly type: string;
  /** The target as written in the template. */
  readonly target: string;
  readonly external: boolean;
  /** The part at the target, if it is copied, too; otherwise, all copies share the target. */
  readonly part: string | null;
}

/** A part that is copied with another, or on its own. */
export interface PlannedPart {
  readonly part: string;
  /** Null if the template gives it none. */
  readonly contentType: string | null;
  readonly relationships: readonly CopiedRelationship[];
  /** Its content in the template; null if a program writes it. */
  readonly content: PartContent | null;
  /** The size of the content in the zip. */
  readonly size: number;
}

/**
 * A chart with tags in a loop, or a header or footer that uses the items of a loop. A document has a copy of its parts
 * for each iteration that shows it: the part itself, and then what Word stores with a chart, such as its workbook.
 */
export interface CopyPlan {
  /** The type of the relationship to the part. */
  readonly type: string;
  /** Whether the template does not have the part, so that all copies of it have other names. */
  readonly isNew: boolean;
  readonly parts: readonly PlannedPart[];
}
