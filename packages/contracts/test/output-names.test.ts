import { describe, expect, test } from "vitest";
import { fileNameProblem, renamed } from "../src/names/output-names.ts";

describe("A file name", () => {
  test.each(["CON .txt", "COM1 .txt", "con", "nul.docx", "LPT9  .a.b", "aux\u00a0.txt"])(
    "of a Windows device is rejected: %s",
    (name) => expect(fileNameProblem(name)).toContain("device"),
  );

  test.each(["a\u200bb", "a\u200cb", "a\u200db", "a\ufeffb", "a\u00adb", "a\u2060b", "\u3164a"])(
    "with an invisible character is rejected: %j",
    (name) =>
      expect(fileNameProblem(name)).toMatch(/^contains the invisible character U\+[0-9A-F]{4}/),
  );

  test.each([
    "1\ufe0f",
    "a\ufe0f",
    "👍\u200d",
    "\u0645\u200c.docx",
    "a\u{e0061}b",
    "👩\u200d\u200d👧",
  ])("with a joiner or a selector that has no visible effect is rejected: %j", (name) =>
    expect(fileNameProblem(name)).toContain("invisible"),
  );

  test.each(["a\u2028b", "a\u2029b"])("with a line break is rejected: %j", (name) => {
    expect(fileNameProblem(name)).toBe("contains a line break");
  });

  test.each([
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.docx",
    "\u0915\u094d\u200d\u0937",
    "👩\u200d👧 ❤\ufe0f 👩🏽\u200d💻 🏳\ufe0f\u200d🌈",
    "1\ufe0f\u20e3",
    "葛\u{e0100}城",
    "Console.txt",
    "COM10.txt",
    "a con .txt",
  ])("that people use is accepted: %j", (name) => expect(fileNameProblem(name)).toBe(null));

  test("remains valid when it is cut to be unique", () => {
    for (let length = 0; length < 30; length += 1) {
      const long = `${"x".repeat(length)}${"👩\u200d👧".repeat(22)}.docx`;
      expect(fileNameProblem(renamed(long, 1))).toBe(null);
    }
  });
});
