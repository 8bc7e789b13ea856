import { expect, test } from "vitest";
import { boundedDiagnostics } from "../../contracts/src/bounded-diagnostics.ts";
import { cutPointer, cutSentence, cutText } from "../../contracts/src/cut-text.ts";
import { fromFailure, toFailure } from "../../contracts/src/stores/job-failure.ts";
import { bodyOf, docx, p } from "../../ooxml/test/support/docx.ts";
import { ReportBudget } from "../src/engine/report-budget.ts";
import {
  compileTemplate,
  type Diagnostic,
  type EngineEvent,
  memoryStorage,
  QuireError,
  renderInProcess,
} from "../src/index.ts";
import { all, entry, makeEngine, request } from "./support/engine.ts";

const LONG = "b".repeat(180_000);
const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Returns all strings in a value. */
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

/** Returns the strings in these problems that exceed the limits. */
function tooLong(problems: readonly Diagnostic[]): string[] {
  return problems.flatMap(({ message, hint = "", template, pointer = "", pointers = [] }) => [
    ...[message, hint, pointer, ...pointers].filter((text) => [...text].length > 1_000),
    ...stringsOf(template).filter((text) => [...text].length > 200),
    ...[message, hint].filter((text) => /(\S)\1{200}/u.test(text)),
  ]);
}

test("a long string is cut between code points and ends in …", () => {
  expect(cutText("a".repeat(200))).toBe("a".repeat(200));
  expect(cutText("a".repeat(201))).toBe(`${"a".repeat(199)}…`);
  expect(cutText("😀".repeat(200))).toBe("😀".repeat(200));
  expect(cutText("😀".repeat(201))).toBe(`${"😀".repeat(199)}…`);
  expect(cutText(`a${"😀".repeat(90_000)}`).isWellFormed()).toBe(true);
});

test("a sentence keeps its own words, and only its quotes are cut", () => {
  const cut = `${"b".repeat(199)}…`;
  for (const quote of [
    (text: string) => `The tag '${text}' was not provided in the input data.`,
    (text: string) => `Write {{${text}}}.`,
    (text: string) => `The key "${text}" (at /a/b) is not known.`,
    (text: string) => `${text} is unknown, and so is the template's '${text}'.`,
  ]) {
    expect(cutSentence(quote(LONG))).toBe(quote(cut));
    expect(cutSentence(cutSentence(quote(LONG)))).toBe(quote(cut));
  }
  const words = "two words ".repeat(1_000);
  expect(cutSentence(`The template's tag '${words}' is wrong.`)).toMatch(
    /^The template's tag 'two words .{180,190}…' is wrong\.$/,
  );
  expect(cutSentence(`The tag {{if ${words}}} is wrong.`)).toMatch(
    /^The tag \{\{if two words .{180,190}…\}\} is wrong\.$/,
  );
});

test("every sentence is limited", () => {
  for (const piece of ["a ", "' ", '"', "{", "}} ", "'a b", "😀 ", "…", "\ud800 "]) {
    const sentence = cutSentence(`Before ${piece.repeat(100_000)} behind.`);
    expect([...sentence].length).toBeLessThanOrEqual(1_000);
    expect(sentence.startsWith("Before ")).toBe(true);
    expect(sentence.endsWith(" behind.")).toBe(true);
  }
});

test("a pointer keeps as many keys as fit", () => {
  expect(cutPointer("/items/3/price")).toBe("/items/3/price");
  expect(cutPointer(`/items/3/${LONG}/x`)).toBe(`/items/3/${"b".repeat(199)}…/x`);
  expect([...cutPointer("/a".repeat(90_000))].length).toBe(1_000);
});

