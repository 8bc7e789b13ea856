import type { Diagnostic } from "@quire/contracts";
import { controlWarnings } from "../nodes/controls.ts";
import type { ElementNode, TagNode } from "../nodes/nodes.ts";
import { markBlockUses } from "./block-uses.ts";
import { columnSections } from "./column-sections.ts";
import { dollarTags } from "./dollar-tags.ts";
import { joinedItems } from "./joined-items.ts";
import { branchOrder } from "./meaning/branch-order.ts";
import { coveredContent } from "./meaning/covered-content.ts";
import { markEmptyPlaces } from "./meaning/empty-places.ts";
import { groupSections } from "./meaning/group-sections.ts";
import { loopPositions } from "./meaning/loop-positions.ts";
import { loopSlips } from "./meaning/loop-slips.ts";
import { mergedPositions } from "./meaning/merged-positions.ts";
import { nestedPositions } from "./meaning/nested-positions.ts";
import { rowEnds } from "./meaning/row-ends.ts";
import { sameItem } from "./meaning/same-item.ts";
import { shapedPositions } from "./meaning/shaped-positions.ts";
import { checkPlaceholders } from "./no-placeholders.ts";
import { markOuterNames } from "./outer-names.ts";
import { checkProjections } from "./projections.ts";

/** Maximum number of warnings of each kind. */
const MAX_REPORTED = 100;

/** The properties of a part that its warnings depend on. */
interface WarnedPart {
  readonly part: string;
  readonly root: ElementNode;
  readonly tags: readonly TagNode[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * Returns the warnings about a template with valid tags, in document order and without duplicates. At most 100 of each
 * kind are listed, followed by the number of the others. A template without tags gets only the warnings in {@link
 * WITHOUT_TAGS}. `unread`: the mail-merge fields in parts without tags. `isList` returns whether a paragraph style
 * creates list items. `inLoops`: the tags of charts in loops, by the tag that opens the loop.
 */
export function warningsOf(
  parts: readonly WarnedPart[],
  unread: readonly Diagnostic[],
  isList: (style: string) => boolean,
  inLoops: TagsInLoops,
): readonly Diagnostic[] {
  const hasTags = parts.some(({ tags }) => tags.length > 0);
  const dollars = dollarTags(parts.flatMap(({ tags }) => tags));
  const ordered = parts.flatMap((part) => inOrder(part, isList, inLoops));
  const all = oncePerField([...dollars, ...ordered, ...unread]);
  return capped(all.filter(({ code }) => hasTags || WITHOUT_TAGS.has(code)));
}

type TagsInLoops = ReadonlyMap<TagNode, readonly TagNode[]>;

/** Returns the warnings without duplicates: at most 100 of each kind, followed by the number of the others. */
export function capped(warnings: readonly Diagnostic[]): Diagnostic[] {
  const counts = new Map<string, number>();
  const kept = new Map<string, Diagnostic>();
  for (const each of warnings) {
    const key = JSON.stringify(each);
    if (kept.has(key)) continue;
    const count = (counts.get(each.code) ?? 0) + 1;
    counts.set(each.code, count);
    if (count <= MAX_REPORTED) kept.set(key, each);
  }
  const more = [...counts].filter(([, count]) => count > MAX_REPORTED);
  return [
    ...kept.values(),
    ...more.map(([code, count]): Diagnostic => {
      const message = `… and ${count - MAX_REPORTED} more of this kind (${code}): only the first ${MAX_REPORTED} are listed.`;
      return { severity: "warning", code, message };
    }),
  ];
}

/** The codes of warnings about a template without tags, whose author probably meant more than plain text. */
const WITHOUT_TAGS: ReadonlySet<string> = new Set([
  "escaped_tag",
  "merge_field",
  "stale_index",
  "reference_broken",
]);

/**
 * Merges repeated warnings about one mail-merge field into one, at its first occurrence, with the number of
 * occurrences.
 */
function oncePerField(all: readonly Diagnostic[]): Diagnostic[] {
  const places = new Map<string, Set<string>>();
  for (const each of all) {
    if (each.code !== "merge_field") continue;
    const same = places.get(fieldOf(each)) ?? new Set();
    // Word keeps two forms of a text box.
    places.set(fieldOf(each), same.add(JSON.stringify(each.template)));
  }
  return all.flatMap((each) => {
    if (each.code !== "merge_field") return [each];
    const count = places.get(fieldOf(each))?.size ?? 0;
    places.delete(fieldOf(each));
    if (count < 2) return count === 0 ? [] : [each];
    return [{ ...each, message: `${each.message} It is in ${count} places.` }];
  });
}

function fieldOf({ message, hint }: Diagnostic): string {
  return `${message} ${hint}`;
}

/**
 * Returns the warnings of a part in the order of its paragraphs, followed by the warnings of the templates that it
 * includes.
 */
function inOrder(
  { part, root, tags, warnings }: WarnedPart,
  isList: (style: string) => boolean,
  inLoops: TagsInLoops,
): Diagnostic[] {
  const withCharts = tags.flatMap((tag) => [tag, ...(inLoops.get(tag) ?? [])]);
  markBlockUses(tags);
  markOuterNames(withCharts);
  // A tag that counts positions comes first, because its warning has the same hint.
  const positions = loopPositions(tags);
  markEmptyPlaces(root);
  const all = [
    ...warnings,
    ...checkProjections(withCharts),
    ...loopSlips(tags),
    ...groupSections(tags),
    ...rowEnds(tags),
    ...positions,
    ...mergedPositions(tags),
    ...nestedPositions(tags),
    ...shapedPositions(tags),
    ...branchOrder(tags),
    ...sameItem(tags),
    ...checkPlaceholders(tags),
    ...joinedItems(tags, isList),
    ...columnSections(tags),
    ...controlWarnings(root),
    ...coveredContent(root),
  ];
  const names = new Set([part, ...all.map(({ template }) => template?.part ?? part)]);
  const ranks = new Map([...names].map((name, rank) => [name, rank]));
  const rankOf = ({ template }: Diagnostic): number => ranks.get(template?.part ?? part) ?? 0;
  const paragraphOf = ({ template }: Diagnostic): number => template?.paragraph ?? 0;
  return all.toSorted((a, b) => rankOf(a) - rankOf(b) || paragraphOf(a) - paragraphOf(b));
}
