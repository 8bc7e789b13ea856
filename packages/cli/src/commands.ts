import type { QuireCommand } from "./commands/command.ts";
import type { CommandIo } from "./terminal/io.ts";

/** Adds the arguments, the options and the action to a command. */
export type Define = (command: QuireCommand, io: CommandIo) => void;

/** A command in the list of all commands. */
export interface ListedCommand {
  readonly name: string;
  /** The arguments, as shown after the name. */
  readonly takes: string;
  readonly description: string;
  /** Loads the command with its dependencies. */
  readonly load: () => Promise<Define>;
}

/** The commands in the order of the help text. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: "render",
    takes: "[options] <template>",
    description: "Make one document from a template and a JSON file.",
    load: async () => (await import("./commands/render.ts")).defineRender,
  },
  {
    name: "run",
    takes: "[options] <template>",
    description:
      "Make one document for each entry of a data file. Run the same command again to resume after an interruption or a crash.",
    load: async () => (await import("./commands/run.ts")).defineRun,
  },
  {
    name: "verify",
    takes: "[options] <journals...>",
    description: "Read every document of a run and compare it with the run's journal.",
    load: async () => (await import("./commands/verify.ts")).defineVerify,
  },
  {
    name: "report",
    takes: "[options] <journals...>",
    description: "Report the results of a run from its journal.",
    load: async () => (await import("./commands/report.ts")).defineReport,
  },
  {
    name: "convert",
    takes: "[options] <files...>",
    description: "Convert Word documents to PDF.",
    load: async () => (await import("./commands/convert.ts")).defineConvert,
  },
  {
    name: "merge",
    takes: "[options] <files...>",
    description: "Merge PDFs into one, with a bookmark for each.",
    load: async () => (await import("./commands/merge.ts")).defineMerge,
  },
  {
    name: "check",
    takes: "[options] <template>",
    description: "Report every problem in a template and in the entries of a data file.",
    load: async () => (await import("./commands/check.ts")).defineCheck,
  },
  {
    name: "inspect",
    takes: "[options] <template>",
    description: "List the tags of a template with their kinds, data paths and locations.",
    load: async () => (await import("./commands/inspect.ts")).defineInspect,
  },
  {
    name: "types",
    takes: "[options] <template>",
    description: "Generate TypeScript types for the data that a template needs.",
    load: async () => (await import("./commands/types.ts")).defineTypes,
  },
  {
    name: "sample",
    takes: "[options] <template>",
    description: "Generate sample data for a template.",
    load: async () => (await import("./commands/sample.ts")).defineSample,
  },
  {
    name: "annotate",
    takes: "[options] <template>",
    description: "Write a copy of a template with a Word comment at each problem.",
    load: async () => (await import("./commands/annotate.ts")).defineAnnotate,
  },
  {
    name: "serve",
    takes: "[options]",
    description:
      "Serve the Doc Gen API over HTTP. Files are in a folder or a bucket. Each option can also be set in the environment (QUIRE_PORT, …) or in a file (--config).",
    load: async () => (await import("./commands/serve.ts")).defineServe,
  },
  {
    name: "work",
    takes: "[options]",
    description:
      "Make the documents that quire serve --no-work accepts, in any number of processes. No HTTP API: only health and metrics.",
    load: async () => (await import("./commands/work.ts")).defineWork,
  },
  {
    name: "token",
    takes: "",
    description: "Create, list and revoke access tokens for quire serve.",
    load: async () => (await import("./commands/token.ts")).defineToken,
  },
  {
    name: "tenant",
    takes: "",
    description:
      "Manage the enterprises of quire serve: suspend, resume or erase them, cancel their batches, and set their quotas.",
    load: async () => (await import("./commands/tenant.ts")).defineTenant,
  },
  {
    name: "migrate",
    takes: "[options]",
    description:
      "Create or update the tables of a service in a PostgreSQL database, or move a data folder to it.",
    load: async () => (await import("./commands/migrate.ts")).defineMigrate,
  },
  {
    name: "doctor",
    takes: "[options]",
    description:
      "Check Node, LibreOffice, the fonts and the folders of this machine, and the database of a service.",
    load: async () => (await import("./commands/doctor.ts")).defineDoctor,
  },
];
