import { describe, expect, test } from "vitest";
import { p, partOf, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome } from "../support/language.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, wordFile } from "../support/word-file.ts";

const RED = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>';
const BLUE = '<a:solidFill><a:srgbClr val="0000FF"/></a:solidFill>';
const GRADIENT =
  '<a:gradFill rotWithShape="0"><a:gsLst><a:gs pos="0"><a:srgbClr val="000000"/></a:gs></a:gsLst></a:gradFill>';
const GEOMETRY = '<a:xfrm rot="1"/><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>';
const LINE = '<a:ln w="9"><a:noFill/></a:ln><a:effectLst/>';
const RECTANGLE = '<v:rect id="r" fillcolor="black [3213]" stroked="f" o:gfxdata="UEsD">';
const DETAILS = '<v:fill type="gradient" color2="white"><o:fill v:ext="view"/></v:fill>';

interface Drawn {
  /** The fill of the new form. */
  readonly fill?: string;
  /** The start tag of the old form. */
  readonly old?: string;
  /** The details of the old fill. */
  readonly details?: string;
}

const OLD_NAMESPACES =
  'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"';
const NEW_NAMESPACES = `xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ${[
  "Shape:wps",
  "Group:wpg",
]
  .map((each) => each.split(":"))
  .map(
    ([kind, prefix]) =>
      `xmlns:${prefix}="http://schemas.microsoft.com/office/word/2010/wordprocessing${kind}"`,
  )
  .join(" ")}`;

function newForm(content: string, { fill = GRADIENT }: Drawn = {}): string {
  return `<wps:wsp><wps:cNvSpPr/><wps:spPr bwMode="auto">${GEOMETRY}${fill}${LINE}</wps:spPr><wps:style/><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp>`;
}

function oldForm(content: string, { old = RECTANGLE, details = DETAILS }: Drawn = {}): string {
  const name = /^<(\S+)/.exec(old)?.[1];
  return `${old}${details}<v:stroke color="red"/><v:textbox><w:txbxContent>${content}</w:txbxContent></v:textbox></${name}>`;
}

