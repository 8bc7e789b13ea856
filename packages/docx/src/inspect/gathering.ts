import type { ModifierCall } from "../language/modifiers.ts";
import { hasModifier } from "../values/modifiers.ts";
import type { Use } from "./data-node.ts";

/** Uses that allow the value to be missing. */
export const MAY_MISS: ReadonlySet<Use> = new Set(["tested", "section", "separator", "places"]);

export function isOptional(modifiers: readonly ModifierCall[]): boolean {
  return hasModifier(modifiers, "optional") || hasModifier(modifiers, "default");
}

export function sameSets(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other);
}
