import type { Command } from "commander";
import { commandLine } from "../terminal/command-line.ts";
import type { UsageError } from "./command.ts";

/** Dashes that word processors and web pages write instead of hyphens. */
const DASHES = /^[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+/;

/** Kinds of mistakes that a changed argument can cause. */
const CAUSED = new Set(["missing", "left_over", "unknown_option", "unknown_command"]);

/**
 * Describes an argument that the shell or a word processor has changed: typographic dashes, or tags that the shell has
 * split at spaces. Returns null if there is no such argument.
 */
export function shellMistake(
  command: Command,
  { kind }: UsageError["mistake"],
  argv: readonly string[],
): string | null {
  if (!CAUSED.has(kind)) return null;
  const dashed = argv.find((arg) => DASHES.test(arg) && /[a-z]/i.test(arg));
  if (dashed !== undefined) {
    const right = argv.map((arg) => (DASHES.test(arg) ? arg.replace(DASHES, "--") : arg));
    return `${JSON.stringify(dashed)} begins with a typographic dash. Type two hyphens instead: \`${commandLine(right)}\`.`;
  }
  const from = argv.findIndex((arg) => /\{\{[^}]*$/.test(arg));
  const to = argv.findIndex((arg, index) => index > from && /^[^{]*\}\}/.test(arg));
  if (from === -1 || to === -1 || command.parent === null) return null;
  const whole = argv.slice(from, to + 1).join(" ");
  const right = [...argv.slice(0, from), whole, ...argv.slice(to + 1)];
  return `The shell has split ${JSON.stringify(whole)} at its spaces. Put it in single quotes: \`${commandLine(right)}\`.`;
}
