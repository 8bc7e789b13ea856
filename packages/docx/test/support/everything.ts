import { wordFile } from "./word-file.ts";

/**
 * Returns a template with every kind of output that is numbered or could depend on the process, and several data
 * entries.
 */
export function everything(): {
  readonly file: Uint8Array;
  readonly data: readonly Record<string, unknown>[];
} {
  const tags = [
    "{{name}}",
    "{{name :: uppercase}}",
    "{{name :: lowercase}}",
    "{{name :: capitalize, truncate(4)}}",
    "{{n}}",
    '{{n :: number("#,##0.00")}}',
    '{{n :: currency("EUR")}}',
    "{{n :: percent(1)}}",
    '{{n :: format("EU-Number")}}',
    '{{date :: format("dd-mmm-yy")}}',
    '{{at :: format("EEEE d MMMM yyyy HH:mm")}}',
    "{{when}}",
    "{{n / 3}}",
    "{{$join(list)}}",
    "{{missing.value}}",
    "{{#list}}{{.}}{{/list}}",
  ];
  const item = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>';
  const turn = [
    `<w:p>${item}<w:bookmarkStart w:id="1" w:name="b"/>${t("{{i}} one")}<w:bookmarkEnd w:id="1"/></w:p>`,
    `<w:p>${item}${t("two")}<w:r><w:footnoteReference w:id="1"/></w:r></w:p>`,
    `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="s" descr="of {{i}}"/></wp:inline></w:drawing></w:r></w:p>`,
    `<w:p><w:hyperlink r:id="rIdLink">${t("link {{i}}")}</w:hyperlink></w:p>`,
  ];
  const paragraphs = [...tags, "{{for i in list}}"].map((tag) => `<w:p>${t(tag)}</w:p>`);
  const file = wordFile({
    body: `${paragraphs.join("")}${turn.join("")}<w:p>${t("{{endfor}}")}</w:p><w:p/>`,
    links: { rIdLink: "https://example.com/{{i}}?q={{name}}" },
    parts: {
      "header1.xml": `<w:p>${t("{{name}} {{at :: format('HH:mm')}}")}</w:p>`,
      "footnotes.xml": `<w:footnote w:id="1"><w:p>${t("note {{i}}")}</w:p></w:footnote>`,
      "numbering.xml":
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
    },
    properties: {
      core: '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{{name}} {{n}}</dc:title></cp:coreProperties>',
    },
  });
  const base = {
    n: 1234567.891,
    date: "2026-03-09",
    at: "2026-03-28T23:30:00Z",
    when: new Date(Date.UTC(2026, 11, 31, 23, 59)),
  };
  const data = [
    { ...base, name: "istanbul Iğdır straße", list: ["i", "ı", "z", "ä"] },
    { ...base, name: "other", list: [] },
    { ...base, name: "third", list: ["only"], n: -0.5 },
    { name: "little", list: [1, 2, 3] },
  ];
  return { file, data };
}

function t(text: string): string {
  return `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
}
