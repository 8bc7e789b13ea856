import { deflateSync } from "node:zlib";
import { PDFDocument, PDFName, StandardFonts } from "pdf-lib";
import { extractText } from "unpdf";

/** Creates a PDF from its objects as text. Object 1 is the catalog. */
export function rawPdf(objects: readonly (string | Buffer)[], trailer = ""): Buffer {
  const pieces = [Buffer.from("%PDF-1.7\n", "latin1")];
  const offsets: number[] = [];
  let length = pieces[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const body = typeof object === "string" ? Buffer.from(object, "latin1") : object;
    const piece = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      body,
      Buffer.from("\nendobj\n"),
    ]);
    pieces.push(piece);
    length += piece.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  pieces.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}

/** Returns a stream, optionally compressed. */
export function rawStream(dict: string, content: string | Buffer, compressed = false): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  const packed = compressed ? deflateSync(bytes) : bytes;
  const filter = compressed ? "/Filter /FlateDecode" : "";
  return Buffer.concat([
    Buffer.from(`<< ${dict} ${filter} /Length ${packed.length} >>\nstream\n`, "latin1"),
    packed,
    Buffer.from("\nendstream"),
  ]);
}

/**
 * Returns a form with one page and these fields, each a dictionary. `more` adds entries to the catalog, the form and
 * the page.
 */
export function rawForm(
  fields: readonly string[],
  more: {
    readonly catalog?: string;
    readonly form?: string;
    readonly page?: string;
    readonly objects?: readonly (string | Buffer)[];
  } = {},
): Buffer {
  const refs = fields.map((_, index) => `${index + 5} 0 R`).join(" ");
  return rawPdf([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm 4 0 R ${more.catalog ?? ""} >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [${refs}] ${more.page ?? ""} >>`,
    `<< /Fields [${refs}] /DA (/Helv 10 Tf 0 g) ${more.form ?? ""} >>`,
    ...fields,
    ...(more.objects ?? []),
  ]);
}

/** Returns the dictionary of a text field on a page. */
export function textField(name: string, more = "", rect = "10 10 200 30"): string {
  return `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${name}) /Rect [${rect}] /F 4 ${more} >>`;
}

/** Returns a form with a field of each kind, on two pages. */
export async function everyField(): Promise<Uint8Array> {
  const document = await blank();
  const form = document.getForm();
  const [first, second] = [document.addPage([400, 400]), document.addPage([400, 400])];
  const at = (y: number) => ({ x: 20, y, width: 200, height: 20 });
  form.createTextField("customer.name").addToPage(first, at(360));
  const notes = form.createTextField("notes");
  notes.enableMultiline();
  notes.setText("a text of the template");
  notes.addToPage(first, { x: 20, y: 280, width: 200, height: 60 });
  form.createCheckBox("agreed").addToPage(first, { x: 20, y: 240, width: 15, height: 15 });
  const size = form.createRadioGroup("size");
  size.addOptionToPage("small", first, { x: 20, y: 200, width: 15, height: 15 });
  size.addOptionToPage("large", first, { x: 60, y: 200, width: 15, height: 15 });
  const country = form.createDropdown("country");
  country.addOptions(["Austria", "Brazil"]);
  country.addToPage(second, at(360));
  const fruits = form.createOptionList("fruits");
  fruits.addOptions(["Apple", "Banana", "Cherry"]);
  fruits.enableMultiselect();
  fruits.addToPage(second, { x: 20, y: 250, width: 200, height: 60 });
  const total = form.createTextField('total :: number("#,##0.00")');
  total.addToPage(second, at(200));
  return document.save();
}

/** Returns a form with one text field, which `shape` may modify. */
export async function oneField(
  name: string,
  shape: (
    field: ReturnType<ReturnType<PDFDocument["getForm"]>["createTextField"]>,
  ) => void = () => {},
  size: { readonly width: number; readonly height: number } = { width: 200, height: 20 },
): Promise<Uint8Array> {
  const document = await blank();
  const page = document.addPage([400, 400]);
  const field = document.getForm().createTextField(name);
  field.addToPage(page, { x: 20, y: 300, ...size });
  shape(field);
  return document.save();
}

/** Returns a document without pages. It has no metadata, because metadata would contain the current time. */
export async function blank(): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  Reflect.deleteProperty(document.context.trailerInfo, "Info");
  return document;
}

/** Returns a PDF with a line of text on each page. `change` may rotate or crop the pages. */
export async function linesPdf(
  lines: readonly string[],
  change: (page: ReturnType<PDFDocument["addPage"]>) => void = () => {},
): Promise<Uint8Array> {
  const document = await blank();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const line of lines) {
    const page = document.addPage([400, 300]);
    page.drawText(line, { x: 50, y: 200, size: 12, font });
    change(page);
  }
  return document.save();
}

/** Returns the text of each page. */
export async function pageTexts(bytes: Uint8Array): Promise<string[]> {
  return (await extractText(Uint8Array.from(bytes), { mergePages: false })).text;
}

/** Returns the fields of a PDF with their values, as pdf-lib reads them. */
export async function fieldValues(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const form = (await PDFDocument.load(bytes, { updateMetadata: false })).getForm();
  return Object.fromEntries(
    form.getFields().map((field) => {
      const value = field.acroField.dict.lookup(PDFName.of("V"));
      const text =
        value !== undefined && "decodeText" in value
          ? (value as { decodeText(): string }).decodeText()
          : (value?.toString() ?? null);
      return [field.getName(), text];
    }),
  );
}
