import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn } from "../support/language.ts";

type Data = Readonly<Record<string, unknown>>;

/** Returns the warnings and errors of a template, each as its code and its hint, without those about unused values. */
async function hintsOf(template: string, data: Data): Promise<string[]> {
  return hintsIn(p(template), data);
}

describe("the item of a loop before its loop", () => {
  const data = { claims: [{ amount: 5 }, { amount: 600 }] };
  const loop = "{{for k in claims}}{{k.amount}} {{endfor}}";
  const known =
    "'k' is known only between {{for k in claims}} and its 'endfor': move the tag there.";

  test.each([
    ["{{if k.amount > 500}}High{{endif}}", `missing_in_condition: ${known}`],
    ["{{if k.amount}}High{{endif}}", `missing_in_condition: ${known}`],
    ['{{$if(k.amount, "High", "")}}', `missing_in_condition: ${known}`],
    [
      "{{k.amount}}",
      `missing_value: ${known} For one of the items write claims.first().amount or claims.last().amount.`,
    ],
    ["{{k.sum(amount)}}", `missing_value: ${known} For all items write claims.sum(amount).`],
    ["{{for x in k.parts}}{{x}} {{endfor}}", `missing_value: ${known}`],
  ])("%s leads into the loop", async (template, hint) => {
    expect(await hintsOf(template + loop, data)).toEqual([hint]);
  });

  test("may be a key of the data that a condition only tests", async () => {
    expect(await hintsOf(`{{if k}}{{k}}{{endif}}${loop}`, data)).toEqual([]);
    expect(await hintsOf(`{{if k}}{{k}}{{endif}}${loop}`, { ...data, k: "note" })).toEqual([]);
  });

  test("may be missing where the tag allows that", async () => {
    expect(await hintsOf(`{{k.amount :: optional}}${loop}`, data)).toEqual([]);
  });
});
