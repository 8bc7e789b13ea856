import type { ModifierCall } from "../template/directive.ts";

/** The place of a value in the loop around its tag. */
export interface LoopPlace {
  /** From 0. */
  readonly index: number;
  readonly length: number;
}

/** The argument of a modifier's first call, or undefined when it is not there. */
export function argumentOf(
  modifiers: readonly ModifierCall[],
  name: ModifierCall["name"],
): string | undefined {
  return modifiers.find((call) => call.name === name)?.arguments[0];
}

/** Whether a modifier is there. */
export function hasModifier(
  modifiers: readonly ModifierCall[],
  name: ModifierCall["name"],
): boolean {
  return modifiers.some((call) => call.name === name);
}

/** The text after all modifiers, in the order in which they are written. */
export function modify(
  text: string,
  modifiers: readonly ModifierCall[],
  place: LoopPlace | null,
): string {
  let result = text;
  for (const { name } of modifiers) result = TRANSFORMS[name]?.(result) ?? result;
  return result + delimiterAfter(modifiers, place);
}

const TRANSFORMS: Partial<Record<ModifierCall["name"], (text: string) => string>> = {
  uppercase: (text) => text.toUpperCase(),
  lowercase: (text) => text.toLowerCase(),
  capitalize: (text) => {
    const [first = "", ...rest] = text;
    return first.toUpperCase() + rest.join("");
  },
  trim: (text) => text.trim(),
};

/** What `delimiter` and `lastdelimiter` put between the turns of a loop: nothing after the last one. */
function delimiterAfter(modifiers: readonly ModifierCall[], place: LoopPlace | null): string {
  if (place === null || place.index >= place.length - 1) return "";
  const delimiter = argumentOf(modifiers, "delimiter") ?? "";
  const beforeLast = place.index === place.length - 2;
  return beforeLast ? (argumentOf(modifiers, "lastdelimiter") ?? delimiter) : delimiter;
}
