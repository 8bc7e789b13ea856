import { type DestinationStream, pino } from "pino";

/** A logger like pino's. It receives ids, codes and times, and never values of users' data. */
export interface Logger {
  /** Logs requests with a status below 500, and delivered events. */
  info(facts: object, message: string): void;
  /** Logs failures that are retried. */
  warn(facts: object, message: string): void;
  /** Logs failures of the service, with the error and its location in the code, and lost events. */
  error(facts: object, message: string): void;
}

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** The minimum level. Default: `info`. */
  readonly level?: "info" | "warn" | "error" | "silent";
  /** Receives the lines. Default: standard output. */
  readonly destination?: {
    /**
     * Receives a whole line of JSON, including the line break. If it throws, the line is lost and nothing else fails.
     */
    write(line: string): void;
  };
}

/** The maximum buffer size in bytes while standard output accepts nothing. Further lines are dropped. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/**
 * Creates a logger that writes a line of JSON for each message: `level`, `time` (ISO 8601, UTC), the fields, `msg`. The
 * log collector adds the process and the host. If the destination fails, lines are lost, but nothing else fails.
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

/**
 * Opens standard output synchronously. Buffered lines would be lost when the process ends. On a full disk, they would
 * prevent the process from ending.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({
    fd: 1,
    sync: true,
    maxLength: MAX_KEPT_BYTES,
    // Without this, pino would block the whole process until somebody reads the output.
    retryEAGAIN: () => false,
  });
  stream.on("error", () => {});
  return stream;
}
