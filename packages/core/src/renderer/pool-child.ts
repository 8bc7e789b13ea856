import type { Sharer } from "../sharing/fair-line.ts";
import type { InFlight } from "./in-flight.ts";
import type { PoolBounds, ProcessEnd } from "./pool-failures.ts";
import type { PooledDocument } from "./pooled-document.ts";
import type { PooledTemplate } from "./pooled-template.ts";

/** How the processes of a pool are kept. */
export interface ChildSettings extends PoolBounds {
  readonly cachedTemplates: number;
  readonly documentsPerProcess: number;
}

/** What a child leaves behind. */
export interface ChildEnd extends ProcessEnd {
  /** Whether it came up at all. */
  readonly wasReady: boolean;
  /** What it was busy with; null when it was idle or not ready. */
  readonly current: InFlight | null;
  /** Whether that was the first document that it ever began. */
  readonly wasFirst: boolean;
  /** The documents that it had not begun and that are still wanted. */
  readonly behind: readonly PooledDocument[];
}

/** Who keeps the children. */
export interface ChildKeeper {
  /** Something is done, or the child is to be replaced. */
  onProgress(child: PoolChild): void;
  /** Something that a template includes has been read. Throws when the template is not to be compiled. */
  onIncluded(template: PooledTemplate): void;
  /** A template has been compiled. */
  onCompiled(template: PooledTemplate): void;
  /** Work is begun for somebody, or over; what is begun in place of something is told first. */
  onBegun(sharer: Sharer): void;
  onOver(sharer: Sharer): void;
  /** One document keeps others waiting that the child holds. */
  onStalled(child: PoolChild): void;
  onEnd(child: PoolChild, end: ChildEnd): void;
}

/** One process of the pool and what it was given: kept busy, watched, ended. */
export interface PoolChild {
  /** Whether it has come up. */
  readonly isReady: boolean;
  /** How many documents it holds. */
  readonly load: number;
  /** Whose they are: it holds documents of one template at a time. Null when it holds none. */
  readonly sharer: Sharer | null;
  /** Whether it should get more, of which it will do some first. */
  hasRoom(): boolean;
  /** Whether it gets nothing more. */
  readonly isSpent: boolean;
  give(document: PooledDocument): void;
  /** Takes back what it has not begun. */
  withdraw(): PooledDocument[];
  /** A document is not wanted any more. */
  abandon(document: PooledDocument): void;
  /** Ends the process. May be called again. */
  stop(): Promise<void>;
}
