import PizZip from "pizzip";

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/** The content of a test document: the XML within `w:body`, and other stories by file name. */
export interface TestDocument {
  readonly body: string;
  /** For example `{ "header1.xml": "<w:p>…</w:p>" }`; the kind is the name without its number. */
  readonly stories?: Readonly<Record<string, string>>;
  readonly mainPart?: string;
  readonly mainType?: string;
  /** External link targets by relationship id, for the main part and for stories by file name. */
  readonly links?: Readonly<Record<string, string>>;
  readonly storyLinks?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The XML within the roots of `docProps/core.xml` and `docProps/custom.xml`. */
  readonly coreProperties?: string;
  readonly customProperties?: string;
  /** The XML within `w:numbering` and `w:styles`. */
  readonly numbering?: string;
  readonly styles?: string;
}

const PROPERTY_PARTS = {
  coreProperties: {
    name: "docProps/core.xml",
    root: "cp:coreProperties",
    namespaces:
      'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
    contentType: "application/vnd.openxmlformats-package.core-properties+xml",
    relationship:
      "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
  },
  customProperties: {
    name: "docProps/custom.xml",
    root: "Properties",
    namespaces:
      'xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"',
    contentType: "application/vnd.openxmlformats-officedocument.custom-properties+xml",
    relationship: `${OFFICE}/custom-properties`,
  },
} as const;

const ROOTS: Readonly<Record<string, string>> = {
  header: "w:hdr",
  footer: "w:ftr",
  footnotes: "w:footnotes",
  endnotes: "w:endnotes",
  comments: "w:comments",
};

/** Returns a minimal valid `.docx`. */
export function docx(document: TestDocument): Uint8Array {
  const { body, stories = {}, mainPart, mainType, links = {}, storyLinks = {} } = document;
  const main = mainPart ?? "word/document.xml";
  const zip = new PizZip();
  let overrides = `<Override PartName="/${main}" ContentType="${mainType ?? `${WORD}.document.main+xml`}"/>`;
  let relationships = "";
  for (const [index, [name, xml]] of Object.entries(stories).entries()) {
    const kind = name.replace(/\d*\.xml$/, "");
    const root = ROOTS[kind] ?? "w:hdr";
    overrides += `<Override PartName="/word/${name}" ContentType="${WORD}.${kind}+xml"/>`;
    relationships += `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${kind}" Target="${name}"/>`;
    zip.file(`word/${name}`, `<${root} ${NAMESPACES}>${xml}</${root}>`);
    const storyTargets = linksXml(storyLinks[name] ?? {});
    if (storyTargets !== "") zip.file(`word/_rels/${name}.rels`, relationshipsXml(storyTargets));
  }
  relationships += linksXml(links);
  let packageRelationships = `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="${main}"/>`;
  for (const key of ["coreProperties", "customProperties"] as const) {
    const xml = document[key];
    if (xml === undefined) continue;
    const { name, root, namespaces, contentType, relationship } = PROPERTY_PARTS[key];
    zip.file(name, `<${root} ${namespaces}>${xml}</${root}>`);
    overrides += `<Override PartName="/${name}" ContentType="${contentType}"/>`;
    packageRelationships += `<Relationship Id="${key}" Type="${relationship}" Target="${name}"/>`;
  }
  for (const kind of ["numbering", "styles"] as const) {
    const xml = document[kind];
    if (xml === undefined) continue;
    zip.file(`word/${kind}.xml`, `<w:${kind} ${NAMESPACES}>${xml}</w:${kind}>`);
    overrides += `<Override PartName="/word/${kind}.xml" ContentType="${WORD}.${kind}+xml"/>`;
    relationships += `<Relationship Id="${kind}" Type="${OFFICE}/${kind}" Target="${kind}.xml"/>`;
  }
  zip.file(
    "[Content_Types].xml",
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides}</Types>`,
  );
  zip.file("_rels/.rels", relationshipsXml(packageRelationships));
  const slash = main.lastIndexOf("/") + 1;
  zip.file(
    `${main.slice(0, slash)}_rels/${main.slice(slash)}.rels`,
    relationshipsXml(relationships),
  );
  zip.file(
    main,
    `<?xml version="1.0"?><w:document ${NAMESPACES}><w:body>${body}<w:sectPr/></w:body></w:document>`,
  );
  return zip.generate({ type: "uint8array", compression: "STORE" });
}

function linksXml(links: Readonly<Record<string, string>>): string {
  return Object.entries(links)
    .map(
      ([id, target]) =>
        `<Relationship Id="${id}" Type="${OFFICE}/hyperlink" Target="${escapeXml(target).replaceAll('"', "&quot;")}" TargetMode="External"/>`,
    )
    .join("");
}

function relationshipsXml(relationships: string): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationships}</Relationships>`;
}

/** Returns a paragraph of one run. The text is escaped. */
export function p(text: string, style?: string): string {
  const properties = style === undefined ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}${r(text)}</w:p>`;
}

/** Returns a run. The text is escaped; `properties` is XML within `w:rPr`. */
export function r(text: string, properties = ""): string {
  const rPr = properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`;
  return `<w:r>${rPr}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;
}

/** Returns a table from rows of cells. Each cell is the XML of its paragraphs. */
export function table(...rows: readonly (readonly string[])[]): string {
  const body = rows
    .map((cells) => `<w:tr>${cells.map((cell) => `<w:tc><w:tcPr/>${cell}</w:tc>`).join("")}</w:tr>`)
    .join("");
  return `<w:tbl><w:tblPr/><w:tblGrid/>${body}</w:tbl>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Returns the XML of a part of a rendered document. */
export function partOf(bytes: Uint8Array, part = "word/document.xml"): string {
  return new PizZip(bytes).file(part)?.asText() ?? "";
}

/** Returns the content of `w:body`, without the section. */
export function bodyOf(bytes: Uint8Array): string {
  return /<w:body>(.*)<w:sectPr\/><\/w:body>/s.exec(partOf(bytes))?.[1] ?? "";
}

/**
 * Returns the text of a part as lines: one line per paragraph, cells of a row joined by ` | ` (their paragraphs by ` /
 * `), a line break as `⏎` and a tab as `⇥`.
 */
export function linesOf(bytes: Uint8Array, part?: string): string[] {
  const xml = partOf(bytes, part);
  const flattened = xml.replace(/<w:tr[ >].*?<\/w:tr>/gs, (row) => {
    const cells = [...row.matchAll(/<w:tc[ >].*?<\/w:tc>/gs)].map(([cell]) =>
      paragraphs(cell).join(" / "),
    );
    return `<w:p><w:t>${cells.join(" | ")}</w:t></w:p>`;
  });
  return paragraphs(flattened).map((line) =>
    line.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}

/** Returns the texts of paragraphs, as escaped in the XML. */
function paragraphs(xml: string): string[] {
  return [...xml.matchAll(/<w:p(?: [^>]*)?(?:\/>|>(.*?)<\/w:p>)/gs)].map(([, inner = ""]) =>
    [...inner.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>|<w:(br|tab)\/>/g)]
      .map(([, text, mark]) => (mark === undefined ? text : mark === "br" ? "⏎" : "⇥"))
      .join(""),
  );
}
