import {
  type Attributes,
  type Context,
  context as contexts,
  type Span,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { traceparentOf } from "./traceparent.ts";

/** A span that has begun, or none where that failed. What happens in it goes its way whatever becomes of the span. */
export interface LiveSpan {
  /** The context with the span in it. */
  readonly context: Context;
  /** The `traceparent` under which others may go on; undefined: there is none. */
  readonly trace: string | undefined;
  /** Runs something once, within the span. Gives and rejects what that does. */
  within<T>(run: () => Promise<T>): Promise<T>;
  /** `error`: the code of what went wrong; null: nothing did. */
  end(attributes: Attributes, error: string | null): void;
}

/** `parent`: the context that it was begun in. `failed` is called when tracing does not do what it should. */
export function liveSpan(span: Span | null, parent: Context, failed: () => void): LiveSpan {
  return new Live(span, parent, failed);
}

class Live implements LiveSpan {
  readonly #span: Span | null;
  readonly #failed: () => void;
  readonly context: Context;
  readonly trace: string | undefined;

  constructor(span: Span | null, parent: Context, failed: () => void) {
    this.#span = span;
    this.#failed = failed;
    this.context = span === null ? parent : trace.setSpan(parent, span);
    this.trace = traceparentOf(trace.getSpanContext(this.context));
  }

  within<T>(run: () => Promise<T>): Promise<T> {
    let running: Promise<T> | null = null;
    const once = (): Promise<T> => {
      running ??= begin(run);
      return running;
    };
    try {
      contexts.with(this.context, once).catch(() => {});
    } catch {
      this.#failed();
    }
    return once();
  }

  end(attributes: Attributes, error: string | null): void {
    try {
      this.#span?.setAttributes(attributes);
      if (error !== null) this.#span?.setAttribute("error.type", error);
      if (error !== null) this.#span?.setStatus({ code: SpanStatusCode.ERROR });
      this.#span?.end();
    } catch {
      this.#failed();
    }
  }
}

/** Begins at once; what it throws is a rejection. */
async function begin<T>(run: () => Promise<T>): Promise<T> {
  return run();
}
