import { describe, expect, test } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { printed } from "../support/language.ts";

const BERLIN = { timeZone: "Europe/Berlin" };

describe("the time zone in a pattern", () => {
  test.each([
    ["2026-01-05T12:00:00Z", "HH:mm z", "de-DE", "13:00 MEZ"],
    ["2026-07-05T12:00:00Z", "HH:mm z", "de-DE", "14:00 MESZ"],
    ["2026-01-05T12:00:00Z", "HH:mm z", "en-US", "13:00 GMT+1"],
    ["2026-01-05T12:00:00Z", "HH:mm zzzz", "en-US", "13:00 Central European Standard Time"],
    ["2026-07-05T12:00:00Z", "HH:mm zzzz", "de-DE", "14:00 Mitteleuropäische Sommerzeit"],
    ["2026-07-05T12:00:00Z", "yyyy-MM-dd'T'HH:mm:ssZ", "en-US", "2026-07-05T14:00:00+02:00"],
    ["2026-07-05T12:00:00", "HH:mm Z", "en-US", "12:00 +02:00"],
  ])("of %s as %s in %s is %s", async (d, pattern, locale, wanted) => {
    expect(await printed(`{{d :: format("${pattern}")}}`, { d }, { ...BERLIN, locale })).toBe(
      wanted,
    );
  });

  test("is the right one in the hour that the clocks repeat", async () => {
    const text = '{{d :: format("HH:mm Z")}}';
    const at = (d: string): Promise<string> => printed(text, { d }, BERLIN);
    expect(await at("2026-10-25T00:30:00Z")).toBe("02:30 +02:00");
    expect(await at("2026-10-25T01:30:00Z")).toBe("02:30 +01:00");
    expect(await at("2026-03-29T03:30:00")).toBe("03:30 +02:00");
  });

  test("follows the modifier timeZone, and is +00:00 in UTC", async () => {
    const data = { d: "2026-01-05T12:00:00Z" };
    expect(await printed('{{d :: format("HH:mm Z"), timeZone("Asia/Tokyo")}}', data)).toBe(
      "21:00 +09:00",
    );
    expect(await printed('{{d :: format("HH:mm Z")}}', data)).toBe("12:00 +00:00");
    expect(
      await printed(
        '{{$now :: format("HH:mm z")}}',
        {},
        { now: new Date(data.d), timeZone: "UTC" },
      ),
    ).toBe("12:00 UTC");
  });

  test("of a date without a time is an error", async () => {
    expect(await printed('{{d :: format("d.M.yyyy z")}}', { d: "2026-01-05" })).toBe(
      "invalid_data: invalid_value",
    );
  });

  test("has sample data", async () => {
    const template = await compileTemplate(docx({ body: p('{{d :: format("HH:mm zzzz")}}') }));
    expect(template.render(template.sample()).warnings).toEqual([]);
  });
});
