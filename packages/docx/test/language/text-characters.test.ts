import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed, told } from "../support/language.ts";

/** Two people and a child, joined to one emoji; a flag; a letter with an accent of its own; a Korean syllable in parts. */
const [FAMILY, FLAG, E, SYLLABLE] = ["👨‍👩‍👧", "🇨🇭", "e\u0301", "\u1100\u1161"];

describe("a character is what readers take for one", () => {
  test.each([
    ["length", "{{$length(t)}}", `${FAMILY}${FLAG}${E}${SYLLABLE}a`, "5"],
    ["length", "{{$length(t)}}", "a\r\nb", "3"],
    ["length", "{{$length(t)}}", "größer", "6"],
    ["length", "{{$length(t)}}", "\ud83d", "1"],
    ["substring", "{{t.substring(0, 1)}}", `${FAMILY}x`, FAMILY],
    ["substring", "{{t.substring(1, 2)}}", `${FLAG}${E}${FAMILY}x`, E + FAMILY],
    ["substring", "{{t.substring(1)}}", `${E}${SYLLABLE}`, SYLLABLE],
    ["substring", "{{t.substring(5)}}", FAMILY, ""],
    ["padStart", '{{t.padStart(3, "0")}}', FAMILY, `00${FAMILY}`],
    ["padEnd", `{{t.padEnd(4, "${FLAG}${E}")}}`, "x", `x${FLAG}${E}${FLAG}`],
    ["padStart", '{{t.padStart(2, "0")}}', E, `0${E}`],
    ["truncate", '{{t :: truncate(2, "")}}', `${E}${FAMILY}x`, E + FAMILY],
  ])("for %s: %s", async (_name, text, t, expected) => {
    expect(await printed(text, { t })).toBe(expected);
  });

  test("no function cuts a character in half", async () => {
    const t = `a${FAMILY}b${E}${FLAG}`;
    const whole = [..."a", FAMILY, "b", E, FLAG];
    for (let from = -6; from <= 6; from++) {
      for (let count = 1; count <= 6; count++) {
        const start = from < 0 ? Math.max(5 + from, 0) : from;
        expect(await printed(`{{t.substring(${from}, ${count})}}`, { t })).toBe(
          whole.slice(start, start + count).join(""),
        );
      }
    }
  });
});

describe("a negative position", () => {
  test.each([
    ["{{iban.substring(-4)}}", "5678"],
    ["{{iban.substring(-4, 2)}}", "56"],
    ["{{iban.substring(0 - n)}}", "678"],
    ["{{iban.substring(-n)}}", "678"],
    ["{{iban.substring(-99)}}", "DE12345678"],
    ["{{iban.substring(-99, 2)}}", "DE"],
    ["{{$substring(iban, -2)}}", "78"],
    ["{{iban :: substring(-2)}}", "78"],
    ["{{iban.substring(-4).substring(-1)}}", "8"],
  ])("counts from the end: %s", async (text, expected) => {
    expect(await printed(text, { iban: "DE12345678", n: 3 })).toBe(expected);
  });

  test.each([
    ["{{t.substring(-1.5)}}", "$substring needs a whole number, but got a number with decimals"],
    ["{{t.substring(a)}}", "$substring needs a whole number, but got text"],
    ["{{t.substring(0, n)}}", "$substring needs a whole number from 0, but got a negative number"],
    ["{{t.padStart(-1)}}", "$padStart needs a whole number from 0, but got a negative number"],
  ])("%s is an error", async (text, message) => {
    const { warnings } = await outcome(p(text), { t: "abc", a: "x", n: -1 });
    expect(warnings[0]?.message).toContain(message);
  });
});

test("a text that is padded with a long character is limited", async () => {
  const fill = `e${"\u0301".repeat(20_000)}`;
  expect(await told("{{t.padStart(9000, fill)}}", { t: "x", fill })).toEqual([
    "error invalid_value",
  ]);
  expect(await printed("{{$length(t.padStart(3, fill))}}", { t: "x", fill })).toBe("3");
});
