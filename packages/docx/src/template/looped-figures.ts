import type { Diagnostic } from "@quire/contracts";
import type { DocxPackage } from "@quire/ooxml/internal/open";
import { withTags } from "../language/delimiters/wording.ts";
import { loopStep } from "./blocks/nesting.ts";
import { drawingIdsIn, type Figure } from "./figures.ts";
import type { LoopedHeaders } from "./looped-headers.ts";
import { tagProblem } from "./nodes/diagnostics.ts";
import { descendants, type TagNode } from "./nodes/nodes.ts";
import { relationshipIdsIn } from "./relationship-ids.ts";
import type { PartTree } from "./tree.ts";

/** A chart with tags in a loop. A document has a copy of it for each repetition. */
export interface LoopedChart {
  readonly part: string;
  /** The part that shows it. */
  readonly story: string;
  /** The relationships of the story to it. */
  readonly ids: ReadonlySet<string>;
  /** Its parts that may have tags. */
  readonly figures: ReadonlySet<string>;
}

/**
 * Finds the charts and SmartArt with tags in loops. Call its methods after the blocks of the stories have been moved to
 * their final positions.
 */
export class LoopedFigures {
  readonly #docx: DocxPackage;
  readonly #trees: readonly PartTree[];
  readonly #figures: readonly Figure[];
  readonly #headers: LoopedHeaders;
  readonly #byPart: ReadonlyMap<string, readonly Figure[]>;
  /** For each story: its relationships to figures in loops, with the tags that open the loops. */
  readonly #loops = new Map<string, ReadonlyMap<string, readonly TagNode[]>>();
  /** The stories with problems, whose blocks may not have been moved. */
  readonly #broken = new Set<string>();

  /** `trees`: grows while parts are read. */
  constructor(
    docx: DocxPackage,
    trees: readonly PartTree[],
    figures: readonly Figure[],
    headers: LoopedHeaders,
  ) {
    this.#docx = docx;
    this.#trees = trees;
    this.#headers = headers;
    // A malformed file may name a story as a figure.
    const stories = new Set(docx.storyParts);
    this.#figures = figures.filter(({ part }) => !stories.has(part));
    this.#byPart = Map.groupBy(this.#figures, ({ part }) => part);
  }

  /** Records that a story has problems. */
  broken(story: string): void {
    this.#broken.add(story);
  }

