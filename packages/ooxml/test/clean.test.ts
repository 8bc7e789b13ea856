import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { type DocxPackage, openPackage } from "../src/open.ts";
import { createWriter } from "../src/write.ts";
import { png } from "./support/pictures.ts";
import {
  entriesOf,
  handmadeZip,
  NAMESPACES,
  type TestPackage,
  testPackage,
} from "./support/zip.ts";

const DOCUMENT = "word/document.xml";
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";

async function open(test: TestPackage): Promise<DocxPackage> {
  const docx = await openPackage(testPackage(test));
  for (const part of docx.parts) {
    if (!/\.(xml|rels|svg|vml)$/.test(part)) continue;
    const parser = new SaxesParser({ xmlns: true });
    parser.on("error", (error) => {
      throw new Error(`${part} was broken.`, { cause: error });
    });
    parser.write(docx.readText(part)).close();
  }
  const again = await openPackage(createWriter(docx).write(new Map()));
  expect(again.warnings).toEqual([]);
  expect(again.parts).toEqual(docx.parts);
  return docx;
}

/** Returns the warnings as `code part`. */
function told({ warnings }: DocxPackage): string[] {
  return warnings.map(({ code, template }) => `${code} ${template?.part}`);
}

/** Returns the content of the body. */
function bodyOf(docx: DocxPackage, part = DOCUMENT): string {
  return /<w:body>(.*)<w:sectPr\/>/s.exec(docx.readText(part))?.[1] ?? "";
}

const begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';
const separate = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>';
const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
const text = (value: string): string => `<w:r><w:t>${value}</w:t></w:r>`;
const code = (value: string): string => `<w:r><w:instrText>${value}</w:instrText></w:r>`;
const field = (instruction: string, result: string): string =>
  `${begin}${code(instruction)}${separate}${text(result)}${end}`;

