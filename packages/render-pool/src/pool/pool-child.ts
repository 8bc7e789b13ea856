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

/** The state of a child when it ended. */
export interface ChildEnd extends ProcessEnd {
  /** Whether the child became ready. */
  readonly wasReady: boolean;
  /** Its current work. Null if it was idle, not ready, or killed because of work that it had just finished. */
  readonly current: InFlight | null;
  /** Whether it ended before it finished any document. */
  readonly wasFirst: boolean;
  /** The documents that the child had not started, excluding cancelled ones. */
  readonly behind: readonly PooledDocument[];
}

/** The owner of the children, which is notified of their events. */
export interface ChildSupervisor {
  /** Called when work is done, or when the child should be replaced. */
  onProgress(child: PoolChild): void;
  /** Called when an included template has been read. Throws if the including template must not be compiled. */
  onIncluded(template: PooledTemplate): void;
  /** Called when a template has been compiled. */
  onCompiled(template: PooledTemplate): void;
  /**
   * Called when work for a tenant has begun or ended. If new work replaces other work, `onBegun` is called before
   * `onOver`.
   */
  onBegun(sharer: Sharer): void;
  onOver(sharer: Sharer): void;
  /** Whether documents of other tenants or flows are waiting. */
  isAwaited(sharer: Sharer): boolean;
  /** Called when the current work of the child delays other documents that the child holds. */
  onStalled(child: PoolChild): void;
  onEnd(child: PoolChild, end: ChildEnd): void;
}

/** One process of the pool and its work. */
export interface PoolChild {
  /** Whether the process is ready to work. It may get documents before it is ready. */
  readonly isReady: boolean;
  /** The number of documents that the process holds. */
  readonly load: number;
  /** The owner of its documents, which all use the same template; null when the process is idle. */
  readonly sharer: Sharer | null;
  /** Whether the process has compiled the template. */
  hasCompiled(template: PooledTemplate): boolean;
  /** Whether the process should get more documents in advance. */
  hasRoom(): boolean;
  /** Whether the process must not get more documents. */
  readonly isSpent: boolean;
  give(document: PooledDocument): void;
  /** Takes back the documents that the process has not started. */
  withdraw(): PooledDocument[];
  /** Must be called when a document is cancelled. */
  abandon(document: PooledDocument): void;
  /** Ends the process. May be called more than once. */
  stop(): Promise<void>;
}