  /**
   * Returns the tags that open the loops around a figure, or around the sections that show a header; null if the story
   * with these loops has problems.
   */
  around(part: string): readonly TagNode[] | null {
    const figures = this.#byPart.get(part) ?? [];
    if (figures.some(({ story }) => this.#broken.has(story))) return null;
    const loops = [part, ...figures.map(({ story }) => story)].map((each) =>
      this.#headers.around(each),
    );
    if (loops.includes(null)) return null;
    const inStories = figures.flatMap((figure) => this.#loopsInStory(figure));
    return [...loops.flatMap((each) => each ?? []), ...inStories];
  }

  /** Returns the charts that each repetition shows with other values, by their parts. */
  charts(): ReadonlyMap<string, LoopedChart> {
    const charts = new Map<string, LoopedChart>();
    for (const [{ shown, story }] of this.#tagged()) {
      const own = this.#figures.filter((figure) => figure.shown === shown);
      const ids = new Set(own.map(({ id }) => id));
      charts.set(shown, { part: shown, story, ids, figures: new Set(own.map(({ part }) => part)) });
    }
    return charts;
  }

  /** Returns the tags of charts and headers in loops, by the tag that opens the innermost loop around them. */
  tagsInLoops(): ReadonlyMap<TagNode, readonly TagNode[]> {
    const found = new Map(this.#headers.tagsInLoops());
    for (const [figure, tags] of this.#tagged()) {
      const loop = this.#loopsAround(figure).at(-1);
      if (loop !== undefined) found.set(loop, [...(found.get(loop) ?? []), ...tags]);
    }
    return found;
  }

  /** Returns a problem for each tag of a figure that all repetitions of a loop share. */
  problems(): Diagnostic[] {
    const problems = new Map<string, Diagnostic[]>();
    const tagged = this.#tagged();
    const owners = tagged.length === 0 ? new Map() : ownersOf(this.#docx, this.#figures);
    for (const [figure, tags] of tagged) {
      const wrong = whyShared(figure, owners);
      const [loop] = this.#loopsAround(figure);
      if (wrong === null || loop === undefined) continue;
      const found = tags.map((tag) => problemOf(tag, loop, wrong));
      problems.set(figure.part, found);
    }
    return [...problems.values()].flat();
  }

  /** Returns the figures in loops that have tags, with these tags. */
  #tagged(): (readonly [Figure, readonly TagNode[]])[] {
    const tags = new Map(this.#trees.map((tree) => [tree.part, tree.list?.tags ?? tree.tags]));
    return this.#figures.flatMap((figure) => {
      const own = tags.get(figure.part) ?? [];
      return own.length > 0 && this.#loopsAround(figure).length > 0 ? [[figure, own] as const] : [];
    });
  }

  #loopsAround(figure: Figure): readonly TagNode[] {
    return [...this.#headers.loopsOf(figure.story), ...this.#loopsInStory(figure)];
  }

  #loopsInStory({ story, id }: Figure): readonly TagNode[] {
    const known = this.#loops.get(story) ?? this.#loopsIn(story);
    this.#loops.set(story, known);
    return known.get(id) ?? [];
  }

  #loopsIn(story: string): ReadonlyMap<string, readonly TagNode[]> {
    const loops = loopsIn(this.#trees.find(({ part }) => part === story));
    const found = new Map(loops);
    // Elements refer only to the data of SmartArt, which names the drawing that Word created from it.
    for (const { part, id, what, story: own } of loops.size === 0 ? [] : this.#figures) {
      const around = loops.get(id);
      if (own !== story || what !== "SmartArt" || around === undefined) continue;
      for (const drawing of drawingIdsIn(this.#docx.readText(part))) found.set(drawing, around);
    }
    return found;
  }
}

/** Returns the relationships that elements in loops use, each with the tags that open the loops around it. */
function loopsIn(tree: PartTree | undefined): ReadonlyMap<string, readonly TagNode[]> {
  const found = new Map<string, readonly TagNode[]>();
  const open: TagNode[] = [];
  for (const node of tree === undefined ? [] : descendants(tree.root)) {
    if (node.kind === "marker") {
      const step = loopStep(node.tag);
      if (step > 0) open.push(node.tag);
      if (step < 0) open.pop();
    }
    if (node.kind !== "element" || open.length === 0) continue;
    for (const id of relationshipIdsIn(node.attributes) ?? []) {
      found.set(id, [...(found.get(id) ?? []), ...open]);
    }
  }
  return found;
}

/** Returns the parts with relationships to each figure. */
function ownersOf(
  docx: DocxPackage,
  figures: readonly Figure[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map<string, Set<string>>();
  for (const owner of new Set([...docx.storyParts, ...figures.map(({ part }) => part)])) {
    for (const { part } of docx.relationshipsOf(owner)) {
      if (part !== null) owners.set(part, (owners.get(part) ?? new Set()).add(owner));
    }
  }
  return owners;
}

/** Why all repetitions share a figure: its name, its description for messages, and a hint. */
interface Shared {
  readonly what: string;
  readonly place: string;
  readonly hint: Parameters<typeof tagProblem>[3];
}

/** Returns why a figure cannot have a copy for each repetition, or null if it can. */
function whyShared(
  { part, shown, what, kind }: Figure,
  owners: ReadonlyMap<string, ReadonlySet<string>>,
): Shared | null {
  const out = withTags`Put the tag into the text next to the ${what}, or take the ${what} out of the loop. For a condition around it write {{if …}} and {{endif}}.`;
  if (what === "SmartArt") return { what, place: what, hint: out };
  if (kind !== "chart") {
    const hint = withTags`Use a chart of another kind, such as columns, bars, lines or a pie. Or put the tag into the text next to the chart.`;
    return { what, place: "a chart of a newer kind (such as waterfall)", hint };
  }
  const isShared = [part, shown].some((each) => (owners.get(each)?.size ?? 0) > 1);
  if (!isShared) return null;
  const hint = "Copy the chart in Word and paste it, so that each place has its own chart.";
  return { what, place: "a chart that another part of the file also shows,", hint };
}

function problemOf(tag: TagNode, loop: TagNode, { what, place, hint }: Shared): Diagnostic {
  return tagProblem(
    tag,
    "tag_in_looped_drawing",
    `${tag.text} is in ${place} within ${loop.text}: every repetition shows the same ${what}, so a value in it cannot change.`,
    hint,
  );
}
