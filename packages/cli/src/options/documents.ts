import type { Option } from "commander";
import { type Env, option } from "./env-option.ts";
import { SVG_FONTS } from "./print.ts";
import { whole } from "./setting-values.ts";

const LOG_LEVELS = ["info", "warn", "error", "silent"];
/** The lowest memory limits, in MiB. With less memory, LibreOffice or a rendering process does not start. */
const LEAST_MEMORY = { office: 768, renderer: 640 } as const;
const MOST_MEMORY = 1_048_576;
const MOST_PROCESSES = 1024;
/** Node's timers cannot wait much longer than this. */
export const MAX_GRACE_SECONDS = 2_000_000;
const MAX_DAYS = 1_000_000;

/** Creates the options of LibreOffice. */
export function officeOptions(io: Env): Option[] {
  return [
    option(io, "--soffice <file>", "the path of LibreOffice (default: found automatically)"),
    option(
      io,
      "--seal-layers <number>",
      "how many of the three security layers around LibreOffice must work for PDF output",
    )
      .argParser(whole(1, 3))
      .default(2),
    option(io, "--office-memory <MiB>", "the memory limit of one LibreOffice process")
      .argParser(whole(LEAST_MEMORY.office, MOST_MEMORY))
      .default(1408),
  ];
}

/** Creates `--renderer-memory`. */
export function rendererMemoryOption(io: Env): Option {
  return option(io, "--renderer-memory <MiB>", "the memory limit of one rendering process")
    .argParser(whole(LEAST_MEMORY.renderer, MOST_MEMORY))
    .default(768);
}

/** Creates `--svg-fonts`. */
export function svgFontsOption(io: Env): Option {
  return option(io, "--svg-fonts <folder>", SVG_FONTS);
}

/** Creates `--processes`. */
export function processesOption(io: Env): Option {
  return option(
    io,
    "--processes <number>",
    "how many rendering processes to run, and how many LibreOffice processes (default: one per core)",
  ).argParser(whole(1, MOST_PROCESSES));
}

/** Creates `--log-level`. */
export function logLevelOption(io: Env): Option {
  return option(io, "--log-level <level>", "the minimum level of the log on standard output")
    .choices(LOG_LEVELS)
    .default("info");
}

/** Creates `--config`. */
export function configOption(io: Env): Option {
  return option(
    io,
    "--config <file>",
    'a JSON file with any of these options, as in {"port": 80, "publicUrl": "…"}',
  );
}

/** Creates `--concurrency`. */
export function concurrencyOption(io: Env): Option {
  return option(io, "--concurrency <number>", "how many documents to make at once").argParser(
    whole(1),
  );
}

/** Creates `--keep-days`. */
export function keepDaysOption(io: Env): Option {
  return option(io, "--keep-days <days>", "days to keep finished batches; files are not deleted")
    .argParser(whole(0, MAX_DAYS))
    .default(30);
}

/** Creates `--grace`. */
export function graceOption(io: Env): Option {
  return option(
    io,
    "--grace <seconds>",
    "the time limit for running requests and documents at shutdown",
  )
    .argParser(whole(0, MAX_GRACE_SECONDS))
    .default(30);
}

/** Creates the options that set the quotas of each enterprise. */
export function quotaOptions(io: Env): Option[] {
  const quotas: readonly (readonly [flag: string, description: string])[] = [
    ["--quota-disk <bytes>", "the size of files and batch data (default: half of the disk)"],
    ["--quota-files <number>", "file versions and folders (default: 10000000)"],
    ["--quota-waiting <jobs>", "waiting and running jobs (default: 500000)"],
    ["--quota-jobs <jobs>", "all jobs, including finished jobs (default: 10000000)"],
    ["--quota-webhooks <number>", "webhooks (default: 100)"],
    ["--quota-target-webhooks <number>", "webhooks per file or folder (default: 10)"],
    ["--quota-deliveries <number>", "events waiting to be sent (default: 20000)"],
  ];
  return quotas.map(([flag, description]) => option(io, flag, description).argParser(whole(0)));
}
