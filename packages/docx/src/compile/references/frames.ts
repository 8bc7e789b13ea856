import type { TagNode } from "../../template/nodes/nodes.ts";

/**
 * Content that a document contains completely or not at all: a branch of a block; a note; or a table, a row or a
 * content control that may be omitted.
 */
export interface Frame {
  readonly outer: Frame | null;
  /** The tag that begins the branch of a block; null for other content. */
  readonly tag: TagNode | null;
  /** For a note: the frame of the reference to it, whose items it uses; null for other content. */
  readonly reference: Frame | null;
}

/** Creates a frame inside `outer`; null means outside all frames. */
export function frameIn(
  outer: Frame | null,
  tag: TagNode | null = null,
  reference: Frame | null = null,
): Frame {
  return { outer, tag, reference };
}

/** Returns the frame after the marker of a block. */
export function frameAfter(tag: TagNode, frame: Frame | null): Frame | null {
  const { kind } = tag.directive;
  if (kind.startsWith("end")) return frame?.outer ?? null;
  return frameIn(kind === "else" || kind === "elseif" ? (frame?.outer ?? null) : frame, tag);
}

/** Whether a document with the content of `frame` always has the content of one of `others`. */
export function isWithin(frame: Frame | null, others: ReadonlySet<Frame | null>): boolean {
  let at = frame;
  while (at !== null && !others.has(at)) at = at.outer;
  return others.has(at);
}

/** Returns the frame whose items a frame can use, in addition to its own. */
export function around({ outer, reference }: Frame): Frame | null {
  return outer ?? reference;
}
