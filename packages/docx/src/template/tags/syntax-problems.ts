import type { Diagnostic } from "@quire/contracts";
import type { TagSyntaxError } from "../../language/tokens.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";

/** Returns the problems of invalid tags. Some hints name the item of the loop around the tag. `tags`: all tags of the part. */
export function syntaxProblems(
  invalid: readonly { readonly tag: TagNode; readonly error: TagSyntaxError }[],
  tags: readonly TagNode[],
): Diagnostic[] {
  let loops: ReturnType<typeof loopsAround> | null = null;
  return invalid.map(({ tag, error: { message, hint, hintInLoop } }) => {
    if (hintInLoop === undefined) return tagProblem(tag, "tag_syntax", message, hint);
    loops ??= loopsAround(tags);
    const names = loops.get(tag) ?? [];
    // In a section, the item has no name.
    const [inner = null] = names;
    const isSection = names.length > 0 && inner === null;
    const better = isSection ? null : hintInLoop(inner, names);
    return tagProblem(tag, "tag_syntax", message, better ?? hint);
  });
}

type Names = readonly (string | null)[];

/**
 * Returns, for each tag, the names that the loops around it give to their items, the innermost one first; null for a
 * section without such a name. The order of the tags decides, because blocks may be wrong. `tags`: all tags of
 * the part, in document order.
 */
function loopsAround(tags: readonly TagNode[]): ReadonlyMap<TagNode, Names> {
  const around = new Map<TagNode, Names>();
  const open: { readonly kind: string; readonly name: string | null }[] = [];
  for (const tag of tags) {
    const { directive } = tag;
    const { kind } = directive;
    if (kind.startsWith("end")) {
      const at = open.findLastIndex((each) => kind === `end${each.kind}`);
      if (at !== -1) open.length = at;
    }
    if (open.length > 0) around.set(tag, open.map(({ name }) => name).reverse());
    if ("alias" in directive) open.push({ kind, name: directive.alias });
    else if (kind === "section") open.push({ kind, name: null });
  }
  return around;
}
