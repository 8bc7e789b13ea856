import type { Diagnostic } from "@quire/contracts";
import { placeOf } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";
import { noPlaceholder } from "../nodes/placeholders.ts";

/** Warns about every tag that is probably meant to turn a picture into a placeholder, if this picture cannot be one. */
export function checkPlaceholders(tags: readonly TagNode[]): Diagnostic[] {
  return tags.flatMap((tag): Diagnostic[] => {
    const reason = noPlaceholder(tag);
    if (reason === null) return [];
    return [
      {
        severity: "warning",
        code: "no_placeholder",
        message: `${tag.text} is the alternative text of a picture that no image can replace: ${reason.why}.`,
        hint: `${reason.hint}.`,
        template: { ...placeOf(tag.place), tag: tag.text, near: tag.near },
      },
    ];
  });
}
