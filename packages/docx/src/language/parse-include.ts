import type { ExpressionReader } from "./cursor.ts";
import { withTags } from "./delimiters/wording.ts";
import { fileNameIn } from "./foreign.ts";
import type { Expression } from "./grammar/expression.ts";
import { TagSyntaxError } from "./tokens.ts";

/** `{{include "terms.docx"}}`, or `{{include kind in ["a.docx", "b.docx"]}}` with the value that chooses one of them. */
export interface Include {
  readonly kind: "include";
  readonly names: readonly [string, ...string[]];
  readonly by: Expression | null;
}

/** The hint for an include whose name would depend on the data. */
export const BY_DATA = withTags`The names of the templates are fixed text. To choose by the data, list them: {{include file in ["a.docx", "b.docx"]}}. Or write {{if country == "CH"}}, {{include "terms_CH.docx"}} and {{endif}}, each in its own paragraph.`;

/** Reads an `include` tag. Returns null if `include` is a key of the data. */
export function parseInclude(parser: ExpressionReader, behind: string): Include | null {
  const name = parser.peek();
  if (name === null || name.kind === "symbol") return null;
  if (/^[^"'“„]*\s+in\s*\[/.test(behind)) return parseChoice(parser);
  if (name.kind !== "string" || name.value === "") {
    const written = (name.kind === "string" ? null : fileNameIn(behind)) ?? "terms.docx";
    throw new TagSyntaxError(
      "'include' needs a name in quotes.",
      (/[.$(+]/.test(behind) && !/^[^\s$(+]+\.do[ct][xm]$/i.test(behind)) ||
        /^\S+\s+in\s/.test(behind)
        ? BY_DATA
        : /\.do[ct][xm]$/i.test(written)
          ? withTags`Write {{include "${written}"}}.`
          : withTags`To include the template of that name, write {{include "${written}"}}: the name is fixed text. To choose a template by the data, list the names: {{include ${chooser(behind)} in ["a.docx", "b.docx"]}}.`,
    );
  }
  parser.next("a name");
  parser.end();
  return { kind: "include", names: [name.value], by: null };
}

/** Returns the name of the value that chooses a template, as the tag has it. */
function chooser(behind: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.exec(behind.trim())?.[0] ?? "file";
}

/** Reads `file in ["a.docx", "b.docx"]`. */
function parseChoice(parser: ExpressionReader): Include {
  const by = parser.value();
  const names: string[] = [];
  let opened = parser.take("in") !== null && parser.take("[") !== null;
  while (opened) {
    const name = parser.peek();
    if (name?.kind !== "string" || name.value === "" || names.includes(name.value)) break;
    parser.next("a name");
    names.push(name.value);
    opened = parser.take(",") !== null;
  }
  const [first, ...others] = names;
  if (first === undefined || parser.take("]") === null) {
    throw new TagSyntaxError(
      "The templates after 'in' are different names in quotes.",
      withTags`Write {{include file in ["a.docx", "b.docx"]}}.`,
    );
  }
  parser.end();
  return { kind: "include", names: [first, ...others], by };
}
