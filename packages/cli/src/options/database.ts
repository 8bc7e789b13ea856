import type { Option } from "commander";
import { type Env, option } from "./env-option.ts";

/** Creates `--data`, an option of several commands. */
export function dataOption(io: Env): Option {
  return option(
    io,
    "--data <folder>",
    "the folder for all data of the service; created if missing",
  ).default("quire-data");
}
