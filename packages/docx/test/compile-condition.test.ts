import { expect, test } from "vitest";
import { compileCondition } from "../src/index.ts";

const DATA = { region: "North", total: 200, customer: { country: "DE" }, paid: false };

test.each([
  ['region == "North"', true],
  ["total > 100 and not paid", true],
  ['customer.country == "FR" or paid', false],
  ["nickname", false],
  ["nickname == null", true],
])("the condition %s gives %s", (source, expected) => {
  expect(compileCondition(source).test(DATA)).toEqual({ isTrue: expected, warnings: [] });
});

test("a word without quotes is reported, because it may be text", () => {
  const { isTrue, warnings } = compileCondition("region != North").test(DATA);
  expect(isTrue).toBe(true);
  expect(warnings).toMatchObject([
    { code: "missing_in_condition", hint: 'Put the text in quotes: "North".' },
  ]);
});

test.each([
  ["", /empty/],
  ['region = "North"', /single '='/],
  ["region ==", /./],
  ["total > 100}} {{if paid", /./],
])("the condition %j is rejected", (source, message) => {
  expect(() => compileCondition(source)).toThrow(
    expect.objectContaining({ code: "invalid_template", message: expect.stringMatching(message) }),
  );
});

test("a condition that cannot be computed is an error", () => {
  expect(() => compileCondition("region * 2 > 1").test(DATA)).toThrow(
    expect.objectContaining({ code: "invalid_data" }),
  );
});

test("useOf returns how a condition uses a place in the data", () => {
  const { useOf } = compileCondition("total > 100 and region");
  expect(useOf(["total"])).toMatchObject({ asNumber: true });
  expect(useOf(["region"])).toMatchObject({ asCondition: true });
  expect(useOf(["paid"])).toBeNull();
});
