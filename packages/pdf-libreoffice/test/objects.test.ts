/** Tests that LibreOffice gets the preview pictures of objects but not their files, except formulas. */
import { openDocx } from "@quire/ooxml";
import { describe, expect, test } from "vitest";
import { png } from "../../ooxml/test/support/pictures.ts";
import { closeObjects } from "../src/process/objects.ts";
import { docx, NAMESPACES, paragraph, relationshipsXml, textDocx } from "./docx.ts";
import { sharedOffice, slowTest } from "./laboratory.ts";
import { images } from "./pdf-look.ts";

const FILE = "word/embeddings/a.docx";
const EQUATION = Buffer.from("02ce020000000000c000000000000046", "hex");

/** Creates an object. `tag` is used unchanged and names the relationship. */
function object(tag: string): string {
  return `<w:p><w:r><w:object>${tag}</w:object></w:r></w:p>`;
}

function tagOf(id = "x", program = "Word.Document.12"): string {
  return `<o:OLEObject Type="Embed" ProgID="${program}" ShapeID="o" r:id="${id}"/>`;
}

/** Applies `closeObjects` to a document with an object. Returns the text of the document and the file of the object. */
function closed(tag: string, file: Uint8Array = textDocx("inner")): [text: string, file: string] {
  const given = docx({
    body: object(tag),
    relationships: [{ id: "x", type: "package", target: "embeddings/a.docx" }],
    parts: { [FILE]: file },
  });
  const document = closeObjects(openDocx(given));
  return [document.readText(document.mainPart), Buffer.from(document.readBytes(FILE)).toString()];
}

/** Creates a compound file whose root has this class id. */
function compound(id: Uint8Array, { shift = 9, directory = 0 } = {}): Uint8Array {
  const file = Buffer.alloc(2048);
  file.write("d0cf11e0a1b11ae1", "hex");
  file.writeUInt16LE(shift, 30);
  file.writeUInt32LE(directory, 48);
  file.set(id, 512 + 80);
  return file;
}

describe("the file of an object is removed, and its program becomes Package", () => {
  test.each([
    ["as Word writes it", tagOf()],
    [
      "with another prefix",
      tagOf()
        .replace("o:", "q:")
        .replace(" Type", ' xmlns:q="urn:schemas-microsoft-com:office:office" Type'),
    ],
    ["in single quotes, over lines", tagOf().replaceAll('"', "'").replaceAll(" ", "\n ")],
    ["with an id in numbers", tagOf("&#120;")],
    ["with a bracket in an attribute", tagOf().replace("Type", 'o:note=">" Type')],
    ["with two tags", tagOf().replace("/>", "></o:OLEObject>")],
    ["that says that it is a formula", tagOf("x", "Equation.3")],
  ])("%s", (_, tag) => {
    const [text, file] = closed(tag);
    expect(file).toBe("");
    expect(text).toMatch(/ProgID\s*=\s*"Package"/);
    expect(text).not.toMatch(/Word\.Document|Equation/);
  });

  test.each(["header1.xml", "header.bin", "header.foo"])("in the header %s", (header) => {
    const given = docx({
      body: '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>',
      relationships: [{ id: "h", type: "header", target: header }],
      parts: {
        [`word/${header}`]: `<w:hdr ${NAMESPACES}>${object(tagOf())}</w:hdr>`,
        [`word/_rels/${header}.rels`]: relationshipsXml([
          { id: "x", type: "package", target: "embeddings/a.docx" },
        ]),
        [FILE]: textDocx("inner"),
      },
    });
    expect(closeObjects(openDocx(given)).readBytes(FILE)).toHaveLength(0);
  });
});

test("a part that is not text may have relationships", () => {
  const given = docx({
    body: paragraph("text"),
    relationships: [{ id: "x", type: "oleObject", target: "embeddings/a.bin" }],
    parts: {
      "word/embeddings/a.bin": Buffer.from([0xff, 0x80]),
      "word/embeddings/_rels/a.bin.rels": relationshipsXml([
        { id: "y", type: "image", target: "../document.xml" },
      ]),
    },
  });
  const document = openDocx(given);
  expect(closeObjects(document)).toBe(document);
});

describe("a formula of the equation editor", () => {
  test("is kept", () => {
    const file = compound(EQUATION);
    const tag = tagOf("x", "Equation.3");
    expect(closed(tag, file)).toEqual([expect.stringContaining(tag), Buffer.from(file).toString()]);
  });

  test.each([
    ["of another class", "Equation.3", compound(Buffer.alloc(16))],
    ["of another program", "Word.Document.12", compound(EQUATION)],
    ["that is cut off", "Equation.3", compound(EQUATION).subarray(0, 500)],
    ["whose directory is elsewhere", "Equation.3", compound(EQUATION, { directory: 0xfffffffe })],
    ["with sectors without a size", "Equation.3", compound(EQUATION, { shift: 65_535 })],
  ])("%s is removed", (_, program, file) => {
    expect(closed(tagOf("x", program), file)[1]).toBe("");
  });
});

test("a document without objects is not changed, whatever its text says", () => {
  const document = openDocx(docx({ body: paragraph('OLEObject ProgID="x"') }));
  expect(closeObjects(document)).toBe(document);
});

const office = sharedOffice({ lanes: 1 });

slowTest(
  "shows its picture in the PDF, even if LibreOffice does not know its program",
  async () => {
    const shape =
      '<v:shape id="o" style="width:99pt;height:99pt"><v:imagedata r:id="y"/></v:shape>';
    for (const program of ["Word.Document.12", "Excel.Sheet.12", "Unknown.1"]) {
      const given = docx({
        body:
          paragraph("object") +
          object(shape + tagOf("x", program).replace('ShapeID="o"', 'ShapeID="o" ObjectID="_1"')),
        relationships: [
          { id: "x", type: "package", target: "embeddings/a.docx" },
          { id: "y", type: "image", target: "media/a.png" },
        ],
        parts: { [FILE]: textDocx("inner"), "word/media/a.png": png(7, 7) },
      });
      const { bytes } = await office.convert(given);
      expect([program, (await images(bytes)).map(({ width }) => width)]).toEqual([program, [7]]);
    }
  },
);
