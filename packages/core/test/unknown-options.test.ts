/** Options that TypeScript would reject, as plain JavaScript passes them. */
import { describe, expect, test } from "vitest";
import * as quire from "../src/index.ts";
import { makeEngine, place, request, template as TEMPLATE } from "./support/engine.ts";

/** Functions and methods without the types of their options. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript passes anything.
type Untyped = any;
const js: Untyped = quire;

async function refusal(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    expect(quire.isQuireError(error)).toBe(true);
    const { code, message } = error as quire.QuireError;
    return `${code}: ${message}`;
  }
  throw new Error("Nothing was rejected.");
}

describe("An unknown option is rejected, with a suggestion", () => {
  test.each<readonly [string, () => unknown, string]>([
    ["compileTemplate", () => js.compileTemplate(TEMPLATE, { delimeters: "auto" }), "delimiters"],
    ["compileTemplate", () => js.compileTemplate(TEMPLATE, { limits: { tag: 1 } }), "tags"],
    [
      "annotateTemplate",
      () => js.annotateTemplate(TEMPLATE, [], { delimiter: "auto" }),
      "delimiters",
    ],
    ["prepareImages", () => js.prepareImages({}, { readfile: 1 }), "readFile"],
    ["render", () => js.compileText("{{a}}").render({ a: 1 }, { local: "de" }), "locale"],
    ["createEngine", () => js.createEngine({ storge: quire.memoryStorage() }), "storage"],
    ["renderPool", () => js.renderPool({ process: 2 }), "processes"],
    ["memoryJobStore", () => js.memoryJobStore({ max_waiting: 2 }), "maxWaiting"],
    ["createPacket", () => js.createPacket(() => {}, { titel: "A" }), "title"],
  ])("by %s", async (_, run, meant) => {
    expect(await refusal(run)).toMatch(
      new RegExp(`^invalid_request: .+ \\(did you mean "${meant}"\\?\\)\\.$`),
    );
  });

  test("by the methods of a template", async () => {
    const template = await js.compileTemplate(TEMPLATE);
    const options = { onMising: "fail" };
    const words = 'has no option "onMising" (did you mean "onMissing"?).';
    expect(await refusal(() => template.render({}, options))).toContain(`render() ${words}`);
    expect(await refusal(() => template.check({}, options))).toContain(`check() ${words}`);
    const limits = await refusal(() => template.render({}, { limits: { step: 1 } }));
    expect(limits).toContain('The option limits of render() has no option "step"');
  });

  test("by the methods of an engine", async () => {
    await using typed = makeEngine({ storage: place() });
    const engine: Untyped = typed;
    const file = { type: "file", id: "letter.docx" };
    const calls: readonly (readonly [string, Promise<unknown>])[] = [
      ["idempotencyKey", engine.createBatch(request([]), { idempotencykey: "a" })],
      ["maxBytes", engine.checkBatch(request([]), { maxByte: 1 })],
      ["delimiters", engine.inspectTemplate(file, { delimeters: "auto" })],
      ["tenant", engine.listBatches({ tennant: "a" })],
      ["batchId", engine.listJobs({ batchID: "a" })],
      ["graceMs", engine.close({ graceMS: 1 })],
    ];
    for (const [meant, call] of calls) {
      expect(await refusal(() => call)).toContain(`did you mean "${meant}"?`);
    }
    const status = await refusal(() => engine.listJobs({ status: "faild" }));
    expect(status).toMatch(/must be one of "submitted", .+, "failed", not "faild"/);
  });
});

test("An engine without a storage is rejected", async () => {
  expect(await refusal(() => js.createEngine({}))).toMatch(/needs the option storage/);
  expect(await refusal(() => js.createEngine())).toMatch(/needs the option storage/);
});

describe("A template that is not bytes is rejected", () => {
  test.each([
    [undefined, /not undefined\. .+readFile/],
    ["a/path.docx", /readFile\("a\/path\.docx"\)/],
    [Promise.resolve(TEMPLATE), /Await the promise/],
  ])("such as %s", async (bytes, words) => {
    expect(await refusal(() => js.compileTemplate(bytes))).toMatch(words);
    expect(await refusal(() => js.annotateTemplate(bytes, []))).toMatch(words);
    expect(await refusal(() => js.compilePdfForm(bytes))).toMatch(words);
  });

  test.each(["autoo", "{", ["{", "}"]])("as are delimiters such as %j", async (delimiters) => {
    const message = await refusal(() => js.compileTemplate(TEMPLATE, { delimiters }));
    expect(message).toMatch(/^invalid_request: .*delimiter/);
  });
});
