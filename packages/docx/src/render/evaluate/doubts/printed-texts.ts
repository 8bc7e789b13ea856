import { kindOf } from "../../../format/print.ts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { isPlainName, quotedKey } from "../../../language/grammar/expression.ts";
import type { TextOp } from "../../../program/tag-ops.ts";
import { textAfter } from "../../../program/text-after.ts";
import { isPictureFile, isPictureKey } from "../../../values/image/picture-names.ts";
import { hasModifier } from "../../../values/modifiers.ts";
import { isProgramText } from "../../../values/text.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { placeOf, pointerOf } from "../context/pointers.ts";
import { hasOwn, resolve } from "../context/scope.ts";

type Valued = Pick<TextOp, "origin" | "expression" | "modifiers">;

/**
 * Warns about `{{"first name"}}`, `{{2026}}` and `{{"dog.tag" :: qrcode}}`, which print the words themselves, if the data
 * has such a key or path.
 */
export function noteQuotedKey(
  { origin, expression }: Valued,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const key =
    expression.kind === "number"
      ? expression.text
      : expression.kind === "literal" && typeof expression.value === "string"
        ? expression.value
        : null;
  if (key === null || key === "") return;
  const isName = /^\p{L}/u.test(key) && key.split(".").every(isPlainName);
  const modifiers = modifiersIn(origin);
  // The compiler warns about a plain name.
  if (modifiers === "" && isName) return;
  const path = (isName ? pathOf(key, env) : null) ?? pathTo(key, env);
  if (path === null) return;
  const what = expression.kind === "number" ? "the number" : "the words";
  const why = expression.kind === "number" ? "digits are a number" : "words in quotes are text";
  diagnostics.warn(
    origin,
    "quoted_name",
    `${origin.text} prints ${what} '${key}' itself: ${why}.`,
    undefined,
    () => withTags`For the value with that name, write {{${path}${modifiers}}}.`,
  );
}

/** Returns the hint for the path of a value in quotes that the modifiers of its tag cannot format; null for others. */
export function hintForQuoted(
  { origin, expression }: Pick<Valued, "origin" | "expression">,
  env: Evaluation,
): Wording | null {
  if (expression.kind !== "literal" || typeof expression.value !== "string") return null;
  const text = expression.value;
  const path = text.split(".").every(isPlainName) ? pathOf(text, env) : null;
  return path === null
    ? null
    : withTags`Words in quotes are text. For the value with that name, write {{${path}${modifiersIn(origin)}}}.`;
}

/** Returns the modifiers of a tag as written, also those for its look, with the space before them. */
function modifiersIn({ text, delimiters: { start, end } }: Valued["origin"]): string {
  const content = text.slice(start.length, -end.length);
  return /^[^:]*?(\s*::.*)$/s.exec(content.trim())?.[1] ?? "";
}

/** Returns a name or a path that has a value other than an object; null for other texts. */
function pathOf(text: string, env: Evaluation): string | null {
  const [head = "", ...rest] = text.split(".");
  const value = resolve({ kind: "path", source: text, head, rest }, env);
  return value === undefined || kindOf(value) === "object" ? null : text;
}

/** Returns the path to a key of the data or of the item of a block; null if no object has it. */
function pathTo(key: string, { data, scope }: Evaluation): string | null {
  for (let at = scope; at !== null; at = at.outer) {
    if (!hasOwn(at.item, key)) continue;
    if (at.alias !== null) return at.alias + quotedKey(key);
    return at === scope ? `this${quotedKey(key)}` : quotedKey(key);
  }
  if (!hasOwn(data, key)) return null;
  return scope === null ? `this${quotedKey(key)}` : quotedKey(key);
}

/** Warns about the name of a file in place of a picture, which is printed as text. */
export function noteFileName(
  { origin, expression, modifiers }: Valued,
  value: string,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (expression.kind !== "path" || modifiers.length > 0) return;
  if (!isPictureKey(expression) || !isPictureFile(value)) return;
  diagnostics.warn(
    origin,
    "external_image",
    `The tag ${origin.text} prints the name of a file, not its picture.`,
    pointerOf(expression, env),
    () => `For the picture give {"type": "file", "id": …} with the name of the file in the data.`,
  );
}

/** Matches a single word, such as a status. */
const WORD = /^\s*\p{L}{3,}(?:[-_]\p{L}+)*\s*$/u;
/** Matches words that mean yes, no or no value. */
const YES_OR_NO =
  /^\s*(?:null|undefined|nil|nan|true|yes|okay|oui|sim|tak|wahr|vrai|vero|verdadero|waar|checked|selected|ticked|marked|done|off|false|nein|non|nee|nej|não|falsch|faux|falso|fałsz|нет)\s*$/iu;

/** Warns about a word such as `paid` that checks a box, unless the value is printed, too. */
export function noteChecked(
  { origin, expression }: Valued,
  value: string,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (expression.kind !== "path" || value.length > 20) return;
  if (!WORD.test(value) || YES_OR_NO.test(value)) return;
  const { source } = expression;
  const { near, delimiters } = origin;
  if (near.replaceAll(/\s/g, "").includes(delimiters.start + source + delimiters.end)) return;
  const label = /^\s*(\p{L}+)/u.exec(textAfter(origin))?.[1] ?? "open";
  diagnostics.warn(
    origin,
    "text_as_condition",
    `The tag ${origin.text} checks the box for any text.`,
    placeOf(expression, env),
    () =>
      withTags`Any text checks the box. Compare it: {{(${source} == "${label}") :: checkbox}}. If any text counts, write {{(not (${source} isEmpty)) :: checkbox}}.`,
  );
}

/** Warns about text such as `null` or `#REF!`, which a program wrote into the data in place of a value. */
export function noteProgramText(
  { origin, expression }: Valued,
  value: string,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (expression.kind !== "path" || !isProgramText(value)) return;
  const { source } = expression;
  diagnostics.warn(
    origin,
    "empty_text",
    `The tag ${origin.text} prints text such as 'null' or '#REF!', which programs write in place of a value.`,
    placeOf(expression, env),
    () =>
      withTags`Correct the data: give the value, or null if it is missing. To leave out such text, write {{$if(${source} == "${value}", "", ${source})}}.`,
  );
}

/** Matches a date and a time without a time zone. */
const LOCAL_TIME = /^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*$/;

/** Warns about a time zone for a time that has none, which is printed as it is. */
export function noteZone(
  { origin, expression, modifiers }: Valued,
  value: string,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (!hasModifier(modifiers, "timeZone") || !hasModifier(modifiers, "format")) return;
  // The result of a function may depend on the time zone.
  if (expression.kind !== "path" || !LOCAL_TIME.test(value)) return;
  diagnostics.warn(
    origin,
    "modifier_without_effect",
    `In the tag ${origin.text}, 'timeZone' has no effect, because the value names no time zone.`,
    placeOf(expression, env),
    () => "If the time is in UTC, write a Z at its end in the data: 2026-11-20T10:30:00Z.",
  );
}
