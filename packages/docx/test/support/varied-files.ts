import type { Random } from "../../../contracts/test/support/random.ts";
import { r } from "../../../ooxml/test/support/docx.ts";
import { edited } from "./including.ts";
import { wordFile } from "./word-file.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Prefixes that a file may declare on a root or where it uses them. */
const PREFIXES: Readonly<Record<string, string>> = {
  m: "http://schemas.openxmlformats.org/officeDocument/2006/math",
  mc: "http://schemas.openxmlformats.org/markup-compatibility/2006",
  wp: "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
  a: "http://schemas.openxmlformats.org/drawingml/2006/main",
  v: "urn:schemas-microsoft-com:vml",
  o: "urn:schemas-microsoft-com:office:office",
  w14: "http://schemas.microsoft.com/office/word/2010/wordml",
  w15: "http://schemas.microsoft.com/office/word/2012/wordml",
  wps: "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
  // Prefixes of other programs: files may use them for different namespaces.
  x: "urn:x",
  y: "urn:y",
};
const IGNORABLE = ["w14", "w15", "x", "y"];
/** These prefixes also occur in attributes of elements with other prefixes, so only a root can declare them. */
const ON_ROOTS = [...IGNORABLE, "mc", "wps", "o"];

/** Content of a body. */
const CONTENT: readonly string[] = [
  `<w:p w14:paraId="0A0B0C0D" w14:textId="77777777">${r("a")}</w:p>`,
  `<w:p x:a="1"><y:b/>${r("b")}</w:p>`,
  "<w:p><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></w:p>",
  '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:docPr id="1" name="s"/><a:graphic><a:graphicData uri="u"><wps:wsp/></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:rect/></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>',
  '<w:p><w:r><w:pict><v:shape><v:imagedata r:id="rIdP" o:relid="rIdP"/></v:shape></w:pict></w:r></w:p>',
  `<w:p><w:hyperlink r:id="rIdL">${r("link")}</w:hyperlink></w:p>`,
  `<w:sdt><w:sdtPr><w:id w:val="7"/><w15:color w:val="FF0000"/></w:sdtPr><w:sdtContent><w:p>${r("c")}</w:p></w:sdtContent></w:sdt>`,
  `<w:p><w:bookmarkStart w:id="1" w:name="m"/><w:ins w:id="2" w:author="A">${r("d")}</w:ins><w:bookmarkEnd w:id="1"/></w:p>`,
  `<w:p><w:pPr><w:pStyle w:val="S"/></w:pPr>${r("{{v}}")}</w:p>`,
  `<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr>${r("heading")}</w:p>`,
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${r("item")}</w:p>`,
  `<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:p x:a="2">${r("cell")}</w:p></w:tc></w:tr></w:tbl><w:p/>`,
  `<w:p>${r("{{for i in l}}")}</w:p><w:p w15:a="1">${r("{{i}} {{u :: link}}")}</w:p><w:p>${r("{{endfor}}")}</w:p>`,
  `<w:p>${r("{{h}}")}</w:p>`,
  "<w:p/>",
];

const NUMBERING =
  '<w:abstractNum w:abstractNumId="0" w15:restartNumberingAfterBreak="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="S"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
const style = (id: string, name: string, more: string): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;

/** Declares the prefixes of a part: each on its root, or on the elements that use it. */
function declaring(xml: string, random: Random): string {
  const root = new Map<string, string>();
  const local = new Map<string, string>();
  const ignorable: string[] = [];
  for (const [prefix, usual] of Object.entries(PREFIXES)) {
    const isOwn = prefix === "x" || prefix === "y";
    const uri = isOwn && random.oneIn(2) ? `${usual}/other` : usual;
    const target = !ON_ROOTS.includes(prefix) && random.oneIn(3) ? local : root;
    target.set(prefix, uri);
    if (IGNORABLE.includes(prefix)) ignorable.push(prefix);
  }
  const declare = ([prefix, uri]: readonly [string, string]): string => ` xmlns:${prefix}="${uri}"`;
  const withLocal = xml.replace(/<(\w+):\w+(?=[ />])/g, (start, prefix: string) => {
    const uri = local.get(prefix);
    return uri === undefined ? start : start + declare([prefix, uri]);
  });
  const used = [...root].filter(
    ([prefix]) => random.oneIn(2) || new RegExp(`[< "]${prefix}[:"]`).test(xml),
  );
  const kept = ignorable.filter((prefix) => used.some(([each]) => each === prefix));
  if (kept.length > 0 && !used.some(([prefix]) => prefix === "mc"))
    used.push(["mc", PREFIXES.mc ?? ""]);
  const list = kept.length === 0 ? "" : ` mc:Ignorable="${kept.join(" ")}"`;
  return withLocal.replace(/^<w:\w+/, (start) => start + used.map(declare).join("") + list);
}

/** Returns a file with random content, and with given content at random places. */
export function variedFile(random: Random, inserted: readonly string[] = []): Uint8Array {
  // Each piece is used at most once, because ids must be unique.
  const left = [...CONTENT];
  const take = (): string => left.splice(random.below(left.length), 1)[0] ?? "";
  const pieces = random.several(1, 6, take);
  for (const each of inserted) pieces.splice(random.below(pieces.length + 1), 0, each);
  const hasLists = random.oneIn(2);
  const hasStyles = random.oneIn(2);
  const numbered = hasLists ? '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>' : "";
  const styles =
    style("S", random.pick(["List Number", "Step"]), numbered) +
    style("H", random.pick(["heading 1", "Clause"]), `${numbered}<w:rPr><w14:glow/></w:rPr>`);
  const parts: Record<string, string> = {
    ...(random.oneIn(2) ? { "header1.xml": take() } : {}),
    ...(hasLists ? { "numbering.xml": NUMBERING } : {}),
    ...(hasStyles ? { "styles.xml": styles } : {}),
  };
  const body = hasLists ? pieces.join("") : pieces.join("").replace(/<w:numPr>.*?<\/w:numPr>/g, "");
  const file = wordFile({ body, parts, links: { rIdL: "https://example.com/" } });
  const changed = Object.fromEntries(
    ["document.xml", ...Object.keys(parts)].map((name) => [
      `word/${name}`,
      (xml: string) => declaring(xml.replace(/^(<w:\w+) [^>]*>/, plainRoot), random),
    ]),
  );
  const picture = `<Relationship Id="rIdP" Type="${OFFICE}/image" Target="picture.xml"/>`;
  const relationships = (xml: string): string =>
    xml.replace("</Relationships>", `${picture}</Relationships>`);
  const header =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rIdL" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.com/" TargetMode="External"/></Relationships>';
  return edited(file, {
    ...changed,
    "word/picture.xml": "<x/>",
    "word/_rels/document.xml.rels": relationships,
    ...("header1.xml" in parts ? { "word/_rels/header1.xml.rels": relationships(header) } : {}),
  });
}

/** Returns the start tag of a root with only `w` and `r`. */
function plainRoot(_: string, name: string): string {
  return `${name} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}">`;
}
