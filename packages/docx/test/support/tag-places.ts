import { docx, p, r, type TestDocument } from "../../../ooxml/test/support/docx.ts";
import { type AddedPart, withParts } from "./add-parts.ts";
import { CHART, chart, figure, SMART_ART, smartArt } from "./figures.ts";

/** A place in a Word file into which an author can write a tag. */
export interface TagPlace {
  readonly name: string;
  /** A template with a tag only in this place. */
  readonly template: (tag: string) => Uint8Array;
  /** The expected content of parts after rendering; `…` is the text of the tag. */
  readonly holds: readonly (readonly [part: string, xml: string])[];
}

/** A place in which tags are not evaluated. */
export interface UnreadPlace extends TagPlace {
  /** The name of the place in the warning. */
  readonly words: string;
}

const SCHEMAS = "http://schemas.openxmlformats.org";
const A = `xmlns:a="${SCHEMAS}/drawingml/2006/main"`;
const C = `xmlns:c="${SCHEMAS}/drawingml/2006/chart"`;
const CX = 'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"';
const CDR = `xmlns:cdr="${SCHEMAS}/drawingml/2006/chartDrawing"`;
const WP = `xmlns:wp="${SCHEMAS}/drawingml/2006/wordprocessingDrawing"`;
const V =
  'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"';
const W = `xmlns:w="${SCHEMAS}/wordprocessingml/2006/main"`;
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const DRAWING = "application/vnd.openxmlformats-officedocument.drawingml";
const MAIN = "word/document.xml";

/** Parts that every Word file has, with text in braces that is not a tag. */
const ORDINARY: readonly AddedPart[] = [
  {
    name: "word/theme/theme1.xml",
    xml: `<a:theme ${A} name="Office"><a:extLst><a:ext uri="{05A4C25C-085E-4340-85A3-A5531E510DB8}"/></a:extLst></a:theme>`,
    type: "application/vnd.openxmlformats-officedocument.theme+xml",
    kind: "theme",
    id: "rIdTheme",
  },
  {
    name: "customXml/item9.xml",
    xml: '<data xmlns="urn:of-another-program">{"binding":"{{Form.Name}}"} {Form.Name} [[Form.Name]]</data>',
    type: "application/xml",
    kind: "customXml",
    id: "rIdStore",
  },
];

function file(document: TestDocument | string, ...parts: readonly AddedPart[]): Uint8Array {
  const source = typeof document === "string" ? { body: document } : document;
  return withParts(docx(source), [...ORDINARY, ...parts]);
}

/** Returns a part of `word/` with a type of WordprocessingML. */
function wordPart(name: string, kind: string, xml: string): AddedPart {
  return { name: `word/${name}`, xml, type: `${WORD}.${kind}+xml`, kind, id: `rId-${kind}` };
}

const run = (text: string): string => `<a:r><a:rPr lang="en-US"/><a:t>${text}</a:t></a:r>`;

/** Returns the same text in several runs. */
const runs = (text: string): string =>
  [text.slice(0, 1), text.slice(1, 3), text.slice(3)].map(run).join("");

function inChart(name: string, xml: string, write = (tag: string) => tag): TagPlace {
  const part = "word/charts/chart1.xml";
  return {
    name: `a chart: ${name}`,
    template: (tag) => file(CHART, chart(xml.replace("…", write(tag)))),
    holds: [[part, write === runs ? ">…<" : xml]],
  };
}

function inBody(name: string, body: string, ...parts: readonly AddedPart[]): TagPlace {
  return {
    name,
    template: (tag) => file(body.replaceAll("…", tag), ...parts),
    holds: [[MAIN, /[^<>]*…[^<>]*/.exec(body)?.[0] ?? ""]],
  };
}

function inStory(name: string, story: string, xml: string): TagPlace {
  return {
    name,
    template: (tag) => file({ body: p("x"), stories: { [story]: xml.replace("…", tag) } }),
    holds: [[`word/${story}`, /[^<>]*…[^<>]*/.exec(xml)?.[0] ?? ""]],
  };
}

function inPart(name: string, part: AddedPart, body = p("x"), held?: string): TagPlace {
  const xml = String(part.xml);
  return {
    name,
    template: (tag) => file(body, { ...part, xml: xml.replace("…", tag) }),
    holds: [[part.name, held ?? /[^<>]*…[^<>]*/.exec(xml)?.[0] ?? ""]],
  };
}

