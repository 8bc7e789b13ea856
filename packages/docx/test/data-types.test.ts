/** The types of data that a program may pass. `npm run types` checks them. */
import { expect, test } from "vitest";
import { docx, linesOf, p } from "../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../src/index.ts";

interface InvoiceData {
  readonly customer: { readonly name: string };
  readonly total: number;
}

const LETTER = p("{{customer.name}} owes {{total}}");

test("data may have the type of an interface", async () => {
  const template = await compileTemplate(docx({ body: LETTER }));
  const data: InvoiceData = { customer: { name: "Ann" }, total: 3 };
  expect(linesOf(template.render(data).bytes)).toEqual(["Ann owes 3"]);
  expect(template.check(data)).toEqual([]);
});

test("data may be an instance of a class", async () => {
  class Invoice implements InvoiceData {
    readonly customer = { name: "Ann" };
    readonly total = 3;
  }
  const template = await compileTemplate(docx({ body: LETTER }));
  expect(linesOf(template.render(new Invoice()).bytes)).toEqual(["Ann owes 3"]);
});

test("a template may be typed by its data", async () => {
  const template = await compileTemplate<InvoiceData>(docx({ body: LETTER }));
  expect(linesOf(template.render({ customer: { name: "Ann" }, total: 3 }).bytes)).toEqual([
    "Ann owes 3",
  ]);
  // @ts-expect-error: the total is missing
  const { warnings } = template.render({ customer: { name: "Ann" } });
  expect(warnings.map(({ code }) => code)).toEqual(["missing_value"]);
});

test("an unknown choice of an option is rejected", async () => {
  const template = await compileTemplate(docx({ body: LETTER }));
  const options = { onMissing: "faill" } as unknown as { onMissing: "fail" };
  expect(() => template.render({}, options)).toThrow(
    'The option onMissing must be one of "keep", "blank", "fail", not "faill".',
  );
});
