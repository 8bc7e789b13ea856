import type { NoteKind } from "./numbered.ts";
import type { Op } from "./ops.ts";

/** A compiled part. It is immutable and has no rendering state. */
export interface PartProgram {
  readonly part: string;
  /** The ids of the relationships to other parts that the part may use or not, depending on the data. */
  readonly optional: ReadonlySet<string>;
  readonly ops: readonly Op[];
}

/** The program for a part that is written once for each iteration that shows it. */
export interface CopiedProgram extends PartProgram {
  /** The part with the plan for the copies: the part itself, or the chart that it belongs to. */
  readonly original: string;
  /** The names of the bookmarks in it. Each copy has its own. */
  readonly bookmarks: ReadonlySet<string>;
}

/** The program for all footnotes, all endnotes or all comments. */
export interface NotesProgram {
  readonly part: string;
  /** As in {@link PartProgram}. */
  readonly optional: ReadonlySet<string>;
  readonly kind: NoteKind;
  /**
   * Whether a note is written once for every reference to it, with the data at that reference. If not, each note is
   * written once, outside all blocks.
   */
  readonly referenced: boolean;
  /** The XML before the first and after the last note. */
  readonly head: string;
  readonly tail: string;
  readonly notes: readonly {
    /**
     * The id of the note; null if the template does not define one. Such a note is copied unchanged, and nothing refers
     * to it.
     */
    readonly id: number | null;
    /**
     * Whether every document has the note: a special note such as the separator line, a comment to which a part without
     * a program refers, or a comment without a reference.
     */
    readonly special: boolean;
    /** The XML of the note before the value of its id. */
    readonly before: string;
    /** The names of the bookmarks in the note. */
    readonly bookmarks: ReadonlySet<string>;
    /** The numbers of the lists that begin in the note. Each copy of the note has its own lists. */
    readonly lists: readonly number[];
    readonly body: readonly Op[];
  }[];
}

/** The ops of a template, which may be a text instead of a package. */
export interface Programs {
  readonly programs: readonly Pick<PartProgram, "part" | "ops">[];
  /** The parts that a document may lack. Absent if every document has all parts. */
  readonly omittable?: ReadonlySet<string>;
  readonly notes: readonly NotesProgram[];
  /** Absent if no part is copied for the iterations of a loop. */
  readonly copied?: readonly Pick<CopiedProgram, "original" | "ops">[];
}