const drawn = (attributes: string, inner = ""): string =>
  `<w:p><w:r><w:drawing><wp:inline ${WP}><wp:docPr id="1" name="n" ${attributes}>${inner}</wp:docPr></wp:inline></w:drawing></w:r></w:p>`;
const form = (properties: string): string =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="F"/>${properties}</w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMTEXT </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
const control = (properties: string, content = r("x")): string =>
  `<w:p><w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt></w:p>`;
const wordArt = (text: string): string =>
  `<w:p><w:r><w:pict ${V}><v:shape id="PowerPlusWaterMarkObject1" type="#_x0000_t136"><v:textpath style="font-family:&quot;Calibri&quot;" string="${text}"/></v:shape></w:pict></w:r></w:p>`;
const rich = (text: string): string => `<c:rich><a:bodyPr/><a:p>${text}</a:p></c:rich>`;
const series = (xml: string): string =>
  `<c:plotArea><c:barChart><c:ser>${xml}</c:ser></c:barChart></c:plotArea>`;
const cache = (text: string): string =>
  `<c:strRef><c:f>Sheet1!$B$1</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>${text}</c:v></c:pt></c:strCache></c:strRef>`;

const chartEx = (xml: string): AddedPart => ({
  name: "word/charts/chartEx1.xml",
  xml: `<cx:chartSpace ${CX} ${A}>${xml}</cx:chartSpace>`,
  type: "application/vnd.ms-office.chartex+xml",
  kind: "http://schemas.microsoft.com/office/2014/relationships/chartEx",
  id: "rIdChart",
});
const CHART_EX = figure(`<cx:chart ${CX} r:id="rIdChart"/>`);

const shapes = (text: string): AddedPart[] => [
  chart("<c:plotArea/>"),
  {
    name: "word/drawings/drawing1.xml",
    xml: `<c:userShapes ${C} ${CDR} ${A}><cdr:relSizeAnchor><cdr:sp><cdr:nvSpPr><cdr:cNvPr id="2" name="s"/></cdr:nvSpPr><cdr:txBody><a:p>${run(text)}</a:p></cdr:txBody></cdr:sp></cdr:relSizeAnchor></c:userShapes>`,
    type: `${DRAWING}.drawing+xml`,
    kind: "chartUserShapes",
    id: "rId1",
    owner: "word/charts/chart1.xml",
  },
];

