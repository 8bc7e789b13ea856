import type { Diagnostic } from "@quire/contracts";
import { type Block, blockTags, isInText } from "./blocks/blocks.ts";
import { spreadColumns } from "./blocks/columns.ts";
import { liftTags } from "./blocks/lift.ts";
import { checkLoops, checkLoopsByOrder, checkNesting } from "./blocks/nesting.ts";
import { kindEndedBy } from "./blocks/open-blocks.ts";
import { type PairedBlocks, pairBlocks } from "./blocks/pair-blocks.ts";
import { type Placement, placeBlocks } from "./blocks/placement.ts";
import { completeGrids } from "./complete-grids.ts";
import { placeCovers } from "./cover-tags.ts";
import { checkFieldZones } from "./fields/field-zones.ts";
import { checkFields } from "./fields/fields.ts";
import { checkShrinks, placeLooks } from "./looks.ts";
import { placeMerges } from "./merge-tags.ts";
import { checkModifiers } from "./mistakes/check-modifiers.ts";
import { mergedElements } from "./mistakes/merged-elements.ts";
import { checkNotes } from "./mistakes/notes.ts";
import { detach, type TagNode } from "./nodes/nodes.ts";
import type { PartTree } from "./tree.ts";

/**
 * Moves the block tags of a tree to the places where they take effect. Returns all problems. If there are any, the tree
 * is no longer usable. `around`: the tags that open the loops in which another part shows the tree; null
 * if they are not known.
 */
export function checkTree(
  tree: PartTree,
  around: readonly TagNode[] | null = [],
): readonly Diagnostic[] {
  const paired = pairBlocks(tree.tags, tree.escaped);
  const { blocks, guessed, problems } = paired;
  // Fields are checked again below, because tags may take effect in a different place. Each tag is reported once.
  const inFields = new Map([...checkFieldZones(tree.root), ...checkFields(tree.root)]);
  const found = [
    ...tree.problems,
    ...checkNotes(tree.root, tree.part),
    ...tree.tags.flatMap(checkModifiers),
  ];
  // Blocks with tags outside the text of runs have already been reported.
  const inText = blocks.filter((block) => blockTags(block).every(isInText));
  const sure = problems.length === 0 ? blocks : surely(tree.tags, paired);
  if (problems.length > 0) detachUnpaired(tree.tags, blocks);
  completeGrids(tree.tags);
  const columns = spreadColumns(inText);
  const placed = placeBlocks(inText);
  const placements = of(sure, placed.placements);
  const wrong = [
    ...problems,
    ...columns.problems,
    ...placed.problems,
    ...liftTags(tree.tags, sure, placements),
  ];
  if (wrong.length === 0) {
    const others = blocks.filter(({ kind }) => kind !== "tablecolumn");
    // Problems with blocks in instructions are reported with the field.
    if (inFields.size === 0) {
      wrong.push(...checkNesting(tree.root, [...others, ...columns.blocks]));
    }
    if (wrong.length === 0) {
      for (const [tag, problem] of checkFieldZones(tree.root)) {
        if (!inFields.has(tag)) inFields.set(tag, problem);
      }
    }
  }
  if (wrong.length === 0) {
    wrong.push(...placeLooks(tree.root, tree.tags));
    const elements = mergedElements(tree.tags);
    wrong.push(...elements.values(), ...placeMerges(tree.tags.filter((tag) => !elements.has(tag))));
    if (elements.size === 0) wrong.push(...placeCovers(tree.root, tree.tags));
    wrong.push(...checkShrinks(tree.root, tree.tags));
  }
  // If blocks were not moved, the order of their tags decides which tags are in a loop.
  const all = [...found, ...new Set(inFields.values()), ...wrong];
  if (around === null) return all;
  const loops =
    wrong.length > 0
      ? checkLoopsByOrder(tree.root, tree.list?.tags ?? tree.tags, [...blocks, ...guessed], around)
      : checkLoops(tree.root, around);
  return [...all, ...loops];
}

/**
 * Returns the blocks that would remain the same after the other mistakes are corrected. A missing or surplus end may
 * belong to any block of its kind before or after it.
 */
function surely(tags: readonly TagNode[], { blocks, missing, excess }: PairedBlocks): Block[] {
  const firstMissing = new Map<string, number>();
  const order = new Map(tags.map((tag, index) => [tag, index]));
  for (const open of missing) {
    const { kind } = open.directive;
    const at = order.get(open) ?? 0;
    firstMissing.set(kind, Math.min(firstMissing.get(kind) ?? at, at));
  }
  const tooMany = new Set([...excess.keys()].map((end) => kindEndedBy(end) ?? "section"));
  return blocks.filter(({ kind, open }) => {
    const at = order.get(open) ?? 0;
    return !tooMany.has(kind) && at < (firstMissing.get(kind) ?? tags.length);
  });
}

/** Removes the unpaired block tags from the tree, where they would be treated as text. */
function detachUnpaired(tags: readonly TagNode[], blocks: readonly Block[]): void {
  const paired = new Set(blocks.flatMap(blockTags));
  for (const tag of tags) {
    const { kind } = tag.directive;
    if (kind !== "value" && kind !== "note" && !paired.has(tag) && isInText(tag)) detach(tag);
  }
}

function of(
  blocks: readonly Block[],
  placements: ReadonlyMap<TagNode, Placement>,
): Map<TagNode, Placement> {
  const found = new Map<TagNode, Placement>();
  for (const tag of blocks.flatMap(blockTags)) {
    const placement = placements.get(tag);
    if (placement !== undefined) found.set(tag, placement);
  }
  return found;
}
