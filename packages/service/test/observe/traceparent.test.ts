import { isSpanContextValid } from "@opentelemetry/api";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTraceparent, traceparentOf } from "../../src/observe/traceparent.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

const hex = (digits: number) =>
  fc.string({
    unit: fc.constantFrom(..."0123456789abcdef"),
    minLength: digits,
    maxLength: digits,
  });

describe("A traceparent", () => {
  test("is parsed and formatted according to W3C Trace Context", () => {
    const text = `00-${TRACE}-${SPAN}-01`;
    const span = parseTraceparent(text);
    expect(span).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true });
    expect(traceparentOf(span ?? undefined)).toBe(text);
  });

  test("survives formatting and parsing, for any ids", () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.constantFrom("00", "01", "02", "03"), (id, span, flags) => {
        fc.pre(!/^0+$/.test(id) && !/^0+$/.test(span));
        const text = `00-${id}-${span}-${flags}`;
        expect(traceparentOf(parseTraceparent(text) ?? undefined)).toBe(text);
      }),
    );
  });

  test("of a later version is parsed as far as it is known", () => {
    const span = { traceId: TRACE, spanId: SPAN, traceFlags: 1 };
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-f1-what-comes`)).toMatchObject(span);
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01`)).toMatchObject(span);
  });

  test.each([
    ["nothing", ""],
    ["version ff", `ff-${TRACE}-${SPAN}-01`],
    ["more in version 00", `00-${TRACE}-${SPAN}-01-more`],
    ["more without a dash", `01-${TRACE}-${SPAN}-01more`],
    ["capitals", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["a trace of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["a span of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["an id that is too short", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["space around it", ` 00-${TRACE}-${SPAN}-01 `],
    ["a line's end", `00-${TRACE}-${SPAN}-01\n`],
    ["two of them", `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ])("with %s is invalid", (_what, text) => {
    expect(parseTraceparent(text)).toBeNull();
  });

  test("is null or valid for any text", () => {
    const parts = fc
      .tuple(hex(2), fc.oneof(hex(32), fc.string()), fc.oneof(hex(16), fc.string()), hex(2))
      .map((all) => all.join("-"));
    fc.assert(
      fc.property(fc.oneof(fc.string(), parts, fc.constant(null)), (text) => {
        const span = parseTraceparent(text);
        expect(span === null || isSpanContextValid(span)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("is not created from an invalid span", () => {
    expect(traceparentOf(undefined)).toBeUndefined();
    expect(traceparentOf({ traceId: "x", spanId: SPAN, traceFlags: 1 })).toBeUndefined();
  });
});
