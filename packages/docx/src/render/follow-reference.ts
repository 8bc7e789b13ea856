import type { ReferenceOp } from "../program/ops.ts";
import type { Reference, TaggedNameOp, UnlikeSections } from "../program/references.ts";
import { WITHOUT_TAGS } from "../template/fields/references.ts";
import { pointerOf } from "./evaluate/context/pointers.ts";
import type { Scope } from "./evaluate/context/scope.ts";
import type { NoteCopy } from "./references/bookmarks.ts";
import { writtenName } from "./references/written-name.ts";
import type { Rendering } from "./rendering.ts";

/** Whether a reference is lost, so that this piece of it must be omitted. */
export function isLost(
  { reference, first }: ReferenceOp,
  rendering: Rendering,
  scope: Scope | null,
  copy: NoteCopy | null,
): boolean {
  const { references, output } = rendering;
  if (!first) return references.has(reference);
  const { names, links } = reference;
  const lost = references.begin(reference, (known) =>
    names.map((name, at) =>
      output.bookmarks.refer({ name, link: links.get(name) }, scope, copy, known?.[at]),
    ),
  );
  if (lost) warn(reference, rendering, scope);
  else if (reference.unlike !== null)
    checkBlocks(reference, reference.unlike, rendering, scope, copy);
  return lost;
}

/** Reports a reference that a section repeats although it leads to the bookmark of another item. */
function checkBlocks(
  { names, links, origin }: Reference,
  { around, problem }: UnlikeSections,
  rendering: Rendering,
  scope: Scope | null,
  copy: NoteCopy | null,
): void {
  let at = scope;
  while (at !== null && !(around.has(at.path) && at.index !== null && at.length > 1)) at = at.outer;
  if (at === null || origin === null) return;
  const { output, diagnostics, atEnd } = rendering;
  const targets = names.map((name) =>
    output.bookmarks.refer({ name, link: links.get(name) }, scope, copy),
  );
  atEnd.push(() => {
    if (!targets.some(({ again }) => again)) return;
    diagnostics.add(origin, { ...problem, ...placeOfItem(scope, rendering) });
  });
}

/**
 * Reports a reference to a bookmark whose name has tags if the document has no bookmark with this name. `written`: the
 * XML before the end of the name.
 */
export function checkName(
  { origin, isLink, names }: TaggedNameOp,
  written: string,
  rendering: Rendering,
): void {
  const name = writtenName(written);
  // The tag of a missing value is printed, and has been reported.
  if (name === null || name.includes(origin.delimiters.start)) return;
  const { diagnostics, output, atEnd } = rendering;
  const { scope } = rendering.env;
  const key = name.toLowerCase();
  if (names.certain.has(key)) return;
  atEnd.push(() => {
    if (output.bookmarks.has(names.doubtful.get(key) ?? name)) return;
    const what = isLink ? "The link" : `The field ${origin.text}`;
    diagnostics.add(origin, {
      severity: "warning",
      code: "reference_broken",
      message: `${what} has tags in the name of its bookmark, and this document does not have a bookmark with the resulting name. ${isLink ? "The link leads nowhere." : "Word and PDFs show an error in its place."}`,
      hint: WITHOUT_TAGS,
      ...placeOfItem(scope, rendering),
    });
  });
}

/** Returns the place of the item of the innermost block for messages; empty outside blocks. */
function placeOfItem(scope: Scope | null, { env }: Rendering): { readonly pointer?: string } {
  env.scope = scope;
  return scope === null ? {} : { pointer: pointerOf(ITEM, env) };
}

/** The item of the innermost block. */
const ITEM = { kind: "path", source: "this", head: null, rest: [] } as const;

function warn(
  { names, links, isLink, origin }: Reference,
  rendering: Rendering,
  scope: Scope | null,
): void {
  if (origin === null) return;
  const { diagnostics } = rendering;
  const what = isLink ? "The link" : `The field ${origin.text}`;
  const marked = names.map((name) => `'${name}'`).join(" and ");
  const [bookmark, it] = names.length > 1 ? ["bookmarks", "one of them"] : ["bookmark", "it"];
  const why =
    links.size > 0
      ? `this document does not have ${it} for the same item`
      : `a block left ${it} out of this document`;
  diagnostics.add(origin, {
    severity: "warning",
    code: "reference_removed",
    message: `${what} refers to the ${bookmark} ${marked}, but ${why}. ${isLink ? "The document has its text without the link." : "The document has its last result from the template as plain text."}`,
    hint: `Put the reference into a block with the same condition as the ${bookmark}.`,
    ...placeOfItem(scope, rendering),
  });
}
