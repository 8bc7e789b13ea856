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
  /** Whether the child became ready. */
  readonly wasReady: boolean;
  /** Its current work; null if it was idle, not ready, or killed because of work that it had just finished. */
  readonly current: InFlight | null;
  /** Whether it ended before it had finished any document. */
  readonly wasFirst: boolean;
  /** The documents that the child had not started, without cancelled ones. */
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
  /** Whether documents of other tenants or flows are waiting. */
  isAwaited(sharer: Sharer): boolean;
  /** The current work of the child delays documents that the child holds. */
  onStalled(child: PoolChild): void;
  onEnd(child: PoolChild, end: ChildEnd): void;
}

/** One process of the pool and its work. */
export interface PoolChild {
  /** Whether the process is ready to work. It can be given documents before. */
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
  /** Call it when a document is cancelled. */
  abandon(document: PooledDocument): void;
  /** Ends the process. May be called again. */
  stop(): Promise<void>;
}
