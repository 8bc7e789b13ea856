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
    const item = loops.get(tag);
    // In a section, the item has no name.
    const better = item === null ? null : hintInLoop(item ?? null);
    return tagProblem(tag, "tag_syntax", message, better ?? hint);
  });
}

/**
 * Returns, for each tag, the name that the innermost loop around it gives to its items; null in a section without such a
 * name, and undefined outside all loops. The order of the tags decides, because blocks may be wrong. `tags`: all tags of
 * the part, in document order.
 */
function loopsAround(tags: readonly TagNode[]): ReadonlyMap<TagNode, string | null> {
  const around = new Map<TagNode, string | null>();
  const open: { readonly kind: string; readonly name: string | null | undefined }[] = [];
  for (const tag of tags) {
    const { directive } = tag;
    const { kind } = directive;
    if (kind.startsWith("end")) {
      const at = open.findLastIndex((each) => kind === `end${each.kind}`);
      if (at !== -1) open.length = at;
    }
    const inner = open.findLast(({ name }) => name !== undefined)?.name;
    if (inner !== undefined) around.set(tag, inner);
    if ("alias" in directive) open.push({ kind, name: directive.alias });
    else if (kind === "section") open.push({ kind, name: null });
  }
  return around;
}
