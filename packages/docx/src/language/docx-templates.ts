import { type Wording, withTags } from "./delimiters/wording.ts";
import { conditionIn, GOES_ON, loopMeant, pathIn } from "./foreign.ts";
import { Written } from "./mistakes/written.ts";
import { TagSyntaxError } from "./tokens.ts";

/** Matches a command of docx-templates, in upper case as in its manual, and the text after the command. */
const COMMAND = /^(IF|FOR|INS|EXEC|END-IF|END-FOR)(?![\p{L}\p{N}_.-])\s*(.*)$/su;

/** Returns the error, with a replacement, for a command of docx-templates such as `IF x`; null for other content. */
export function commandError(content: string): TagSyntaxError | null {
  const [, command = "", behind = ""] = COMMAND.exec(content) ?? [];
  const isEnd = command.startsWith("END-");
  if (command === "" || (!isEnd && (behind === "" || GOES_ON.test(behind)))) return null;
  const isField =
    command === "IF" && new Written(behind).match("(?<![=!<>])=(?![=<>])|<>") !== null;
  const message = isField
    ? "IF is a field of Word or a function of Excel and has no meaning here."
    : `${command} is a command of docx-templates and has no meaning here.`;
  return new TagSyntaxError(message, hintFor(command, withoutDollars(behind)));
}

function hintFor(command: string, behind: string): Wording {
  switch (command) {
    case "IF":
      return withTags`Write {{if ${conditionIn(behind) ?? conditionIn(withDoubleSigns(behind)) ?? "condition"}}} … {{endif}}.`;
    case "FOR": {
      const { alias, list } = loopMeant(behind);
      return withTags`Write {{for ${alias} in ${list}}} … {{endfor}}, and {{${alias}.name}} for a value of each item.`;
    }
    case "INS":
      return withTags`Write {{${pathIn(behind) ?? "path"}}}.`;
    case "EXEC":
      return "A template runs no code. Compute the value in the data.";
    default:
      return withTags`Write {{${command.toLowerCase().replace("-", "")}}}.`;
  }
}

/** Returns a condition with `==` in place of `=`. */
function withDoubleSigns(condition: string): string {
  return new Written(condition).replace("(?<![=!<>])=(?![=<>])", () => "==") ?? condition;
}

/** Matches any command of docx-templates, in upper or lower case. */
const ANY_COMMAND =
  /^(=|!|\*|(?:QUERY|CMD_NODE|ALIAS|FOR|END-FOR|IF|END-IF|INS|EXEC|IMAGE|LINK|HTML)(?![\p{L}\p{N}_.-]))\s*(.*)$/isu;

/**
 * Returns the content of the equivalent tag for a docx-templates command; null if there is no equivalent, undefined if
 * the content is not a command.
 */
export function meantByCommand(content: string): string | null | undefined {
  const [, written, rest = ""] = ANY_COMMAND.exec(content) ?? [];
  if (written === undefined) return undefined;
  const behind = withoutDollars(rest);
  switch (written.toUpperCase()) {
    case "IF": {
      const condition = conditionIn(behind);
      return condition === null ? null : `if ${condition}`;
    }
    case "FOR": {
      const { alias, list } = loopMeant(behind);
      return `for ${alias} in ${list}`;
    }
    case "END-IF":
      return "endif";
    case "END-FOR":
      return "endfor";
    case "INS":
    case "=":
      return pathIn(behind);
    default:
      return null;
  }
}

/** Removes the dollar signs with which docx-templates begins the names of items. */
export function withoutDollars(source: string): string {
  return source.replace(/\$(?=[\p{L}_])/gu, "");
}
