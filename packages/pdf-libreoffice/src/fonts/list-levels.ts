import { type ListPlace, NO_FORMAT, type RunFormat, readRunFormat } from "./formats.ts";
import { chainOf, type Style, type StyleSheet } from "./style-sheet.ts";
import {
  attributeIn,
  attributeOf,
  elementIn,
  elementsIn,
  type FoundElement,
  withWordPrefix,
} from "./xml.ts";

/** The number or bullet of the paragraphs on one level of a list. */
export interface ListLevel {
  /** The number format: `decimal`, `bullet`, … */
  readonly numberFormat: string;
  /** The text of the number or bullet as written, with `%1` for numbers; empty for a picture. */
  readonly text: string;
  readonly format: RunFormat;
  /** The paragraph style of this level. */
  readonly style: string | null;
}

interface AbstractList {
  readonly levels: ReadonlyMap<number, ListLevel>;
  /** The style that defines the list. */
  readonly numberStyle: string | null;
}

interface NumberedList {
  readonly abstractList: string;
  readonly overrides: ReadonlyMap<number, ListLevel>;
}

/** The lists of a document. */
export interface Lists {
  readonly abstractLists: ReadonlyMap<string, AbstractList>;
  readonly lists: ReadonlyMap<string, NumberedList>;
}

/** The lists of a document without lists. */
export const NO_LISTS: Lists = { abstractLists: new Map(), lists: new Map() };

/** Reads the numbering part. */
export function readLists(part: string): Lists {
  const xml = withWordPrefix(part);
  const abstractLists = new Map<string, AbstractList>();
  for (const { tag, content } of elementsIn(xml, "w:abstractNum")) {
    abstractLists.set(attributeOf(tag, "w:abstractNumId") ?? "", {
      levels: readLevels(content),
      numberStyle: attributeIn(content, "w:numStyleLink", "w:val"),
    });
  }
  const lists = new Map<string, NumberedList>();
  for (const { tag, content } of elementsIn(xml, "w:num")) {
    lists.set(attributeOf(tag, "w:numId") ?? "", {
      abstractList: attributeIn(content, "w:abstractNumId", "w:val") ?? "",
      overrides: readLevels(content),
    });
  }
  return { abstractLists, lists };
}

/** Word's lists have nine levels, numbered from 0. */
const MOST_LEVELS = 9;

function readLevels(xml: string): Map<number, ListLevel> {
  const levels = new Map<number, ListLevel>();
  for (const level of elementsIn(xml, "w:lvl")) {
    const number = Number(attributeOf(level.tag, "w:ilvl"));
    if (number < MOST_LEVELS) levels.set(number, readLevel(level));
  }
  return levels;
}

function readLevel({ content }: FoundElement): ListLevel {
  const isPicture = elementIn(content, "w:lvlPicBulletId") !== null;
  const format = elementIn(content, "w:rPr")?.content;
  return {
    numberFormat: attributeIn(content, "w:numFmt", "w:val") ?? "decimal",
    text: isPicture ? "" : (attributeIn(content, "w:lvlText", "w:val") ?? ""),
    format: format === undefined ? NO_FORMAT : readRunFormat(format),
    style: attributeIn(content, "w:pStyle", "w:val"),
  };
}

/**
 * Returns the list level of a paragraph, set directly or by its styles (nearest first); null if it is not in a list.
 */
export function levelOf(
  { abstractLists, lists }: Lists,
  sheet: StyleSheet,
  own: ListPlace | null,
  styles: readonly Style[],
): ListLevel | null {
  const by = styles.find(({ list }) => list?.list != null);
  const id = own?.list ?? by?.list?.list ?? null;
  const list = id === null ? undefined : lists.get(id);
  if (list === undefined) return null;
  let abstractList = abstractLists.get(list.abstractList);
  if (abstractList?.numberStyle != null) {
    const style = chainOf(sheet, sheet.styles.get(abstractList.numberStyle)).find(
      ({ list }) => list !== null,
    );
    const other = lists.get(style?.list?.list ?? "");
    abstractList = abstractLists.get(other?.abstractList ?? "") ?? abstractList;
  }
  const levels = abstractList?.levels ?? new Map<number, ListLevel>();
  const styled = [...levels].find(([, { style }]) => style !== null && style === by?.id)?.[0];
  const level = own?.level ?? by?.list?.level ?? styled ?? 0;
  return list.overrides.get(level) ?? levels.get(level) ?? null;
}
