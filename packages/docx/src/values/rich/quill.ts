import type { Attributes } from "./format.ts";

/** The indent for each level in Quill's style sheet, in points: 3em. */
const INDENT = 36;

/** Maximum number of characters of a `class` attribute. Longer ones are truncated, because no editor writes them. */
const MAX_CLASSES = 2_000;

const COLORS: Readonly<Record<string, string>> = {
  black: "#000000",
  white: "#ffffff",
  red: "#e60000",
  orange: "#ff9900",
  yellow: "#ffff00",
  green: "#008a00",
  blue: "#0066cc",
  purple: "#9933ff",
};

interface Family {
  readonly property: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The properties in Quill's style sheet for the classes `ql-FAMILY-NAME`. */
const FAMILIES: ReadonlyMap<string, Family> = new Map([
  [
    "align",
    {
      property: "text-align",
      values: { center: "center", right: "right", justify: "justify" },
    },
  ],
  ["direction", { property: "direction", values: { rtl: "rtl" } }],
  ["size", { property: "font-size", values: { small: "0.75em", large: "1.5em", huge: "2.5em" } }],
  ["font", { property: "font-family", values: { serif: "Georgia", monospace: "Courier New" } }],
  ["color", { property: "color", values: COLORS }],
  ["bg", { property: "background-color", values: COLORS }],
]);

/** The style of a line of code, which Quill 2 does not write as a `<pre>`. */
const CODE: readonly [string, string][] = [
  ["font-family", "Courier New"],
  ["white-space", "pre"],
];

/** The meaning of the classes on an element from Quill, an editor that writes classes instead of styles. */
export interface QuillLook {
  /** The equivalent CSS properties. */
  readonly style: readonly [property: string, value: string][];
  /** The number of indented levels, from 0. In a list, this is the level of the item. */
  readonly indent: number;
  /** Families of classes with an unknown value, such as `ql-font` with a font that the site added. */
  readonly unknown: readonly string[];
  /** Whether the element is a control of the editor and not part of the text. */
  readonly isControl: boolean;
  /** The source of a formula, whose content is a drawing, or null for other elements. */
  readonly formula: string | null;
}

const NOTHING: QuillLook = { style: [], indent: 0, unknown: [], isControl: false, formula: null };

/** Reads Quill's classes. */
export function quillLook(name: string, attributes: Attributes): QuillLook {
  const classes = attributes.get("class");
  if (classes === undefined || !classes.includes("ql-")) return NOTHING;
  const style: [string, string][] = [];
  const unknown: string[] = [];
  let indent = 0;
  const names = classes.slice(0, MAX_CLASSES).split(/\s+/);
  for (const each of names) {
    if (each === "ql-code-block") style.push(...CODE);
    const [, kind = "", value = ""] = /^ql-([a-z]+)-(.+)$/.exec(each) ?? [];
    const family = FAMILIES.get(kind);
    const said = family !== undefined && Object.hasOwn(family.values, value);
    if (said) style.push([family.property, family.values[value] ?? ""]);
    else if (kind === "indent" && /^[1-9]$/.test(value)) indent = Number(value);
    else if (family !== undefined || kind === "indent") unknown.push(`ql-${kind}`);
  }
  // The indent of an item is its level.
  if (indent > 0 && name !== "li") style.push(["padding-left", `${indent * INDENT}pt`]);
  const isControl = names.includes("ql-ui");
  const formula = names.includes("ql-formula") ? (attributes.get("data-value") ?? null) : null;
  return { style, indent, unknown, isControl, formula };
}
