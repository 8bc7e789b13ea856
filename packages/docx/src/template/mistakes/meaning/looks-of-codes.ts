import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../../../language/delimiters/wording.ts";
import type { ModifierName } from "../../../language/grammar/modifier-signatures.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** Warns about a look of HTML or Markdown, which keep their own look. */
export function lookOfMarkup(tag: TagNode): Diagnostic | null {
  const { directive, text } = tag;
  if (directive.kind !== "value") return null;
  const names = directive.modifiers.map(({ name }) => name);
  const markup = names.find((name) => name === "html" || name === "markdown");
  const code = names.find((name) => name === "qrcode" || name === "barcode");
  const look = names.find((name) => TEXT_LOOKS.includes(name));
  if (code !== undefined && names.includes("text")) {
    const given = directive.modifiers.find(({ name }) => name === code)?.arguments[0];
    return textOfCode(tag, code, given?.kind === "string" ? given.value : "code128");
  }
  if (code !== undefined && look !== undefined) return lookOfCode(tag, look);
  if (markup === undefined || look === undefined || names.includes("text")) return null;
  const problem = tagProblem(
    tag,
    "modifier_without_effect",
    `In the tag ${text}, '${look}' has no effect, because ${markup === "html" ? "HTML" : "Markdown"} keeps its own look.`,
    look === "shrink"
      ? withTags`For all text of a cell or a text box, write {{cell :: shrink}} or {{shape :: shrink}} into it.`
      : "Give the paragraph a style in Word, or write the look into the value.",
  );
  return { ...problem, severity: "warning" };
}

function textOfCode(tag: TagNode, code: string, kind: string): Diagnostic {
  const hint =
    code === "barcode"
      ? `To print the number below the bars, write it into the parentheses: barcode("${kind}", "text").`
      : "To print the text, write its tag next to this one.";
  const message = `In the tag ${tag.text}, 'text' has no effect, because a code is a picture.`;
  return {
    ...tagProblem(tag, "modifier_without_effect", message, hint),
    severity: "warning",
  };
}

function lookOfCode(tag: TagNode, look: ModifierName): Diagnostic {
  const problem = tagProblem(
    tag,
    "modifier_without_effect",
    `In the tag ${tag.text}, '${look}' has no effect, because a code is a picture.`,
    `Leave out '${look}'. Codes are black on white, so that scanners read them.`,
  );
  return { ...problem, severity: "warning" };
}

const TEXT_LOOKS: readonly ModifierName[] = [
  ...(["fill", "color", "bold", "italic", "underline", "strike", "shrink"] as const),
];
