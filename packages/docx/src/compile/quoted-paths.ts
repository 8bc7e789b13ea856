import { type Directive, expressionsOf } from "../language/directive.ts";
import { allOf, isPlainName } from "../language/grammar/expression.ts";

/**
 * Returns the texts in the quotes of a tag that may be meant as paths: `customer.phone` in `default("customer.phone")`
 * and `link("customer.phone")`, and for the default of a picture also single names. Only the data shows whether they are.
 */
export function quotedPaths(directive: Directive): readonly string[] {
  const texts = expressionsOf(directive)
    .flatMap((each) => (each.kind === "literal" ? [] : allOf(each)))
    .flatMap((each) => (each.kind === "literal" ? [String(each.value)] : []));
  const modifiers = directive.kind === "value" ? directive.modifiers : [];
  const given = modifiers.flatMap(({ name, arguments: all }) =>
    all.flatMap(({ kind, value }) => (kind === "string" ? [{ name, text: value }] : [])),
  );
  const isPicture = modifiers.some(({ name }) => /^(?:width|height|fit)$/.test(name));
  const isPath = (text: string): boolean =>
    text.includes(".") && text.split(".").every(isPlainName);
  return [
    ...texts.filter(isPath),
    ...given
      .filter(({ name, text }) => {
        return isPath(text) || (name === "default" && isPicture && isPlainName(text));
      })
      .map(({ text }) => text),
  ];
}
