import type { Sharer } from "@quire/contracts";
import type { InFlight } from "./in-flight.ts";
import type { PoolBounds, ProcessEnd } from "./pool-failures.ts";
import type { PooledDocument } from "./pooled-document.ts";
import type { PooledTemplate } from "./pooled-template.ts";

/** Settings for the processes of a pool. */
export interface ChildSettings extends PoolBounds {
  readonly cachedTemplates: number;
  readonly documentsPerProcess: number;
}

/** The state of a child at its end. */
export interface ChildEnd extends ProcessEnd {
  /** Whether it became ready. */
  readonly wasReady: boolean;
  /** Its current work; null if it was idle or not ready. */
  readonly current: InFlight | null;
  /** Whether that was its first document. */
  readonly wasFirst: boolean;
  /** The documents that it had not started and that are still wanted. */
  readonly behind: readonly PooledDocument[];
}

/** The owner of the children, which receives their events. */
export interface ChildSupervisor {
  /** Work is done, or the child should be replaced. */
  onProgress(child: PoolChild): void;
  /** An included template has been read. Throws if the including template must not be compiled. */
  onIncluded(template: PooledTemplate): void;
  /** A template has been compiled. */
  onCompiled(template: PooledTemplate): void;
  /** Work for a tenant has begun or ended. If new work replaces other work, `onBegun` comes before `onOver`. */
  onBegun(sharer: Sharer): void;
  onOver(sharer: Sharer): void;
  /** Whether the work of others waits while this sharer's work occupies a process. */
  isAwaited(sharer: Sharer): boolean;
  /** One document delays others that the child holds. */
  onStalled(child: PoolChild): void;
  onEnd(child: PoolChild, end: ChildEnd): void;
}

/** One process of the pool and its work. */
export interface PoolChild {
  /** Whether it is ready. */
  readonly isReady: boolean;
  /** The number of documents that it holds. */
  readonly load: number;
  /** The owner of its documents: it holds documents of one template at a time. Null when it is idle. */
  readonly sharer: Sharer | null;
  /** Whether it has compiled the template. */
  hasCompiled(template: PooledTemplate): boolean;
  /** Whether it should get more documents in advance. */
  hasRoom(): boolean;
  /** Whether it must not get more documents. */
  readonly isSpent: boolean;
  give(document: PooledDocument): void;
  /** Takes back the documents that it has not started. */
  withdraw(): PooledDocument[];
  /** Call it when a document is no longer wanted. */
  abandon(document: PooledDocument): void;
  /** Ends the process. May be called again. */
  stop(): Promise<void>;
}