test("long tags are cut in problems, and printed completely", async () => {
  const tag = `{{a.${LONG}}}`;
  const template = await compileTemplate(docx({ body: p("Title", "Heading1") + p(`x ${tag} y`) }));
  const { bytes: document, warnings } = template.render({});
  expect(bodyOf(document)).toContain(tag);
  expect(warnings).toHaveLength(1);
  expect(tooLong(warnings)).toEqual([]);
  expect(warnings[0]?.message).toMatch(/^The tag 'a\.b+…' was not provided in the input data\.$/);
  expect(warnings[0]?.template?.tag).toMatch(/^\{\{a\.b+…$/);
  expect(tooLong(template.check({}))).toEqual([]);
  expect(template.tags[0]?.tag_content).toBe(tag);
  expect(stringsOf(template.tags[0]?.place).every((text) => [...text].length <= 200)).toBe(true);
});

test.each([
  ["a tag that cannot be read", `{{a.${LONG} ? }}`],
  ["a tag with many words", `{{if ${"a + ".repeat(40_000)}}}`],
  ["an unknown function", `{{$${LONG}(a)}}`],
  ["an unknown modifier", `{{a :: ${LONG}}}`],
  ["an argument", `{{a :: number("${LONG}")}}`],
  ["an unclosed block", `{{if ${LONG}}}`],
  ["a block with the wrong end", `{{for ${LONG} in c}}{{/${LONG}c}}`],
  ["a missing template", `{{include "${LONG}"}}`],
  ["an unclosed tag", `{{${LONG}`],
  ["the text around a tag", `${LONG}{{a +}}${LONG}`],
])("problems of a template are short: %s", async (_, text) => {
  const error: unknown = await compileTemplate(docx({ body: p(text) })).catch((reason) => reason);
  if (!(error instanceof QuireError)) throw new Error("It was accepted.");
  expect(error.diagnostics.length).toBeGreaterThan(0);
  expect(tooLong(error.diagnostics)).toEqual([]);
  expect(error.message.length).toBeLessThan(1_001);
});

test.each([
  ["a key that no tag uses", "{{a}}", { a: 1, [LONG]: 1, ["many words ".repeat(1_000)]: 2 }],
  ["a value of the wrong type", `{{${LONG}}}`, { [LONG]: {} }],
  ["a value that is not a list", `{{for i in ${LONG}}}x{{endfor}}`, { [LONG]: 7 }],
  ["many places", `{{for i in l}}{{i.${LONG}}}{{endfor}}`, { l: [{}, {}, {}] }],
  ["a comparison", `{{if a == ${LONG}}}x{{endif}}`, { a: 1 }],
])("problems with data are short: %s", async (_, text, data) => {
  const template = await compileTemplate(docx({ body: p(text) }));
  const problems = template.check(data);
  expect(problems.length).toBeGreaterThan(0);
  expect(tooLong(problems)).toEqual([]);
});

test("every error is limited, regardless of its origin", () => {
  const problem = {
    severity: "error",
    code: "x",
    message: `No '${LONG}'.`,
    pointer: `/${LONG}`,
  } as const;
  const error = new QuireError("invalid_data", `No '${LONG}'.`, { diagnostics: [problem] });
  expect(error.message.length).toBeLessThan(300);
  expect(tooLong(error.diagnostics)).toEqual([]);
});

test("a job keeps at most 64 KB of an error, and counts the rest", () => {
  const diagnostics = Array.from({ length: 10_000 }, (_, index) => ({
    severity: index % 2 === 0 ? "warning" : "error",
    code: "c",
    message: `The ${index}th problem.`,
  })) satisfies Diagnostic[];
  const cause = new Error(LONG);
  const failure = toFailure(new QuireError("invalid_data", "Wrong.", { diagnostics, cause }));
  expect(bytes(failure.diagnostics)).toBeLessThanOrEqual(65_536);
  expect(bytes(failure.diagnostics)).toBeGreaterThan(60_000);
  expect(failure.cause?.length).toBe(4_000);
  const last = failure.diagnostics.at(-1);
  expect(last?.code).toBe("more_problems");
  expect(failure.diagnostics.length - 1 + (last?.count ?? 0)).toBe(10_000);
  expect(failure.diagnostics.every(({ severity }) => severity === "error")).toBe(true);
  // A second cut changes nothing, and a smaller limit still counts all problems.
  expect(boundedDiagnostics(failure.diagnostics)).toEqual(failure.diagnostics);
  const fewer = boundedDiagnostics(failure.diagnostics, 1_000);
  expect(fewer.length - 1 + (fewer.at(-1)?.count ?? 0)).toBe(10_000);
  expect(fromFailure(failure).diagnostics).toEqual(failure.diagnostics);
});

test("a problem whose strings all have their maximum length fits the limit", () => {
  const text = "\u0001 ".repeat(100_000);
  const problem: Diagnostic = {
    severity: "error",
    code: "c",
    message: text,
    hint: text,
    template: { part: text, tag: text, near: text, heading: text },
    pointer: `/${text}`,
    pointers: Array.from({ length: 5 }, () => `/${text}`),
  };
  expect(boundedDiagnostics([problem]).map(({ code }) => code)).toEqual(["c"]);
});

test("a job with a hundred long tags reports at most 64 KB, in its record and in its event", async () => {
  const body = Array.from({ length: 100 }, (_, index) => p(`{{a${index}.${"b".repeat(20_000)}}}`));
  const storage = memoryStorage({
    folders: ["out"],
    files: { "letter.docx": docx({ body: body.join("") }) },
  });
  const events: EngineEvent[] = [];
  await using engine = makeEngine({ storage, onEvent: (event) => void events.push(event) });
  const entries = [entry("a", {}), entry("b", { l: 1 })];
  const { id } = await engine.createBatch(request(entries));
  const jobs = await all(engine.jobs(id));
  for (const { status, errors, warnings } of jobs) {
    expect(status).toBe("completed_with_error");
    expect(bytes([...errors, ...warnings])).toBeLessThanOrEqual(65_536);
    expect(tooLong(errors)).toEqual([]);
  }
  await engine.close();
  expect(events.length).toBeGreaterThan(4);
  for (const event of events) expect(bytes(event)).toBeLessThan(70_000);
});

test("a renderer limits problems to what a job may report", async () => {
  const body = Array.from({ length: 100 }, (_, index) =>
    p(`{{a${index}.${"b ".repeat(10_000)} ?}}`),
  );
  const renderer = renderInProcess();
  const open = renderer.open(docx({ body: body.join("") }));
  const error: unknown = await open.render({}).catch((reason) => reason);
  if (!(error instanceof QuireError)) throw new Error("It was accepted.");
  expect(tooLong(error.diagnostics)).toEqual([]);
  const many = renderer.open(docx({ body: p("{{a}}") }));
  const data = Object.fromEntries(
    Array.from({ length: 90 }, (_, at) => [`${"k".repeat(900)}${at}`, 1]),
  );
  const { warnings } = await many.check(data);
  expect(bytes(warnings)).toBeLessThanOrEqual(65_536);
  await renderer.close();
});

test("after a tenant's jobs have reported too many problems, each reports few, and other tenants are not affected", () => {
  let now = 0;
  const budget = new ReportBudget(() => now);
  let told = 0;
  for (let job = 0; job < 10_000; job += 1) {
    const bytes = budget.maxBytes("a");
    budget.take("a", bytes);
    told += bytes;
  }
  expect(told).toBeLessThan(8_000_000 + 10_000 * 2_048);
  expect(budget.maxBytes("a")).toBe(2_048);
  expect(budget.maxBytes("b")).toBe(65_536);
  now += 3_000;
  expect(budget.maxBytes("a")).toBe(65_536);
  now += 1_000_000;
  budget.take("b", 10_000);
  expect(budget.maxBytes("a")).toBe(65_536);
});
