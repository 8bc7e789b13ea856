import { Command } from "commander";
import { processIo as io } from "../process-io.ts";
import { withServeOptions } from "../serve/settings.ts";

/** `quire serve`: the HTTP service, over a folder or a bucket. */
export function serveCommand(): Command {
  const command = new Command("serve").description(
    "Serve the Doc Gen API over HTTP, from a folder or a bucket. Every option may also come from the environment (QUIRE_PORT, …) or a file (--config).",
  );
  return withServeOptions(command, io).action(async (_options, serving: Command) => {
    // The service is loaded only when it is needed: the other commands start sooner without it.
    const { serve } = await import("../serve/serve.ts");
    await serve(io, serving);
  });
}
