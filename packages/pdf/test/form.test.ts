import { isQuireError } from "@quire/contracts";
import fc from "fast-check";
import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { compilePdfForm, findText, type PdfForm } from "../src/index.ts";
import {
  blank,
  everyField,
  fieldValues,
  oneField,
  pageTexts,
  rawForm,
  textField,
} from "./support/pdf.ts";

const DATA = {
  customer: { name: "Ann Example" },
  notes: "First line\nSecond line",
  agreed: true,
  size: "large",
  country: "Brazil",
  fruits: ["Banana", "Cherry"],
  total: 1234.5,
};

function withoutSpaces(text: string): string {
  return text.replace(/\s/g, "");
}

/** Returns the code and the diagnostics with which a form rejects data. */
function refusal(form: PdfForm, data: Record<string, unknown>, options = {}) {
  try {
    form.render(data, options);
  } catch (error) {
    if (isQuireError(error)) return { code: error.code, diagnostics: error.diagnostics };
    throw error;
  }
  throw new Error("It was rendered.");
}

test("the full names of fields are tags, and each field gets its value", async () => {
  const form = await compilePdfForm(await everyField());
  const { bytes, warnings, pages } = form.render(DATA);
  expect(warnings).toEqual([]);
  expect(pages).toBe(2);
  expect(await fieldValues(bytes)).toEqual({
    "customer.name": "Ann Example",
    notes: "First line\nSecond line",
    agreed: "Yes",
    size: "1",
    country: "Brazil",
    fruits: expect.stringContaining("["),
    'total :: number("#,##0.00")': "1,234.50",
  });
});

test("filled-in values are visible to readers and, when flattened, in the content of the pages", async () => {
  const form = await compilePdfForm(await everyField());
  const { bytes } = form.render(DATA, { flatten: true });
  expect((await pageTexts(bytes)).map(withoutSpaces)).toEqual([
    "AnnExampleFirstlineSecondline",
    "BrazilAppleBananaCherry1,234.50",
  ]);
  const read = await PDFDocument.load(bytes, { updateMetadata: false });
  expect(read.catalog.toString()).not.toContain("AcroForm");
  expect(read.getForm().getFields()).toEqual([]);
});

test("numbers, booleans and dates print as in Word templates, in the locale and time zone", async () => {
  const bytes = await oneField('when :: format("dd.MM.yyyy HH:mm")');
  const form = await compilePdfForm(bytes);
  const data = { when: "2026-11-20T23:30:00Z" };
  const filled = form.render(data, { timeZone: "Europe/Zurich" });
  expect(Object.values(await fieldValues(filled.bytes))).toEqual(["21.11.2026 00:30"]);
  const amount = await compilePdfForm(await oneField('amount :: currency("EUR")'));
  // A narrow space as the thousands separator is printed as an ordinary space.
  const french = amount.render({ amount: 1234.5 }, { locale: "fr-FR", flatten: true });
  expect(await pageTexts(french.bytes)).toEqual(["1 234,50 €"]);
});

test("a field may show a number in words", async () => {
  const form = await compilePdfForm(await oneField("amount.words()"));
  const { bytes } = form.render({ amount: 21 }, { locale: "de-DE" });
  expect(Object.values(await fieldValues(bytes))).toEqual(["einundzwanzig"]);
});

test("names that are not paths are literal keys, also with dots and in flat data", async () => {
  const names = ["First Name", "Yes/No", "Price (EUR)", "a.b-c"];
  const form = await compilePdfForm(
    rawForm(names.map((name) => textField(name.replace(/[()]/g, "\\$&")))),
  );
  const data = { "First Name": "A", "Yes/No": "B", "Price (EUR)": "C", a: { "b-c": "D" } };
  const { bytes, warnings } = form.render(data);
  expect(warnings).toEqual([]);
  expect(Object.values(await fieldValues(bytes))).toEqual(["A", "B", "C", "D"]);
  expect(form.render({ ...data, a: undefined, "a.b-c": "D" }).bytes).toEqual(bytes);
});

test("a name with invalid modifiers is reported, and used literally", async () => {
  const form = await compilePdfForm(await oneField("total :: numbr(2)"));
  expect(form.warnings).toMatchObject([
    { code: "field_name", hint: "Did you mean 'number'?", template: { part: "page 1" } },
  ]);
});

test("modifiers with wrong arguments, and modifiers that do not apply to fields, are template errors", async () => {
  const form = compilePdfForm(rawForm([textField("a :: html"), textField('b :: currency("XX")')]));
  await expect(form).rejects.toMatchObject({
    code: "invalid_template",
    diagnostics: [{ code: "modifier_argument" }, { code: "modifier_argument" }],
  });
});

