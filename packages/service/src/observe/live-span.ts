import {
  type Attributes,
  type Context,
  context as contexts,
  type Span,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { traceparentOf } from "./traceparent.ts";

/** A started span, or no span if it could not be started. A failure of the span never affects the work within it. */
export interface LiveSpan {
  /** The context that contains the span. */
  readonly context: Context;
  /** The `traceparent` for children of the span, such as spans of jobs; undefined if there is no valid span. */
  readonly trace: string | undefined;
  /** Calls `run` once, within the span. Resolves and rejects like `run`. */
  within<T>(run: () => Promise<T>): Promise<T>;
  /** Ends the span. `error` is the code of the error; null for success. */
  end(attributes: Attributes, error: string | null): void;
}

/** Wraps a span. `parent` is the context in which it was started. `failed` is called when tracing fails. */
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

/** Calls `run` immediately. Turns a thrown error into a rejection. */
async function begin<T>(run: () => Promise<T>): Promise<T> {
  return run();
}
