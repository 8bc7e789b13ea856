import { spawn } from "node:child_process";
import { abortedError, QuireError, throwIfAborted } from "@quire/contracts";
import { killGroup } from "../office/process-group.ts";

/** Options for running a program of fontconfig. */
export interface RunOptions {
  /** The whole environment of the program. `PATH` determines where the program is found. */
  readonly environment: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum output in bytes. Even with every Noto font installed, the output is less than half as long. */
const MOST_OUTPUT = 128 * 1024 * 1024;

const COMPLAINTS = 2_000;

/** Error codes for a missing program. */
const NOT_THERE: ReadonlySet<string> = new Set(["ENOENT", "EACCES", "ENOTDIR"]);

/**
 * Runs a fontconfig program and returns its output; null if the program is missing. Rejects with `timeout` or `aborted`
 * after killing the program, and with `unavailable` if the program fails.
 */
export async function runFontconfig(
  program: string,
  args: readonly string[],
  { environment, deadlineMs, signal }: RunOptions,
): Promise<string | null> {
  throwIfAborted(signal);
  const child = spawn(program, args, {
    cwd: "/",
    detached: true, // leader of a new process group
    env: { ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const abort = (): void => {
    if (signal !== undefined) reject(abortedError(signal));
  };
  const timer = setTimeout(() => reject(tooSlow(program, deadlineMs)), deadlineMs);
  signal?.addEventListener("abort", abort);
  const printed: Buffer[] = [];
  let size = 0;
  let complaint = "";
  child.stdout.on("data", (bytes: Buffer) => {
    printed.push(bytes);
    size += bytes.length;
    if (size > MOST_OUTPUT) reject(failed(program, "Its output is too long."));
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, COMPLAINTS);
  });
  child.once("error", (error: NodeJS.ErrnoException) => {
    if (NOT_THERE.has(error.code ?? "")) resolve(null);
    else reject(failed(program, error));
  });
  child.once("close", (code) => {
    if (code === 0) resolve(Buffer.concat(printed).toString("utf8"));
    else reject(failed(program, complaint === "" ? `It exited with code ${code}.` : complaint));
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    killGroup(child.pid);
  }
}

function tooSlow(program: string, deadlineMs: number): QuireError {
  return new QuireError(
    "timeout",
    `The program ${program} did not answer within ${deadlineMs} ms and was stopped. Its first run ` +
      "after fonts have been installed is slow: run fc-cache first, or try again.",
    { retryable: true },
  );
}

function failed(program: string, reason: unknown): QuireError {
  return new QuireError(
    "unavailable",
    `The program ${program} failed, so the fonts are unknown. Run it by hand to see why. Its ` +
      "output is in the cause.",
    { cause: typeof reason === "string" ? new Error(reason) : reason },
  );
}