test("a missing value leaves the field unchanged, clears it, or fails the document", async () => {
  const form = await compilePdfForm(await everyField());
  const { notes: _, ...data } = DATA;
  const kept = form.render(data);
  expect(kept.warnings).toMatchObject([
    { severity: "error", code: "missing_value", pointer: "/notes", template: { part: "page 1" } },
  ]);
  expect((await fieldValues(kept.bytes)).notes).toBe("a text of the template");
  const [seen = ""] = await pageTexts(form.render(data, { flatten: true }).bytes);
  expect(withoutSpaces(seen)).toContain("atextofthetemplate");
  const blanked = form.render(data, { onMissing: "blank" });
  expect(blanked.warnings).toMatchObject([{ severity: "warning", code: "missing_value" }]);
  expect((await fieldValues(blanked.bytes)).notes).toBe("");
  expect(refusal(form, data, { onMissing: "fail" })).toMatchObject({
    code: "invalid_data",
    diagnostics: [{ code: "missing_value" }],
  });
});

test("the template's value of a field is removed from documents with another value", async () => {
  const form = await compilePdfForm(await everyField());
  for (const flatten of [false, true]) {
    const { bytes } = form.render(DATA, { flatten });
    const old = Buffer.from("a text of the template");
    const hidden = Buffer.from("\ufeffa text of the template", "utf16le").swap16().toString("hex");
    expect(Buffer.from(bytes).includes(old)).toBe(false);
    expect(Buffer.from(bytes).toString("latin1").toLowerCase()).not.toContain(hidden);
    expect((await pageTexts(bytes)).join("\n")).not.toContain("of the template");
  }
});

test("values that are not options, too long, too large or not printable are rejected", async () => {
  const form = await compilePdfForm(await everyField());
  const wrong = { ...DATA, size: "huge", country: "Mars", agreed: "perhaps", notes: "中" };
  const { code, diagnostics } = refusal(form, wrong);
  expect(code).toBe("invalid_data");
  expect(diagnostics.map((each) => [each.code, each.pointer])).toEqual([
    ["unprintable_character", "/notes"],
    ["no_such_option", "/agreed"],
    ["no_such_option", "/size"],
    ["no_such_option", "/country"],
  ]);
  expect(diagnostics[0]?.message).toContain("U+4E2D");
  expect(diagnostics[3]?.hint).toBe("Its options are 'Austria', 'Brazil'.");
  expect(JSON.stringify(diagnostics)).not.toMatch(/huge|Mars|perhaps|中/);
  const short = await compilePdfForm(await oneField("code", (field) => field.setMaxLength(3)));
  expect(refusal(short, { code: "ABCD" }).diagnostics).toMatchObject([{ code: "value_too_long" }]);
  const tiny = await compilePdfForm(await oneField("t", () => {}, { width: 20, height: 12 }));
  expect(refusal(tiny, { t: "far too long for that" }).diagnostics).toMatchObject([
    { code: "value_does_not_fit" },
  ]);
  expect(refusal(short, { code: { a: 1 } }).diagnostics).toMatchObject([{ code: "invalid_value" }]);
});

test("a text that is slightly too long for its field is printed smaller, with a warning", async () => {
  const form = await compilePdfForm(
    await oneField("t", (field) => field.setFontSize(12), { width: 100, height: 20 }),
  );
  const { bytes, warnings } = form.render({ t: "a text of some length" }, { flatten: true });
  expect(warnings).toMatchObject([{ severity: "warning", code: "text_shrunk", pointer: "/t" }]);
  expect(await pageTexts(bytes)).toEqual(["a text of some length"]);
});

test("lines are joined in a field with a single line, with a warning", async () => {
  const form = await compilePdfForm(await oneField("t"));
  const { bytes, warnings } = form.render({ t: "one\ntwo" });
  expect(warnings).toMatchObject([{ code: "joined_lines" }]);
  expect(await fieldValues(bytes)).toEqual({ t: "one two" });
});

test("check boxes accept true and false, words for them, and the value of the box", async () => {
  const form = await compilePdfForm(await everyField());
  for (const [agreed, state] of [
    [true, "Yes"],
    [false, "Off"],
    ["yes", "Yes"],
    ["Off", "Off"],
    [1, "Yes"],
    ["", "Off"],
    ["Yes", "Yes"],
  ] as const) {
    const values = await fieldValues(form.render({ ...DATA, agreed }).bytes);
    expect([agreed, values.agreed]).toEqual([agreed, state]);
  }
});

test("check boxes without an appearance get a tick", async () => {
  const bytes = rawForm(["<< /Subtype /Widget /FT /Btn /T (on) /Rect [10 10 20 20] /F 4 >>"], {
    form: "/NeedAppearances true",
  });
  const form = await compilePdfForm(bytes);
  expect(await fieldValues(form.render({ on: true }).bytes)).toEqual({ on: "Yes" });
  const filled = Buffer.from(form.render({ on: true }).bytes).toString("latin1");
  expect(filled).toContain("/AS /Yes");
  expect(form.schema().properties).toHaveProperty("on");
});

test("unused keys are reported with the name that may be meant", async () => {
  const form = await compilePdfForm(await everyField());
  const { warnings } = form.render({ ...DATA, contry: 1 });
  expect(warnings).toMatchObject([{ code: "unused_value", pointer: "/contry" }]);
});

