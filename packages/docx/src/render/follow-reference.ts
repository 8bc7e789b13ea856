import type { ReferenceOp } from "../program/ops.ts";
import type { Reference } from "../program/references.ts";
import { pointerOf } from "./evaluate/context/pointers.ts";
import type { Scope } from "./evaluate/context/scope.ts";
import type { NoteCopy } from "./references/bookmarks.ts";
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
  const lost = references.begin(reference, () =>
    reference.names.map((name) => output.bookmarks.refer(name, scope, copy)),
  );
  if (lost) warn(reference, rendering, scope);
  return lost;
}

/** The item of the innermost block. */
const ITEM = { kind: "path", source: "this", head: null, rest: [] } as const;

function warn(
  { names, isLink, origin }: Reference,
  rendering: Rendering,
  scope: Scope | null,
): void {
  if (origin === null) return;
  const { env, diagnostics } = rendering;
  env.scope = scope;
  const what = isLink ? "The link" : `The field ${origin.text}`;
  const marked = names.map((name) => `'${name}'`).join(" and ");
  const [bookmark, it] = names.length > 1 ? ["bookmarks", "one of them"] : ["bookmark", "it"];
  diagnostics.add(origin, {
    severity: "warning",
    code: "reference_removed",
    message: `${what} refers to the ${bookmark} ${marked}, but a block left ${it} out of this document. ${isLink ? "The document has its text without the link." : "The document has its last result from the template as plain text."}`,
    hint: `Put the reference into a block with the same condition as the ${bookmark}.`,
    ...(scope === null ? {} : { pointer: pointerOf(ITEM, env) }),
  });
}
