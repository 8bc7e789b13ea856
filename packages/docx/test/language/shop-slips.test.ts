import { expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn } from "../support/language.ts";

test("an object in place of a currency leads to its key with the code", async () => {
  const body = p("{{for o in orders}}{{o.total :: currency(o)}}{{endfor}}");
  const [hint] = await hintsIn(body, { orders: [{ no: "A1", total: 100, unit: "EUR" }] });
  expect(hint).toBe(
    "invalid_value: Name the key of the object with the code: write currency(o.unit).",
  );
});

test("several values in 'default' lead to '??', from the first to the last choice", async () => {
  const [hint] = await hintsIn(p('{{s.phone :: default("–", s.email)}}'), { s: {} });
  expect(hint).toBe(
    "tag_syntax: To try several values in turn, write ?? between them, in place of 'default': value ?? s.email ?? \"–\".",
  );
});

test("a condition in place of a look leads to a look with a condition", async () => {
  const body = p("{{premium :: number(2), $if(premium > 1000, bold, italic)}}");
  const [hint] = await hintsIn(body, { premium: 1 });
  expect(hint).toContain("as in bold(total > 1000)");
});

test("'else' in a loop over chosen items leads to a condition over these items", async () => {
  const body = p("{{for i in items.where(stock > 99)}}{{i.name}}{{else}}None{{endfor}}");
  const [hint] = await hintsIn(body, { items: [{ name: "Pen", stock: 3 }] });
  expect(hint).toContain("{{if items.where(stock > 99) isEmpty}}");
});
