import { type DestinationStream, pino } from "pino";

/** A logger like pino's. It receives ids, codes and times, never values of users' data. */
export interface Logger {
  /** Requests with a status below 500, and delivered events. */
  info(facts: object, message: string): void;
  /** Failures that are retried. */
  warn(facts: object, message: string): void;
  /** Failures of the service, with the error and its location in the code, and events that are lost. */
  error(facts: object, message: string): void;
}

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** The minimum level. Default: `info`. */
  readonly level?: "info" | "warn" | "error" | "silent";
  /** Where the lines go. Default: standard output. */
  readonly destination?: {
    /** Receives a whole line of JSON with its line end. If it throws, the line is lost and nothing else fails. */
    write(line: string): void;
  };
}

/** The maximum buffer while standard output accepts nothing. Further lines are dropped. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/**
 * A logger that writes a line of JSON for each message: `level`, `time` (ISO 8601, UTC), the fields, `msg`. The log
 * collector adds the process and the host. If the destination fails, lines are lost, but nothing else fails.
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
    // If the line cannot be written, the logged work must not fail.
  }
}

/** Synchronous: buffered lines would be lost with the process and, on a full disk, block its end forever. */
function standardOutput(): DestinationStream {
  const stream = pino.destination({
    fd: 1,
    sync: true,
    maxLength: MAX_KEPT_BYTES,
    // Otherwise, pino would block the whole process until somebody reads the output.
    retryEAGAIN: () => false,
  });
  stream.on("error", () => {});
  return stream;
}
