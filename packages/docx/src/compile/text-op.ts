import { isLook } from "../language/looks.ts";
import type { FlowContext } from "../program/flow.ts";
import type { TagOrigin, TextMode, TextOp } from "../program/tag-ops.ts";
import type { TagNode } from "../template/nodes/nodes.ts";
import { noPlaceholder } from "../template/nodes/placeholders.ts";
import { mostCharacters } from "../template/tags/attribute-tags.ts";
import { quotedPaths } from "./quoted-paths.ts";

/** Returns the origin of a tag, for messages during rendering. */
export function originOf(tag: TagNode): TagOrigin {
  const { place, text, delimiters, near, printed, outer, counted, mustHold, column, ofFirst } = tag;
  const { innerLoop, emptyRow } = tag;
  const names = outer && new Map([...outer].map(([path, tag]) => [path, originOf(tag)]));
  const quoted = quotedPaths(tag.directive);
  return {
    ...{ place, text, delimiters, near },
    ...(quoted.length > 0 && { quoted }),
    ...(innerLoop !== undefined && { innerLoop }),
    ...(printed !== undefined && { printed }),
    ...(names !== undefined && { outer: names }),
    ...(counted !== undefined && { counted }),
    ...(emptyRow !== undefined && { emptyRow }),
    ...(column !== undefined && { column }),
    ...(ofFirst === true && { ofFirst }),
    ...(mustHold !== undefined && { mustHold }),
  };
}

/** Returns the op of a tag that prints a value; null for a tag that is a note to authors. */
export function textOpOf(tag: TagNode, mode: TextMode, flow: FlowContext | null): TextOp | null {
  if (tag.directive.kind === "note") return null;
  if (tag.directive.kind !== "value") throw new Error("A block tag has not been placed.");
  const { expression } = tag.directive;
  // The look is a property of the run.
  const modifiers = tag.directive.modifiers.filter(({ name }) => !isLook(name));
  const reason = mode === "attribute" ? noPlaceholder(tag) : null;
  const most = tag.owner === null ? undefined : mostCharacters(tag.owner.name);
  return {
    op: "text",
    origin: originOf(tag),
    expression,
    modifiers,
    mode,
    flow,
    ...(reason === null ? {} : { noPicture: `${reason.why}. ${reason.hint}` }),
    ...(most === undefined ? {} : { most }),
  };
}
