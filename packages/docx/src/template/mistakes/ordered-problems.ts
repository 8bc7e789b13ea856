import type { Diagnostic } from "@quire/contracts";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { closest, type ElementNode, type TagNode } from "../nodes/nodes.ts";

/**
 * Returns the problems of a part in the order of its paragraphs, followed by the problems of the templates that it
 * includes. Word keeps two forms of a text box, and a template may be included twice. The same problem is then reported
 * only once.
 */
export function inOrder(
  part: string,
  found: readonly Diagnostic[],
  forms: ReadonlyMap<number, number>,
  delimiters: Delimiters,
): Diagnostic[] {
  const ranks = new Map([[part, 0]]);
  const rankOf = ({ template }: Diagnostic): number => {
    const name = template?.part ?? part;
    const rank = ranks.get(name) ?? ranks.size;
    ranks.set(name, rank);
    return rank;
  };
  const ranked = withoutTriples(found, delimiters).map((problem) => ({
    problem,
    rank: rankOf(problem),
    paragraph: problem.template?.paragraph ?? 0,
  }));
  ranked.sort((a, b) => a.rank - b.rank || a.paragraph - b.paragraph);
  const counts = new Map<string, number>();
  const kept = ranked.filter(({ problem, rank, paragraph }) => {
    const key = keyOf(problem);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    // One paragraph may contain the same mistake several times.
    const once = rank > 0 || problem.template?.tag === undefined;
    return once ? count === 0 : count % (forms.get(paragraph) ?? 1) === 0;
  });
  return kept.map(({ problem }) => problem);
}

/** Returns the number of forms of each paragraph in a part. Word may keep a text box in more than one form. */
export function formsOf(tags: readonly TagNode[]): Map<number, number> {
  const found = new Map<number, Set<ElementNode>>();
  for (const tag of tags) {
    const at = tag.owner ?? tag;
    const paragraph = closest(at, "w:p");
    if (paragraph === null || closest(at, "mc:AlternateContent") === null) continue;
    const forms = found.get(tag.place.paragraph) ?? new Set();
    found.set(tag.place.paragraph, forms.add(paragraph));
  }
  return new Map([...found].map(([number, forms]) => [number, forms.size]));
}

function keyOf({ code, message, hint, template }: Diagnostic): string {
  return JSON.stringify([code, message, hint, template]);
}

/** Merges the two problems of `{{{name}}}` into one: it has one opening and one closing delimiter too many. */
function withoutTriples(found: readonly Diagnostic[], { start, end }: Delimiters): Diagnostic[] {
  const open = start + (start[0] ?? "");
  const close = end + (end.at(-1) ?? "");
  const kept: Diagnostic[] = [];
  for (const problem of found) {
    const before = kept.at(-1);
    const near = problem.template?.near ?? "";
    const isTriple =
      problem.code === "unopened_tag" &&
      before?.code === "unclosed_tag" &&
      before.template?.paragraph === problem.template?.paragraph &&
      near.indexOf(close, near.indexOf(open)) > near.indexOf(open) &&
      near.includes(open);
    if (!isTriple) {
      kept.push(problem);
      continue;
    }
    kept[kept.length - 1] = {
      ...problem,
      code: "unclosed_tag",
      message: `A tag begins with '${open}' and ends with '${close}'.`,
      hint: `Write ${start}name${end}: a value is never read as XML or HTML unless the tag says so.`,
    };
  }
  return kept;
}
