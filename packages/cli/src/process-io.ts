import { EXIT } from "./exit.ts";
import type { CommandIo } from "./io.ts";

/** The process's own, for whatever takes no `io` from its caller yet. */
export const processIo: CommandIo = {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: ".",
  signals: process,
  exit: (code) => process.exit(code),
  get exitCode() {
    return Number(process.exitCode ?? EXIT.completed);
  },
  set exitCode(code) {
    process.exitCode = code;
  },
};
