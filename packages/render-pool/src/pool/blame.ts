import { poisonousTemplates } from "./poisonous-templates.ts";
import type { ChildEnd } from "./pool-child.ts";
import { documentFailure, isToBlame, type PoolBounds, templateFailure } from "./pool-failures.ts";
import type { PooledDocument } from "./pooled-document.ts";
import type { PooledTemplate } from "./pooled-template.ts";

/**
 * After this many crashes, the document or template is considered the cause. A template that was compiled before is
 * considered the cause only after `MAX_ACCIDENTS` crashes.
 */
const MAX_ENDS = 2;
const MAX_ACCIDENTS = 5;

/** Decides which documents and templates are to blame for the end of processes. */
export class Blame {
  readonly #bounds: PoolBounds;
  readonly #poisonous = poisonousTemplates();

  constructor(bounds: PoolBounds) {
    this.#bounds = bounds;
  }

  /** Why a template cannot be compiled; null if no reason is known. */
  failureOf(template: PooledTemplate): Error | null {
    return template.failure ?? this.#poisonous.failureOf(template);
  }

  /** Call it when a template has been compiled. */
  compiled(template: PooledTemplate): void {
    template.wasCompiled = true;
    template.ends = 0;
    this.#poisonous.compiled(template);
  }

  /** Call it when a process has ended while it compiled a template. */
  templateEnded(end: ChildEnd, template: PooledTemplate): void {
    template.ends += 1;
    const isFinal = isToBlame(end, template.ends, template.wasCompiled ? MAX_ACCIDENTS : MAX_ENDS);
    const failure = templateFailure(end, this.#bounds);
    if (isFinal) template.failure = failure;
    if (!template.wasCompiled) this.#poisonous.ended(template, failure);
  }

  /**
   * Call it when a process has ended while it worked on a document. Rejects the document if the document is the likely
   * cause. Returns whether to try the document again.
   */
  documentEnded(end: ChildEnd, document: PooledDocument): boolean {
    document.ends += 1;
    if (document.isSettled) return false;
    if (!isToBlame(end, document.ends, MAX_ENDS)) return true;
    document.reject(documentFailure(end, this.#bounds, document.task));
    return false;
  }
}
