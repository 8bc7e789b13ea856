/** A font size, optionally with a line height. */
const SIZE = /^(?:[+-]?[\d.]+[a-z%]+|(?:x{1,3}-)?(?:small|large)|medium|smaller|larger)(?:\/\S*)?$/;

const WEIGHT = /^(?:bold|bolder|lighter|[1-9]\d{0,3})$/;
const ITALIC = /^(?:italic|oblique)$/;

/**
 * Returns the properties that a value of the CSS property `font` sets. Properties that the value does not mention are
 * set to `normal`, as in CSS. Returns an empty list for keywords such as `inherit` or `menu`.
 */
export function fontProperties(value: string): [string, string][] {
  const spaced = value.trim().split(/\s+/).join(" ");
  const words = spaced.replace(/ ?\/ ?/g, "/").split(" ");
  const at = words.findIndex((word) => SIZE.test(word.toLowerCase()));
  const family = words.slice(at + 1).join(" ");
  if (at === -1 || family === "") return [];
  const before = words.slice(0, at).map((word) => word.toLowerCase());
  const [size = ""] = (words[at] ?? "").toLowerCase().split("/");
  return [
    ["font-style", before.find((word) => ITALIC.test(word)) ?? "normal"],
    ["font-weight", before.find((word) => WEIGHT.test(word)) ?? "normal"],
    ["font-variant", before.includes("small-caps") ? "small-caps" : "normal"],
    ["font-size", size],
    ["font-family", family],
  ];
}
