import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  items: [
    { quantity: 2, price: 3, status: "", paid: true },
    { quantity: 1, price: 4, status: "sent", paid: false },
  ],
  zip: "1234567",
  kind: "new",
};

/** Returns the hint for the first mistake of a template. */
async function hintOf(template: string): Promise<string> {
  const { warnings } = await outcome(p(template), DATA);
  return warnings.find(({ code }) => code !== "unused_value")?.hint ?? "";
}

/** Returns what a template prints with the tag of its hint. */
async function mended(template: string): Promise<string> {
  const hint = await hintOf(template);
  const [, tag] = /Write (?:\{\{)?(.+?)(?:\}\})?\.$/.exec(hint) ?? [];
  return tag === undefined ? `no form: ${hint}` : printed(`{{${tag}}}`, DATA);
}

describe("a name of the items that nothing declares", () => {
  test.each([
    ["{{items.sum(i.quantity * i.price)}}", "10"],
    ["{{items.max(item.price - item.quantity)}}", "3"],
    ["{{sum(i.quantity * i.price for i in items)}}", "10"],
    ["{{sum([i.price for i in items if i.paid])}}", "3"],
    ["{{max(i.price for i in items)}}", "4"],
  ])("does not occur in the hint for %s", async (template, expected) => {
    expect(await mended(template)).toBe(expected);
  });
});

test("a hint leaves the name out of a condition, too", async () => {
  expect(await hintOf("{{items.where(i.paid and i.price > 2).count()}}")).toBe(
    "In the parentheses, a key alone is the key of each item. Write items.where(paid and price > 2).",
  );
});

test("a hint writes a word for an empty value as isEmpty", async () => {
  expect(await hintOf("{{items.where(status == blank).count()}}")).toBe(
    "For an empty or missing value, write status isEmpty.",
  );
  expect(await hintOf("{{items.where(status != empty).count()}}")).toBe(
    "For an empty or missing value, write not (status isEmpty).",
  );
  expect(await printed("{{items.where(not (status isEmpty)).count()}}", DATA)).toBe("1");
});

test("a hint writes a mask without quotes as a format", async () => {
  expect(await mended("{{zip :: mask(000-0000)}}")).toBe("123-4567");
});

test("a hint keeps the condition of IF and writes its sign twice", async () => {
  expect(await hintOf('{{IF kind = "new"}}A{{END-IF}}')).toBe(
    'Write {{if kind == "new"}} … {{endif}}.',
  );
});
