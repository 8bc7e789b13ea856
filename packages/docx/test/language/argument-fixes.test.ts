import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  total: 1234.5,
  phone: "079 123 45 67",
  long: "+41 79 123 45 67",
  paid: true,
  date: "2026-05-06",
  text: "a",
  cur: "€",
};

async function hint(text: string): Promise<string> {
  const { warnings } = await outcome(p(text), DATA);
  return warnings.find(({ code }) => code !== "unused_value")?.hint ?? "";
}

describe("an argument of another language leads to the argument here, which prints the meant value", () => {
  test.each([
    ['number("#.##0")', 'number("#,##0"), locale("de")', "1.235"],
    ['number("0,0.00")', 'number("#,##0.00")', "1,234.50"],
    ['number("#.##0,00")', 'number("#,##0.00"), locale("de")', "1.234,50"],
    ['number("# ##0.00")', 'number("#,##0.00"), locale("fr")', "1 234,50"],
    [`number("#'##0.00")`, 'number("#,##0.00"), locale("de-CH")', "1'234.50"],
    [
      'number("#,##0.00;[Red]-#,##0.00")',
      'number("#,##0.00"), color("red"), when(total < 0)',
      "1,234.50",
    ],
  ])("total :: %s", async (written, meant, result) => {
    expect(await hint(`{{total :: ${written}}}`)).toContain(meant);
    const text = await printed(`{{total :: ${meant}}}`, DATA);
    expect(text.replace(/[\u00a0\u202f]/g, " ").replace("’", "'")).toBe(result);
  });

  test.each([
    ['{{total :: currency("€")}}', "The code of € is EUR."],
    ["{{total :: currency(cur)}}", "The code of € is EUR."],
    ['{{text :: color("dark red")}}', 'Write color("darkred").'],
    ['{{text :: fill("yelow")}}', 'Write fill("yellow").'],
    ['{{date :: format("LL")}}', 'Write format("long").'],
    ['{{paid :: format("yes;no")}}', 'write {{$if(paid, "yes", "no")}}.'],
    ['{{phone :: format("(999) 999-9999")}}', 'format("(xxx) xxx-xxxx")'],
    ['{{long :: format("xxx xxx xx xx")}}', "To print it as it is, write {{long}}."],
  ])("%s", async (text, told) => {
    expect(await hint(text)).toContain(told);
  });

  test("text with spaces fits a mask without them", async () => {
    const tag = '{{phone.replace(" ", "") :: format("xxx-xxx-xx-xx")}}';
    expect(await hint('{{phone :: format("xxx-xxx-xx-xx")}}')).toContain(`write ${tag}.`);
    expect(await printed(tag, DATA)).toBe("079-123-45-67");
  });

  test.each(['{{text :: color("?")}}', '{{date :: format("dd/QQQQQQQ")}}'])(
    "nothing similar gives no such hint: %s",
    async (text) => {
      expect(await hint(text)).not.toMatch(/\$if|mask: format|color\("/);
    },
  );
});
