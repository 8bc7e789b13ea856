import type { TextStyles } from "../fit/text-styles.ts";
import { findListRestarts, type ListRestarts } from "../program/lists.ts";
import type { ListFacts } from "../program/paragraph-lists.ts";
import type { PartGraph } from "../program/part-graph.ts";
import type { LoopedChart } from "../template/looped-figures.ts";
import type { PlacedHeaders } from "../template/looped-headers.ts";
import { settleControls } from "../template/nodes/controls.ts";
import { childNamed, type ElementNode, type TagNode } from "../template/nodes/nodes.ts";
import { keepIndents, newElement, putProperty } from "../template/nodes/paragraph-properties.ts";
import type { StyleChoice } from "../template/nodes/tag-uses.ts";
import { findMerges, type Merges } from "./merged-cells.ts";
import type { References } from "./references/references.ts";

/** What the compiler knows about the template in addition to the current part. */
export interface CompileContext {
  readonly lists: ListFacts;
  /** Returns the formats of the template's styles, which are read when text is measured for the first time. */
  readonly textStyles: () => TextStyles;
  /** The width of the text on a page, in EMU. */
  readonly textWidthEmu: number;
  readonly references: References;
  readonly graph: PartGraph;
  /** The charts that each repetition shows with other values. */
  readonly charts: readonly LoopedChart[];
  /** The headers and footers that use the items of loops. */
  readonly headers: PlacedHeaders;
  /** The parts that are copied for iterations, each with the part that has the plan. */
  readonly copiedParts: ReadonlyMap<string, string>;
}

/** The results of analyzing a whole part, which are needed before it is written. */
export interface Analysis {
  readonly context: CompileContext;
  readonly restarts: ListRestarts;
  readonly merges: Merges;
  /** The charts to which the part refers, by the ids of its relationships. */
  readonly charts: ReadonlyMap<string, string>;
}

/** Analyzes a whole part. */
export function analyse(part: string, root: ElementNode, context: CompileContext): Analysis {
  settleControls(root);
  const restarts = findListRestarts(root, context.lists);
  for (const [paragraph, { indents }] of restarts.paragraphs) {
    const properties = childNamed(paragraph, "w:pPr");
    // From the second iteration on, the paragraph refers to its list directly, so the list's indents would override
    // those of the style.
    if (properties !== null) keepIndents(properties, indents);
  }
  for (const [paragraph, choice] of restarts.styled) {
    const properties = childNamed(paragraph, "w:pPr");
    if (properties !== null) placeChoice(properties, choice);
  }
  const charts = context.charts.filter(({ story }) => story === part);
  const byId = charts.flatMap((chart) => [...chart.ids].map((id) => [id, chart.part] as const));
  return { context, restarts, merges: findMerges(root), charts: new Map(byId) };
}

/** Replaces the number and the indents of the template's style with ones that depend on the chosen style. */
function placeChoice(properties: ElementNode, styled: StyleChoice<TagNode>): void {
  const own = childNamed(properties, "w:numPr")?.ownIndents;
  const indents = own ?? childNamed(properties, "w:ind")?.attributes ?? "";
  for (const property of [newElement("w:numPr", ""), newElement("w:ind", indents)]) {
    property.styled = styled;
    putProperty(properties, property);
  }
}
