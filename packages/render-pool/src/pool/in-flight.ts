import type { Sharer } from "@quire/contracts";
import { fromWire, type WireError } from "../protocol/messages.ts";
import type { HeldTemplate } from "./held-templates.ts";
import type { PoolBounds } from "./pool-failures.ts";
import type { PooledDocument } from "./pooled-document.ts";

/** A pending task of a process: a template to compile, or a document to render. */
export interface InFlight {
  /** The number of the document or, for a compilation, of the template. */
  readonly id: number;
  readonly held: HeldTemplate;
  /** The document; null for a compilation. */
  readonly document: PooledDocument | null;
  /** The size of the data in bytes. */
  readonly size: number;
  /** Whether the process was asked not to start this task. */
  isWithdrawn: boolean;
  /**
   * Number of questions from the process that the host has not answered yet. The deadline is paused while there are
   * any.
   */
  openQuestions: number;
  /**
   * When the deadline was last paused. `stoodStillMs` is the total duration of all earlier pauses. Both are in
   * milliseconds.
   */
  stoppedAt: number;
  stoodStillMs: number;
  /** The errors that the host sent as answers, by question number. */
  readonly errors: Map<number, unknown>;
}

/** Creates a task. */
export function inFlight(
  id: number,
  held: HeldTemplate,
  document: PooledDocument | null,
  size: number,
): InFlight {
  return {
    id,
    held,
    document,
    size,
    isWithdrawn: false,
    openQuestions: 0,
    stoppedAt: 0,
    stoodStillMs: 0,
    errors: new Map(),
  };
}

/** Returns the tenant and flow that own the item. */
export function sharerOf({ document, held }: InFlight): Sharer {
  return (document ?? held.owner).sharer;
}

/**
 * Whether an item may be stopped for others. A compilation may be stopped if all documents that wait for it may be
 * stopped. `all` is the work of the process.
 */
export function isPreemptible(item: InFlight, all: readonly InFlight[]): boolean {
  return all.every(
    ({ document, held }) =>
      document === null ||
      document.options.preemptible === true ||
      (item.document === null ? held !== item.held : document !== item.document),
  );
}

/** Returns the time in milliseconds spent on an item since `begun`, excluding time spent waiting for answers. */
export function workedMs(item: InFlight, begun: number, now: number): number {
  const standing = item.openQuestions > 0 ? now - item.stoppedAt : 0;
  return now - begun - item.stoodStillMs - standing;
}

/** Returns the deadline of an item, in milliseconds of work. */
export function limitMs({ document }: InFlight, limits: PoolBounds): number {
  return document === null ? limits.compileTimeoutMs : limits.documentTimeoutMs;
}

/** Pauses the deadline. Must be called when the process asks a question. */
export function questionOpened(item: InFlight, now: number): void {
  if (item.openQuestions === 0) item.stoppedAt = now;
  item.openQuestions += 1;
}

/** Must be called when a question has been answered. After the last answer, the deadline continues. */
export function questionAnswered(item: InFlight, now: number): void {
  item.openQuestions -= 1;
  if (item.openQuestions === 0) item.stoodStillMs += now - item.stoppedAt;
}

/** Returns the host's original error if the process only passes it on; otherwise the decoded error. */
export function errorOf({ errors }: InFlight, wire: WireError): Error {
  const own = wire.question === undefined ? undefined : errors.get(wire.question);
  return own instanceof Error ? own : fromWire(wire);
}
