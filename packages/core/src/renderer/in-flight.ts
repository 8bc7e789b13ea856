import type { Sharer } from "../sharing/fair-line.ts";
import type { HeldTemplate } from "./held-templates.ts";
import { fromWire, type WireError } from "./messages.ts";
import type { PooledDocument } from "./pooled-document.ts";

/** What a process was given to do and has not done yet: a template to compile, or a document to render. */
export interface InFlight {
  /** The number of the document; that of the template when it is to be compiled. */
  readonly id: number;
  readonly held: HeldTemplate;
  /** Null for a compilation. */
  readonly document: PooledDocument | null;
  /** The bytes of its data. */
  readonly size: number;
  /** Whether the process was told not to begin it. */
  isWithdrawn: boolean;
  /** Questions of the process that the host has not answered yet: meanwhile the clock stands still. */
  openQuestions: number;
  /** When it stopped, and how long it has stood still before, in milliseconds. */
  stoppedAt: number;
  stoodStillMs: number;
  /** Answers that were errors, by their question. */
  readonly errors: Map<number, unknown>;
}

/** Something to do, just given. */
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

/** The tenant and flow whose time an item takes. */
export function sharerOf({ document, held }: InFlight): Sharer {
  return (document ?? held.owner).sharer;
}

/** How long something has been worked on that was begun at a time. Times are in milliseconds. */
export function workedMs(item: InFlight, begun: number, now: number): number {
  const standing = item.openQuestions > 0 ? now - item.stoppedAt : 0;
  return now - begun - item.stoodStillMs - standing;
}

/** The process asks: the clock stops. */
export function questionOpened(item: InFlight, now: number): void {
  if (item.openQuestions === 0) item.stoppedAt = now;
  item.openQuestions += 1;
}

/** It has its answer: the clock goes on with the last one. */
export function questionAnswered(item: InFlight, now: number): void {
  item.openQuestions -= 1;
  if (item.openQuestions === 0) item.stoodStillMs += now - item.stoppedAt;
}

/** The host's own error when it was one, otherwise the one that was sent. */
export function errorOf({ errors }: InFlight, wire: WireError): Error {
  const own = wire.question === undefined ? undefined : errors.get(wire.question);
  return own instanceof Error ? own : fromWire(wire);
}