describe("content that would be fetched or run is removed and reported", () => {
  const image = ["image", "http://127.0.0.1/x.png", "External"] as const;

  test.each<[string, TestPackage, string, string]>([
    [
      "an attached template",
      {
        parts: {
          "word/settings.xml": `<w:settings ${NAMESPACES}><w:zoom/><w:attachedTemplate r:id="rId1"/></w:settings>`,
        },
        relationships: {
          [DOCUMENT]: [["settings", "settings.xml"]],
          "word/settings.xml": [["attachedTemplate", "file:///C:/evil.dotm", "External"]],
        },
      },
      "removed_external_template word/settings.xml",
      "<w:zoom/></w:settings>",
    ],
    [
      "the setting that copies styles",
      {
        parts: {
          "word/settings.xml": `<w:settings ${NAMESPACES}><w:zoom/><w:linkStyles/></w:settings>`,
        },
        relationships: { [DOCUMENT]: [["settings", "settings.xml"]] },
      },
      "removed_style_updates word/settings.xml",
      "<w:zoom/></w:settings>",
    ],
    [
      "a linked picture",
      {
        body: '<w:drawing><a:blip r:link="rId1" cstate="print"/></w:drawing>',
        relationships: { [DOCUMENT]: [image] },
      },
      `removed_remote_image ${DOCUMENT}`,
      '<w:drawing><a:blip  cstate="print"/></w:drawing>',
    ],
    [
      "a linked picture that is embedded, too",
      {
        body: '<a:blip r:embed="rId2" r:link="rId1"/>',
        parts: { "word/media/image1.png": png(1, 1) },
        relationships: { [DOCUMENT]: [image, ["image", "media/image1.png"]] },
      },
      `removed_remote_image ${DOCUMENT}`,
      '<a:blip r:embed="rId2" />',
    ],
    [
      "a picture of a local file, with an internal relationship",
      {
        body: '<a:blip r:embed="rId1"/>',
        relationships: { [DOCUMENT]: [["image", "file:///etc/passwd"]] },
      },
      `removed_remote_image ${DOCUMENT}`,
      "<a:blip />",
    ],
    [
      "a picture with the relationship of a hyperlink",
      {
        body: '<w:hyperlink r:id="rId1"/><a:blip r:link="rId1"/>',
        relationships: { [DOCUMENT]: [["hyperlink", "http://127.0.0.1/", "External"]] },
      },
      `removed_remote_image ${DOCUMENT}`,
      '<w:hyperlink r:id="rId1"/><a:blip />',
    ],
    [
      "a picture in VML",
      {
        body: '<v:shape><v:imagedata r:id="rId1" o:title="t"/></v:shape>',
        relationships: { [DOCUMENT]: [image] },
      },
      `removed_remote_image ${DOCUMENT}`,
      '<v:shape><v:imagedata  o:title="t"/></v:shape>',
    ],
    [
      "a VML source without a relationship",
      { body: '<v:shape><v:imagedata src="http://127.0.0.1/"/><v:fill o:href="x"/></v:shape>' },
      `removed_remote_image ${DOCUMENT}`,
      "<v:shape><v:imagedata /><v:fill /></v:shape>",
    ],
    [
      "a link to an object",
      {
        body: '<w:object><v:shape id="s"/><o:OLEObject Type="Link" ProgID="x" r:id="rId1"/></w:object>',
        relationships: { [DOCUMENT]: [["oleObject", "file:///x.xls", "External"]] },
      },
      `removed_ole_link ${DOCUMENT}`,
      '<w:object><v:shape id="s"/></w:object>',
    ],
    [
      "a link to an object that claims to be embedded",
      {
        body: '<w:object><o:OLEObject Type="Embed" r:id="rId1"/></w:object>',
        relationships: { [DOCUMENT]: [["oleObject", "\\\\host\\x.xls", "External"]] },
      },
      `removed_ole_link ${DOCUMENT}`,
      "<w:object></w:object>",
    ],
    [
      "an imported file",
      {
        body: '<w:p/><w:altChunk r:id="rId1"><w:altChunkPr/></w:altChunk>',
        parts: { "word/afchunk.htm": "<html><img src='http://127.0.0.1/'>" },
        relationships: { [DOCUMENT]: [["aFChunk", "afchunk.htm"]] },
      },
      `removed_alt_chunk ${DOCUMENT}`,
      "<w:p/>",
    ],
    [
      "an ActiveX control",
      {
        body: '<w:object><v:shape id="s"/><w:control r:id="rId1" w:name="x"/></w:object>',
        parts: { "word/activeX/activeX1.xml": "<ax/>", "word/activeX/activeX1.bin": "x" },
        relationships: {
          [DOCUMENT]: [["control", "activeX/activeX1.xml"]],
          "word/activeX/activeX1.xml": [
            [
              "http://schemas.microsoft.com/office/2006/relationships/activeXControlBinary",
              "activeX1.bin",
            ],
          ],
        },
      },
      `removed_activex ${DOCUMENT}`,
      '<w:object><v:shape id="s"/></w:object>',
    ],
    [
      "a subdocument of a master document",
      {
        body: '<w:p/><w:subDoc r:id="rId1"/>',
        relationships: { [DOCUMENT]: [["subDocument", "a.docx", "External"]] },
      },
      `removed_external_link ${DOCUMENT}`,
      "<w:p/>",
    ],
    [
      "any other external target",
      {
        body: '<w:unknown r:id="rId1" r:embed="rId2"/>',
        relationships: { [DOCUMENT]: [["novelty", "http://127.0.0.1/", "External"]] },
      },
      `removed_external_link ${DOCUMENT}`,
      '<w:unknown  r:embed="rId2"/>',
    ],
  ])("%s", async (_name, source, warning, left) => {
    const docx = await open(source);
    expect(told(docx)).toEqual([warning]);
    expect(docx.warnings[0]).toMatchObject({ severity: "warning" });
    expect(docx.warnings[0]?.message).toMatch(/\.$/);
    const [part = DOCUMENT] = warning.split(" ").slice(1);
    expect(docx.readText(part)).toContain(left);
    const zip = createWriter(docx).write(new Map());
    for (const name of docx.parts) {
      if (!name.endsWith(".rels") || /hyperlink/.test(_name)) continue;
      expect(docx.readText(name)).not.toContain("External");
    }
    expect(Buffer.from(zip).includes("afchunk.htm")).toBe(false);
    expect(docx.parts.some((name) => name.includes("activeX"))).toBe(false);
  });

  test("with any namespace prefixes, also in a strict document", async () => {
    const strict = "http://purl.oclc.org/ooxml";
    const xml = `<x:document xmlns:x="${strict}/wordprocessingml/main" xmlns="${strict}/drawingml/main" xmlns:y="${strict}/officeDocument/relationships"><x:altChunk y:id="q"/><blip y:link="rId1"/><z:imagedata xmlns:z="urn:schemas-microsoft-com:vml" src="http&#58;//127.0.0.1"/><x:fldSimple x:instr="DDE&#65;UTO x"/></x:document>`;
    const docx = await open({
      parts: { [DOCUMENT]: xml },
      relationships: {
        [DOCUMENT]: [
          [`${strict}/officeDocument/relationships/image`, "http://127.0.0.1/", "External"],
        ],
      },
    });
    expect(told(docx).toSorted()).toEqual([
      `removed_alt_chunk ${DOCUMENT}`,
      `removed_field ${DOCUMENT}`,
      `removed_remote_image ${DOCUMENT}`,
    ]);
    expect(docx.readText(DOCUMENT)).toMatch(
      /<blip \/><z:imagedata xmlns:z="[^"]*" \/><\/x:document>$/,
    );
  });

  test("in UTF-16 parts, which become UTF-8", async () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?><w:document ${NAMESPACES}><w:t>é</w:t><w:altChunk/></w:document>`;
    const docx = await open({ parts: { [DOCUMENT]: Buffer.from(`\ufeff${xml}`, "utf16le") } });
    expect(told(docx)).toEqual([`removed_alt_chunk ${DOCUMENT}`]);
    expect(Buffer.from(docx.readBytes(DOCUMENT)).toString()).toContain("<w:t>é</w:t></w:document>");
  });

  test("in headers, charts, numbering, the glossary and unreferenced parts", async () => {
    const parts = [
      "word/header1.xml",
      "word/charts/chart1.xml",
      "word/numbering.xml",
      "word/glossary/document.xml",
      "word/theme/theme1.xml",
      "word/lost.bin",
    ];
    const docx = await open({
      parts: Object.fromEntries(
        parts.map((part) => [part, `<w:hdr ${NAMESPACES}><a:blip r:link="rId1"/></w:hdr>`]),
      ),
      relationships: Object.fromEntries(
        parts.map((part) => [part, [["image", "http://127.0.0.1/", "External"] as const]]),
      ),
    });
    expect(told(docx).toSorted()).toEqual(
      parts.map((part) => `removed_remote_image ${part}`).toSorted(),
    );
  });

  test("scripts, style sheets and HTML in an SVG picture", async () => {
    const parts = [
      '<?xml-stylesheet href="http://127.0.0.1/a.css"?>',
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" onload="x()" width="1">',
      '<g xml:base="http://127.0.0.1/"/>',
      "<script>x()</script><s:script xmlns:s='http://www.w3.org/2000/svg'/>",
      "<style>@import 'http://127.0.0.1/';</style>",
      "<style><![CDATA[a{fill:u\\72l(http://127.0.0.1/)}]]></style>",
      "<style>a { fill: url(#b) }</style>",
      '<rect fill="url(http://127.0.0.1/#a)" onclick="x()" stroke="url(#b)"/>',
      '<rect style="fill:url(&#x27;//127.0.0.1/&#x27;)" height="2"/>',
      '<foreignObject><b xmlns="http://www.w3.org/1999/xhtml" onclick="x()">x</b></foreignObject>',
      '<set attributeName="l:href" to="http://127.0.0.1/"/><set attributeName="x" to="1"/>',
      '<a href="java&#10;script:x()"/><a href="https://example.org/"/>',
      "</svg>",
    ];
    const docx = await open({
      parts: { "word/media/image1.svg": parts.join("") },
      moreTypes: '<Default Extension="svg" ContentType="image/svg+xml"/>',
    });
    expect(docx.readText("word/media/image1.svg")).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink"  width="1">' +
        "<g /><style>a { fill: url(#b) }</style>" +
        '<rect   stroke="url(#b)"/><rect  height="2"/><set attributeName="x" to="1"/>' +
        '<a /><a href="https://example.org/"/></svg>',
    );
    expect(told(docx).toSorted()).toEqual([
      "removed_external_link word/media/image1.svg",
      "removed_macros word/media/image1.svg",
      "removed_remote_image word/media/image1.svg",
    ]);
    const macros = docx.warnings.find(({ code }) => code === "removed_macros");
    expect(macros?.message).toBe(
      "The macros of the template were removed: onload, script, onclick, set, href.",
    );
  });

  test("a script behind any number of spaces in a link of an SVG picture", async () => {
    const spaces = " ".repeat(5_000);
    const links = [`${spaces}javascript:x()`, `java${"&#9;".repeat(5_000)}script:x()`];
    const svg = links.map((href) => `<a href="${href}"/>`).join("");
    const docx = await open({
      parts: { "word/media/image1.svg": `<svg xmlns="http://www.w3.org/2000/svg">${svg}</svg>` },
      moreTypes: '<Default Extension="svg" ContentType="image/svg+xml"/>',
    });
    expect(docx.readText("word/media/image1.svg")).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg"><a /><a /></svg>',
    );
  });

  test("images and links in an SVG picture", async () => {
    const PNG_DATA = `data:image/png;base64,${png(1, 1).toString("base64")}`;
    const svg = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink"><image l:href="http://127.0.0.1/"/><image href="file:///etc/passwd"/><image href="${PNG_DATA}"/><image href="data:image/svg+xml,x"/><image id="i" l:href="#i"/><use l:href="#a"/><a href="https://example.org/"/></svg>`;
    const docx = await open({
      parts: { "word/media/image1.svg": svg },
      moreTypes: '<Default Extension="svg" ContentType="image/svg+xml"/>',
    });
    expect(told(docx)).toEqual([
      "removed_remote_image word/media/image1.svg",
      "removed_picture word/media/image1.svg",
    ]);
    expect(docx.readText("word/media/image1.svg")).toContain(
      `<image /><image /><image href="${PNG_DATA}"/><image /><image id="i" /><use l:href="#a"/><a href="https://example.org/"/></svg>`,
    );
  });

  test("mail merge sources, frames and references in the settings", async () => {
    const docx = await open({
      parts: {
        "word/settings.xml": `<w:settings ${NAMESPACES}><w:mailMerge><w:connectString w:val="x"/><w:dataSource r:id="rId1"/></w:mailMerge><w:saveThroughXslt r:id="rId2"/><w:compat/></w:settings>`,
        "word/webSettings.xml": `<w:webSettings ${NAMESPACES}><w:frameset><w:frame><w:sourceFileName r:id="rId1"/></w:frame></w:frameset></w:webSettings>`,
        "word/recipientData.xml": `<w:recipients ${NAMESPACES}/>`,
      },
      relationships: {
        [DOCUMENT]: [
          ["settings", "settings.xml"],
          ["webSettings", "webSettings.xml"],
        ],
        "word/settings.xml": [
          ["mailMergeSource", "file:///people.mdb", "External"],
          ["transform", "http://127.0.0.1/x.xsl", "External"],
          ["mailMergeRecipientData", "recipientData.xml"],
        ],
        "word/webSettings.xml": [["frame", "http://127.0.0.1/", "External"]],
      },
    });
    expect(told(docx).toSorted()).toEqual([
      "removed_external_link word/settings.xml",
      "removed_external_link word/webSettings.xml",
      "removed_mail_merge word/settings.xml",
    ]);
    expect(docx.readText("word/settings.xml")).toMatch(/"><w:compat\/><\/w:settings>$/);
    expect(docx.readText("word/webSettings.xml")).toContain("<w:frame></w:frame>");
    expect(docx.has("word/recipientData.xml")).toBe(false);
  });
});

