import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  employee: { name: "Nora Blum", exit: null, iban: "CH12" },
  lease: { tenants: ["Ida Roth", "Jan Roth", "Kim Roth"], start: "2026-12-01", pets: true },
  payslip: {
    net: 4410,
    earnings: [{ text: "Salary", amount: 5200 }],
    deductions: [{ text: "Pension", amount: 412.3, rate: 0.0785 }],
  },
  checks: [
    { point: "Brakes", result: "ok" },
    { point: "Lights", result: "defect" },
  ],
  products: [
    { name: "Kettle", category: "Kitchen" },
    { name: "Pan", category: "Kitchen" },
  ],
  plate: "ZH 12",
};

/** Returns the hint for the first mistake of a template. */
async function hintOf(template: string): Promise<string | undefined> {
  const { warnings } = await outcome(p(template), DATA);
  return warnings.find(({ code }) => code !== "unused_value")?.hint;
}

describe("a hint names the whole tag", () => {
  test.each([
    ["{{lease.start.lastDayOfMonth()}}", "{{lease.start.endOfMonth()}}"],
    ["{{payslip.deductions[0].rate :: percent('0.00')}}", "percent(2)"],
    ['{{if plate.startsWith "ZH"}}Zurich{{endif}}', '{{if plate.startsWith("ZH")}}'],
    ['{{employee.name.split(" ", 1)}}', '{{employee.name.split(" ")[0]}}'],
    [
      '{{for x in products}}{{x.category :: merge("category")}}{{endfor}}',
      "{{x.category :: merge(x.category)}}",
    ],
    ["{{payslip.net.toWords()}}", "payslip.net.words()"],
    [
      '{{lease.start.format("dd.MM.yyyy").addDays(14)}}',
      'lease.start.addDays(14) :: format("dd.MM.yyyy")',
    ],
    ["{{if lease.tenants == 3}}x{{endif}}", "lease.tenants.count() == 3"],
    ["{{payslip.net - payslip.deductions}}", "payslip.deductions.sum(amount)"],
    ['{{if employee.exit == ""}}x{{endif}}', "employee.exit isEmpty"],
    ["{{employee,name}}", "{{employee.name}}"],
  ])("for %s", async (template, form) => {
    expect(await hintOf(template)).toContain(form.replace(/^\{\{|\}\}$/g, ""));
  });
});

test("keys of single values in a list are not missing", async () => {
  expect(await hintOf("{{lease.tenants[0].name}}")).toBe(
    "'lease.tenants[0]' is text and has no keys. To print it, write lease.tenants[0] alone.",
  );
  expect(await hintOf("{{lease.tenants.name}}")).toContain('write lease.tenants.join(", ")');
});

test("a list of texts in a computation has a number of items, but no sum", async () => {
  expect(await hintOf("{{lease.tenants + 1}}")).toBe(
    "For the number of its items write lease.tenants.count().",
  );
});

test("a value in place of a condition is compared with a key", async () => {
  expect(await hintOf('{{checks.count("defect")}}')).toContain(
    `compare a key with it, as in count(status == "defect").`,
  );
  expect(await hintOf("{{checks.count(defect)}}")).toContain(
    `compare a key with it, as in count(status == "defect").`,
  );
  expect(await printed('{{checks.count(result == "defect")}}', DATA)).toBe("1");
});

test("a loop over two names with a comma may mean one list", async () => {
  expect(await hintOf("{{for e in payslip,earnings}}{{e.text}}{{endfor}}")).toContain(
    "If 'payslip.earnings' is one list, write its keys with points.",
  );
});

test("a position in parentheses counts from 0", async () => {
  expect(await hintOf("{{checks(1).point}}")).toContain("the first one is checks[0].");
});
