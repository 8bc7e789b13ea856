import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn } from "../support/language.ts";

const DATA = {
  notice: {
    ...{ total: 1284.5, currency: "CHF", date: "2026-11-30", fee: 480, surcharge: 20, late: true },
    ...{ decimals: 2, portal: "https://pay.burgdorf.ch/417", names: "Petra", separator: ", " },
    reminded: [true, false],
  },
  resident: { first: "Petra", last: "Lindqvist", name: "Petra Lindqvist" },
  dog: { tag: "A17" },
  permits: [
    { no: "B-101", fee: 120, late: true, status: "open" },
    { no: "B-102", fee: 80, late: false, status: "paid" },
    { no: "B-103", fee: 60, late: true, status: "open" },
  ],
  orders: [
    {
      ...{ no: "A-1", technician: "Ana", urgent: true },
      lines: [
        { work: "Crown", units: 2, price: 300 },
        { work: "Bridge", units: 1, price: 900 },
      ],
    },
    {
      ...{ no: "A-2", technician: "Ben", urgent: false },
      lines: [{ work: "Crown", units: 1, price: 310 }],
    },
    {
      ...{ no: "A-3", technician: "Ana", urgent: false },
      lines: [{ work: "Inlay", units: 3, price: 150 }],
    },
  ],
  visits: [{ lines: [1, 2] }, { lines: [] }],
};

/** Returns the hints of a paragraph, each with its code. */
function hints(text: string): Promise<string[]> {
  return hintsIn(p(text), DATA);
}

describe("a path in quotes with a modifier", () => {
  test.each([
    ['"notice.late" :: checkbox', "notice.late :: checkbox"],
    ['"notice.portal" :: qrcode', "notice.portal :: qrcode"],
    ['"dog.tag" :: barcode("code128")', 'dog.tag :: barcode("code128")'],
    ['"resident.name" :: uppercase', "resident.name :: uppercase"],
    ['"resident.name" :: bold', "resident.name :: bold"],
  ])("%s is text, so the hint has it without quotes", async (wrong, meant) => {
    expect(await hints(`{{${wrong}}}`)).toEqual([
      `quoted_name: For the value with that name, write {{${meant}}}.`,
    ]);
  });

  test("has a hint if the modifier cannot format the text", async () => {
    expect(await hints('{{"notice.total" :: currency("CHF")}}')).toEqual([
      'invalid_value: Words in quotes are text. For the value with that name, write {{notice.total :: currency("CHF")}}.',
    ]);
  });

  test("is right if the data has no such value", async () => {
    expect(await hints('{{"quire.li" :: uppercase}}{{"notice.none" :: bold}}')).toEqual([]);
  });

  test("may be the argument of a modifier", async () => {
    expect(await hints('{{notice.portal :: link("resident.name")}}')).toEqual([
      "quoted_name: For a value of the data write its name without quotes: resident.name.",
    ]);
    expect(await hints('{{notice.total :: number("notice.decimals")}}')).toEqual([
      "modifier_argument: For a value of the data write its name without quotes: number(notice.decimals).",
    ]);
    expect(await hints('{{notice.portal :: link("pay.burgdorf.ch")}}')).toEqual([]);
  });
});
