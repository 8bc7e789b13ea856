import type { Diagnostic } from "@quire/contracts";
import type { DocxPackage } from "@quire/ooxml/internal/open";
import { withTags } from "../language/delimiters/wording.ts";
import { loopStep } from "./blocks/nesting.ts";
import { tagProblem } from "./nodes/diagnostics.ts";
import { descendants, type TagNode } from "./nodes/nodes.ts";
import { relationshipIdsIn } from "./relationship-ids.ts";
import type { PartTree } from "./tree.ts";

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

/**
 * Returns a problem for each tag of a figure in a loop. All repetitions share the figure, so it cannot show a different
 * value in each. Call this after the blocks of the stories have been moved to their final positions.
 */
export function checkFigures(
  docx: DocxPackage,
  trees: readonly PartTree[],
  figures: readonly Figure[],
): Diagnostic[] {
  const byPart = new Map(trees.map((tree) => [tree.part, tree]));
  const tagsOf = (part: string): readonly TagNode[] => byPart.get(part)?.tags ?? [];
  const tagged = figures.filter(({ part }) => tagsOf(part).length > 0);
  const problems = new Map<string, Diagnostic[]>();
  for (const [story, own] of Map.groupBy(tagged, (figure) => figure.story)) {
    const loops = loopsAround(byPart.get(story));
    if (loops.size === 0) continue;
    const drawings = drawingsOf(docx, figures, story);
    for (const { part, what, id } of own) {
      const loop = loops.get(id) ?? loops.get(drawings.get(id) ?? "");
      if (loop === undefined) continue;
      const found = tagsOf(part).map((tag) => sharedByTurns(tag, what, loop));
      problems.set(part, found);
    }
  }
  return [...problems.values()].flat();
}

/**
 * Returns, for each SmartArt drawing, the relationship to the SmartArt's data. Elements of a story refer only to the
 * data.
 */
function drawingsOf(
  docx: DocxPackage,
  figures: readonly Figure[],
  story: string,
): ReadonlyMap<string, string> {
  const drawings = new Map<string, string>();
  for (const { part, id, what, story: other } of figures) {
    if (other !== story || what !== "SmartArt") continue;
    for (const drawing of drawingIdsIn(docx.readText(part))) drawings.set(drawing, id);
  }
  return drawings;
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

/** Returns the relationship ids that elements within loops use, each with the tag that opens the outermost loop. */
function loopsAround(tree: PartTree | undefined): ReadonlyMap<string, TagNode> {
  const found = new Map<string, TagNode>();
  const open: TagNode[] = [];
  for (const node of tree === undefined ? [] : descendants(tree.root)) {
    if (node.kind === "marker") {
      const step = loopStep(node.tag);
      if (step > 0) open.push(node.tag);
      if (step < 0) open.pop();
    }
    const [loop] = open;
    if (node.kind !== "element" || loop === undefined) continue;
    for (const id of relationshipIdsIn(node.attributes) ?? []) found.set(id, loop);
  }
  return found;
}

function sharedByTurns(tag: TagNode, what: string, loop: TagNode): Diagnostic {
  const place = what === "chart" ? "a chart" : what;
  return tagProblem(
    tag,
    "tag_in_looped_drawing",
    `${tag.text} is in ${place} within ${loop.text}: every repetition shows the same ${what}, so a value in it cannot change.`,
    withTags`Put the tag into the text next to the ${what}, or take the ${what} out of the loop. For a condition around it write {{if …}} and {{endif}}.`,
  );
}
