import { expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, outcome } from "../support/language.ts";

const DATA = {
  visits: [
    { guest: "Meier", floor: 2, rate: 145.5, arrival: "2026-12-02" },
    { guest: "Rossi", floor: 1, rate: 98, arrival: "2026-12-01" },
    { guest: "Keller", floor: 2, rate: 160, arrival: "2026-12-03" },
  ],
  total: 1234.5,
  months: [{ name: "Sep" }],
};

const inGroups = (tag: string): string =>
  ["{{for g in visits.group(floor)}}", `${tag} {{g.key}}`, "{{endfor}}"]
    .map((text) => p(text))
    .join("");

test("a number as the condition of 'first' is a warning with both orders", async () => {
  const { lines } = await outcome(p("{{visits.first(rate).guest}}"), DATA);
  expect(lines).toEqual(["Meier"]);
  expect(await hintsIn(p("{{visits.first(rate).guest}}"), DATA)).toEqual([
    "same_for_all_items: For the item with the least number write visits.sort(rate).first(), and for the one with the greatest visits.sort(rate).last(). For numbers that are not 0 write rate != 0.",
  ]);
  for (const meant of [
    "visits.sort(rate).first()",
    "visits.first(rate != 0)",
    "visits.first(rate > 100)",
  ]) {
    expect(await hintsIn(p(`{{${meant}.guest}}`), DATA)).toEqual([]);
  }
});

test.each([
  ["{{g.number}}", "Did you mean 'g.$number'?"],
  [
    "{{g.count}}",
    "For the number of items in the group write g.items.count(), and for a sum g.items.sum(amount).",
  ],
])("a group has no key for %s", async (tag, hint) => {
  expect(await hintsIn(inGroups(tag), DATA)).toEqual([`missing_value: ${hint}`]);
});

test.each([
  ["{{merge :: s.floor}}", "tag_syntax: Write {{s.floor :: merge}}."],
  ["{{bold :: guest}}", "tag_syntax: Write {{guest :: bold}}."],
  [
    '{{total :: currency("EUR"), locale("German")}}',
    'modifier_argument: The language tag of German is "de".',
  ],
  [
    '{{total :: locale("français"), number(2)}}',
    'modifier_argument: The language tag of français is "fr".',
  ],
  [
    '{{visits.join("guest", ", ")}}',
    'tag_syntax: Write join(", ", "guest"). If \'guest\' is a key of the items, write map(guest).join(", ").',
  ],
  ["{{tablecol m in months}}", "tag_syntax: Write {{tablecolumn m in months}}."],
])("%s leads to the right form", async (tag, hint) => {
  expect(await hintsIn(p(tag), DATA)).toContain(hint);
});
