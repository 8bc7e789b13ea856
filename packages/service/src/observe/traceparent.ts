import { isSpanContextValid, type SpanContext } from "@opentelemetry/api";

const SHAPE =
  /^(?<version>[0-9a-f]{2})-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/s;
/** The trace flags that are defined: sampled, and random trace id. */
const FLAGS = 0b11;

/** Returns the remote span that a W3C `traceparent` describes; null if the value is invalid. */
export function parseTraceparent(text: string | null): SpanContext | null {
  const { version, traceId, spanId, flags, more } = SHAPE.exec(text ?? "")?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  // Later versions may add fields at the end, but must not move these fields.
  if (version === "ff" || (version === "00" && more !== undefined)) return null;
  const parsed = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & FLAGS,
    isRemote: true,
  };
  return isSpanContextValid(parsed) ? parsed : null;
}

/** Returns the `traceparent` of a span; undefined if the span is invalid or missing. */
export function traceparentOf(span: SpanContext | undefined): string | undefined {
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  const flags = (span.traceFlags & FLAGS).toString(16).padStart(2, "0");
  return `00-${span.traceId}-${span.spanId}-${flags}`;
}
