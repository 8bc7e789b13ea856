import { expect, test } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/compile-template.ts";

test.each([
  ["{{n.words()}}", { n: 10 }],
  ["{{total.letter()}} {{sum.roman()}}", { total: 2, sum: 2 }],
  ["{{n.words(form)}}", { n: 10, form: "verbose" }],
  ["{{n.round(2, mode)}}", { n: 10, mode: "down" }],
  ["{{for g in items.group(city)}}{{g.key}} {{endfor}}", { items: cities() }],
  ["{{items.distinct(city).map(city).join()}}", { items: cities() }],
  ["{{code.padStart(8)}}", { code: "A-1001" }],
  ['{{at :: format("long time")}}', { at: "2026-11-20T09:30" }],
  ['{{at :: format("medium")}}', { at: "2026-11-20" }],
  [
    '{{for i in list}}{{i :: timeZone("Asia/Tokyo"), format("long time")}} {{endfor}}',
    { list: ["2026-11-20T09:30Z", "2026-11-21T09:30Z", "2026-11-22T09:30Z"] },
  ],
  ['{{at :: timeZone(zone), format("HH:mm")}}', { at: "2026-11-20T09:30Z", zone: "UTC" }],
])("sample data for %s render without a warning", async (text, sample) => {
  const template = await compileTemplate(docx({ body: p(text) }));
  expect(template.sample()).toEqual(sample);
  expect(template.render(template.sample()).warnings).toEqual([]);
});

function cities(): unknown[] {
  return [{ city: "Berlin" }, { city: "Paris" }, { city: "Lisbon" }];
}
