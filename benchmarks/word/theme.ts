import { xmlPart } from "./xml.ts";

/** Returns `word/theme/theme1.xml` with the colours, fonts and effects of the Office theme. */
export function themePart(): string {
  return xmlPart(
    "a:theme",
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Office Theme"',
    `<a:themeElements>${colours()}${fonts()}${EFFECTS}</a:themeElements><a:objectDefaults/><a:extraClrSchemeLst/>`,
  );
}

function colours(): string {
  const named = Object.entries(COLOURS).map(
    ([name, value]) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`,
  );
  return (
    '<a:clrScheme name="Office"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1>' +
    `${named.join("")}</a:clrScheme>`
  );
}

const COLOURS = {
  dk2: "44546A",
  lt2: "E7E6E6",
  accent1: "4472C4",
  accent2: "ED7D31",
  accent3: "A5A5A5",
  accent4: "FFC000",
  accent5: "5B9BD5",
  accent6: "70AD47",
  hlink: "0563C1",
  folHlink: "954F72",
};

function fonts(): string {
  const scripts = SCRIPTS.map(
    ([script, typeface]) => `<a:font script="${script}" typeface="${typeface}"/>`,
  ).join("");
  const font = (face: string) =>
    `<a:latin typeface="${face}" panose="020F0502020204030204"/><a:ea typeface=""/><a:cs typeface=""/>${scripts}`;
  return `<a:fontScheme name="Office"><a:majorFont>${font("Calibri Light")}</a:majorFont><a:minorFont>${font("Calibri")}</a:minorFont></a:fontScheme>`;
}

const SCRIPTS = [
  ["Jpan", "游ゴシック Light"],
  ["Hang", "맑은 고딕"],
  ["Hans", "等线 Light"],
  ["Hant", "新細明體"],
  ["Arab", "Times New Roman"],
  ["Hebr", "Times New Roman"],
  ["Thai", "Angsana New"],
  ["Ethi", "Nyala"],
  ["Beng", "Vrinda"],
  ["Gujr", "Shruti"],
  ["Khmr", "MoolBoran"],
  ["Knda", "Tunga"],
  ["Guru", "Raavi"],
  ["Cans", "Euphemia"],
  ["Cher", "Plantagenet Cherokee"],
  ["Yiii", "Microsoft Yi Baiti"],
  ["Tibt", "Microsoft Himalaya"],
  ["Thaa", "MV Boli"],
  ["Deva", "Mangal"],
  ["Telu", "Gautami"],
  ["Taml", "Latha"],
  ["Syrc", "Estrangelo Edessa"],
  ["Orya", "Kalinga"],
  ["Mlym", "Kartika"],
  ["Laoo", "DokChampa"],
  ["Sinh", "Iskoola Pota"],
  ["Mong", "Mongolian Baiti"],
  ["Viet", "Times New Roman"],
  ["Uigh", "Microsoft Uighur"],
  ["Geor", "Sylfaen"],
] as const;

const SOLID = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const GRADIENT =
  '<a:gradFill rotWithShape="1"><a:gsLst><a:gs pos="0"><a:schemeClr val="phClr"><a:lumMod val="110000"/><a:satMod val="105000"/><a:tint val="67000"/></a:schemeClr></a:gs>' +
  '<a:gs pos="50000"><a:schemeClr val="phClr"><a:lumMod val="105000"/><a:satMod val="103000"/><a:tint val="73000"/></a:schemeClr></a:gs>' +
  '<a:gs pos="100000"><a:schemeClr val="phClr"><a:lumMod val="105000"/><a:satMod val="109000"/><a:tint val="81000"/></a:schemeClr></a:gs></a:gsLst><a:lin ang="5400000" scaled="0"/></a:gradFill>';
const LINE = [6350, 12700, 19050]
  .map(
    (width) =>
      `<a:ln w="${width}" cap="flat" cmpd="sng" algn="ctr">${SOLID}<a:prstDash val="solid"/><a:miter lim="800000"/></a:ln>`,
  )
  .join("");
const EFFECTS =
  `<a:fmtScheme name="Office"><a:fillStyleLst>${SOLID}${GRADIENT}${GRADIENT}</a:fillStyleLst><a:lnStyleLst>${LINE}</a:lnStyleLst>` +
  "<a:effectStyleLst><a:effectStyle><a:effectLst/></a:effectStyle><a:effectStyle><a:effectLst/></a:effectStyle>" +
  '<a:effectStyle><a:effectLst><a:outerShdw blurRad="57150" dist="19050" dir="5400000" algn="ctr" rotWithShape="0"><a:srgbClr val="000000"><a:alpha val="63000"/></a:srgbClr></a:outerShdw></a:effectLst></a:effectStyle></a:effectStyleLst>' +
  `<a:bgFillStyleLst>${SOLID}${SOLID}${GRADIENT}</a:bgFillStyleLst></a:fmtScheme>`;
