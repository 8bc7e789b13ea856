import { type Diagnostic, listed, QuireError } from "../errors.ts";
import type { RenderData } from "./program/evaluate.ts";
import { Findings } from "./program/findings.ts";
import { printTag, type TextOp } from "./program/print-tag.ts";
import { parseDirective } from "./template/directive.ts";
import { TagSyntaxError } from "./template/expression.ts";
import { DELIMITERS } from "./template/lexer.ts";

const { start: START, end: END } = DELIMITERS;

/** A compiled text with tags, such as the pattern of a file name. Immutable. */
export interface TextTemplate {
  /**
   * The text with its values. Throws `invalid_data`, with all problems, when a value is missing (and the
   * tag is neither `optional` nor has a `default`) or cannot be printed: a text, unlike a document,
   * cannot show its reader what is missing.
   */
  render(data: RenderData): string;
}

/**
 * Compiles a plain text with value tags, in the same language as a document's. Throws
 * `invalid_template`, with all problems, for tags that cannot be read and for blocks.
 */
export function compileText(source: string): TextTemplate {
  const pieces: (string | TextOp)[] = [];
  const problems: Diagnostic[] = [];
  let at = 0;
  for (let open = source.indexOf(START); open !== -1; open = source.indexOf(START, at)) {
    const close = source.indexOf(END, open + START.length);
    if (close === -1) break;
    pieces.push(source.slice(at, open));
    at = close + END.length;
    const content = source.slice(open + START.length, close);
    const op = compileTag(source.slice(open, at), content, problems);
    if (op !== null) pieces.push(op);
  }
  pieces.push(source.slice(at));
  for (const piece of pieces) {
    if (typeof piece === "string" && (piece.includes(START) || piece.includes(END))) {
      problems.push(problem(source, "unclosed_tag", "A tag is not opened or not closed."));
    }
  }
  if (problems.length > 0) {
    throw new QuireError("invalid_template", listed("The text has errors in its tags", problems), {
      diagnostics: problems,
    });
  }
  return {
    render(data) {
      const findings = new Findings();
      const text = pieces
        .map((piece) => (typeof piece === "string" ? piece : printTag(piece, null, data, findings)))
        .join("");
      findings.throwIfIncomplete();
      return text;
    },
  };
}

function compileTag(text: string, content: string, problems: Diagnostic[]): TextOp | null {
  try {
    const directive = parseDirective(content);
    if (directive.kind === "note") return null;
    if (directive.kind === "value") {
      const origin = { part: "text", paragraph: 1, text };
      const { expression, modifiers } = directive;
      return { op: "text", origin, expression, modifiers };
    }
    problems.push(
      problem(text, "tag_syntax", `${text} cannot stand in a text, only in a document.`),
    );
  } catch (error) {
    if (!(error instanceof TagSyntaxError)) throw error;
    problems.push(problem(text, "tag_syntax", error.message, error.hint));
  }
  return null;
}

function problem(tag: string, code: string, message: string, hint?: string): Diagnostic {
  return {
    severity: "error",
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    template: { part: "text", tag },
  };
}
