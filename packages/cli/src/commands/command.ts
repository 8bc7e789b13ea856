import type { EventEmitter } from "node:events";
import {
  type Argument,
  Command,
  type HelpContext,
  InvalidArgumentError,
  type Option,
} from "commander";
import type { Io, Output } from "../terminal/io.ts";

/** A mistake on the command line. */
export type UsageMistake =
  | { readonly kind: "missing"; readonly targets: readonly (Argument | Option)[] }
  | { readonly kind: "no_value"; readonly option: Option }
  | { readonly kind: "unknown_option"; readonly flag: string }
  | { readonly kind: "unknown_command"; readonly name: string }
  | { readonly kind: "no_command" }
  | { readonly kind: "left_over"; readonly args: readonly string[] }
  | { readonly kind: "conflict"; readonly options: readonly [Option, Option] }
  | {
      readonly kind: "invalid";
      readonly target: Argument | Option;
      readonly value: string;
      readonly why: string;
      /** The environment variable with the value; null for a flag. */
      readonly variable: string | null;
    };

/** Thrown for a mistake on the command line. The module that describes the mistake is loaded only when it is needed. */
export class UsageError extends Error {
  readonly command: QuireCommand;
  readonly mistake: UsageMistake;

  constructor(command: QuireCommand, mistake: UsageMistake) {
    super(mistake.kind);
    this.command = command;
    this.mistake = mistake;
  }
}

/** Creates a command that writes to the caller's streams, and throws instead of ending the process. */
export function newCommand(
  name: string,
  { stdout, stderr, env }: Pick<Io, "stdout" | "stderr" | "env">,
): QuireCommand {
  return new QuireCommand(name, env).exitOverride().configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout) as number,
    getErrHelpWidth: () => widthOf(stderr) as number,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
}

