import { poisonousTemplates } from "./poisonous-templates.ts";
import type { ChildEnd } from "./pool-child.ts";
import { documentFailure, isToBlame, type PoolBounds, templateFailure } from "./pool-failures.ts";
import type { PooledDocument } from "./pooled-document.ts";
import type { PooledTemplate } from "./pooled-template.ts";

/**
 * Number of crashes after which the document or template is considered the cause. If the template was compiled before,
 * that number is `MAX_ACCIDENTS`.
 */
const MAX_ENDS = 2;
const MAX_ACCIDENTS = 5;

/** Decides which document or template has caused the end of a process. */
export class Blame {
  readonly #bounds: PoolBounds;
  readonly #poisonous = poisonousTemplates();

  constructor(bounds: PoolBounds) {
    this.#bounds = bounds;
  }

  /** Returns the error for a template that cannot be compiled; null if no error is known. */
  failureOf(template: PooledTemplate): Error | null {
    return template.failure ?? this.#poisonous.failureOf(template);
  }

  /** Must be called when a template has been compiled. */
  compiled(template: PooledTemplate): void {
    template.wasCompiled = true;
    template.ends = 0;
    this.#poisonous.compiled(template);
  }

  /** Must be called when a process has ended while it compiled a template. */
  templateEnded(end: ChildEnd, template: PooledTemplate): void {
    template.ends += 1;
    const isFinal = isToBlame(end, template.ends, template.wasCompiled ? MAX_ACCIDENTS : MAX_ENDS);
    const failure = templateFailure(end, this.#bounds);
    if (isFinal) template.failure = failure;
    if (!template.wasCompiled) this.#poisonous.ended(template, failure);
  }

  /**
   * Must be called when a process has ended while it worked on a document. Rejects the document if it is the likely
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