describe("macros", () => {
  const vba = "http://schemas.microsoft.com/office/2006/relationships";
  const docm: TestPackage = {
    mainType: "application/vnd.ms-word.document.macroEnabled.main+xml",
    moreTypes: '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>',
    types: {
      "word/vbaData.xml": "application/vnd.ms-word.vbaData+xml",
      "word/customizations.xml": "application/vnd.ms-word.keyMapCustomizations+xml",
    },
    parts: {
      "word/vbaProject.bin": "vba",
      "word/vbaData.xml":
        "<wne:vbaSuppData xmlns:wne='http://schemas.microsoft.com/office/word/2006/wordml'/>",
      "word/customizations.xml":
        "<wne:tcg xmlns:wne='http://schemas.microsoft.com/office/word/2006/wordml'/>",
      "word/embeddings/oleObject1.bin": "object",
    },
    body: '<w:object><o:OLEObject Type="Embed" r:id="rId3"/></w:object>',
    relationships: {
      [DOCUMENT]: [
        [`${vba}/vbaProject`, "vbaProject.bin"],
        [`${vba}/keyMapCustomizations`, "customizations.xml"],
        ["oleObject", "embeddings/oleObject1.bin"],
      ],
      "word/vbaProject.bin": [[`${vba}/wordVbaData`, "vbaData.xml"]],
    },
  };

  test("are removed with their content types and references; embedded objects are kept", async () => {
    const docx = await open(docm);
    expect(told(docx)).toEqual([`removed_macros ${DOCUMENT}`]);
    expect(docx.warnings[0]?.message).toContain("word/vbaProject.bin, word/customizations.xml");
    expect(docx.parts).toEqual([
      "[Content_Types].xml",
      "_rels/.rels",
      DOCUMENT,
      "word/_rels/document.xml.rels",
      "word/embeddings/oleObject1.bin",
    ]);
    expect(docx.contentTypesXml).not.toMatch(/macro|vba|ms-word/i);
    expect(docx.contentTypeOf(DOCUMENT)).toBe(`${WORD}.document.main+xml`);
    expect(docx.contentTypeOf("word/embeddings/oleObject1.bin")).toContain("oleobject");
    expect(bodyOf(docx)).toContain('r:id="rId3"');
  });

  test("are removed even if unreferenced", async () => {
    const docx = await open({ ...docm, relationships: {}, body: "<w:p/>" });
    expect(docx.has("word/vbaProject.bin")).toBe(false);
    expect(docx.has("word/vbaData.xml")).toBe(false);
    expect(docx.warnings.length).toBeGreaterThan(0);
  });

  test("whose relationships point to essential parts do not remove these parts", async () => {
    const docx = await open({
      relationships: {
        [DOCUMENT]: [
          [`${vba}/vbaProject`, "/[Content_Types].xml"],
          [`${vba}/vbaProject`, "/_rels/.rels"],
          [`${vba}/vbaProject`, "/word/_rels/document.xml.rels"],
          [`${vba}/vbaProject`, "document.xml"],
        ],
      },
    });
    expect(docx.parts).toHaveLength(4);
    expect(docx.relationshipsOf(DOCUMENT)).toEqual([]);
  });

  test.each([
    `${WORD}.template.main+xml`,
    "application/vnd.ms-word.document.macroEnabled.main+xml",
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
  ])(
    "are not reported if only the main part has the type %s, which becomes the type of a .docx",
    async (mainType) => {
      const docx = await open({ mainType });
      expect(docx.warnings).toEqual([]);
      expect(docx.contentTypeOf(DOCUMENT)).toBe(`${WORD}.document.main+xml`);
      const untouched = docx.parts.filter((part) => part !== "[Content_Types].xml");
      const bytes = await openPackage(testPackage({}));
      for (const part of untouched) expect(docx.readBytes(part)).toEqual(bytes.readBytes(part));
    },
  );

  test("in ribbons are removed, and so are web add-ins and signatures of the package", async () => {
    const docx = await open({
      parts: {
        "customUI/customUI.xml": "<customUI/>",
        "word/webextensions/taskpanes.xml": "<taskpanes/>",
        "word/webextensions/webextension1.xml": "<we/>",
        "_xmlsignatures/origin.sigs": "",
        "_xmlsignatures/sig1.xml": "<Signature/>",
      },
      relationships: {
        "": [
          [`${vba}/ui/extensibility`, "customUI/customUI.xml"],
          [
            "http://schemas.microsoft.com/office/2011/relationships/webextensiontaskpanes",
            "word/webextensions/taskpanes.xml",
          ],
          [
            "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin",
            "_xmlsignatures/origin.sigs",
          ],
        ],
        "word/webextensions/taskpanes.xml": [
          [
            "http://schemas.microsoft.com/office/2011/relationships/webextension",
            "webextension1.xml",
          ],
        ],
        "_xmlsignatures/origin.sigs": [
          [
            "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/signature",
            "sig1.xml",
          ],
        ],
      },
    });
    expect(told(docx).toSorted()).toEqual([
      "removed_macros _rels/.rels",
      "removed_signature _rels/.rels",
      "removed_web_extension _rels/.rels",
    ]);
    expect(docx.parts).toEqual(["[Content_Types].xml", "_rels/.rels", DOCUMENT]);
  });
});

