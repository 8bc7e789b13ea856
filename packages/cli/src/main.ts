/** The program: `main` with the process's own streams, environment, folder and signals. */
import { main } from "./quire.ts";

// The reader of the output may stop reading (`| head`), or the terminal may be closed. This must not end a run.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
  });
}

function parentEnds(): Promise<void> {
  return new Promise((resolve) => {
    // Undefined without a channel, and false if the parent has ended already.
    if (process.connected === undefined) return;
    if (!process.connected) resolve();
    process.once("disconnect", resolve);
    process.channel?.unref();
  });
}

process.exitCode = await main(process.argv.slice(2), {
  get stdin() {
    return process.stdin; // created only for a command that reads it
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: ".",
  signals: process,
  parentEnds,
  exit: (code) => process.exit(code),
});
