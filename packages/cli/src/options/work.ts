import type { Command, Option } from "commander";
import { dataOption, serviceDatabaseOptions } from "./database.ts";
import {
  concurrencyOption,
  configOption,
  graceOption,
  keepDaysOption,
  logLevelOption,
  officeOptions,
  processesOption,
  quotaOptions,
  rendererMemoryOption,
  svgFontsOption,
} from "./documents.ts";
import { type Env, MAX_PORT, option } from "./env-option.ts";
import { storageOption } from "./serve.ts";
import { whole } from "./setting-values.ts";

/** Adds all options of `quire work`. The environment and the configuration file can also set each of them. */
export function withWorkOptions(command: Command, io: Env): Command {
  const groups: Readonly<Record<string, readonly Option[]>> = {
    "Files, documents and output:": [
      dataOption(io),
      storageOption(io),
      option(
        io,
        "--only <type>",
        "make only documents of this type; docx includes filled PDF forms, and needs no LibreOffice",
      ).choices(["docx", "pdf"]),
      ...officeOptions(io),
      rendererMemoryOption(io),
      svgFontsOption(io),
      processesOption(io),
      logLevelOption(io),
      configOption(io),
    ],
    "Database:": serviceDatabaseOptions(io),
    "Health and metrics:": healthOptions(io),
    "Limits:": [concurrencyOption(io), keepDaysOption(io), graceOption(io)],
    "Quotas per enterprise, as for quire serve:": quotaOptions(io),
  };
  for (const [heading, options] of Object.entries(groups)) {
    for (const one of options) command.addOption(one.helpGroup(heading));
  }
  return command;
}

function healthOptions(io: Env): Option[] {
  return [
    option(
      io,
      "--health-host <address>",
      "the address for /healthz, /readyz and /metrics; 0.0.0.0 for all",
    ).default("127.0.0.1"),
    option(io, "--health-port <number>", "their port; 0 for any free port")
      .argParser(whole(0, MAX_PORT))
      .default(8081),
  ];
}
