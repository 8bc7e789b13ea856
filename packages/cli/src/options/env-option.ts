import { Option } from "commander";
import type { Io } from "../terminal/io.ts";

/** Provides the environment variables. */
export type Env = Pick<Io, "env">;

/** The highest TCP port. */
export const MAX_PORT = 65_535;

/** Creates an option that the variable `QUIRE_…` can also set. An empty variable is ignored. */
export function option({ env }: Env, flags: string, description: string): Option {
  const made = new Option(flags, description);
  const variable = variableOf(made);
  return env[variable] === "" ? made : made.env(variable);
}

/**
 * Creates an option without a value. Its variable `QUIRE_…` may be yes or no, so `settingsOf` reads the variable and not
 * the argument parser.
 */
export function switchOption(flags: string, description: string): Option {
  const made = new Option(flags, "");
  made.description = `${description} (env: ${variableOf(made)}=1)`;
  return made;
}

/** The environment variable of an option. */
export function variableOf({ long }: Pick<Option, "long">): string {
  return `QUIRE_${(long ?? "").slice(2).replaceAll("-", "_").toUpperCase()}`;
}