describe("large numbers of removed items", () => {
  test("are counted, and the report names only the first ones", async () => {
    const docx = await open({
      body: '<w:control w:name="x"/>'.repeat(3_000) + '<v:shape src="x" o:href="y"/>'.repeat(2_000),
    });
    expect(docx.warnings.map(({ message }) => message)).toEqual([
      `3000 ActiveX controls were removed from ${DOCUMENT}.`,
      `4000 pictures would be fetched from outside the document: the link was removed from ${DOCUMENT}.`,
    ]);
    expect(bodyOf(docx)).toBe("<v:shape  />".repeat(2_000));
  });

  test("include consecutive and nested fields", async () => {
    const one = field("DDE x", "last");
    const left = (inner: string): string => `<w:r></w:r><w:r></w:r><w:r></w:r>${inner}<w:r></w:r>`;
    const kept = field("PAGE", "1");
    const docx = await open({ body: `<w:p>${(one + kept).repeat(500)}</w:p>` });
    expect(bodyOf(docx)).toBe(`<w:p>${(left(text("last")) + kept).repeat(500)}</w:p>`);
    expect(docx.warnings[0]?.message).toContain("500 fields");
    const within = `${begin}${code("DDE x")}${separate}${one}${kept}${end}`;
    const nested = await open({ body: `<w:p>${within}${one}</w:p>` });
    expect(bodyOf(nested)).toBe(
      `<w:p>${left(left(text("last")) + kept)}${left(text("last"))}</w:p>`,
    );
  });

  test("include fields whose marks have start and end tags", async () => {
    const mark = (type: string, inner = ""): string =>
      `<w:r><w:fldChar w:fldCharType="${type}">${inner}</w:fldChar></w:r>`;
    const one = mark("begin") + code("DDE x") + mark("separate") + text("last") + mark("end");
    const docx = await open({ body: `<w:p>${one.repeat(3)}</w:p>` });
    expect(bodyOf(docx)).not.toMatch(/fldChar|instrText/);
    expect(docx.warnings[0]?.message).toContain("3 fields");
  });
});

