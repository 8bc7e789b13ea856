import type { Diagnostic } from "../../../errors.ts";
import type { TagNode } from "../nodes.ts";
import { noPlaceholder } from "../placeholders.ts";
import { placeOf } from "./diagnostics.ts";

/** Warns of every tag that seems meant to make a placeholder of a picture that can be none. */
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
