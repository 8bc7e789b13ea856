import type { DocxPackage } from "@quire/ooxml/internal/open";

/** The name for messages, by the kind of the relationship that leads to the part. */
const FIGURES: ReadonlyMap<string, string> = new Map([
  ["chart", "chart"],
  ["chartEx", "chart"],
  ["chartUserShapes", "chart"],
  ["diagramData", "SmartArt"],
  ["diagramDrawing", "SmartArt"],
]);

/** The kinds of relationships that lead to the text of charts and of SmartArt. */
export const FIGURE_KINDS: ReadonlySet<string> = new Set(FIGURES.keys());

/** A part with the text of a chart or of SmartArt. */
export interface Figure {
  readonly part: string;
  /** `chart` or `SmartArt`. */
  readonly what: string;
  /** The story that shows the figure. */
  readonly story: string;
  /** The relationship of the story to the figure, or to the chart that the figure belongs to. */
  readonly id: string;
  /** The target of this relationship: the figure itself, or the chart that the figure belongs to. */
  readonly shown: string;
  /** The kind of this relationship. */
  readonly kind: string;
}

/**
 * Returns the charts and SmartArt of these stories, with the shapes drawn into charts. SmartArt has two parts with the
 * same text: its data, and the drawing that Word created from the data. A figure that two stories show is listed for
 * each of them.
 */
export function figuresOf(docx: DocxPackage, stories: readonly string[]): Figure[] {
  return stories.flatMap((story) => {
    const figures = figuresBehind(docx, story, story);
    return figures.flatMap((figure) => [
      figure,
      ...figuresBehind(docx, figure.part, story).map(({ part, what }) => ({
        ...figure,
        part,
        what,
      })),
    ]);
  });
}

function figuresBehind(docx: DocxPackage, owner: string, story: string): Figure[] {
  return docx.relationshipsOf(owner).flatMap(({ part, id, kind }) => {
    const what = FIGURES.get(kind);
    return what === undefined || part === null
      ? []
      : [{ part, what, story, id, shown: part, kind }];
  });
}

/** Matches where the data of SmartArt names the drawing that Word created from it. */
const DRAWING_ID = /(<(?:\w+:)?dataModelExt\s[^<>]*?\brelId\s*=\s*["'])([^"']*)/g;

/**
 * Returns the relationship ids of the drawings that SmartArt data names. These relationships belong to the story that
 * shows the SmartArt.
 */
export function drawingIdsIn(data: string): string[] {
  return [...data.matchAll(DRAWING_ID)].map(([, , id = ""]) => id);
}

/**
 * Returns SmartArt data with the relationship ids of its drawings replaced. An id that is missing in `ids` becomes
 * empty.
 */
export function withDrawingIds(data: string, ids: ReadonlyMap<string, string>): string {
  return data.replace(DRAWING_ID, (_, before: string, id: string) => before + (ids.get(id) ?? ""));
}
