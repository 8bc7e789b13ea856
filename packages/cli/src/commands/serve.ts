import type { Command } from "commander";
import { withServeOptions } from "../options/serve.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire serve`: runs the HTTP service with files in a folder or a bucket. */
export function defineServe(command: Command, io: CommandIo): void {
  withServeOptions(command, io).action(async (_options, serving: Command) => {
    // Loaded on demand, so that the other commands start faster.
    const { serve } = await import("../serve/serve.ts");
    await serve(io, serving);
  });
  withExamples(command, [
    "quire serve --token first-steps",
    "quire serve --port 9000 --data service --no-pdf",
  ]);
}
