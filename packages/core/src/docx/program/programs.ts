import type { NoteKind, Op } from "./ops.ts";

/** A part compiled: immutable, and free of any state of a rendering. */
export interface PartProgram {
  readonly part: string;
  readonly ops: readonly Op[];
}

/** Footnotes, endnotes or comments: each is written for every reference to it, with the data of that place. */
export interface NotesProgram {
  readonly part: string;
  readonly kind: NoteKind;
  /** Whether references are written by ops; else each note is written once, with the root's data. */
  readonly referenced: boolean;
  /** What stands before the first and after the last note. */
  readonly head: string;
  readonly tail: string;
  readonly notes: readonly {
    /** Null when the template gives it none: then it has it as it is written, and nothing refers to it. */
    readonly id: number | null;
    /** Whether it is there in any case: the line above the notes, or what a part without tags refers to. */
    readonly special: boolean;
    /** What stands before the value of its id, as XML. */
    readonly before: string;
    /** The names of its bookmarks. */
    readonly bookmarks: ReadonlySet<string>;
    /** The lists that begin in it, by their numbers: each copy has its own. */
    readonly lists: readonly number[];
    readonly body: readonly Op[];
  }[];
}
