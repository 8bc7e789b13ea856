import type { Command } from "commander";
import { withWorkOptions } from "../options/work.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire work`: makes the documents of services that run elsewhere. */
export function defineWork(command: Command, io: CommandIo): void {
  withWorkOptions(command, io).action(async (_options, working: Command) => {
    // Loaded on demand, so that the other commands start faster.
    const { work } = await import("../serve/work.ts");
    await work(io, working);
  });
  withExamples(command, [
    "quire work --only docx",
    "quire work --only pdf --data quire-data --health-port 8082",
  ]);
}