/** Places in which a tag becomes its value. */
export const FILLED: readonly TagPlace[] = [
  inStory("a watermark in a header", "header1.xml", wordArt("…")),
  inBody("WordArt", wordArt("Copy for …")),
  inChart("its title", `<c:title><c:tx>${rich(run("Sales …"))}</c:tx></c:title>`),
  inChart("its title, spread over runs", `<c:title><c:tx>${rich("…")}</c:tx></c:title>`, runs),
  inChart(
    "the title of an axis",
    `<c:plotArea><c:valAx><c:title><c:tx>${rich(run("…"))}</c:tx></c:title></c:valAx></c:plotArea>`,
  ),
  inChart("a label", series(`<c:dLbls><c:dLbl><c:tx>${rich(run("…"))}</c:tx></c:dLbl></c:dLbls>`)),
  inChart(
    "between the pieces of a label",
    series("<c:dLbls><c:separator>…</c:separator></c:dLbls>"),
  ),
  inChart("the name of a series", series(`<c:tx>${cache("Year …")}</c:tx>`)),
  inChart("the written name of a series", series("<c:tx><c:v>…</c:v></c:tx>")),
  inChart("a category", series(`<c:cat>${cache("…")}</c:cat>`)),
  inChart(
    "a category of several levels",
    series(
      '<c:cat><c:multiLvlStrRef><c:f>S!$A$1:$B$2</c:f><c:multiLvlStrCache><c:lvl><c:pt idx="0"><c:v>…</c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef></c:cat>',
    ),
  ),
  inChart("a trend line", series("<c:trendline><c:name>…</c:name></c:trendline>")),
  inPart(
    "a chart of Office 2016: its title",
    chartEx(
      `<cx:chart><cx:title><cx:tx><cx:txData><cx:v>…</cx:v></cx:txData></cx:tx></cx:title></cx:chart>`,
    ),
    CHART_EX,
  ),
  inPart(
    "a chart of Office 2016: rich text",
    chartEx(
      `<cx:chart><cx:title><cx:tx><cx:rich><a:p>${run("…")}</a:p></cx:rich></cx:tx></cx:title></cx:chart>`,
    ),
    CHART_EX,
  ),
  inPart(
    "a chart of Office 2016: a category",
    chartEx(
      '<cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl ptCount="1"><cx:pt idx="0">…</cx:pt></cx:lvl></cx:strDim></cx:data></cx:chartData>',
    ),
    CHART_EX,
  ),
  {
    name: "a shape in a chart",
    template: (tag) => file(CHART, ...shapes(tag)),
    holds: [["word/drawings/drawing1.xml", "<a:t>…</a:t>"]],
  },
  {
    name: "SmartArt",
    template: (tag) => file(SMART_ART, ...smartArt(run(`To ${tag}`))),
    holds: [
      ["word/diagrams/data1.xml", "<a:t>To …</a:t>"],
      ["word/diagrams/drawing1.xml", "<a:t>To …</a:t>"],
    ],
  },
  {
    name: "the alternative text of a shape of SmartArt",
    template: (tag) => file(SMART_ART, ...smartArt(run("x"), tag)),
    holds: [["word/diagrams/data1.xml", 'descr="…"']],
  },
  {
    name: "a chart in a header",
    template: (tag) =>
      file(
        { body: p("x"), stories: { "header1.xml": CHART } },
        {
          ...chart(`<c:title><c:tx>${rich(run(tag))}</c:tx></c:title>`),
          owner: "word/header1.xml",
        },
      ),
    holds: [["word/charts/chart1.xml", "<a:t>…</a:t>"]],
  },
  inBody(
    "the entry of a drop-down list",
    control('<w:dropDownList><w:listItem w:displayText="The …" w:value="1"/></w:dropDownList>'),
  ),
  inBody(
    "the value of an entry",
    control('<w:comboBox><w:listItem w:displayText="1" w:value="…"/></w:comboBox>'),
  ),
  inBody("the entry of a form's list", form('<w:ddList><w:listEntry w:val="…"/></w:ddList>')),
  inBody("the default of a form field", form('<w:textInput><w:default w:val="…"/></w:textInput>')),
  inBody("the help of a form field", form('<w:helpText w:type="text" w:val="…"/>')),
  inBody("the status bar of a form field", form('<w:statusText w:type="text" w:val="…"/>')),
  inBody("the tooltip of a picture's link", drawn("", `<a:hlinkClick ${A} r:id="" tooltip="…"/>`)),
  inBody(
    "the tooltip of a link",
    `<w:p><w:bookmarkStart w:id="1" w:name="b"/><w:bookmarkEnd w:id="1"/><w:hyperlink w:anchor="b" w:tooltip="…">${r("x")}</w:hyperlink></w:p>`,
  ),
  inBody("the alternative text of a drawing", drawn('descr="…"')),
  inBody("the title of a drawing", drawn('title="…"')),
  inBody(
    "the alternative text of an old drawing",
    `<w:p><w:r><w:pict ${V}><v:shape alt="…"/></w:pict></w:r></w:p>`,
  ),
  inBody(
    "the title of a table",
    `<w:tbl><w:tblPr><w:tblCaption w:val="…"/></w:tblPr><w:tblGrid/><w:tr><w:tc>${p("x")}</w:tc></w:tr></w:tbl>`,
  ),
  inBody(
    "text of a locked canvas",
    drawn("", `<a:sp ${A}><a:txBody><a:p>${run("…")}</a:p></a:txBody></a:sp>`),
  ),
  inBody(
    "a text box",
    `<w:p><w:r><w:pict ${V}><v:shape><v:textbox><w:txbxContent>${p("…")}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
  ),
  inBody(
    "an equation",
    `<w:p><m:oMath xmlns:m="${SCHEMAS}/officeDocument/2006/math"><m:r><m:t>…</m:t></m:r></m:oMath></w:p>`,
  ),
  inBody(
    "the reading aid of a word",
    `<w:p><w:r><w:ruby><w:rt>${r("…")}</w:rt><w:rubyBase>${r("x")}</w:rubyBase></w:ruby></w:r></w:p>`,
  ),
  inBody(
    "the result of a field",
    `<w:p><w:fldSimple w:instr=" AUTHOR ">${r("…")}</w:fldSimple></w:p>`,
  ),
  inBody("a bound control", control('<w:dataBinding w:xpath="/a" w:storeItemID="{9}"/>', r("…"))),
  inStory("a footnote", "footnotes.xml", `<w:footnote w:id="1">${p("…")}</w:footnote>`),
  inStory("a comment", "comments.xml", `<w:comment w:id="1">${p("…")}</w:comment>`),
  {
    name: "the title of the document",
    template: (tag) => file({ body: p("x"), coreProperties: `<dc:title>${tag}</dc:title>` }),
    holds: [["docProps/core.xml", ">…<"]],
  },
  inPart("a property of a cover page", {
    name: "customXml/item1.xml",
    xml: '<CoverPageProperties xmlns="http://schemas.microsoft.com/office/2006/coverPageProps"><Abstract>…</Abstract></CoverPageProperties>',
    type: "application/xml",
    kind: "customXml",
    id: "rIdCover",
  }),
];

const unread = (words: string, place: TagPlace): UnreadPlace => ({ ...place, words });

const BOUND = control(
  '<w:dataBinding w:xpath="/d[1]/n[1]" w:storeItemID="{A8C1A4D0-5F1B-4E0C-9B7E-3C6F0E1D2A3B}"/>',
  r("old"),
);

/** Places in which a tag is reported. */
export const UNREAD: readonly UnreadPlace[] = [
  unread("the text of a list number", {
    name: "the text of a list number",
    template: (tag) =>
      file({
        body: p("x"),
        numbering: `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:lvlText w:val="${tag} %1."/></w:lvl></w:abstractNum>`,
      }),
    holds: [["word/numbering.xml", "… %1."]],
  }),
  unread(
    "a document variable",
    inPart(
      "a document variable",
      wordPart(
        "settings.xml",
        "settings",
        `<w:settings ${W}><w:docVars><w:docVar w:name="a" w:val="…"/></w:docVars></w:settings>`,
      ),
    ),
  ),
  unread(
    "a style",
    inPart(
      "the name of a style",
      wordPart(
        "styles.xml",
        "styles",
        `<w:styles ${W}><w:style w:type="paragraph" w:styleId="S"><w:name w:val="…"/></w:style></w:styles>`,
      ),
    ),
  ),
  unread(
    "the author of a comment or a change",
    inStory(
      "the author of a comment",
      "comments.xml",
      `<w:comment w:id="1" w:author="…">${p("x")}</w:comment>`,
    ),
  ),
  unread(
    "the initials of an author",
    inStory(
      "the initials of an author",
      "comments.xml",
      `<w:comment w:id="1" w:initials="…">${p("x")}</w:comment>`,
    ),
  ),
  unread(
    "the author of a comment or a change",
    inBody("the author of a change", `<w:p><w:ins w:id="1" w:author="…">${r("x")}</w:ins></w:p>`),
  ),
  unread(
    "the author of a comment or a change",
    inPart(
      "a person",
      wordPart(
        "people.xml",
        "people",
        '<w15:people xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"><w15:person w15:author="…"/></w15:people>',
      ),
    ),
  ),
  unread(
    "the title of a content control",
    inBody("the title of a control", control('<w:alias w:val="…"/>')),
  ),
  unread(
    "the tag property of a content control",
    inBody("the tag property of a control", control('<w:tag w:val="…"/>')),
  ),
  unread(
    "the format of a date control",
    inBody("the format of a date", control('<w:date><w:dateFormat w:val="…"/></w:date>')),
  ),
  unread(
    "the bookmark that a link leads to",
    inBody(
      "the bookmark of a link",
      `<w:p><w:hyperlink w:anchor="…">${r("x")}</w:hyperlink></w:p>`,
    ),
  ),
  unread(
    "the location that a link leads to",
    inBody(
      "the place of a link",
      `<w:p><w:hyperlink w:docLocation="…">${r("x")}</w:hyperlink></w:p>`,
    ),
  ),
  unread(
    "the name of a bookmark",
    inBody(
      "the name of a bookmark",
      '<w:p><w:bookmarkStart w:id="1" w:name="…"/><w:bookmarkEnd w:id="1"/></w:p>',
    ),
  ),
  unread(
    "the name of an object",
    inBody("the name of a drawing", drawn("").replace('name="n"', 'name="…"')),
  ),
  unread(
    "the format of a form field",
    inBody("the format of a form field", form('<w:textInput><w:format w:val="…"/></w:textInput>')),
  ),
  unread(
    "the address of a shape",
    inBody(
      "the address of a shape",
      `<w:p><w:r><w:pict ${V}><v:shape href="https://example.com/…"/></w:pict></w:r></w:p>`,
    ),
  ),
  unread(
    "the file name of a picture",
    inBody(
      "the file name of a picture",
      `<w:p><w:r><w:pict ${V}><v:shape><v:imagedata o:title="…"/></v:shape></w:pict></w:r></w:p>`,
    ),
  ),
  unread(
    "a number in a chart",
    inChart(
      "a number",
      series(
        '<c:val><c:numRef><c:f>S!$B$2</c:f><c:numCache><c:pt idx="0"><c:v>…</c:v></c:pt></c:numCache></c:numRef></c:val>',
      ),
    ),
  ),
  unread(
    "a number in a chart",
    inPart(
      "a chart of Office 2016: a number",
      chartEx(
        '<cx:chartData><cx:data id="0"><cx:numDim type="val"><cx:lvl ptCount="1"><cx:pt idx="0">…</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData>',
      ),
      CHART_EX,
    ),
  ),
  unread(
    "a formula in a chart",
    inChart("a formula", series("<c:tx><c:strRef><c:f>…</c:f></c:strRef></c:tx>")),
  ),
  unread(
    "a number format in a chart",
    inChart(
      "a number format",
      '<c:plotArea><c:valAx><c:numFmt formatCode="0 …" sourceLinked="0"/></c:valAx></c:plotArea>',
    ),
  ),
  unread("a chart", {
    name: "a chart in a footnote",
    template: (tag) =>
      file(
        {
          body: p("x"),
          stories: { "footnotes.xml": `<w:footnote w:id="1">${CHART}</w:footnote>` },
        },
        {
          ...chart(`<c:title><c:tx>${rich(runs(tag))}</c:tx></c:title>`),
          owner: "word/footnotes.xml",
        },
      ),
    holds: [],
  }),
  unread("a building block (AutoText, or the prompt of a content control)", {
    name: "a building block, spread over runs",
    template: (tag) =>
      file(
        p("x"),
        wordPart(
          "glossary/document.xml",
          "glossaryDocument",
          `<w:glossaryDocument ${W}><w:docParts><w:docPart><w:docPartBody><w:p>${r(tag.slice(0, 1))}${r(tag.slice(1))}</w:p></w:docPartBody></w:docPart></w:docParts></w:glossaryDocument>`,
        ),
      ),
    holds: [],
  }),
  unread("the custom XML that content controls show", {
    name: "custom XML that a control shows",
    template: (tag) =>
      file(
        BOUND,
        {
          name: "customXml/item1.xml",
          xml: `<d xmlns="urn:d"><n>${tag}</n></d>`,
          type: "application/xml",
          kind: "customXml",
          id: "rIdItem",
        },
        {
          name: "customXml/itemProps1.xml",
          xml: '<ds:datastoreItem xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml" ds:itemID="{a8c1a4d0-5f1b-4e0c-9b7e-3c6f0e1d2a3b}"/>',
          type: "application/vnd.openxmlformats-officedocument.customXmlProperties+xml",
          kind: "customXmlProps",
          id: "rId1",
          owner: "customXml/item1.xml",
        },
      ),
    holds: [["customXml/item1.xml", ">…<"]],
  }),
  unread(
    "an SVG picture",
    inPart("an SVG picture", {
      name: "word/media/image1.svg",
      xml: '<svg xmlns="http://www.w3.org/2000/svg"><style>.a{fill:none}</style><text class="a">…</text></svg>',
      type: "image/svg+xml",
      kind: "image",
      id: "rIdImage",
    }),
  ),
  unread("the name of a document property", {
    name: "the name of a property",
    template: (tag) =>
      file({
        body: p("x"),
        customProperties: `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="${tag}"><vt:lpwstr>x</vt:lpwstr></property>`,
      }),
    holds: [["docProps/custom.xml", 'name="…"']],
  }),
  unread("a document property", {
    name: "the author of the last change",
    template: (tag) =>
      file({ body: p("x"), coreProperties: `<cp:lastModifiedBy>${tag}</cp:lastModifiedBy>` }),
    holds: [["docProps/core.xml", ">…<"]],
  }),
];
