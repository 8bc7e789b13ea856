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
  /** An included template has been read. Throws when the including template must not be compiled. */
  onIncluded(template: PooledTemplate): void;
  /** A template has been compiled. */
  onCompiled(template: PooledTemplate): void;
  /** Work for a tenant has begun or ended. When one work replaces another, `onBegun` comes before `onOver`. */
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
  /** The owner of its documents: it holds documents of one template at a time. Null when it is idle. */
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
