import { cutText, nearest } from "@quire/core/host";
import { Argument, type Command, type Option } from "commander";
import { commandLine, isDataName, isDocumentName } from "../terminal/command-line.ts";
import type { CommandIo } from "../terminal/io.ts";
import { oneLine } from "../terminal/print-error.ts";
import { newCommand, type QuireCommand, type UsageError } from "./command.ts";
import { shellMistake } from "./shell-mistakes.ts";

/** A command with a mistake. */
interface Place {
  readonly command: QuireCommand;
  /** All arguments, as typed. */
  readonly argv: readonly string[];
  readonly io: CommandIo;
  /** All commands of the program. */
  readonly listed: readonly Listed[];
}

/** A command that is not loaded. */
interface Listed {
  readonly name: string;
  readonly load: () => Promise<(command: QuireCommand, io: CommandIo) => void>;
}

/** Returns lines of text that describe a mistake on the command line and its fix. */
export async function describeMistake(
  { command, mistake }: UsageError,
  given: Omit<Place, "command">,
): Promise<readonly string[]> {
  const place = { command, ...given };
  const byShell = shellMistake(command, mistake, given.argv);
  const lines = byShell === null ? await linesFor(mistake, place) : [byShell];
  return lines.map((line, index) =>
    index === 0 ? `quire: ${oneLine(line)}` : `  ${oneLine(line)}`,
  );
}

async function linesFor(mistake: UsageError["mistake"], place: Place): Promise<string[]> {
  const { command } = place;
  const name = nameOf(command);
  switch (mistake.kind) {
    case "missing": {
      const [extra] = command.args.slice(command.registeredArguments.length);
      const named = extra === undefined ? null : withItsOption(extra, place);
      if (named !== null) return [named];
      return [`${name} needs ${wordsFor(mistake.targets)}.`, ...exampleOf(command)];
    }
    case "no_value":
      return [
        `${long(mistake.option)} needs a value: ${mistake.option.flags}, ${mistake.option.description}.`,
        ...exampleOf(command),
      ];
    case "no_command":
      return [`Name a command, for example ${code(exampleLine(command))}.`];
    case "conflict": {
      const [one, other] = mistake.options.map(long);
      return [`${one} cannot be used together with ${other}. Leave one of them out.`];
    }
    case "invalid":
      return [invalid(mistake)];
    case "unknown_option":
      return [await unknownOption(mistake.flag, place)];
    case "unknown_command":
      return [unknownCommand(mistake.name, place)];
    case "left_over":
      return leftOver(mistake.args, place);
  }
}

function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  return names.join(" ");
}

function long(option: Option): string {
  return option.long ?? option.short ?? option.flags;
}

function code(line: string): string {
  return `\`${line}\``;
}

function wordsFor(targets: readonly (Argument | Option)[]): string {
  const words = targets.map((target) =>
    target instanceof Argument
      ? `<${target.name()}> (${target.description})`
      : `${target.flags.replace(/^-\w, /, "")} (${target.description})`,
  );
  const last = words.pop() ?? "";
  return words.length === 0 ? last : `${words.join(", ")} and ${last}`;
}

function exampleLine(command: QuireCommand): string {
  return command.examples[0] ?? "quire --help";
}

function exampleOf(command: QuireCommand): string[] {
  return [`Example: ${exampleLine(command)}`, `All options: ${nameOf(command)} --help`];
}

function invalid({
  target,
  value,
  why,
  variable,
}: Extract<UsageError["mistake"], { kind: "invalid" }>): string {
  const what =
    variable ?? (target instanceof Argument ? `The argument <${target.name()}>` : long(target));
  const given = JSON.stringify(cutText(value));
  if (target.argChoices === undefined) return `${what} cannot be ${given}. ${why}`;
  const near = nearest(value, target.argChoices);
  const meant = near === null ? "" : ` Did you mean ${near}?`;
  return `${what} cannot be ${given}.${meant} The choices are ${target.argChoices.join(", ")}.`;
}

async function unknownOption(flag: string, { command, argv, io, listed }: Place): Promise<string> {
  const name = nameOf(command);
  const [written = flag] = flag.split("=");
  const dashed = written.replace(/^-*/, "--");
  const own = optionsOf(command);
  const wrong = `${name} has no option ${written}.`;
  if (own.includes(dashed)) return `${wrong} Write it with two hyphens: ${dashed}.`;
  const near = /^-[a-z]$/i.test(written) ? null : nearOption(dashed, own);
  const short = own.filter((each) => each.startsWith(`-${written.toLowerCase()}`));
  if (near === null && short.length === 1) return `${wrong} Did you mean ${short[0]}?`;
  if (near !== null) return `${wrong} Did you mean ${near}?`;
  const owners = await commandsWith(dashed, listed, io);
  if (command.parent === null && owners.length > 0) {
    const rest = argv.filter((arg) => arg !== owners[0]);
    return `Write the command before its options: ${code(commandLine([owners[0] ?? "", ...rest]))}.`;
  }
  const others = owners.length === 0 ? "" : ` It is an option of quire ${owners.join(", quire ")}.`;
  return `${wrong}${others} The options of ${name} are ${own.join(", ")}.`;
}

