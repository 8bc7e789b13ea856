import { readFile } from "node:fs/promises";
import { cutPointer, type Diagnostic, duplicateKey, nearest, QuireError } from "@quire/core/host";
import { type Command, InvalidArgumentError, type Option } from "commander";
import { jsonMistake } from "../entries/json-problem.ts";
import { unreadable } from "../files/file-problems.ts";
import { type Io, pathIn } from "../terminal/io.ts";

/**
 * Applies options from a JSON file, whose keys are the option names in camel case. Flags and the environment take
 * precedence. Rejects `invalid_request` with all problems. Messages never quote values.
 */
export async function applyConfig(io: Io, command: Command, path: string): Promise<void> {
  const config = await readConfig(io, path);
  const options = new Map(command.options.map((one) => [one.attributeName(), one]));
  options.delete("config");
  const problems: Diagnostic[] = [];
  for (const [key, value] of Object.entries(config)) {
    try {
      const known = options.get(key);
      if (known === undefined) throw new InvalidArgumentError(unknown(key, [...options.keys()]));
      const parsed = readValue(known, value);
      const source = command.getOptionValueSource(key) ?? "default";
      if (source === "default") command.setOptionValueWithSource(key, parsed, "config");
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      problems.push(problemOf(key, error.message));
    }
  }
  if (problems.length === 0) return;
  const [first] = problems;
  throw problems.length === 1
    ? wrong(path, `is not valid. ${first?.message}`)
    : wrong(path, `has ${problems.length} mistakes.`, problems);
}

async function readConfig(io: Io, path: string): Promise<object> {
  const text = await readFile(pathIn(io, path), "utf8").catch((cause: unknown) => {
    throw unreadable(io, path, cause);
  });
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    // The parser's message quotes the file, which may contain secrets.
    throw wrong(path, `is not valid JSON${jsonMistake(text)}`);
  }
  const twice = duplicateKey(text, config);
  if (twice !== null) throw wrong(path, `has the key ${cutPointer(twice)} twice. Remove one.`);
  if (typeof config === "object" && config !== null && !Array.isArray(config)) return config;
  throw wrong(path, 'does not contain an object. Write one, for example {"port": 80}.');
}

/** Checks a value from the file in the same way as the value of the flag. */
function readValue(known: Option, value: unknown): unknown {
  if (!known.required && !known.optional) {
    if (typeof value === "boolean") return value;
    throw new InvalidArgumentError("It must be true or false.");
  }
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
  const text = isList ? value.join(",") : value;
  if (typeof text !== "string" && typeof text !== "number") {
    throw new InvalidArgumentError("It must be a string or a number.");
  }
  return known.parseArg ? known.parseArg(String(text), undefined) : String(text);
}

function unknown(key: string, known: readonly string[]): string {
  const names = new Map(known.map((name) => [spelling(name), name]));
  const near = names.get(nearest(spelling(key), [...names.keys()]) ?? "");
  if (near !== undefined) return `Did you mean ${JSON.stringify(near)}?`;
  return `Unknown setting. The settings are ${known.join(", ")}.`;
}

function spelling(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

function problemOf(key: string, why: string): Diagnostic {
  const message = `${JSON.stringify(key)}: ${why}`;
  return { severity: "error", code: "invalid_option", message };
}

function wrong(path: string, what: string, diagnostics: readonly Diagnostic[] = []): QuireError {
  const message = `The configuration file ${JSON.stringify(path)} ${what}`;
  return new QuireError("invalid_request", message, { diagnostics });
}
