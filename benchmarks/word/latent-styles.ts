/** Returns the built-in styles that Word lists in every document, with their properties. */
export function latentStyles(): string {
  const entries = [...paragraphStyles(), ...tableStyles()];
  return (
    '<w:latentStyles w:defLockedState="0" w:defUIPriority="99" w:defSemiHidden="0" w:defUnhideWhenUsed="0" w:defQFormat="0" ' +
    `w:count="${entries.length}">${entries.join("")}</w:latentStyles>`
  );
}

function paragraphStyles(): string[] {
  return [
    exception("Normal", { uiPriority: "0", qFormat: "1" }),
    ...counted(9, (n) => exception(`heading ${n}`, { ...HIDDEN, uiPriority: "9", qFormat: "1" })),
    ...counted(9, (n) => exception(`index ${n}`, HIDDEN)),
    ...counted(9, (n) => exception(`toc ${n}`, { ...HIDDEN, uiPriority: "39" })),
    ...HIDDEN_NAMES.map((name) => exception(name, HIDDEN)),
    ...["List", "List Bullet", "List Number", "List Continue"].flatMap((name) =>
      counted(5, (n) => exception(n === 1 ? name : `${name} ${n}`, HIDDEN)),
    ),
    ...VISIBLE_NAMES.map((name) => exception(name, { qFormat: "1" })),
  ];
}

function tableStyles(): string[] {
  const simple = ["Simple", "Classic", "Colorful", "Columns", "Grid", "List"].flatMap((kind) =>
    counted(8, (n) => exception(`Table ${kind} ${n}`, HIDDEN)),
  );
  const old = ["", " Accent 1", " Accent 2", " Accent 3", " Accent 4", " Accent 5", " Accent 6"];
  const shaded = old.flatMap((accent) =>
    OLD_TABLES.map((name, at) => exception(`${name}${accent}`, { uiPriority: String(60 + at) })),
  );
  const modern = ["Grid Table", "List Table"].flatMap((kind) =>
    old.flatMap((accent) =>
      MODERN_TABLES.map((name, at) =>
        exception(`${kind} ${name}${accent}`, { uiPriority: String(46 + at) }),
      ),
    ),
  );
  return [...simple, exception("Table Grid", { uiPriority: "39" }), ...shaded, ...modern];
}

const HIDDEN = { semiHidden: "1", unhideWhenUsed: "1" };

function exception(name: string, attributes: Readonly<Record<string, string>>): string {
  const rest = Object.entries(attributes).map(([key, value]) => ` w:${key}="${value}"`);
  return `<w:lsdException w:name="${name}"${rest.join("")}/>`;
}

function counted(count: number, entry: (n: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => entry(index + 1));
}

const HIDDEN_NAMES = [
  "Normal Indent",
  "footnote text",
  "annotation text",
  "header",
  "footer",
  "index heading",
  "caption",
  "table of figures",
  "envelope address",
  "envelope return",
  "footnote reference",
  "annotation reference",
  "line number",
  "page number",
  "endnote reference",
  "endnote text",
  "table of authorities",
  "macro",
  "toa heading",
  "Closing",
  "Signature",
  "Default Paragraph Font",
  "Body Text",
  "Body Text Indent",
  "Message Header",
  "Salutation",
  "Date",
  "Body Text First Indent",
  "Note Heading",
  "Body Text 2",
  "Body Text 3",
  "Block Text",
  "Hyperlink",
  "FollowedHyperlink",
  "Document Map",
  "Plain Text",
  "E-mail Signature",
  "HTML Top of Form",
  "HTML Bottom of Form",
  "Normal (Web)",
  "HTML Acronym",
  "HTML Address",
  "HTML Cite",
  "HTML Code",
  "HTML Preformatted",
  "Normal Table",
  "annotation subject",
  "No List",
  "Balloon Text",
  "Table Theme",
  "Bibliography",
  "TOC Heading",
];

const VISIBLE_NAMES = [
  "Title",
  "Subtitle",
  "Strong",
  "Emphasis",
  "No Spacing",
  "List Paragraph",
  "Quote",
  "Intense Quote",
  "Subtle Emphasis",
  "Intense Emphasis",
  "Subtle Reference",
  "Intense Reference",
  "Book Title",
];

const OLD_TABLES = [
  "Light Shading",
  "Light List",
  "Light Grid",
  "Medium Shading 1",
  "Medium Shading 2",
  "Medium List 1",
  "Medium List 2",
  "Medium Grid 1",
  "Medium Grid 2",
  "Medium Grid 3",
  "Dark List",
  "Colorful Shading",
  "Colorful List",
  "Colorful Grid",
];

const MODERN_TABLES = ["1 Light", "2", "3", "4", "5 Dark", "6 Colorful", "7 Colorful"];