describe("macros are removed for every kind of reference", () => {
  const VBA = "application/vnd.ms-office.vbaProject";

  test("from the relationship of a picture", async () => {
    const docx = await open({
      body: '<a:blip r:embed="rId1" cstate="print"/>',
      parts: { "word/vbaProject.bin": "x" },
      relationships: { [DOCUMENT]: [["image", "vbaProject.bin"]] },
      moreTypes: `<Default Extension="bin" ContentType="${VBA}"/>`,
    });
    expect(told(docx)).toEqual([`removed_macros ${DOCUMENT}`]);
    expect(docx.parts).not.toContain("word/vbaProject.bin");
    expect(docx.contentTypesXml).not.toContain("vbaProject");
    expect(bodyOf(docx)).toBe('<a:blip  cstate="print"/>');
  });

  test("but not an object that only shares the content type of .bin parts", async () => {
    const docx = await open({
      body: '<w:object><o:OLEObject Type="Embed" r:id="rId1"/></w:object>',
      parts: { "word/embeddings/oleObject1.bin": "x", "word/vbaProject.bin": "y" },
      relationships: {
        [DOCUMENT]: [
          ["oleObject", "embeddings/oleObject1.bin"],
          ["http://schemas.microsoft.com/office/2006/relationships/vbaProject", "vbaProject.bin"],
        ],
      },
      moreTypes: `<Default Extension="bin" ContentType="${VBA}"/>`,
    });
    expect(docx.parts).toContain("word/embeddings/oleObject1.bin");
    expect(docx.parts).not.toContain("word/vbaProject.bin");
    expect(docx.contentTypesXml).not.toContain("vbaProject");
  });

  test("in an embedded workbook", async () => {
    const docx = await open({
      body: '<w:object><v:shape id="s"/><o:OLEObject Type="Embed" r:id="rId1"/><o:OLEObject Type="Embed" r:id="rId2"/></w:object>',
      parts: { "word/embeddings/a.xlsm": "x", "word/embeddings/b.xlsx": "x" },
      relationships: {
        [DOCUMENT]: [
          ["package", "embeddings/a.xlsm"],
          ["package", "embeddings/b.xlsx"],
        ],
      },
      moreTypes:
        '<Default Extension="xlsm" ContentType="application/vnd.ms-excel.sheet.macroEnabled.12"/><Default Extension="xlsx" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"/>',
    });
    expect(told(docx)).toEqual([`removed_macros ${DOCUMENT}`]);
    expect(docx.parts).not.toContain("word/embeddings/a.xlsm");
    expect(docx.contentTypesXml).not.toMatch(/macroEnabled/i);
    expect(bodyOf(docx)).toBe(
      '<w:object><v:shape id="s"/><o:OLEObject Type="Embed" r:id="rId2"/></w:object>',
    );
  });

  test("named in a form field", async () => {
    const docx = await open({
      body: `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="a"/><w:entryMacro w:val="Evil"/><w:exitMacro w:val="Evil"/></w:ffData></w:fldChar></w:r>${code("FORMTEXT")}${separate}${text("x")}${end}</w:p>`,
    });
    expect(told(docx)).toEqual([`removed_macros ${DOCUMENT}`]);
    expect(bodyOf(docx)).toContain('<w:ffData><w:name w:val="a"/></w:ffData>');
  });

  test("with content types in another letter case", async () => {
    const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="bin" ContentType="${VBA}"/><Override PartName="/word/document.xml" ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>`;
    for (const name of ["[content_types].xml", "[Content_Types].XML", "%5BContent_Types%5D.xml"]) {
      const entries = entriesOf({ parts: { "word/vbaProject.bin": "x" } })
        .filter((entry) => entry.name !== "[Content_Types].xml")
        .concat({ name, content: types });
      const docx = await openPackage(handmadeZip(entries));
      expect(docx.parts).toContain(name);
      expect(docx.parts).not.toContain("word/vbaProject.bin");
      expect(docx.contentTypesXml).not.toMatch(/macroEnabled|vbaProject/);
      expect(docx.contentTypeOf(DOCUMENT)).toBe(`${WORD}.document.main+xml`);
    }
  });
});

describe("the name of an embedded font", () => {
  const fonts = (name: string): TestPackage => ({
    parts: {
      "word/fontTable.xml": `<w:fonts ${NAMESPACES}><w:font w:name="${name}"><w:family w:val="a"/><w:embedRegular r:id="rId1"/></w:font><w:font w:name="Good"><w:embedBold r:id="rId1"/></w:font></w:fonts>`,
      "word/fonts/font1.odttf": "x",
    },
    relationships: {
      [DOCUMENT]: [["fontTable", "fontTable.xml"]],
      "word/fontTable.xml": [["font", "fonts/font1.odttf"]],
    },
  });

  test.each(["../../canary", "a/b", "a\\b", "a%2Fb", "..", "&#x2e;./x"])(
    "%s is a path, so the font is not embedded",
    async (name) => {
      const docx = await open(fonts(name));
      expect(told(docx)).toEqual(["removed_external_link word/fontTable.xml"]);
      const xml = docx.readText("word/fontTable.xml");
      expect(xml).not.toContain("embedRegular");
      expect(xml).toContain("embedBold");
    },
  );

  test.each(["Times New Roman", "A.B-C_1", "ＭＳ 明朝"])("%s is kept", async (name) => {
    expect((await open(fonts(name))).warnings).toEqual([]);
  });
});

describe("the base of relative links", () => {
  const properties = (base: string): TestPackage => ({
    parts: {
      "docProps/app.xml": `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Template>a.dotm</Template><HyperlinkBase>${base}</HyperlinkBase></Properties>`,
    },
    relationships: { "": [["extended-properties", "docProps/app.xml"]] },
  });

  test.each([
    "file:///C:/x",
    "\\\\host\\share",
    "//host/share",
    " C:\\x",
    "&#102;ile:///x",
    "<![CDATA[file:x]]>",
    "/etc",
  ])("%s is removed", async (base) => {
    const docx = await open(properties(base));
    expect(told(docx)).toEqual(["removed_external_link docProps/app.xml"]);
    expect(docx.readText("docProps/app.xml")).toMatch(
      /<Template>a\.dotm<\/Template><\/Properties>$/,
    );
  });

  test.each(["https://example.org/", "HTTP://example.org/", "", "hlinkbase", "{{base}}"])(
    "%j is kept",
    async (base) => {
      expect((await open(properties(base))).warnings).toEqual([]);
    },
  );

  test.each(["{{base}}", " {{base}}/x", "doc{{base}}", "https:{{base}}", "&#123;{base}}"])(
    "%s is removed if it is a tag, because data would choose the folder",
    async (base) => {
      const { warnings } = await openPackage(testPackage(properties(base)), {}, "{{");
      expect(warnings.map(({ code }) => code)).toEqual(["removed_external_link"]);
      expect(warnings[0]?.message).toContain("HyperlinkBase, which contains a tag");
    },
  );

  test("is kept if data can only choose a web address", async () => {
    const bytes = testPackage(properties("https://{{host}}/"));
    expect((await openPackage(bytes, {}, "{{")).warnings).toEqual([]);
  });
});

describe("an add-in that Word would install is removed from the properties", () => {
  const properties = (name: string): TestPackage => ({
    parts: {
      "docProps/custom.xml": `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="urn:vt"><property pid="2" name="Client"><vt:lpwstr>a</vt:lpwstr></property><property pid="3" name="${name}"><vt:lpwstr>https://example.org/a.vsto|0000</vt:lpwstr></property></Properties>`,
    },
    relationships: { "": [["custom-properties", "docProps/custom.xml"]] },
  });

  test.each(["_AssemblyLocation", "_AssemblyName", "_assemblylocation0", " &#95;AssemblyName "])(
    "named %s",
    async (name) => {
      const docx = await open(properties(name));
      expect(told(docx)).toEqual(["removed_web_extension docProps/custom.xml"]);
      expect(docx.readText("docProps/custom.xml")).toMatch(/>a<\/vt:lpwstr><\/property><\/Prop/);
    },
  );

  test("but other properties are kept", async () => {
    expect((await open(properties("AssemblyName"))).warnings).toEqual([]);
  });
});