test("a form reports its tags and schema like Word templates, and accepts its own sample", async () => {
  const form = await compilePdfForm(await everyField());
  expect(form.tags.map((tag) => [tag.tag_content, tag.json_paths, tag.place.part])).toEqual([
    ["customer.name", ["customer", "customer.name"], "page 1"],
    ["notes", ["notes"], "page 1"],
    ["agreed", ["agreed"], "page 1"],
    ["size", ["size"], "page 1"],
    ["country", ["country"], "page 2"],
    ["fruits", ["fruits"], "page 2"],
    ['total :: number("#,##0.00")', ["total"], "page 2"],
  ]);
  const { properties = {} } = form.schema();
  expect(Object.keys(properties)).toEqual(Object.keys(DATA));
  expect(form.types("Order")).toContain("export type Order = {");
  const sample = form.sample();
  expect(sample).toMatchObject({ size: "small", country: "Austria", agreed: true });
  expect(form.render(sample).warnings).toEqual([]);
  expect(form.check(sample)).toEqual([]);
  const short = await compilePdfForm(await oneField("address", (field) => field.setMaxLength(4)));
  expect(short.render(short.sample()).warnings).toEqual([]);
  const polish = await compilePdfForm(await oneField("łódź"));
  expect(polish.render(polish.sample()).warnings).toEqual([]);
});

test("check reports the same as rendering", async () => {
  const form = await compilePdfForm(await everyField());
  const data = { ...DATA, size: "huge", notes: undefined };
  expect(form.check(data).map(({ code }) => code)).toEqual(["missing_value", "no_such_option"]);
});

test("the same form and data give the same bytes, for every compilation and at any time", async () => {
  const template = await everyField();
  const [one, other] = [await compilePdfForm(template), await compilePdfForm(template)];
  for (const flatten of [true, false]) {
    const first = one.render(DATA, { flatten }).bytes;
    one.render({ ...DATA, notes: "other" }, { flatten: !flatten });
    expect(one.render(DATA, { flatten }).bytes).toEqual(first);
    expect(other.render(DATA, { flatten }).bytes).toEqual(first);
  }
});

test("signature fields remain when all other fields are flattened", async () => {
  const bytes = rawForm([
    textField("name"),
    "<< /Type /Annot /Subtype /Widget /FT /Sig /T (signature) /Rect [10 50 200 90] /F 4 >>",
  ]);
  const form = await compilePdfForm(bytes);
  expect(form.tags.map((tag) => tag.tag_content)).toEqual(["name"]);
  const flat = form.render({ name: "Ann" }, { flatten: true });
  expect(await fieldValues(flat.bytes)).toEqual({ signature: null });
  expect(await pageTexts(flat.bytes)).toEqual(["Ann"]);
});

test("a field with several widgets shows its value in each of them", async () => {
  const document = await blank();
  const field = document.getForm().createTextField("name");
  for (const y of [300, 200]) field.addToPage(document.addPage([400, 400]), { x: 20, y });
  const form = await compilePdfForm(await document.save());
  const { bytes } = form.render({ name: "Ann" }, { flatten: true });
  expect((await findText(bytes, ["Ann"])).map(({ page }) => page)).toEqual([1, 2]);
});

test("rotated fields and rotated pages show their text in the correct place", async () => {
  const bytes = rawForm([
    textField("name", "/MK << /R 90 >> /DA (/Helv 10 Tf 0 g)", "100 50 120 250"),
  ]);
  const form = await compilePdfForm(bytes);
  const [place] = await findText(form.render({ name: "Ann" }, { flatten: true }).bytes, ["Ann"]);
  expect(place).toMatchObject({ angle: 90, fontSize: 10 });
  expect(place?.x).toBeGreaterThan(100);
  expect(place?.x).toBeLessThan(120);
});

test("each character of a comb field is in its cell", async () => {
  const bytes = rawForm([textField("code", "/Ff 16777216 /MaxLen 4", "0 0 200 20")]);
  const form = await compilePdfForm(bytes);
  const flat = form.render({ code: "ABC" }, { flatten: true }).bytes;
  const places = await findText(flat, ["A", "B", "C"]);
  expect(places.map(({ x, width }) => Math.round(x + width / 2))).toEqual([25, 75, 125]);
});

test("every text in WinAnsi becomes the field's value, and is visible completely or not at all", async () => {
  const form = await compilePdfForm(
    await oneField("t", (field) => field.enableMultiline(), { width: 300, height: 80 }),
  );
  const characters = [..."abc XYZ 0189 äöüßéñ €–’“”…()\\<>&\n"];
  const texts = fc.array(fc.constantFrom(...characters), { maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(texts, async (list) => {
      const text = list.join("");
      const { bytes } = form.render({ t: text });
      expect((await fieldValues(bytes)).t).toBe(text);
      const seen = (await pageTexts(form.render({ t: text }, { flatten: true }).bytes)).join("");
      expect(withoutSpaces(seen)).toBe(withoutSpaces(text));
    }),
    { numRuns: 25 },
  );
});
