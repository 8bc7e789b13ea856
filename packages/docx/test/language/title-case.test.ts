import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { titleCase } from "../../src/format/title-case.ts";
import { printed } from "../support/language.ts";

describe("titleCase", () => {
  test.each([
    ["MARIA VON DER HEIDE", "Maria von der Heide"],
    ["anne-marie o'neil", "Anne-Marie O'Neil"],
    ["D’ANGELO", "D’Angelo"],
    ["ronald mcdonald", "Ronald McDonald"],
    ["MUSTER & SÖHNE GMBH", "Muster & Söhne GmbH"],
    ["henry viii", "Henry VIII"],
    ["j.r.r. tolkien", "J.R.R. Tolkien"],
    ["the lord of the rings", "The Lord of the Rings"],
    ["van gogh", "Van Gogh"],
    ["anna's", "Anna's"],
    ["john e smith", "John E Smith"],
    ["(oslo)", "(Oslo)"],
    ["müller/meier", "Müller/Meier"],
    ["", ""],
    ["  ", "  "],
    ["123 main street", "123 Main Street"],
  ])("writes %s as %s", (text, wanted) => {
    expect(titleCase(text, "en-US")).toBe(wanted);
  });

  test.each([
    ["IBM Deutschland", "IBM Deutschland"],
    ["iPhone and Mac", "iPhone and Mac"],
    ["Maria von der Heide", "Maria von der Heide"],
    ["McKinsey & company", "McKinsey & Company"],
    ["Van Der Berg", "Van Der Berg"],
  ])("keeps the letters of %s, which its author chose", (text, wanted) => {
    expect(titleCase(text, "en-US")).toBe(wanted);
  });

  test.each([
    ["es-ES", "ORTEGA Y GASSET", "Ortega y Gasset"],
    ["pt-PT", "MARIA COSTA E SILVA", "Maria Costa e Silva"],
    ["nl-NL", "ijsbrand de jong", "IJsbrand de Jong"],
    ["tr-TR", "istanbul", "İstanbul"],
  ])("follows %s: %s becomes %s", (locale, text, wanted) => {
    expect(titleCase(text, locale)).toBe(wanted);
  });

  test("changes only the case of letters", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-ZäöÄÖ' -]{0,20}$/), (text) => {
        expect(titleCase(text, "de-DE").toLowerCase()).toBe(text.toLowerCase());
      }),
    );
  });

  test("is a function of the language", async () => {
    expect(await printed("{{name.titleCase()}}", { name: "MARIA VON DER HEIDE" })).toBe(
      "Maria von der Heide",
    );
    expect(await printed("{{names.map(this.titleCase())}}", { names: ["ANN", "bob"] })).toBe(
      "Ann, Bob",
    );
  });
});