/** Adds examples at the end of a command's help. `test/help.test.ts` runs them. */
export function withExamples<Made extends Command>(
  command: Made,
  examples: readonly string[],
): Made {
  if (command instanceof QuireCommand) command.examples = examples;
  const lines = examples.map((example) => `  $ ${example}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

function widthOf({ isTTY, columns }: Output): number | undefined {
  return isTTY ? columns : undefined;
}

/** The methods of commander that its types do not declare. */
interface Internals {
  _findOption(arg: string): Option | undefined;
  _findCommand(name: string | undefined): Command | undefined;
  _dispatchHelpCommand(name: string | undefined): unknown;
}

const COMMANDER = Command.prototype as unknown as Internals;

/** The older name of `--out`. */
const OUTPUT = "--output";

/**
 * A command that reads options from the caller's environment instead of `process.env`, and throws {@link UsageError}
 * for mistakes instead of printing a message. The methods whose names begin with an underscore override methods of
 * commander.
 */
export class QuireCommand extends Command {
  /** Command lines that work, for the help and for error messages. */
  examples: readonly string[] = [];
  readonly #env: Io["env"];
  /** The option whose value may also be the last argument, without the name of the option, or null. */
  #lastArgument: Option | null = null;

  constructor(name: string, env: Io["env"]) {
    super(name);
    this.#env = env;
  }

  /** Adds a mandatory option whose value may also be the last argument, without the name of the option. */
  addOptionOrArgument(option: Option): this {
    this.#lastArgument = option;
    return this.addOption(option.makeOptionMandatory());
  }

  /** Reports mistakes that commander would accept as other options or values: `-data`, and `--data` without a value. */
  override parseOptions(typed: readonly string[]): ReturnType<Command["parseOptions"]> {
    // Commander would read -o=a.docx as the value "=a.docx".
    const args = typed.flatMap((arg) =>
      /^-[a-z]=/.test(arg) ? [arg.slice(0, 2), arg.slice(3)] : arg,
    );
    for (let index = 0; index < args.length && args[index] !== "--"; index++) {
      const arg = args[index] ?? "";
      if (/^-[a-z]{2}/.test(arg) && this.#optionOf(`-${arg}`) !== null) this.unknownOption(arg);
      const option = this.#optionOf(arg);
      if (option === null || !option.required || arg.includes("=")) continue;
      const value = args[++index];
      if (value === undefined || this.#isFlag(value)) this.optionMissingArgument(option);
    }
    return super.parseOptions(args);
  }

  #isFlag(arg: string): boolean {
    return arg.startsWith("--") && (this.#optionOf(arg) !== null || arg === "--help");
  }

  #optionOf(arg: string): Option | null {
    return this._findOption(arg.replace(/=.*$/s, "")) ?? null;
  }

  _findOption(arg: string): Option | undefined {
    const find = (name: string) => COMMANDER._findOption.call(this, name);
    return find(arg) ?? (arg === OUTPUT ? find("--out") : undefined);
  }

  /** Reads options from the environment. Commander calls this method after it has read the flags. */
  _parseOptionsEnv(): void {
    for (const option of this.options) {
      const value = option.envVar === undefined ? undefined : this.#env[option.envVar];
      const source = this.getOptionValueSource(option.attributeName()) ?? "default";
      if (value === undefined || source === "cli") continue;
      // Commander's types do not say that a command is an emitter.
      (this as unknown as EventEmitter).emit(`optionEnv:${option.name()}`, value);
    }
  }

  _checkForMissingMandatoryOptions(): void {
    this.#takeLastArgument();
    const options = this.options.filter(
      (option) => option.mandatory && this.getOptionValue(option.attributeName()) === undefined,
    );
    if (options.length === 0) return;
    const unknown = this.args.find((arg) => /^-./.test(arg));
    if (unknown !== undefined) this.unknownOption(unknown);
    const missing = this.registeredArguments.slice(this.args.length);
    const targets = [...missing.filter(({ required }) => required), ...options];
    throw new UsageError(this, { kind: "missing", targets });
  }

  #takeLastArgument(): void {
    const option = this.#lastArgument;
    const index = this.registeredArguments.length;
    const value = this.args[index];
    if (option === null || value === undefined || /^-./.test(value)) return;
    if (this.getOptionValue(option.attributeName()) !== undefined) return;
    this.args = this.args.toSpliced(index, 1);
    this.setOptionValueWithSource(option.attributeName(), value, "cli");
  }

  /** Parses a value. Commander passes the source of the value only as part of `message`. */
  _callParseArg(
    target: Argument | Option,
    value: string,
    previous: unknown,
    message: string,
  ): unknown {
    try {
      return target.parseArg?.(value, previous);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      const fromEnv = "envVar" in target && message.includes(" from env ");
      const variable = fromEnv ? (target.envVar ?? null) : null;
      const why = error.message;
      throw new UsageError(this, { kind: "invalid", target, value, why, variable });
    }
  }

  _conflictingOption(option: Option, other: Option): never {
    throw new UsageError(this, { kind: "conflict", options: [option, other] });
  }

  _excessArguments(args: readonly string[]): never {
    const leftOver = args.slice(this.registeredArguments.length);
    throw new UsageError(this, { kind: "left_over", args: leftOver });
  }

  missingArgument(): never {
    const missing = this.registeredArguments.slice(this.args.length);
    const targets = missing.filter(({ required }) => required);
    throw new UsageError(this, { kind: "missing", targets });
  }

  optionMissingArgument(option: Option): never {
    throw new UsageError(this, { kind: "no_value", option });
  }

  unknownOption(flag: string): never {
    throw new UsageError(this, { kind: "unknown_option", flag });
  }

  unknownCommand(): never {
    throw new UsageError(this, { kind: "unknown_command", name: this.args[0] ?? "" });
  }

  _dispatchHelpCommand(name: string | undefined): unknown {
    if (name !== undefined && COMMANDER._findCommand.call(this, name) === undefined) {
      throw new UsageError(this, { kind: "unknown_command", name });
    }
    return COMMANDER._dispatchHelpCommand.call(this, name);
  }

  override help(context?: HelpContext | ((text: string) => string)): never {
    if (typeof context !== "object" || context.error !== true) return super.help();
    this.outputHelp({ error: true });
    throw new UsageError(this, { kind: "no_command" });
  }
}
