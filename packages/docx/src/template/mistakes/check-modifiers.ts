import type { Diagnostic } from "@quire/contracts";
import { lookTarget } from "../../language/looks.ts";
import { argumentMeant, unquotedPath } from "../../values/arguments/argument-meant.ts";
import { argumentProblem } from "../../values/arguments/modifier-arguments.ts";
import { digitsMeant, patternMeant } from "../../values/arguments/pattern-meant.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";

/** Reports problems with the arguments of a tag's modifiers. Arguments from the data are checked with the data. */
export function checkModifiers(tag: TagNode): Diagnostic[] {
  if (tag.directive.kind !== "value") return [];
  const { expression, modifiers } = tag.directive;
  const target = lookTarget(expression, modifiers);
  const value = expression.kind === "path" ? expression.source : "date";
  return modifiers.flatMap(({ name, arguments: given }) =>
    given.flatMap((argument, index) => {
      const why = argument.kind === "data" ? null : argumentProblem(name, index, argument, target);
      if (why === null) return [];
      const quoted = JSON.stringify(argument.value);
      return [
        tagProblem(
          tag,
          "modifier_argument",
          `The argument ${quoted} of '${name}' in ${tag.text} ${why}${why.endsWith("?") ? "" : "."}`,
          argumentMeant(name, argument.value, expression) ??
            (name === "format"
              ? patternMeant(argument.value, value)
              : name === "number"
                ? (digitsMeant(argument.value, expression) ?? unquotedPath(name, argument.value))
                : null) ??
            undefined,
        ),
      ];
    }),
  );
}
