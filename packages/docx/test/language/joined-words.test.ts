import { expect, test } from "vitest";
import { p, r } from "../../../ooxml/test/support/docx.ts";
import { hintsIn } from "../support/language.ts";

const DATA = {
  days: [
    { city: "Lisbon", no: "1" },
    { city: "Sintra", no: "2" },
  ],
  stars: ["*", "*"],
  one: [{ city: "Lisbon" }],
};

function hintsOf(text: string): Promise<string[]> {
  return hintsIn(p(text), DATA);
}

test.for([
  ["{{for d in days}}{{d.city}}{{endfor}}", '{{d.city :: delimiter(", ")}}'],
  ["Visits: {{for d in days}}{{d.city}} {{d.city}}{{endfor}}.", '{{d.city :: delimiter(", ")}}'],
  [
    "{{for d in days}}{{d.city :: uppercase}}{{endfor}}",
    '{{d.city :: uppercase, delimiter(", ")}}',
  ],
  ["{{#days}}{{city}}{{/}}", '{{city :: delimiter(", ")}}'],
] as const)("words that run together in %s need a separator", async ([text, meant]) => {
  const open = /\{\{(?:for|#)[^}]*\}\}/.exec(text)?.[0];
  expect(await hintsOf(text)).toEqual([
    `joined_in_paragraph: To separate them, write ${meant}. For a paragraph for each item, put ${open} and its end into separate paragraphs, before and after this one.`,
  ]);
  const printed = /\{\{[^{}]*\}\}(?=\{\{(?:endfor|\/)\}\})/;
  expect(await hintsOf(text.replace(printed, meant))).toEqual([]);
});

test.each([
  "{{for d in days}}{{d.city}}, {{endfor}}",
  "{{for d in days}}({{d.city}}){{endfor}}",
  "{{for d in days}}{{d.city}}{{if not $last}} and {{endif}}{{endfor}}",
  "{{for d in days}}{{d.no}}{{endfor}}",
  "{{for s in stars}}{{s}}{{endfor}}",
  "{{for d in one}}{{d.city}}{{endfor}}",
])("nothing runs together in %s", async (text) => {
  expect(await hintsOf(text)).toEqual([]);
});

test("line breaks, tabs and paragraphs separate words", async () => {
  const tags = (between: string): string =>
    `<w:p>${r("{{for d in days}}{{d.city}}")}<w:r><w:${between}/></w:r>${r("{{endfor}}")}</w:p>`;
  expect(await hintsIn(tags("br") + tags("tab"), DATA)).toEqual([]);
  expect(await hintsIn(p("{{for d in days}}{{d.city}}") + p("{{endfor}}"), DATA)).toEqual([]);
});
