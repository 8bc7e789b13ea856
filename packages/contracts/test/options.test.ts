import { describe, expect, test } from "vitest";
import { checkOptions, copyBytes, type QuireError } from "../src/index.ts";

interface Options {
  readonly storage?: string;
  readonly leaseMs?: number;
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return `${(error as QuireError).code}: ${(error as QuireError).message}`;
  }
  throw new Error("Nothing was rejected.");
}

function check(options: unknown): void {
  checkOptions<Options>("open()", options as Options, { storage: true, leaseMs: true });
}

describe("Options", () => {
  test("with known names, or none at all, are accepted", () => {
    for (const options of [undefined, {}, { storage: "a", leaseMs: 1 }]) check(options);
  });

  test.each([
    [{ storge: "a" }, 'open() has no option "storge" (did you mean "storage"?).'],
    [{ lease_ms: 1 }, 'open() has no option "lease_ms" (did you mean "leaseMs"?).'],
    [{ port: 1 }, 'open() has no option "port". Its options are storage, leaseMs.'],
    [{ toString: 1 }, 'open() has no option "toString". Its options are storage, leaseMs.'],
    [{ storge: undefined }, 'open() has no option "storge" (did you mean "storage"?).'],
  ])("with an unknown name are rejected: %j", (options, message) => {
    expect(refusal(() => check(options))).toBe(`invalid_request: ${message}`);
  });

  test.each([
    [null, "null"],
    ["storage", "a string"],
    [["storage"], "an array"],
    [() => 1, "a function"],
  ])("that are not an object are rejected: %s", (options, kind) => {
    const message = `The options of open() must be an object, for example { storage: … }, not ${kind}.`;
    expect(refusal(() => check(options))).toBe(`invalid_request: ${message}`);
  });
});

describe("The bytes of a file", () => {
  test("are copied", () => {
    const bytes = Buffer.from("one");
    const copy = copyBytes("open()", bytes);
    bytes.fill(0);
    expect(Buffer.from(copy).toString()).toBe("one");
  });

  test.each([
    [undefined, "not undefined", 'await readFile("template.docx")'],
    ["a/path.docx", "not a string", 'await readFile("a/path.docx")'],
    ["A".repeat(5000), "not a string", 'Buffer.from(text, "base64")'],
    [Promise.resolve(), "not a value of type Promise", "Await the promise"],
    [new ArrayBuffer(1), "not a value of type ArrayBuffer", "new Uint8Array(buffer)"],
    [new Blob([]), "not a value of type Blob", "await blob.arrayBuffer()"],
    [{ path: "a.docx" }, "not an object", 'await readFile("template.docx")'],
    [[80, 75], "not an array", 'await readFile("template.docx")'],
  ])("are not %s, and the error says what to pass", (given, kind, fix) => {
    const message = refusal(() => copyBytes("open()", given));
    expect(message).toMatch(/^invalid_request: open\(\) takes the bytes of a file/);
    expect(message).toContain(kind);
    expect(message).toContain(fix);
    expect(message.length).toBeLessThan(300);
  });
});
