import type { Diagnostic } from "@quire/contracts";
import { DELIMITERS } from "@quire/docx/internal/language/delimiters/delimiters";
import { spell } from "@quire/docx/internal/language/delimiters/wording";
import { type Directive, parseDirective } from "@quire/docx/internal/language/directive";
import type { Expression } from "@quire/docx/internal/language/grammar/expression";
import { LOOKS } from "@quire/docx/internal/language/grammar/modifier-signatures";
import type { ModifierCall } from "@quire/docx/internal/language/modifiers";
import { TagSyntaxError } from "@quire/docx/internal/language/tokens";
import type { TextOp } from "@quire/docx/internal/program/tag-ops";
import { checkModifiers } from "@quire/docx/internal/template/mistakes/check-modifiers";
import type { TagNode } from "@quire/docx/internal/template/nodes/nodes";
import type { FormField } from "./form-fields.ts";

/** The parsed name of a field. */
interface NamedValue {
  readonly expression: Expression;
  readonly modifiers: readonly ModifierCall[];
}

/** A field whose name is parsed as a tag. */
export interface TaggedField {
  readonly field: FormField;
  readonly op: TextOp;
}

/**
 * Reads the names of fields as tags. Returns a warning for each name that looks like a tag with modifiers but cannot be
 * read.
 */
export function tagFields(fields: readonly FormField[]): {
  readonly tagged: readonly TaggedField[];
  readonly warnings: readonly Diagnostic[];
} {
  const warnings: Diagnostic[] = [];
  const tagged = fields.map((field): TaggedField => {
    const { name } = field;
    const place = { part: partOf(field), paragraph: 0 };
    const origin = { place, text: name, delimiters: DELIMITERS, near: name };
    const read = readName(name);
    if (read.warning !== null) {
      const template = { part: place.part, tag: name, near: name };
      warnings.push({ severity: "warning", code: "field_name", ...read.warning, template });
    }
    return { field, op: { op: "text", origin, ...read.value, mode: "plain", flow: null } };
  });
  return { tagged, warnings };
}

/** Returns the first page on which a field appears, for messages. */
function partOf({ widgets }: FormField): string {
  const pages = widgets.flatMap(({ page }) => (page === null ? [] : [page]));
  return pages.length === 0 ? "form" : `page ${Math.min(...pages) + 1}`;
}

/**
 * Reads the name of a field. If it can be parsed as a path or function, with or without modifiers, it is a tag. Any
 * other name is read literally: its parts, which the PDF joins with dots, are keys.
 */
function readName(name: string): {
  readonly value: NamedValue;
  readonly warning: Pick<Diagnostic, "message" | "hint"> | null;
} {
  const asKeys: NamedValue = { expression: keysOf(name), modifiers: [] };
  try {
    const directive = parseDirective(name, { bareNames: true });
    return { value: isMeant(directive, name) ? directive : asKeys, warning: null };
  } catch (error) {
    if (!(error instanceof TagSyntaxError)) throw error;
    if (!name.includes("::")) return { value: asKeys, warning: null };
    const hint = error.hint === undefined ? {} : { hint: spell(error.hint, DELIMITERS) };
    const message = `The name of the field '${name}' is read literally, without modifiers: ${error.message}`;
    return { value: asKeys, warning: { message, ...hint } };
  }
}

/** Whether a name is meant as a tag. For example, `Yes/No` is not a division. */
function isMeant(
  directive: Directive,
  name: string,
): directive is Extract<Directive, { kind: "value" }> {
  if (directive.kind !== "value") return false;
  const { expression } = directive;
  if (name.includes("::") || expression.kind === "call") return true;
  return expression.kind === "path" && (expression.head !== null || expression.rest.length > 0);
}

function keysOf(name: string): Expression {
  const [head = "", ...rest] = name.split(".");
  return { kind: "path", source: name, head, rest };
}

/** Modifiers whose results cannot be shown in a field. */
const UNUSABLE: ReadonlySet<string> = new Set([
  "html",
  "markdown",
  "link",
  "qrcode",
  "barcode",
  "width",
  ...LOOKS,
  "when",
  "merge",
  "mergeAcross",
  "height",
  "fit",
  "checkbox",
]);

/** Returns the problems of the modifiers in field names. */
export function nameProblems(fields: readonly TaggedField[]): Diagnostic[] {
  return fields.flatMap((each) => {
    const { origin, modifiers } = each.op;
    const unusable = modifiers.filter(({ name }) => UNUSABLE.has(name));
    const problems = unusable.map(({ name }): Diagnostic => {
      const message = `The modifier '${name}' in ${origin.text} cannot be used in a PDF field.`;
      const template = { part: origin.place.part, tag: origin.text, near: origin.near };
      return { severity: "error", code: "modifier_argument", message, template };
    });
    return [...problems, ...checkModifiers(tagNode(each))];
  });
}

/** Returns the tag in the format of a tag in a Word template. */
export function tagNode({ op }: TaggedField): TagNode {
  const { origin, expression, modifiers } = op;
  return {
    kind: "tag",
    text: origin.text,
    delimiters: origin.delimiters,
    directive: { kind: "value", expression, modifiers },
    place: origin.place,
    near: origin.near,
    owner: null,
    parent: null,
  };
}