function twice(drawing: string, old: string, requires = "wps"): string {
  return `<w:r><mc:AlternateContent ${NEW_NAMESPACES} ${OLD_NAMESPACES}><mc:Choice Requires="${requires}"><w:drawing><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="1" name="b"/><a:graphic><a:graphicData uri="u">${drawing}</a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict>${old}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
}

/** A paragraph with a shape, in both forms, that contains paragraphs. */
function shape(content: string, drawn: Drawn = {}): string {
  return `<w:p>${twice(newForm(content, drawn), oldForm(content, drawn))}</w:p>`;
}

/** The XML of the body. It must have no errors and no warnings. */
async function xml(body: string, data: Record<string, unknown>): Promise<string> {
  const { bytes, error, warnings } = await outcome(body, data);
  expect([error, warnings]).toEqual([null, []]);
  assertSound(bytes);
  return partOf(bytes);
}

/** The properties of each new form, and the start tag and the details of each old form. */
function forms(result: string): readonly string[] {
  return (
    result.match(/(?<=<wps:spPr[^>]*>).*?(?=<\/wps:spPr>)|<v:rect [^>]*>|<v:fill.*?<\/v:fill>/g) ??
    []
  );
}

const FILLED = [
  `${GEOMETRY}${RED}${LINE}`,
  '<v:rect fillcolor="#FF0000" filled="t" id="r" stroked="f">',
];
const UNCHANGED = [
  `${GEOMETRY}${GRADIENT}${LINE}`,
  '<v:rect fillcolor="black [3213]" o:gfxdata="UEsD" id="r" stroked="f">',
  DETAILS,
];

describe("a tag for a shape", () => {
  test("fills both forms of the shape, and prints nothing", async () => {
    const result = await xml(shape(p('{{shape :: fill("red")}}Due {{x}}')), { x: 1 });
    expect(forms(result)).toEqual(FILLED);
    expect(result.match(/<w:t[ >].*?<\/w:t>/g)?.join("")).toMatch(/^(?:<[^>]+>Due 1<[^>]+>){2}$/);
    expect(result).toContain('<v:stroke color="red"/>');
  });

  test.each([
    ["when the condition is false", { late: false, color: "red" }],
    ["for empty text", { late: true, color: "" }],
  ])("changes nothing %s", async (_when, data) => {
    const body = shape(p("{{shape :: fill(color), when(late)}}a"));
    expect(forms(await xml(body, data))).toEqual(UNCHANGED);
    expect(forms(await xml(body, { late: true, color: "red" }))).toEqual(FILLED);
  });

  test.each([
    ["no fill", ""],
    ["a transparent fill", "<a:noFill/>"],
    ["a pattern", '<a:pattFill prst="pct5"/>'],
    ["a picture", "<a:blipFill><a:stretch/></a:blipFill>"],
    ["the fill of its group", "<a:grpFill/>"],
    ["a color", '<a:solidFill><a:schemeClr val="accent1"/></a:solidFill>'],
  ])("replaces %s, in the order of the schema", async (_name, fill) => {
    const old = '<v:rect filled="f">';
    const body = (late: boolean): Promise<string> =>
      xml(shape(p('{{shape :: fill("red"), when(late)}}'), { fill, old, details: "" }), { late });
    expect(forms(await body(true))).toEqual([
      `${GEOMETRY}${RED}${LINE}`,
      '<v:rect fillcolor="#FF0000" filled="t">',
    ]);
    expect(forms(await body(false))).toEqual([`${GEOMETRY}${fill}${LINE}`, old]);
  });

  test("takes the last tag that applies", async () => {
    const text = '{{shape :: fill("red")}}{{shape :: fill("blue"), when(n > 1)}}{{n}}';
    const result = async (n: number): Promise<string> =>
      forms(await xml(shape(p(text) + p("x")), { n })).join("");
    expect(await result(1)).toBe(FILLED.join(""));
    expect(await result(2)).toBe(FILLED.join("").replace(RED, BLUE).replace("#FF0000", "#0000FF"));
  });

  test("works in a shape of one form, also without properties", async () => {
    const text = p('{{shape :: fill("red")}}a');
    const drawing = newForm(text).replace(/<wps:spPr.*<\/wps:spPr>/, "");
    const only = `<w:p><w:r><w:drawing ${NEW_NAMESPACES}><wp:inline><wp:docPr id="1" name="b"/><a:graphic><a:graphicData>${drawing}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
    const { bytes } = await outcome(only, {});
    expect(partOf(bytes)).toContain(
      `<wps:cNvSpPr/><wps:spPr>${RED}</wps:spPr><wps:style/><wps:txbx>`,
    );
    for (const name of ["v:shape", "v:roundrect", "v:oval"]) {
      const old = oldForm(text, { old: `<${name} style="width:9pt">`, details: "" });
      expect(
        await xml(`<w:p ${OLD_NAMESPACES}><w:r><w:pict>${old}</w:pict></w:r></w:p>`, {}),
      ).toContain(`<${name} fillcolor="#FF0000" filled="t" style="width:9pt">`);
    }
  });

  test("fills only its own shape in a group", async () => {
    const texts = [p('{{shape :: fill("red")}}a'), p("b"), p('{{shape :: fill("blue")}}c')];
    const drawing = `<wpg:wgp><wpg:grpSpPr><a:solidFill/></wpg:grpSpPr>${texts.map((each) => newForm(each)).join("")}</wpg:wgp>`;
    const old = `<v:group>${texts.map((each) => oldForm(each)).join("")}</v:group>`;
    const result = await xml(`<w:p>${twice(drawing, old, "wpg")}</w:p>`, {});
    expect(result.match(/(?<=<\/a:prstGeom>)<a:\w+|fillcolor="[^"]*"/g)).toEqual([
      ...["<a:solidFill", "<a:gradFill", "<a:solidFill"],
      ...['fillcolor="#FF0000"', 'fillcolor="black [3213]"', 'fillcolor="#0000FF"'],
    ]);
    expect(result).toContain("<wpg:grpSpPr><a:solidFill/></wpg:grpSpPr>");
  });

  test("has the values of its place: in a loop, in a condition, in a table and in a loop of the shape", async () => {
    const text = p("{{shape :: fill(i.color), when(i.late)}}{{for j in i.parts}}{{j}}{{endfor}}");
    const loop = `${p("{{for i in list}}")}${p("{{if i.shown}}")}${p("")}${table([shape(text)])}${p("{{endif}}")}${p("{{endfor}}")}`;
    const item = (color: string, shown: boolean, late: boolean): object => ({
      color,
      shown,
      late,
      parts: ["x"],
    });
    const result = await xml(loop, {
      list: [item("red", true, true), item("lime", false, true), item("blue", true, false)],
    });
    expect(forms(result)).toEqual([...FILLED, ...UNCHANGED]);
  });

  test("works in a header, for a table in the shape, and for a shape in a table", async () => {
    const header = shape(table([p("{{shape :: fill(color)}}x")]) + p(""));
    const file = wordFile({
      body: table([shape(p('{{shape :: fill("blue")}}{{cell :: fill("lime")}}'))]) + p(""),
      parts: { "header1.xml": header.replace('<wp:docPr id="1"', '<wp:docPr id="2"') },
    });
    const { bytes, warnings } = (await compileTemplate(file)).render({ color: "red" });
    assertSound(bytes);
    expect(warnings).toEqual([]);
    const parts = partsOf(bytes);
    expect(forms(parts.get("word/header1.xml") ?? "")).toEqual(FILLED);
    const body = parts.get("word/document.xml") ?? "";
    expect(body).toContain(`${GEOMETRY}${BLUE}${LINE}`);
    expect(body.match(/<w:shd [^>]*w:fill="00FF00"\/>/g)).toHaveLength(1);
  });

  test("leaves a picture fill with its relationship", async () => {
    const fill = '<a:blipFill><a:blip r:embed="rId1"/><a:stretch/></a:blipFill>';
    const picture = p("{{if more}}").replace(
      "<w:p>",
      '<w:p xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">',
    );
    const body = `${picture}${shape(p("b"), { fill })}${p("{{endif}}")}${shape(p('{{shape :: fill("red"), when(late)}}a'), { fill })}`;
    const template = await compileTemplate(wordFile({ body, parts: { "image1.xml": "" } }));
    const { bytes } = template.render({ more: false, late: false });
    assertSound(bytes);
    expect(partsOf(bytes).get("word/document.xml")).toContain(fill);
  });

  test("is known to the sample, the schema and the list of values", async () => {
    const body = shape(p("{{shape :: fill(status.color), when(total > 5)}}{{total}}"));
    const template = await compileTemplate(wordFile({ body }));
    const sample = template.sample();
    expect(Object.keys(sample)).toEqual(["status", "total"]);
    expect(template.render(sample).warnings).toEqual([]);
    expect(Object.keys(template.schema().properties ?? {})).toEqual(["status", "total"]);
    const tags = new Set(template.tags.map(({ tag_content: tag }) => tag));
    expect([...tags]).toEqual(["{{total}}"]);
  });

  test("reports a missing or a wrong color once for both forms", async () => {
    const body = shape(p("{{shape :: fill(color)}}a"));
    const missing = await outcome(body, {});
    expect(missing.warnings.map(({ code }) => code)).toEqual(["missing_value"]);
    expect(forms(partOf(missing.bytes))).toEqual(UNCHANGED);
    const wrong = await outcome(body, { color: "rosee" });
    expect(wrong.warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["invalid_value", "/color"],
    ]);
  });
});

