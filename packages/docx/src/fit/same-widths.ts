/** Families of fonts whose characters have the same widths, in lowercase. A free family replaces the others. */
export const SAME_WIDTHS = {
  carlito: ["calibri", "carlito"],
  caladea: ["cambria", "caladea"],
  sans: ["arial", "helvetica", "liberation sans", "arimo"],
  serif: ["times new roman", "times", "liberation serif", "tinos"],
  mono: ["courier new", "courier", "liberation mono", "cousine"],
} as const;
