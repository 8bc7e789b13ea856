import { type Diagnostic, listed, QuireError, unreadable } from "@quire/contracts";
import { checkRenderOptions, printOptions, type RenderOptions } from "./compile-options.ts";
import { type PlaceUses, placeUsesOf } from "./inspect/place-use.ts";
import { DELIMITERS } from "./language/delimiters/delimiters.ts";
import { spell, withTags } from "./language/delimiters/wording.ts";
import { parseDirective } from "./language/directive.ts";
import { asksForLoop, pathsOf } from "./language/grammar/expression.ts";
import { TagSyntaxError } from "./language/tokens.ts";
import type { TextOp } from "./program/tag-ops.ts";
import { Diagnostics } from "./render/evaluate/context/document-diagnostics.ts";
import { renderData } from "./render/evaluate/context/scope.ts";
import { newEvaluation } from "./render/evaluate/functions/new-evaluation.ts";
import { type PrintContext, printTag } from "./render/evaluate/print-tag.ts";
import { scanTags } from "./template/nodes/scan.ts";
import { Budget } from "./values/budget.ts";

/** Compiled text with tags, such as the pattern of a file name. It is immutable. */
export interface TextTemplate {
  /**
   * The paths in the data that the tags use, each as a list of keys and indexes: `["items", "0", "id"]` for
   * `{{items[0].id}}`. A path with several keys is listed a second time as a single key with dots, because flat data
   * may have such a key.
   */
  readonly paths: readonly (readonly string[])[];
  /** Returns how the tags use the value at these keys, starting at the root of the data; null if no tag uses it. */
  readonly useOf: PlaceUses;
  /**
   * Returns the text with its values. Throws `invalid_data`, with all problems, when a value cannot be printed, or when
   * it is missing and its tag has neither `optional` nor `default`. The reason is that plain text, unlike a document,
   * cannot show the reader which values are missing.
   */
  render(data: object, options?: Omit<RenderOptions, "onMissing" | "images">): string;
}

/**
 * Compiles plain text with value tags, in the same language as in documents. Throws `invalid_template`, with all
 * problems, if there are invalid tags or blocks.
 */
export function compileText(source: string): TextTemplate {
  const problems: Diagnostic[] = [];
  const { pieces: found, stray } = scanTags(source, DELIMITERS);
  const pieces = found.map((piece) =>
    piece.kind === "text" ? piece.text : (compileTag(piece.text, piece.content, problems) ?? ""),
  );
  if (stray !== null)
    problems.push(problem(source, "unclosed_tag", "A tag is not opened or not closed."));
  if (problems.length > 0) {
    throw new QuireError("invalid_template", listed("The text has errors in its tags", problems), {
      diagnostics: problems,
    });
  }
  const ops = pieces.filter((piece) => typeof piece !== "string");
  return {
    useOf: placeUsesOf({ programs: [{ part: "text", ops }], notes: [] }),
    paths: pieces.flatMap((piece) => (typeof piece === "string" ? [] : placesOf(piece))),
    render(data, options = {}) {
      checkRenderOptions("render()", options);
      try {
        return renderPieces(pieces, data, options);
      } catch (error) {
        throw unreadable(data, error);
      }
    },
  };
}

function renderPieces(
  pieces: readonly (string | TextOp)[],
  data: object,
  options: RenderOptions,
): string {
  const diagnostics = new Diagnostics("fail");
  const budget = new Budget(options.limits);
  const print = printOptions(options);
  const context: PrintContext = {
    diagnostics,
    options: print,
    env: newEvaluation(renderData(data), budget.spend, print),
  };
  const text = pieces
    .map((piece) => (typeof piece === "string" ? piece : printTag(piece, context)))
    .join("");
  diagnostics.throwIfIncomplete();
  return text;
}

function placesOf({ expression }: TextOp): string[][] {
  return pathsOf(expression).flatMap(({ head, rest, source }) => {
    const keys = head === null ? [...rest] : [head, ...rest];
    return head === null || rest.length === 0 ? [keys] : [keys, [source]];
  });
}

function compileTag(text: string, content: string, problems: Diagnostic[]): TextOp | null {
  try {
    const directive = parseDirective(content, { bareNames: false });
    if (directive.kind === "note") return null;
    if (directive.kind === "value") {
      const place = { part: "text", paragraph: 1 };
      const origin = { place, text, delimiters: DELIMITERS, near: text };
      const { expression, modifiers } = directive;
      if (asksForLoop(expression)) {
        problems.push(problem(text, "tag_outside_loop", NO_LOOPS(text), spell(KEY, DELIMITERS)));
        return null;
      }
      return { op: "text", origin, expression, modifiers, mode: "plain", flow: null };
    }
    problems.push(
      problem(text, "tag_syntax", `${text} cannot be used in plain text, only in a document.`),
    );
  } catch (error) {
    if (!(error instanceof TagSyntaxError)) throw error;
    problems.push(
      problem(text, "tag_syntax", error.message, error.hint && spell(error.hint, DELIMITERS)),
    );
  }
  return null;
}

const NO_LOOPS = (tag: string): string =>
  `${tag} is the position in a loop, and plain text has no loops.`;

const KEY = withTags`Name a key of the data that differs from entry to entry, such as {{invoice_number}}.`;

function problem(tag: string, code: string, message: string, hint?: string): Diagnostic {
  return {
    severity: "error",
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    template: { part: "text", tag },
  };
}
