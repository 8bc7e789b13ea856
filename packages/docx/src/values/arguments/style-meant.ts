import { nearest } from "@quire/contracts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import { unquotedPath } from "./argument-meant.ts";

type StyleType = "paragraph" | "character";

/** The styles of a template. */
export interface Styles {
  /** Returns the id of the style with this name in any case, or null. */
  readonly styleId: (name: string, type: StyleType) => string | null;
  /** Returns the names and the ids of all styles of a type. */
  readonly stylesOf: (type: StyleType) => readonly { readonly name: string; readonly id: string }[];
}

/**
 * Returns the hint for the name of a style that the template does not have: the style may be of the other type, or one of
 * Word's own styles, which have English names in the file.
 */
export function styleMeant(name: string, type: StyleType, styles: Styles): Wording {
  const other = unquotedPath("style", name) ?? looksMeant(name);
  if (other !== null) return other;
  const english = englishName(name, type, styles);
  if (english !== null)
    return `In the file, Word's own styles have English names: write style("${english}").`;
  const otherType = type === "character" ? "paragraph" : "character";
  const known =
    styles.styleId(name, otherType) === null ? englishName(name, otherType, styles) : name;
  if (known !== null) {
    return otherType === "paragraph"
      ? withTags`It is a paragraph style: write {{paragraph :: style("${known}")}} into the paragraph.`
      : withTags`It is a character style: write it into the tag of a text, as in {{name :: style("${known}")}}.`;
  }
  const names = styles.stylesOf(type).map((style) => style.name);
  const near = nearest(name, names);
  return near === null
    ? "Create the style in the template, and use it in a text there so that Word keeps it."
    : `Did you mean '${near}'?`;
}

/** Returns the hint for a tag with `style("bold")`: the modifier with this name. Null for other tags. */
export function lookMeant(tag: string): string | null {
  const [written, name = ""] = /style\(\s*["'“”](\w+)["'“”]\s*\)/.exec(tag) ?? [];
  const look = LOOKS[name.toLowerCase()];
  return written === undefined || look === undefined
    ? null
    : `Write ${tag.replace(written, look)}.`;
}

/** The modifiers for looks that authors take for styles, by these names in lowercase. */
const LOOKS: Readonly<Record<string, string>> = {
  ...{ bold: "bold", italic: "italic", italics: "italic", underline: "underline" },
  ...{ underlined: "underline", strike: "strike", strikethrough: "strike" },
};

/** Returns the English name of a style of the template; null if it has no style with this name in another language. */
function englishName(name: string, type: StyleType, { styleId, stylesOf }: Styles): string | null {
  // Word makes the id of the name in its language.
  const id = asId(name);
  const own = id.length < 4 ? undefined : stylesOf(type).find((each) => asId(each.id) === id);
  if (own !== undefined) return own.name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  const level =
    /^(?:Überschrift|Titre|Título|Titolo|Kop|Rubrik|Overskrift|Nagłówek|Nadpis|Otsikko|Заголовок) ?(\d)$/iu;
  const number = level.exec(name.trim())?.[1];
  const english = number === undefined ? NAMES.get(name.trim().toLowerCase()) : `Heading ${number}`;
  return english !== undefined && styleId(english, type) !== null ? english : null;
}

function asId(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** Word's own styles in other languages, in lowercase, with their English names. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...named("Title", "Titel", "Titre", "Título", "Puesto", "Titolo"),
  ...named("Subtitle", "Untertitel", "Sous-titre", "Subtítulo", "Sottotitolo", "Ondertitel"),
  ...named("Quote", "Zitat", "Citation", "Cita", "Citazione", "Citaat", "Citação"),
  ...named("Intense Quote", "Intensives Zitat", "Citation intense", "Cita destacada"),
  ...named("List Paragraph", "Listenabsatz", "Paragraphe de liste", "Párrafo de lista"),
  ...named("List Paragraph", "Paragrafo elenco", "Lijstalinea"),
  ...named("List Bullet", "Aufzählungszeichen", "Liste à puces"),
  ...named("No Spacing", "Kein Leerraum", "Sans interligne", "Sin espaciado", "Geen afstand"),
  ...named("Caption", "Beschriftung", "Légende", "Didascalia", "Bijschrift"),
  ...named("Normal", "Standard", "Normale", "Standaard"),
  ...named("Strong", "Fett", "Texto en negrita"),
  ...named("Emphasis", "Hervorhebung", "Accentuation", "Énfasis"),
]);

function named(english: string, ...others: readonly string[]): [string, string][] {
  return others.map((other) => [other.toLowerCase(), english]);
}

/** Returns the hint for rules of CSS in place of the name of a style, such as `color: red`; null for names. */
function looksMeant(argument: string): string | null {
  const [, property = "", value = ""] =
    /^\s*(color|background(?:-color)?|font-weight|font-style)\s*:\s*([^;]+?)\s*;?\s*$/i.exec(
      argument,
    ) ?? [];
  const name = property.toLowerCase();
  if (name === "") return null;
  if (name.startsWith("font"))
    return `'style' names a style of the template. Write ${/bold|[6-9]00/.test(value) ? "bold" : "italic"}.`;
  const look = name === "color" ? "color" : "fill";
  return `'style' names a style of the template. Write ${look}(${JSON.stringify(value)}).`;
}
