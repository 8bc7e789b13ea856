import type { Command } from "commander";
import type { CommandIo } from "../io.ts";
import { withServeOptions } from "../serve/settings.ts";

/** `quire serve`: the HTTP service, over a folder or a bucket. */
export function defineServe(command: Command, io: CommandIo): void {
  withServeOptions(command, io).action(async (_options, serving: Command) => {
    // The service is loaded only when it is needed: the other commands start sooner without it.
    const { serve } = await import("../serve/serve.ts");
    await serve(io, serving);
  });
}
