import { cutText } from "@quire/contracts";
import type { Alternative, Field, Place } from "./admitted.ts";
import type { Facts } from "./data-node.ts";

/** Returns the description of a field: the allowed values, and the tags that use it. */
export function describeField(field: Field): string {
  const { tags, moreTags } = field.facts;
  const what = describePlace(field);
  if (tags.length === 0) return what;
  const named = `Used by ${tags.map((tag) => cutText(tag)).join(", ")}${moreTags ? " and others" : ""}.`;
  return what === "" ? named : `${what} ${named}`;
}

function describePlace({ alternatives, facts }: Place): string {
  const [only, ...others] = alternatives.filter(({ kind }) => kind !== "nothing");
  if (only === undefined) return describeAnything(facts);
  switch (only.kind) {
    case "value":
      return others.length === 0 ? describeValue(only, facts) : "";
    case "list":
      return describeElements(only.item);
    case "section":
      return "A list, an object, or true.";
    default:
      return "";
  }
}

function describeAnything({ uses }: Facts): string {
  if (uses.has("counted")) return "A list to count.";
  if (uses.has("deep")) return "";
  return uses.has("compared")
    ? "Anything: the template only compares it."
    : "Anything: the template only checks whether it exists and is true.";
}

function describeElements(item: Place): string {
  const [only, ...others] = item.alternatives;
  if (only?.kind !== "value" || others.length > 0) return "";
  const sentence = describeValue(only, item.facts);
  return sentence === "" ? "" : `Of each element: ${sentence}`;
}

function describeValue(
  { type }: Extract<Alternative, { kind: "value" }>,
  { uses, mask, barcode }: Facts,
): string {
  switch (type) {
    case "number":
    case "numbers":
      return "A number.";
    case "images":
      return "An image: base64 of a PNG, JPEG, GIF, BMP, WebP or SVG, or a reference to a file.";
    case "dates":
      return uses.has("time")
        ? "A date with the time of day, such as 2026-11-20T15:30."
        : "A date, such as 2026-11-20.";
    case "masked":
      return mask === null ? "" : `${mask} character${mask === 1 ? "" : "s"}.`;
    case "text":
      return uses.has("url") ? "The address of a link." : "";
    case "printed":
      return describePrinted(uses, barcode);
    default:
      return "";
  }
}

function describePrinted(uses: ReadonlySet<string>, barcode: string | null): string {
  if (barcode !== null) return `For a ${barcode}.`;
  if (uses.has("html")) return "HTML.";
  return uses.has("markdown") ? "Markdown." : "";
}