function optionsOf(command: Command): string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap((option) => option.long ?? []);
}

/** Returns the option with the most similar name, ignoring case, hyphens and underscores; null if none is similar. */
function nearOption(written: string, known: readonly string[]): string | null {
  const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, "");
  const names = new Map(known.map((name) => [plain(name), name]));
  const exact = names.get(plain(written));
  return exact ?? names.get(nearest(plain(written), [...names.keys()]) ?? "") ?? null;
}

/** Returns the names of the commands that have an option. */
async function commandsWith(
  flag: string,
  listed: readonly Listed[],
  io: CommandIo,
): Promise<string[]> {
  const found: string[] = [];
  for (const { name, load } of listed) {
    const command = newCommand(name, io);
    (await load())(command, io);
    if (command.options.some((option) => option.long === flag)) found.push(name);
  }
  return found;
}

/** Words from other programs, with the command that does the same in Quire. */
const SYNONYMS: Readonly<Record<string, string>> = {
  batch: "run",
  bulk: "run",
  create: "render",
  docx: "render",
  fill: "render",
  generate: "render",
  info: "inspect",
  init: "sample",
  lint: "check",
  make: "render",
  pdf: "convert",
  resume: "run",
  retry: "run",
  schema: "inspect",
  server: "serve",
  start: "serve",
  status: "report",
  tags: "inspect",
  test: "check",
  validate: "check",
};

/** The same for the commands of groups. Of several commands, the first that the group has is suggested. */
const OF_GROUPS: Readonly<Record<string, string>> = {
  add: "create",
  delete: "revoke erase",
  get: "show",
  history: "log",
  info: "show",
  limit: "quota",
  ls: "list",
  new: "create",
  remove: "revoke erase",
  rm: "revoke erase",
  set: "quota",
  stop: "suspend cancel",
};

function unknownCommand(name: string, { command, argv }: Place): string {
  const known = command.commands.map((each) => each.name());
  const isProgram = command.parent === null;
  const wrong = `${nameOf(command)} has no command ${JSON.stringify(cutText(name))}.`;
  if (isProgram && name === "version") return `${wrong} Did you mean ${code("quire --version")}?`;
  if (isProgram && isDocumentName(name)) {
    const example = commandLine(["check", name]);
    return `${wrong} Write the command before the file, for example ${code(example)}. The commands are ${known.join(", ")}.`;
  }
  const synonyms = (isProgram ? SYNONYMS : OF_GROUPS)[name.toLowerCase()]?.split(" ") ?? [];
  const near = synonyms.find((each) => known.includes(each)) ?? nearest(name.toLowerCase(), known);
  if (near === null) return `${wrong} The commands are ${known.join(", ")}.`;
  const corrected = argv.map((arg) => (arg === name ? near : arg));
  return `${wrong} Did you mean ${code(commandLine(corrected))}?`;
}

/** Returns a hint for a file that was typed without the name of its option; null if no option fits the file. */
function withItsOption(file: string, { command, argv }: Place): string | null {
  const key = isDataName(file) ? "data" : isDocumentName(file) ? "out" : null;
  if (key === null || !hasOption(command, key)) return null;
  if (command.getOptionValueSource(key) === "cli") return null;
  const at = argv.lastIndexOf(file);
  const right = commandLine([...argv.slice(0, at), `--${key}`, ...argv.slice(at)]);
  return `Write --${key} before ${JSON.stringify(file)}: ${code(right)}.`;
}

function leftOver(args: readonly string[], place: Place): string[] {
  const { command } = place;
  const [first = ""] = args;
  const named = withItsOption(first, place);
  if (named !== null) return [named];
  const name = nameOf(command);
  const quoted = args.map((arg) => JSON.stringify(cutText(arg))).join(", ");
  const expected = command.registeredArguments.map((each) => `<${each.name()}>`).join(" ");
  const takes =
    expected === ""
      ? `${name} takes only options, so ${quoted} cannot be used.`
      : `${name} takes only ${expected}, so ${quoted} cannot be used.`;
  const several = isDocumentName(first)
    ? ` If a pattern such as *.docx names several files, run the command once for each: ${code(`for file in *.docx; do ${name} "$file"; done`)}.`
    : " Leave it out, or put it in quotes if it belongs to the argument before it.";
  return [`${takes}${several}`, ...exampleOf(command)];
}

function hasOption(command: Command, key: string): boolean {
  return command.options.some((option) => option.attributeName() === key);
}
