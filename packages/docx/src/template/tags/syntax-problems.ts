import type { Diagnostic } from "@quire/contracts";
import { spell, type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { Expression } from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import type { TagSyntaxError } from "../../language/tokens.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";

/** Returns the problems of invalid tags. Some hints name the item of the loop around the tag. `tags`: all tags of the part. */
export function syntaxProblems(
  invalid: readonly { readonly tag: TagNode; readonly error: TagSyntaxError }[],
  tags: readonly TagNode[],
): Diagnostic[] {
  let all: ReturnType<typeof loopsAround> | null = null;
  return invalid.map(({ tag, error: { message, hint, hintInLoop } }) => {
    const isOfRow = hintInLoop === undefined && HIDDEN_ROW.test(tag.text);
    if (hintInLoop === undefined && !isOfRow) return tagProblem(tag, "tag_syntax", message, hint);
    all ??= loopsAround(tags);
    const loops = all.get(tag) ?? [];
    if (hintInLoop === undefined)
      return tagProblem(tag, "tag_syntax", message, rowsMeant(tag, hint, loops) ?? hint);
    const names = loops.map(({ name }) => name);
    // In a section, the item has no name.
    const [inner = null] = names;
    const isSection = names.length > 0 && inner === null;
    const better = isSection ? null : hintInLoop(inner, names);
    return tagProblem(tag, "tag_syntax", message, better ?? hint);
  });
}

const HIDDEN_ROW = /row\s*::\s*(?:if|show|visible|hide)/i;

/** Returns the hint for `row :: hide, when(p.qty == 0)` with the names of the rows around the tag; null for others. */
function rowsMeant(
  { delimiters }: TagNode,
  hint: Wording | undefined,
  loops: readonly Around[],
): Wording | null {
  const [row] = loops;
  if (hint === undefined || row?.kind !== "tablerow" || row.list === null || !row.name) return null;
  const text = spell(hint, delimiters);
  const [, condition] = /tablerow i in items\.where\((.+)\)/.exec(text) ?? [];
  if (condition === undefined) return null;
  const own = new RegExp(
    `(?<![\\p{L}\\p{N}_.])${row.name.replaceAll("$", "\\$")}\\.(?=[\\p{L}_])`,
    "gu",
  );
  const list = `${spellExpression(row.list)}.where(${condition.replace(own, "")})`;
  return withTags`A modifier does not hide a row. Repeat only the rows to show: {{tablerow ${row.name} in ${list}}}.`;
}

/** A block around a tag that repeats its content. */
interface Around {
  readonly kind: string;
  /** The name of its item; null for a section without such a name. */
  readonly name: string | null;
  /** What a loop repeats; null for a section. */
  readonly list: Expression | null;
}

/**
 * Returns, for each tag, the loops around it, the innermost one first. The order of the tags decides, because blocks may
 * be wrong. `tags`: all tags of the part, in document order.
 */
function loopsAround(tags: readonly TagNode[]): ReadonlyMap<TagNode, readonly Around[]> {
  const around = new Map<TagNode, readonly Around[]>();
  const open: Around[] = [];
  for (const tag of tags) {
    const { directive } = tag;
    const { kind } = directive;
    if (kind.startsWith("end")) {
      const at = open.findLastIndex((each) => kind === `end${each.kind}`);
      if (at !== -1) open.length = at;
    }
    if (open.length > 0) around.set(tag, open.toReversed());
    if ("alias" in directive) {
      open.push({ kind, name: directive.alias, list: directive.shape ?? directive.collection });
    } else if (kind === "section") open.push({ kind, name: null, list: null });
  }
  return around;
}
