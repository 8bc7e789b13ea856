/** The type of an argument: a string in quotes, an integer, either of them, or a condition. */
export type ArgumentKind = "string" | "number" | "text" | "condition";

/** The arguments of a modifier. */
export interface Signature {
  readonly arguments: readonly ArgumentKind[];
  /** The number of required arguments. */
  readonly required: number;
  /** An example of the arguments, in parentheses, for messages. */
  readonly example: string;
}

/** Every modifier of the language, with its arguments. */
export const MODIFIERS = {
  optional: takes(),
  default: takes('("text")', ["text"]),
  uppercase: takes(),
  lowercase: takes(),
  capitalize: takes(),
  trim: takes(),
  truncate: takes("(20)", ["number", "string"], 1),
  format: takes('("dd-mm-yyyy")', ["string"]),
  number: takes('("#,##0.00")', ["text"], 0),
  currency: takes('("EUR")', ["string", "number"], 1),
  percent: takes("(1)", ["number"], 0),
  locale: takes('("de-DE")', ["string"]),
  timeZone: takes('("Europe/Berlin")', ["string"]),
  delimiter: takes('(", ")', ["string"]),
  lastdelimiter: takes('(" and ")', ["string"]),
  html: takes(),
  markdown: takes(),
  text: takes(),
  link: takes('("label")', ["string"], 0),
  checkbox: takes(),
  width: takes('("4cm")', ["string"]),
  height: takes('("3cm")', ["string"]),
  fit: takes('("contain")', ["string"], 0),
  qrcode: takes(),
  barcode: takes('("ean13", "text")', ["string", "string"], 0),
  fill: takes('("#FFE0E0")', ["string"]),
  color: takes('("red")', ["string"]),
  bold: takes("(total > 100)", ["condition"], 0),
  italic: takes("(total > 100)", ["condition"], 0),
  underline: takes("(total > 100)", ["condition"], 0),
  strike: takes("(cancelled)", ["condition"], 0),
  style: takes('("Warning")', ["string"]),
  numbering: takes('("continue")', ["string"]),
  span: takes("(2)", ["number"]),
  shrink: takes("(8)", ["number"], 0),
  merge: takes("(customer.id)", ["text"], 0),
  mergeAcross: takes("(customer.id)", ["text"], 0),
  when: takes("(total > 100)", ["condition"]),
} as const satisfies Record<string, Signature>;

/** The modifiers that change how something looks. */
export const LOOKS = [
  "fill",
  "color",
  "bold",
  "italic",
  "underline",
  "strike",
  "style",
  "numbering",
  "span",
  "shrink",
] as const satisfies readonly (keyof typeof MODIFIERS)[];

/** The name of a modifier. */
export type ModifierName = keyof typeof MODIFIERS;

/** Whether the language has a modifier with this name. */
export function isModifier(name: string): name is ModifierName {
  return Object.hasOwn(MODIFIERS, name);
}

/** Names of filters and formatters in other languages, in lowercase, with the equivalent modifier. */
const OTHER_NAMES: ReadonlyMap<string, ModifierName> = new Map([
  ...named("timeZone", "timezone", "tz", "time_zone", "inzone", "attimezone", "converttimezone"),
  ...named("currency", "money", "formatcurrency", "formatc", "convcurr", "price"),
  ...named("format", "date", "datetime", "time", "formatdate", "dateformat", "formatd", "strftime"),
  ...named(
    "number",
    "formatnumber",
    "numberformat",
    "formatn",
    "decimal",
    "floatformat",
    "tofixed",
    "numberwithdelimiter",
    "round",
    "int",
  ),
  ...named("uppercase", "toupper", "touppercase", "ucase", "upcase"),
  ...named("lowercase", "tolower", "tolowercase", "lcase", "downcase"),
  ...named("capitalize", "ucfirst", "upperfirst"),
  ...named("truncate", "limit", "ellipsis", "substr", "substring", "slice"),
  ...named("trim", "strip", "lstrip", "rstrip", "trimend", "trimstart"),
  ...named("delimiter", "join", "separator", "arrayjoin"),
  ...named("default", "ifem", "ifempty", "fallback", "else"),
  ...named("html", "raw", "safe", "richtext"),
  ...named("link", "url", "hyperlink"),
  ...named("width", "image", "img", "picture"),
  ...named("qrcode", "qr"),
  ...named("checkbox", "checked", "check", "tickbox", "checkmark"),
  ...named("span", "colspan", "gridspan", "columnspan"),
  ...named(
    "shrink",
    ...["shrinktofit", "shrinkonoverflow", "fittext", "textfit", "tcfittext", "fitfont"],
    ...["autofit", "normautofit", "autosize", "autofontsize", "autoshrink", "resize"],
  ),
  ...named("merge", "vm", "vmerge", "rowspan", "mergedown", "mergevertical"),
  ...named("mergeAcross", "hm", "hmerge", "mergeright", "mergehorizontal", "mergecells"),
  ...named("markdown", "md"),
  ...named("locale", "lang", "language", "culture"),
]);

function named(name: ModifierName, ...others: readonly string[]): [string, ModifierName][] {
  return others.map((other) => [other, name]);
}

/** Returns the equivalent of a modifier from another language, or null. */
export function modifierMeant(name: string): ModifierName | null {
  return OTHER_NAMES.get(name.toLowerCase().replaceAll("_", "")) ?? null;
}

function takes(
  example = "",
  kinds: readonly ArgumentKind[] = [],
  required = kinds.length,
): Signature {
  return { arguments: kinds, required, example };
}
