import { elementsOf } from "@quire/docx/internal/format/elements";
import { pointerOf } from "@quire/docx/internal/render/evaluate/context/pointers";
import {
  evaluateTag,
  type PrintContext,
  printFound,
} from "@quire/docx/internal/render/evaluate/print-tag";
import { withLineFeeds } from "@quire/docx/internal/values/text";
import { type FieldOption, FLAG, type FormField } from "./form-fields.ts";
import type { TaggedField } from "./form-tags.ts";

/** How the data changes a field. */
export type FieldChange =
  | { readonly kind: "keep" }
  | { readonly kind: "text"; readonly text: string }
  /** For buttons: the state that is on; null if no state is on. */
  | { readonly kind: "state"; readonly state: string | null }
  /** For a choice: the selected options, in the order of the options. */
  | { readonly kind: "choice"; readonly chosen: readonly FieldOption[] };

const KEEP: FieldChange = { kind: "keep" };

/**
 * Decides how the data changes a field. A value that the field cannot have is reported as an error, and no document is
 * created.
 */
export function decideField(tagged: TaggedField, context: PrintContext): FieldChange {
  const { field, op } = tagged;
  const found = evaluateTag(op, context);
  if (found.kind === "kept") return KEEP;
  if (found.kind === "nothing") return cleared(field);
  const { value } = found;
  const print = (each: unknown): string | null => printFound(found.op, each, context);
  if (field.kind === "choice") return choose(tagged, value, print, context);
  if (field.kind === "button" && typeof value === "boolean") return press(tagged, value, context);
  const text = print(value);
  if (text === null) return KEEP;
  return field.kind === "text"
    ? { kind: "text", text: fitting(tagged, text, context) }
    : press(tagged, text, context);
}

function cleared({ kind }: FormField): FieldChange {
  switch (kind) {
    case "text":
      return { kind, text: "" };
    case "button":
      return { kind: "state", state: null };
    case "choice":
      return { kind, chosen: [] };
  }
}

/** Returns the text in a form that the field can hold: a single line, unless the field is multi-line. */
function fitting({ field, op }: TaggedField, text: string, context: PrintContext): string {
  const { diagnostics } = context;
  const lines = withLineFeeds(text).toWellFormed();
  const isMultiline = (field.flags & FLAG.multiline) !== 0;
  const joined = isMultiline ? lines.replaceAll("\t", " ") : lines.replace(/[\n\t]/g, " ");
  if (!isMultiline && lines.includes("\n")) {
    diagnostics.warn(
      op.origin,
      "joined_lines",
      `The value for the field '${field.name}' has several lines, but the field has only one: they were joined.`,
      pointer({ op }, context),
      () => "Allow several lines in the properties of the field.",
    );
  }
  const length = Array.from(joined).length;
  if (field.maxLength !== null && length > field.maxLength) {
    diagnostics.add(op.origin, {
      severity: "error",
      code: "value_too_long",
      message: `The value for the field '${field.name}' has ${length} characters, but the field allows at most ${field.maxLength}.`,
      hint: "Shorten it, use :: truncate(…), or raise the limit in the properties of the field.",
      ...at({ op }, context),
    });
  }
  return joined;
}

/** Words that turn a single button on or off. */
const ON = new Set(["true", "yes", "on", "1"]);
const OFF = new Set(["false", "no", "off", "0", ""]);

/** Decides the state of a single button, or of a group in which one button can be on. */
function press(tagged: TaggedField, value: string | boolean, context: PrintContext): FieldChange {
  const { options } = tagged.field;
  const text = String(value);
  const word = text.trim().toLowerCase();
  const [only] = options;
  const state =
    options.find(({ label }) => label === text)?.value ??
    options.find((option) => option.value === text)?.value ??
    (options.length === 1 && ON.has(word) ? only?.value : undefined) ??
    ofWord(options, word);
  if (state !== undefined) return { kind: "state", state };
  // In a group, "no" may be the name of an option, but "off" always means that no option is on.
  if (word === "" || word === "off" || (options.length === 1 && OFF.has(word)))
    return { kind: "state", state: null };
  noSuchOption(tagged, context);
  return KEEP;
}

/**
 * Returns the only option whose label means the same as a word for true or false; undefined if there is not exactly
 * one.
 */
function ofWord(options: readonly FieldOption[], word: string): string | undefined {
  const words = ON.has(word) ? ON : OFF.has(word) && word !== "" && word !== "off" ? OFF : null;
  if (words === null) return undefined;
  const meant = options.filter(({ label }) => words.has(label.trim().toLowerCase()));
  return meant.length === 1 ? meant[0]?.value : undefined;
}

function choose(
  tagged: TaggedField,
  value: unknown,
  print: (value: unknown) => string | null,
  context: PrintContext,
): FieldChange {
  const { flags, options } = tagged.field;
  const isMany = (flags & FLAG.multiSelect) !== 0 && (flags & FLAG.combo) === 0;
  const values = isMany && Array.isArray(value) ? value : [value];
  const chosen: FieldOption[] = [];
  for (const each of elementsOf(values)) {
    if (each === null || each === undefined) continue;
    const text = print(each);
    if (text === null) return KEEP;
    if (text === "") continue;
    const option =
      options.find((known) => known.value === text) ?? options.find(({ label }) => label === text);
    if (option === undefined && !isEditable(flags)) {
      noSuchOption(tagged, context);
      return KEEP;
    }
    chosen.push(option ?? { value: text, label: text });
  }
  const order = (option: FieldOption): number => options.indexOf(option);
  return { kind: "choice", chosen: [...new Set(chosen)].sort((a, b) => order(a) - order(b)) };
}

/** Whether a choice field accepts values that are not among its options. */
export function isEditable(flags: number): boolean {
  return (flags & FLAG.combo) !== 0 && (flags & FLAG.edit) !== 0;
}

const MAX_REPORTED = 10;

function noSuchOption({ field, op }: TaggedField, context: PrintContext): void {
  const labels = field.options.slice(0, MAX_REPORTED).map(({ label }) => `'${label}'`);
  const more = field.options.length > MAX_REPORTED ? " and others" : "";
  const isAlone = field.kind === "button" && labels.length === 1;
  context.diagnostics.add(op.origin, {
    severity: "error",
    code: "no_such_option",
    message: `The value for the field '${field.name}' is not one of its options.`,
    hint: isAlone
      ? `Use true or false, or ${labels[0]} to turn it on.`
      : labels.length === 0
        ? "The field has no options: add them in its properties."
        : `Its options are ${labels.join(", ")}${more}.`,
    ...at({ op }, context),
  });
}

/** Returns the JSON pointer of a field's value in the data, for diagnostics. */
export function at(
  { op: { expression } }: Pick<TaggedField, "op">,
  { env }: PrintContext,
): { readonly pointer?: string } {
  return expression.kind === "path" ? { pointer: pointerOf(expression, env) } : {};
}

function pointer(tagged: Pick<TaggedField, "op">, context: PrintContext): string | undefined {
  return at(tagged, context).pointer;
}
