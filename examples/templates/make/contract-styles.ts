// Colours, paragraph styles and the clause numbering of the contract.

import {
  AlignmentType,
  type INumberingOptions,
  type IParagraphStyleOptions,
  LevelFormat,
} from "docx";

export const NAVY = "1D2B4F";
export const BRASS = "B08D3C";
export const HAIRLINE = "CFD3DF";
const MUTED = "6A7187";

export const CONTRACT_STYLES: readonly IParagraphStyleOptions[] = [
  {
    id: "CoverTitle",
    name: "Cover Title",
    basedOn: "Body",
    run: { size: 64, bold: true, color: NAVY },
    paragraph: { spacing: { before: 2400, after: 240, line: 228 } },
  },
  {
    id: "CoverText",
    name: "Cover Text",
    basedOn: "Body",
    run: { size: 26, color: MUTED },
    paragraph: { spacing: { after: 60, line: 300 } },
  },
  {
    id: "CoverParty",
    name: "Cover Party",
    basedOn: "Body",
    run: { size: 30, color: NAVY },
    paragraph: { spacing: { after: 80 } },
  },
  {
    id: "Part",
    name: "Part",
    basedOn: "Body",
    run: { size: 34, bold: true, color: NAVY },
    paragraph: { spacing: { before: 0, after: 240 }, keepNext: true },
  },
  {
    id: "Clause",
    name: "Clause",
    basedOn: "Body",
    run: { size: 24, bold: true, color: NAVY },
    paragraph: { spacing: { before: 300, after: 120 }, keepNext: true },
  },
  {
    id: "SubClause",
    name: "Sub Clause",
    basedOn: "Body",
    paragraph: { spacing: { before: 110, after: 60 } },
  },
  { id: "Item", name: "Item", basedOn: "Body", paragraph: { spacing: { after: 50 } } },
  {
    id: "Small",
    name: "Small",
    basedOn: "Body",
    run: { size: 17, color: MUTED },
    paragraph: { spacing: { after: 0, line: 252 } },
  },
  {
    id: "TableHead",
    name: "Table Head",
    basedOn: "Small",
    run: { bold: true, size: 19, color: "FFFFFF" },
  },
  {
    id: "TableText",
    name: "Table Text",
    basedOn: "Body",
    paragraph: { spacing: { after: 0, line: 264 } },
  },
];

export const CONTRACT_NUMBERING: INumberingOptions = {
  config: [
    {
      reference: "clauses",
      levels: [
        level(
          0,
          LevelFormat.DECIMAL,
          "%1.",
          { left: 680, hanging: 680 },
          { bold: true, color: BRASS },
        ),
        level(1, LevelFormat.DECIMAL, "%1.%2", { left: 680, hanging: 680 }, { color: MUTED }),
        level(2, LevelFormat.LOWER_LETTER, "(%3)", { left: 1190, hanging: 510 }, { color: MUTED }),
      ],
    },
  ],
};

function level(
  depth: number,
  format: "decimal" | "lowerLetter",
  text: string,
  indent: { readonly left: number; readonly hanging: number },
  run: { readonly bold?: boolean; readonly color: string },
) {
  const style = { paragraph: { indent }, run };
  return { level: depth, format, text, alignment: AlignmentType.LEFT, style };
}