describe("fields that read files or start programs are replaced with their last result", () => {
  const forbidden = [
    "DDE",
    "DDEAUTO",
    "INCLUDETEXT",
    "INCLUDEPICTURE",
    "INCLUDE",
    "IMPORT",
    "LINK",
    "DATABASE",
    "RD",
  ];

  test.each(forbidden)("%s", async (keyword) => {
    const docx = await open({ body: `<w:p>${field(` ${keyword} x`, "last")}</w:p>` });
    expect(bodyOf(docx)).toBe(
      `<w:p><w:r></w:r><w:r></w:r><w:r></w:r>${text("last")}<w:r></w:r></w:p>`,
    );
    expect(told(docx)).toEqual([`removed_field ${DOCUMENT}`]);
    expect(docx.warnings[0]?.message).toContain(`(${keyword})`);
    const simple = await open({
      body: `<w:fldSimple w:instr=" ${keyword.toLowerCase()} x">${text("last")}</w:fldSimple><w:fldSimple w:instr="${keyword}"/>`,
    });
    expect(bodyOf(simple)).toBe(text("last"));
    expect(simple.warnings[0]?.message).toContain("2 fields");
  });

  test.each([
    "PAGE",
    "HYPERLINK &quot;http://example.org/LINK&quot;",
    "MERGEFIELD LINK",
    "IF x = &quot;DDE&quot; LINK",
    "LINKED x",
    "= 1 + 2",
    "TOC \\o",
  ])("%s is kept", async (instruction) => {
    const body = `<w:p>${field(instruction, "last")}<w:fldSimple w:instr="${instruction}"/></w:p>`;
    const docx = await open({ body });
    expect(docx.warnings).toEqual([]);
    expect(bodyOf(docx)).toBe(body);
  });

  test("with any notation of the instruction", async () => {
    const letters = fc
      .constantFrom(...forbidden)
      .chain((keyword) =>
        fc
          .array(fc.boolean(), { minLength: keyword.length, maxLength: keyword.length })
          .map((upper) =>
            [...keyword].map((letter, index) => (upper[index] ? letter : letter.toLowerCase())),
          ),
      );
    const written = (letter: string): fc.Arbitrary<string> =>
      fc.constantFrom(
        letter,
        `&#${letter.charCodeAt(0)};`,
        `&#x000${letter.charCodeAt(0).toString(16)};`,
        `<![CDATA[${letter}]]>`,
        `</w:instrText></w:r><w:ins><w:r><w:instrText>${letter}</w:instrText></w:r></w:ins><w:r><w:instrText>`,
      );
    const between = fc.constantFrom(
      "",
      "<!-- x -->",
      "</w:instrText><w:instrText xml:space='preserve'>",
      "</w:instrText></w:r><w:proofErr/><w:r><w:rPr><w:b/></w:rPr><w:instrText>",
      "</w:instrText></w:r></w:p><w:p><w:r><w:instrText>",
      "</w:instrText><w:br/><w:t></w:t><w:instrText>",
    );
    const instruction = letters.chain((word) =>
      fc.tuple(
        fc.constantFrom("", " ", "\n\t ", '"', "&#160;"),
        fc.tuple(...word.map((letter) => fc.tuple(written(letter), between))),
        fc.constantFrom(" x", "\\* y", "&quot;x&quot;", ""),
      ),
    );
    await fc.assert(
      fc.asyncProperty(instruction, async ([before, word, after]) => {
        let xml = before + word.flat().join("") + after;
        xml += "</w:instrText></w:r>";
        const docx = await open({
          body: `<w:p>${begin}<w:r><w:instrText>${xml}${separate}${text("last")}${end}</w:p>`,
        });
        expect(told(docx)).toEqual([`removed_field ${DOCUMENT}`]);
        expect(docx.readText(DOCUMENT)).not.toMatch(/instrText|fldChar/);
        expect(docx.readText(DOCUMENT)).toContain(text("last"));
      }),
      { numRuns: 150 },
    );
  });

  test.each<[string, string]>([
    [
      "computed by a nested field",
      field(
        `${`</w:instrText></w:r>${field("QUOTE 68 68 69", "DDE")}<w:r><w:instrText>`} x`,
        "last",
      ),
    ],
    [
      "whose first word continues in a nested field",
      field(`D</w:instrText></w:r>${field("QUOTE DE", "DE")}<w:r><w:instrText> x`, "last"),
    ],
    [
      "deleted in a tracked change",
      `<w:del>${field("DDE x", "last").replaceAll("instrText", "delInstrText")}</w:del>`,
    ],
    [
      "visible when a change is accepted",
      field(
        "PAGE</w:instrText></w:r><w:ins><w:r><w:instrText>DDE x</w:instrText></w:r></w:ins><w:r><w:instrText>",
        "last",
      ),
    ],
    ["outside any field", code("DDEAUTO x") + text("last")],
    [
      "after a field that an end mark in a text box does not end",
      `${begin}<w:r><w:pict><w:txbxContent><w:p>${end}</w:p></w:txbxContent></w:pict></w:r>${code("DDE x")}${separate}${text("last")}${end}`,
    ],
  ])("%s", async (_name, xml) => {
    const docx = await open({ body: `<w:p>${xml}</w:p>` });
    expect(told(docx)).toEqual([`removed_field ${DOCUMENT}`]);
    expect(bodyOf(docx)).not.toMatch(/DDE x|DDEAUTO|QUOTE/);
    expect(bodyOf(docx)).toContain("last");
  });

  test("in one branch of an alternative", async () => {
    const branches = `<w:r><mc:AlternateContent><mc:Choice Requires="w"><w:instrText>PAGE </w:instrText></mc:Choice><mc:Fallback><w:instrText>DDE x</w:instrText></mc:Fallback></mc:AlternateContent></w:r>`;
    const docx = await open({
      body: `<w:p>${begin}${branches}${separate}${text("last")}${end}</w:p>`,
    });
    expect(told(docx)).toEqual([`removed_field ${DOCUMENT}`]);
    expect(bodyOf(docx)).not.toContain("DDE");
  });

  test("fields nested in the instruction are removed, fields nested in the result are kept", async () => {
    const docx = await open({
      body: `<w:p>${begin}${code("INCLUDETEXT ")}${field("MERGEFIELD file", "secret")}${code(" x")}${separate}${text("a")}${field("PAGE", "7")}${field("LINK", "b")}${end}${text("after")}</w:p>`,
    });
    const left = bodyOf(docx).replaceAll("<w:r></w:r>", "");
    expect(left).toBe(`<w:p>${text("a")}${field("PAGE", "7")}${text("b")}${text("after")}</w:p>`);
    expect(docx.warnings[0]?.message).toContain("2 fields");
  });

  test("also in a text box within another field, whose instruction is kept", async () => {
    const box = `<w:r><w:pict><w:txbxContent><w:p>${field("DDE x", "in")}</w:p></w:txbxContent></w:pict></w:r>`;
    const docx = await open({ body: `<w:p>${begin}${code("PAGE")}${separate}${box}${end}</w:p>` });
    expect(bodyOf(docx)).toContain(code("PAGE"));
    expect(bodyOf(docx)).toContain(text("in"));
    expect(bodyOf(docx)).not.toContain("DDE");
  });

  test("a field without an end is rejected", async () => {
    await expect(open({ body: `<w:p>${begin}${code("DDE x")}</w:p>` })).rejects.toThrow(
      "that has no end",
    );
    expect((await open({ body: `<w:p>${begin}${code("PAGE")}</w:p>` })).warnings).toEqual([]);
  });
});

