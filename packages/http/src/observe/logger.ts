import { type DestinationStream, pino } from "pino";
import type { Logger } from "../options.ts";

/** What {@link createLogger} takes. */
export interface LoggerOptions {
  /** The least that is written. Default `info`. */
  readonly level?: "info" | "warn" | "error" | "silent";
  /** Is given whole lines, each with its end. Default: standard output. */
  readonly destination?: { write(line: string): void };
}

/** So much is kept while standard output takes nothing; what comes after it is not written. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/**
 * A logger that writes a line of JSON for each message: `level`, `time` (ISO 8601, UTC), the facts, `msg`. Process and
 * host are added by whoever collects lines. A destination that fails loses lines, and that is all that it does.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = "info", destination = standardOutput() } = options;
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return {
    info: (facts, message) => quietly(() => logger.info(facts, message)),
    warn: (facts, message) => quietly(() => logger.warn(facts, message)),
    error: (facts, message) => quietly(() => logger.error(facts, message)),
  };
}

function quietly(write: () => void): void {
  try {
    write();
  } catch {
    // What was to be logged is more than its line.
  }
}

/** Written at once: lines that wait would be lost with the process, and, on a full disk, hold up its end for ever. */
function standardOutput(): DestinationStream {
  const stream = pino.destination({
    fd: 1,
    sync: true,
    maxLength: MAX_KEPT_BYTES,
    // Else it sleeps, and everything with it, until somebody reads.
    retryEAGAIN: () => false,
  });
  stream.on("error", () => {});
  return stream;
}
