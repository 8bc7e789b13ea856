import type { Diagnostic } from "@quire/contracts";
import { type Expression, itemArgumentsOf, operandsOf } from "../../language/grammar/expression.ts";
import type { ModifierName } from "../../language/grammar/modifier-signatures.ts";
import { isLook } from "../../language/looks.ts";
import { checkModifiers } from "../mistakes/check-modifiers.ts";
import { childNamed, descendants, type ElementNode, type TagNode } from "../nodes/nodes.ts";
import {
  afterEnd,
  categoryPerSeries,
  fillPerCategory,
  listOfCategory,
  notInOneName,
  onlyCategory,
  sameForAllSeries,
  sameName,
  seriesWithoutCategory,
  splitCategory,
  unknownModifier,
  withoutValue,
  wrongKind,
} from "./chart-problems.ts";
import type { LoopTags } from "./loop-marks.ts";

/** A series of a chart that shows a list: its tags, and its cached categories and values. */
export interface ListedSeries {
  readonly series: ElementNode;
  /** The tags around the category. */
  readonly categories: LoopTags;
  readonly categoryCache: ElementNode;
  readonly valueCache: ElementNode;
  /** The tag in the name whose values the series shows. */
  readonly value: TagNode;
  /** The tags in the name of a series that a loop repeats; null for a single series. */
  readonly loop: LoopTags | null;
  /** Whether the tag of the value sets the color of the series, or of each point; null if it sets none. */
  readonly fill: "series" | "points" | null;
}

/** Reads a series. Returns its problems if its tags are incomplete, or null for a series without tags of a loop. */
export function readSeries(series: ElementNode): ListedSeries | readonly Diagnostic[] | null {
  const categoryCache = cacheIn(series, "c:cat", "c:strCache");
  const name = cacheIn(series, "c:tx", "c:strCache");
  const named = name === null ? [] : tagsIn(name);
  const loop = loopIn(named);
  const [point, ...others] = categoryCache === null ? [] : pointsOf(categoryCache);
  const tags = point === undefined ? [] : tagsIn(point);
  const open = tags.find(({ directive }) => directive.kind === "for");
  if (categoryCache === null || open === undefined) {
    return loop === null ? null : [seriesWithoutCategory(loop.open)];
  }
  const categories = loopIn(tags);
  if (categories === null || categories.open !== tags[0] || categories.close !== tags.at(-1)) {
    return [splitCategory(open)];
  }
  if (others.length > 0) return [onlyCategory(open)];
  const valueCache = cacheIn(series, "c:val", "c:numCache");
  const value = named.findLast(({ directive }) => {
    return directive.kind === "value" && dependsOn(directive.expression, categories.alias);
  });
  const problem =
    loop === null ? null : loopProblem(series, loop, { categories, named, value: value ?? null });
  if (problem !== null) return [problem];
  if (valueCache === null || value === undefined) {
    return [withoutValue(open, categories.alias, loop)];
  }
  const fill = fillOf(value, categories.alias);
  const wrong = valueProblems(value, fill, series);
  if (wrong.length > 0) return wrong;
  return { series, categories, categoryCache, valueCache, value, loop, fill };
}

/** Returns the first tag of a loop and the last end of a loop; null without a loop. */
function loopIn(tags: readonly TagNode[]): LoopTags | null {
  const open = tags.find(({ directive }) => directive.kind === "for");
  if (open?.directive.kind !== "for") return null;
  const close = tags.findLast(({ directive }) => directive.kind === "endfor");
  // Without an end, the tag is its own end, which the caller rejects.
  return { open, close: close ?? open, alias: open.directive.alias };
}

/** Returns the problem of a series that a loop repeats, or null. */
function loopProblem(
  { parent }: ElementNode,
  loop: LoopTags,
  {
    categories,
    named,
    value,
  }: {
    readonly categories: LoopTags;
    readonly named: readonly TagNode[];
    readonly value: TagNode | null;
  },
): Diagnostic | null {
  const { open, close, alias } = loop;
  if (FEW_SERIES.has(parent?.name ?? "")) return wrongKind(open);
  if (open === close || named[0] !== open) return notInOneName(open);
  if (named.at(-1) !== close) return afterEnd(open);
  if (alias === categories.alias) return sameName(open);
  if (listDependsOn(open, categories.alias)) return listOfCategory(loop, categories);
  if (listDependsOn(categories.open, alias)) return categoryPerSeries(categories.open, open);
  if (value?.directive.kind === "value" && !dependsOn(value.directive.expression, alias, false)) {
    return sameForAllSeries(value, open, alias);
  }
  return null;
}

/** Charts that show only one series, or need a certain number of them. */
const FEW_SERIES: ReadonlySet<string> = new Set([
  ...["c:pieChart", "c:pie3DChart", "c:ofPieChart", "c:stockChart"],
]);

function listDependsOn({ directive }: TagNode, alias: string): boolean {
  if (!("collection" in directive)) return false;
  return dependsOn(directive.shape ?? directive.collection, alias, false);
}

/** Returns what the tag of a value colors. `alias`: the name of the category's item. */
function fillOf({ directive }: TagNode, alias: string): ListedSeries["fill"] {
  const modifiers = directive.kind === "value" ? directive.modifiers : [];
  if (!modifiers.some(({ name }) => name === "fill")) return null;
  const looks = modifiers.filter(({ name }) => isLook(name));
  const given = looks.flatMap((call) =>
    call.arguments.flatMap(({ expression }) => expression ?? []),
  );
  return given.some((each) => dependsOn(each, alias)) ? "points" : "series";
}

/** Returns the problems of the modifiers of a value. */
function valueProblems(
  value: TagNode,
  fill: ListedSeries["fill"],
  { parent }: ElementNode,
): readonly Diagnostic[] {
  const modifiers = value.directive.kind === "value" ? value.directive.modifiers : [];
  const other = modifiers.find(({ name }) => !ALLOWED.has(name));
  if (other !== undefined) return [unknownModifier(value, other.name)];
  if (fill === "points" && !HAS_POINTS.has(parent?.name ?? "")) return [fillPerCategory(value)];
  return checkModifiers(value);
}

/** Charts with an area for each point. */
const HAS_POINTS: ReadonlySet<string> = new Set([
  ...["c:barChart", "c:bar3DChart", "c:pieChart", "c:pie3DChart", "c:ofPieChart"],
  "c:doughnutChart",
]);

const ALLOWED: ReadonlySet<ModifierName> = new Set(["optional", "default", "fill", "when"]);

/**
 * Whether the value of an expression may differ between the items of a loop. `isInner`: whether the loop is the
 * innermost one, whose position is `$index`.
 */
function dependsOn(expression: Expression, alias: string, isInner = true): boolean {
  if (expression.kind === "variable") {
    return expression.of === alias || (isInner && expression.of === null);
  }
  if (expression.kind === "path") return expression.head === alias;
  const items = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  return [...operandsOf(expression), ...items].some((each) => dependsOn(each, alias, isInner));
}

function cacheIn(series: ElementNode, part: string, cache: string): ElementNode | null {
  const around = childNamed(series, part);
  for (const node of around === null ? [] : descendants(around)) {
    if (node.kind === "element" && node.name === cache) return node;
  }
  return null;
}

/** Returns the points of a cache. */
export function pointsOf(cache: ElementNode): ElementNode[] {
  return cache.children.filter((node): node is ElementNode => {
    return node.kind === "element" && node.name === "c:pt";
  });
}

/** Returns the tags in the text of an element. */
export function tagsIn(around: ElementNode): TagNode[] {
  return [...descendants(around)].filter((node): node is TagNode => node.kind === "tag");
}
