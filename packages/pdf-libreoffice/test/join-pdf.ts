/** A page of a test: its content and its links. */
export interface TestPage {
  readonly content: string;
  readonly annotations?: readonly string[];
  /** Further entries of its dictionary. */
  readonly more?: string;
}

/** The contents of a test PDF besides its pages. */
export interface TestPdf {
  readonly pages: readonly TestPage[];
  /** Bookmarks: name and page, counted from 0. */
  readonly marks?: Readonly<Record<string, number>>;
  /** The text of each code of the font `F1`, starting with code 1. All glyphs have the width 500. */
  readonly glyphs?: string;
  /** The texts of another subset of the same font, `F2`. */
  readonly otherGlyphs?: string;
  readonly info?: string;
  /** XMP, see {@link xmp}. */
  readonly xmp?: string;
  readonly catalog?: string;
  /** The bytes of the pictures `Im1` and `Im2`. */
  readonly pictures?: readonly string[];
  readonly resources?: string;
  /** The content of the form `Fm1`, which uses the resources of the pages. */
  readonly drawing?: string;
}

/** Creates a PDF with one object table, as LibreOffice writes it. */
export function pdfOf(pdf: TestPdf): Uint8Array {
  const objects: string[] = [];
  const add = (text: string): number => objects.push(text);
  const stream = (text: string, more = ""): number =>
    add(`<<${more}/Length ${text.length}>>\nstream\n${text}\nendstream`);
  const font = (glyphs: string, tag: string): number => {
    const lines = [...glyphs].map(
      (glyph, index) => `<${hex(index + 1, 2)}> <${hex(glyph.charCodeAt(0), 4)}>`,
    );
    const texts = stream(`${lines.length} beginbfchar\n${lines.join("\n")}\nendbfchar`);
    const widths = `[0 ${"500 ".repeat(glyphs.length)}]`;
    return add(
      `<</Type/Font/Subtype/TrueType/BaseFont/${tag}+Test/FirstChar 0/LastChar ${glyphs.length}` +
        `/Widths${widths}/ToUnicode ${texts} 0 R>>`,
    );
  };
  const fonts = `/F1 ${font(pdf.glyphs ?? "", "BAAAAA")} 0 R/F2 ${font(pdf.otherGlyphs ?? "", "CAAAAA")} 0 R`;
  const pictures = (pdf.pictures ?? []).map((bytes, index) => {
    const length = add(String(bytes.length));
    const id = add(
      `<</Type/XObject/Subtype/Image/Width 1/Height 1/Length ${length} 0 R>>\nstream\n${bytes}\nendstream`,
    );
    return `/Im${index + 1} ${id} 0 R`;
  });
  const drawn = pdf.drawing === undefined ? 0 : 1;
  const resources = objects.length + drawn + 1;
  if (pdf.drawing !== undefined) {
    const id = stream(
      pdf.drawing,
      `/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources ${resources} 0 R`,
    );
    pictures.push(`/Fm1 ${id} 0 R`);
  }
  add(`<</Font<<${fonts}>>/XObject<<${pictures.join("")}>>${pdf.resources ?? ""}/ProcSet[/PDF]>>`);
  const tree = objects.length + 1 + pdf.pages.length * 2 + annotationsOf(pdf);
  const ids = pdf.pages.map(({ content, annotations = [], more = "" }) => {
    const refs = annotations.map((annotation) => `${add(annotation)} 0 R`);
    const list = refs.length === 0 ? "" : `/Annots[${refs.join(" ")}]/Tabs/S`;
    const contents = stream(content);
    return add(
      `<</Type/Page/Parent ${tree} 0 R/Resources ${resources} 0 R/MediaBox[0 0 595.3 842]` +
        `/Contents ${contents} 0 R${list}${more}>>`,
    );
  });
  add(`<</Type/Pages/Kids[${ids.map((id) => `${id} 0 R`).join(" ")}]/Count ${ids.length}>>`);
  const marks = Object.entries(pdf.marks ?? {}).map(
    ([name, page]) => `/${name}[${ids[page]} 0 R/XYZ 0 0 0]`,
  );
  const metadata =
    pdf.xmp === undefined ? "" : `/Metadata ${stream(pdf.xmp, "/Type/Metadata/Subtype/XML")} 0 R`;
  const root = add(
    `<</Type/Catalog/Pages ${tree} 0 R/Dests<<${marks.join("")}>>/OpenAction[${ids[0]} 0 R/XYZ null null 0]` +
      `/Lang(en-US)${metadata}${pdf.catalog ?? ""}>>`,
  );
  const info = add(pdf.info ?? "<</Title(T)/CreationDate(D:20261121181715Z')>>");
  return written(objects, root, info);
}

function annotationsOf({ pages }: TestPdf): number {
  return pages.reduce((sum, { annotations = [] }) => sum + annotations.length, 0);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

function written(objects: readonly string[], root: number, info: number): Uint8Array {
  let text = "%PDF-1.6\n";
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const [index, object] of objects.entries()) {
    table += `${String(text.length).padStart(10, "0")} 00000 n \n`;
    text += `${index + 1} 0 obj\n${object}\nendobj\n\n`;
  }
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root ${root} 0 R/Info ${info} 0 R>>\n`;
  return Buffer.from(`${text}${table}${trailer}startxref\n${text.length}\n%%EOF\n`, "latin1");
}

/** Returns operators that show text in a font. `codes` are the codes of its glyphs. */
export function textAt(x: number, y: number, codes: readonly number[], font = "F1"): string {
  return `BT\n${x} ${y} Td /${font} 10 Tf<${codes.map((code) => hex(code, 2)).join("")}>Tj\nET\n`;
}

/** XMP with a title and a date, as LibreOffice 25.2 writes it. */
export function xmp(title: string, date: string): string {
  return `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
   <dc:date>
    <rdf:Seq>
     <rdf:li>${date}</rdf:li>
    </rdf:Seq>
   </dc:date>
   <dc:title>
    <rdf:Alt>
     <rdf:li xml:lang="x-default">${title}</rdf:li>
    </rdf:Alt>
   </dc:title>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
   <xmp:CreateDate>${date}</xmp:CreateDate>
   <xmp:ModifyDate>${date}</xmp:ModifyDate>
   <xmp:MetadataDate>${date}</xmp:MetadataDate>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
}
