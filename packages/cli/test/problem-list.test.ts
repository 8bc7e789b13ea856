import type { Diagnostic } from "@quire/core";
import { describe, expect, test } from "vitest";
import { ProblemList } from "../src/check/problem-list.ts";

function missing(name: string, more: Partial<Diagnostic> = {}): Diagnostic {
  return { severity: "error", code: "missing_value", message: `No '${name}'.`, ...more };
}

describe("a list of problems", () => {
  test("lists the same problem in many entries once, errors before warnings", () => {
    const list = new ProblemList();
    for (let entry = 1; entry <= 1500; entry++) {
      list.add(missing("x", { severity: "warning" }), { entry, line: null });
      if (entry % 2 === 0) list.add(missing("y", { pointer: "/y" }), { entry, line: entry * 3 });
    }
    expect(list.lines(1500)).toEqual([
      "error: No 'y'.",
      `  750 of 1,500 entries, data at /y: ${[2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
        .map((entry) => `${entry} (line ${entry * 3})`)
        .join(", ")}, …`,
      "",
      "warning: No 'x'.",
      "  1,500 of 1,500 entries: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …",
      "",
    ]);
  });

  test("lists the first places in the data of an entry, and the number of further places", () => {
    const list = new ProblemList();
    const pointers = ["/l/0", "/l/3", "/l/5"];
    const several = missing("x", { pointer: "/l/0", pointers, count: 2000 });
    list.add(several, { entry: 1, line: null });
    list.add(missing("x", { pointer: "/l/0" }), { entry: 2, line: null });
    expect(list.lines(2)).toEqual([
      "error: No 'x'.",
      "  2 of 2 entries: 1 (/l/0, /l/3, /l/5, and 1,997 more), 2 (/l/0)",
      "",
    ]);
  });

  test("distinguishes problems in different places of the template", () => {
    const list = new ProblemList();
    for (const paragraph of [1, 2, 1]) {
      const template = { part: "word/document.xml", paragraph, tag: "{{x}}", near: "{{x}}" };
      list.add(missing("x", { template }), { entry: 1, line: 1 });
    }
    expect(list.lines(1)).toEqual([
      "error: No 'x'.",
      "  Paragraph 1, in “{{x}}”",
      "  1 entry: 1 (line 1, and 1 more)",
      "",
      "error: No 'x'.",
      "  Paragraph 2, in “{{x}}”",
      "  1 entry: 1 (line 1)",
      "",
    ]);
  });

  test("names the tag if the text around it has several tags and the message has none", () => {
    const list = new ProblemList();
    const near = "{{a}} or {{b}}, {{c :: nope}}";
    for (const tag of ["{{b}}", "{{c :: nope}}"]) {
      list.add(missing(tag, { template: { part: "word/document.xml", tag, near } }), null);
    }
    const template = { part: "word/document.xml", tag: "{{b}}", near: "Dear {{b}}," };
    const [one, several] = [{ template }, { template: { ...template, near } }];
    list.add({ ...missing("b"), ...one }, null);
    list.add({ ...missing("b"), ...several }, null);
    const places = list.lines(0).filter((line) => line.startsWith("  "));
    expect(places.map((line) => line.replace(/^.*?(?=at “|in “)/, ""))).toEqual([
      `in “${near}”`,
      `in “${near}”`,
      "in “Dear {{b}},”",
      `at “{{b}}” in “${near}”`,
    ]);
  });

  test("names the tag when it has no text around it", () => {
    const list = new ProblemList();
    const template = { part: "word/document.xml", paragraph: 1, tag: "TOC", near: "" };
    list.add(missing("x", { template }), null);
    expect(list.lines(0)).toContain("  Paragraph 1, in “TOC”");
  });

  test("keeps 200 problems, and counts the others", () => {
    const list = new ProblemList();
    for (let entry = 1; entry <= 1000; entry++) list.add(missing(`x${entry}`), { entry, line: 1 });
    expect(list.problems).toHaveLength(200);
    expect(list.unlisted).toBe(800);
    expect(list.lines(1000).at(-2)).toBe("… and 800 more problems; --json lists all of them");
  });
});
