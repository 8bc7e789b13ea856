import { seededRandom } from "./random.ts";
import { W, xmlPart } from "./xml.ts";

/** Returns `word/settings.xml` with the ids of editing sessions. */
export function settingsPart(): string {
  const random = seededRandom(20);
  const sessions = Array.from(
    { length: 60 },
    () =>
      `<w:rsid w:val="00${random.below(0xffffff).toString(16).toUpperCase().padStart(6, "0")}"/>`,
  );
  return xmlPart(
    "w:settings",
    W,
    '<w:zoom w:percent="100"/><w:proofState w:spelling="clean" w:grammar="clean"/><w:defaultTabStop w:val="720"/><w:characterSpacingControl w:val="doNotCompress"/>' +
      '<w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr><w:endnotePr><w:endnote w:id="-1"/><w:endnote w:id="0"/></w:endnotePr>' +
      '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>' +
      `<w:rsids><w:rsidRoot w:val="00A77B1E"/>${sessions.join("")}</w:rsids>` +
      '<w:themeFontLang w:val="en-US"/><w:clrSchemeMapping w:bg1="light1" w:t1="dark1" w:bg2="light2" w:t2="dark2" w:accent1="accent1" w:accent2="accent2" w:accent3="accent3" w:accent4="accent4" w:accent5="accent5" w:accent6="accent6" w:hyperlink="hyperlink" w:followedHyperlink="followedHyperlink"/>' +
      '<w:decimalSymbol w:val="."/><w:listSeparator w:val=","/>',
  );
}

/** Returns `word/webSettings.xml`. */
export function webSettingsPart(): string {
  return xmlPart("w:webSettings", W, "<w:optimizeForBrowser/><w:allowPNG/>");
}

/** Returns `word/fontTable.xml`. */
export function fontTablePart(): string {
  const fonts = FONTS.map(
    ([name, panose, family]) =>
      `<w:font w:name="${name}"><w:panose1 w:val="${panose}"/><w:charset w:val="00"/><w:family w:val="${family}"/><w:pitch w:val="variable"/>` +
      '<w:sig w:usb0="E4002EFF" w:usb1="C200247B" w:usb2="00000009" w:usb3="00000000" w:csb0="000001FF" w:csb1="00000000"/></w:font>',
  );
  return xmlPart("w:fonts", W, fonts.join(""));
}

const FONTS = [
  ["Calibri", "020F0502020204030204", "swiss"],
  ["Times New Roman", "02020603050405020304", "roman"],
  ["Calibri Light", "020F0302020204030204", "swiss"],
  ["Symbol", "05050102010706020507", "roman"],
] as const;

/** Returns `word/numbering.xml` with the bullets of the style "List Bullet". */
export function numberingPart(): string {
  const levels = Array.from(
    { length: 9 },
    (_, level) =>
      `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="bullet"/>${level === 0 ? '<w:pStyle w:val="ListBullet"/>' : ""}<w:lvlText w:val="•"/><w:lvlJc w:val="left"/>` +
      `<w:pPr><w:ind w:left="${360 * (level + 1)}" w:hanging="360"/></w:pPr><w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol" w:hint="default"/></w:rPr></w:lvl>`,
  );
  return xmlPart(
    "w:numbering",
    W,
    `<w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="hybridMultilevel"/>${levels.join("")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
  );
}

/** Returns `word/footnotes.xml` or `word/endnotes.xml` with the two separators that Word always writes. */
export function notesPart(kind: "footnote" | "endnote"): string {
  const note = (id: number, type: string, mark: string) =>
    `<w:${kind} w:type="${type}" w:id="${id}"><w:p><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr><w:r><w:${mark}/></w:r></w:p></w:${kind}>`;
  return xmlPart(
    `w:${kind}s`,
    W,
    note(-1, "separator", "separator") + note(0, "continuationSeparator", "continuationSeparator"),
  );
}