describe("harmless content", () => {
  test("is kept byte for byte, without warnings", async () => {
    const source = testPackage({
      body:
        '<w:hyperlink r:id="rId1"/><a:hlinkClick r:id="rId1"/><a:blip r:embed="rId2"/>' +
        field("PAGE", "1"),
      parts: { "word/media/image1.png": png(1, 1), "lost.txt": "x" },
      relationships: {
        [DOCUMENT]: [
          ["hyperlink", "https://example.org/?a=1&amp;b=2#c", "External"],
          ["image", "media/image1.png"],
        ],
      },
    });
    const docx = await openPackage(source);
    expect(docx.warnings).toEqual([]);
    const again = await openPackage(createWriter(docx).write(new Map()));
    expect(again.parts).toEqual(docx.parts);
    for (const [index, entry] of docx.entries.entries()) {
      expect(again.entries[index]?.raw).toEqual(entry.raw);
      expect(Buffer.from(source).includes(Buffer.from(entry.raw))).toBe(true);
    }
  });

  test("embedded objects and workbooks are kept", async () => {
    const docx = await open({
      body: '<w:object><o:OLEObject Type="Embed" r:id="rId1"/></w:object>',
      parts: {
        "word/embeddings/a.bin": "x",
        "word/charts/chart1.xml": `<c:chartSpace ${NAMESPACES} xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:externalData r:id="rId1"/></c:chartSpace>`,
        "word/embeddings/b.xlsx": "x",
      },
      relationships: {
        [DOCUMENT]: [
          ["oleObject", "embeddings/a.bin"],
          ["chart", "charts/chart1.xml"],
        ],
        "word/charts/chart1.xml": [["package", "../embeddings/b.xlsx"]],
      },
    });
    expect(docx.warnings).toEqual([]);
    expect(docx.readText("word/charts/chart1.xml")).toContain("c:externalData");
  });

  test("a chart loses its link to an external workbook", async () => {
    const docx = await open({
      parts: {
        "word/charts/chart1.xml": `<c:chartSpace ${NAMESPACES} xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:externalData r:id="rId1"><c:autoUpdate/></c:externalData></c:chartSpace>`,
      },
      relationships: { "word/charts/chart1.xml": [["oleObject", "file:///b.xlsx", "External"]] },
    });
    expect(told(docx)).toEqual(["removed_ole_link word/charts/chart1.xml"]);
    expect(docx.readText("word/charts/chart1.xml")).not.toContain("c:externalData");
  });
});
