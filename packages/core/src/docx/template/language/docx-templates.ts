import { type Wording, withTags } from "../wording.ts";
import { conditionIn, GOES_ON, loopMeant, pathIn } from "./foreign.ts";
import { TagSyntaxError } from "./tokens.ts";

/** A command of docx-templates in the letters of its manual, and what follows it. */
const COMMAND = /^(IF|FOR|INS|EXEC|END-IF|END-FOR)(?![\p{L}\p{N}_.-])\s*(.*)$/su;

/** What to write instead of a command of docx-templates, such as `IF x`; null for all else. */
export function commandError(content: string): TagSyntaxError | null {
  const [, command = "", behind = ""] = COMMAND.exec(content) ?? [];
  const isEnd = command.startsWith("END-");
  if (command === "" || (!isEnd && (behind === "" || GOES_ON.test(behind)))) return null;
  const message = `${command} is a command of docx-templates and has no meaning here.`;
  return new TagSyntaxError(message, hintFor(command, withoutDollars(behind)));
}

function hintFor(command: string, behind: string): Wording {
  switch (command) {
    case "IF":
      return withTags`Write {{if ${conditionIn(behind) ?? "condition"}}} … {{endif}}.`;
    case "FOR": {
      const { alias, list } = loopMeant(behind);
      return withTags`Write {{for ${alias} in ${list}}} … {{endfor}}, and {{${alias}.name}} for a value of each.`;
    }
    case "INS":
      return withTags`Write {{${pathIn(behind) ?? "path"}}}.`;
    case "EXEC":
      return "A template runs no code. Compute the value in the data.";
    default:
      return withTags`Write {{${command.toLowerCase().replace("-", "")}}}.`;
  }
}

/** Any command, in the letters that docx-templates takes. */
const ANY_COMMAND =
  /^(=|!|\*|(?:QUERY|CMD_NODE|ALIAS|FOR|END-FOR|IF|END-IF|INS|EXEC|IMAGE|LINK|HTML)(?![\p{L}\p{N}_.-]))\s*(.*)$/isu;

/**
 * The content of the tag that does here what a command of docx-templates does; null when no tag does, undefined when it
 * is not a command.
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

/** In docx-templates the name of an item begins with a dollar sign. */
export function withoutDollars(source: string): string {
  return source.replace(/\$(?=[\p{L}_])/gu, "");
}
