// registration.pdf: one page with form fields. Their names are the tags.

import { PDFDocument, type PDFFont, type PDFForm, type PDFPage, rgb, StandardFonts } from "pdf-lib";

const GREEN = rgb(0.18, 0.36, 0.23);
const GREY = rgb(0.4, 0.46, 0.42);
const HAIRLINE = rgb(0.79, 0.84, 0.78);
const LEFT = 60;
const WIDTH = 475;

/** The page and the form of the fields. */
interface Sheet {
  readonly page: PDFPage;
  readonly form: PDFForm;
  readonly font: PDFFont;
}

/** A rectangle on the page, in points from the left and the bottom. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Creates a course registration as a PDF form. The result is always the same bytes. */
export async function registrationForm(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle("Registration");
  const font = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  const page = document.addPage([595, 842]);
  const sheet: Sheet = { page, form: document.getForm(), font };
  page.drawText("Registration", { x: LEFT, y: 760, size: 26, font: bold, color: GREEN });
  page.drawText("Evening courses of the adult education centre", {
    ...{ x: LEFT, y: 738, size: 11, font, color: GREY },
  });
  text(sheet, "Name", "person.name", { x: LEFT, y: 670, width: WIDTH, height: 22 });
  text(sheet, "Date of birth", 'person.born :: format("dd MMMM yyyy")', {
    ...{ x: LEFT, y: 620, width: 225, height: 22 },
  });
  text(sheet, "E-mail", "person.email :: optional", { x: 310, y: 620, width: 225, height: 22 });
  text(sheet, "Address", "person.address", { x: LEFT, y: 540, width: WIDTH, height: 52 }, true);
  text(sheet, "Course", "course.title", { x: LEFT, y: 480, width: 330, height: 22 });
  text(sheet, "Fee", 'course.fee :: currency("EUR")', { x: 405, y: 480, width: 130, height: 22 });
  label(sheet, "Level", LEFT, 454);
  const level = sheet.form.createRadioGroup("course.level");
  for (const [index, name] of ["beginner", "intermediate", "advanced"].entries()) {
    const x = LEFT + index * 130;
    level.addOptionToPage(name, page, { x, y: 432, width: 14, height: 14, borderColor: GREY });
    page.drawText(name, { x: x + 20, y: 435, size: 11, font });
  }
  label(sheet, "Pays by", LEFT, 404);
  const payment = sheet.form.createDropdown("payment");
  payment.addOptions(["invoice", "card", "direct debit"]);
  payment.addToPage(page, { ...frame({ x: LEFT, y: 376, width: 225, height: 22 }), font });
  payment.setFontSize(11);
  sheet.form.createCheckBox("newsletter").addToPage(page, {
    ...{ x: LEFT, y: 340, width: 14, height: 14, borderColor: GREY },
  });
  page.drawText("Send me the programme by e-mail", { x: LEFT + 22, y: 343, size: 11, font });
  return document.save();
}

function label({ page, font }: Sheet, words: string, x: number, y: number): void {
  page.drawText(words, { x, y, size: 9, font, color: GREY });
}

function frame(box: Box) {
  return { ...box, borderColor: HAIRLINE, borderWidth: 1 };
}

function text(sheet: Sheet, words: string, name: string, box: Box, severalLines = false): void {
  label(sheet, words, box.x, box.y + box.height + 5);
  const field = sheet.form.createTextField(name);
  if (severalLines) field.enableMultiline();
  field.addToPage(sheet.page, { ...frame(box), font: sheet.font });
  field.setFontSize(11);
}