describe("a value with the name shape", () => {
  test("is printed by tags without a look, with other modifiers, or in brackets", async () => {
    const tags = [
      "{{shape}}",
      "{{shape :: uppercase}}",
      '{{shape :: fill("red"), text}}',
      '{{["shape"] :: bold}}',
    ];
    const { lines, warnings } = await outcome(tags.map((tag) => p(tag)).join(""), {
      shape: "oval",
    });
    expect([lines, warnings]).toEqual([["oval", "OVAL", "oval", "oval"], []]);
    const inShape = await xml(shape(p('{{shape :: fill("red")}}{{shape}}')), { shape: "oval" });
    expect(inShape.match(/>oval</g)).toHaveLength(2);
  });

  test("is reported if a loop gives it to texts that could be printed", async () => {
    const body = `${p("{{for shape in shapes}}")}${shape(p('{{shape :: fill("red")}}a'))}${p("{{endfor}}")}`;
    const { warnings } = await outcome(body, { shapes: ["oval"] });
    expect(warnings.map(({ code }) => code)).toContain("hidden_key");
  });
});

describe("a wrong tag for a shape", () => {
  /** The code, the message and the hint of the only problem. */
  async function problem(body: string): Promise<readonly unknown[]> {
    const { warnings } = await outcome(body, { x: true, list: [1] });
    return warnings.map(({ code, message, hint }) => [code, message, hint]);
  }

  test("outside a shape is an error with the place, and with the tags that may be meant", async () => {
    expect(await problem(p('{{shape :: fill("red")}}'))).toEqual([
      [
        "look_outside",
        '{{shape :: fill("red")}} is not in a shape.',
        `Put it into the text of a shape or a text box. For the look of a paragraph write {{paragraph :: fill("red")}}. To print a value named 'shape' write {{["shape"] :: fill("red")}}.`,
      ],
    ]);
    expect(await problem(p("{{shape :: bold}}"))).toEqual([
      [
        "look_outside",
        "{{shape :: bold}} is not in a shape.",
        `For the look of a paragraph write {{paragraph :: bold}}. To print a value named 'shape' write {{["shape"] :: bold}}.`,
      ],
    ]);
  });

  test("with another look is an error once for both forms, and the hint has the tag for the text", async () => {
    expect(await problem(shape(p('{{shape :: color("red"), bold, when(x)}}a')))).toEqual([
      [
        "look_outside",
        `{{shape :: color("red"), bold, when(x)}} has 'color', 'bold', but a tag for a shape changes only its fill.`,
        'For the text of the shape write {{paragraph :: color("red"), bold, when(x)}} into each of its paragraphs.',
      ],
    ]);
    expect(await problem(shape(p('{{shape :: fill("red"), bold}}a')))).toEqual([
      [
        "look_outside",
        `{{shape :: fill("red"), bold}} has 'bold', but a tag for a shape changes only its fill.`,
        "Write a tag for the shape with 'fill' only. For its text write a tag into each paragraph, as in {{paragraph :: bold}}.",
      ],
    ]);
  });

  test("in the alternative text of a shape is an error, because only its text can have the tag", async () => {
    const body = shape(p("a")).replace('name="b"', `name="b" descr="{{shape :: fill('red')}}"`);
    expect(await problem(body)).toEqual([
      [
        "look_outside",
        expect.anything(),
        expect.stringMatching(/^Put it into the text of a shape/),
      ],
    ]);
  });

  test("in a block that begins in the shape is an error", async () => {
    const text = '{{if x}}{{shape :: fill("red")}}{{endif}}a';
    expect(await problem(shape(p(text)))).toEqual([
      [
        "look_in_block",
        '{{shape :: fill("red")}} changes its whole shape, but it is in the block {{if x}}, which begins inside of that shape.',
        expect.stringContaining('{{shape :: fill("red"), when(x)}}'),
      ],
    ]);
  });

  test("for a cell in a shape without a table has a hint with the tag for the shape", async () => {
    const [[, , hint] = []] = (await problem(
      shape(p('{{cell :: fill("red"), when(x)}}a')),
    )) as readonly (readonly unknown[])[];
    expect(hint).toBe(
      'Put it into a cell of a table. For the fill of the shape write {{shape :: fill("red"), when(x)}}.',
    );
  });
});

test("a group with a picture and a shape with a tag is written with both", async () => {
  const pic =
    '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></a:xfrm></pic:spPr></pic:pic>';
  const content = `<wpg:wgp>${pic}${newForm(p('{{shape :: fill("red"), when(late)}}a'))}</wpg:wgp>`;
  const drawing = twice(content, "", "wpg").replace('name="b"/>', 'name="b" descr="{{x}}"/>');
  const file = wordFile({ body: `<w:p>${drawing}</w:p>`, parts: { "image1.xml": "" } });
  const template = await compileTemplate(file);
  for (const late of [true, false]) {
    const { bytes } = template.render({ x: "words", late });
    assertSound(bytes);
    const xml = partsOf(bytes).get("word/document.xml") ?? "";
    expect(xml).toContain(`${GEOMETRY}${late ? RED : GRADIENT}${LINE}`);
    expect(xml).toContain('descr="words"');
  }
});
