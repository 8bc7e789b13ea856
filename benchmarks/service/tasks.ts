/** What the processes of this benchmark tell each other. */

/** A request, as often as it is sent. `[<id>]` in the body is another text each time. */
export interface Ask {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/** As many requests as are answered: each connection sends the next one when it has its answer. */
export interface ManyTask {
  readonly kind: "many";
  readonly url: string;
  /** Each connection sends one of them again and again, with the token at the same place: in turn, by connection. */
  readonly asks: readonly Ask[];
  readonly tokens: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Until so many are answered, instead of for some seconds. */
  readonly amount?: number;
  /** How far it stands back behind others of the machine: 0 not at all, 19 most. */
  readonly nice?: number;
}

/** One request after a fixed time, whether or not those before are answered. */
export interface PacedTask {
  readonly kind: "paced";
  readonly url: string;
  /** In turn. */
  readonly asks: readonly Ask[];
  readonly token: string;
  readonly everyMs: number;
  readonly seconds: number;
}

/** Batches of many entries, one after the other. */
export interface GiantTask {
  readonly kind: "giant";
  readonly url: string;
  readonly token: string;
  readonly template: string;
  readonly folder: string;
  readonly entries: number;
  readonly seconds: number;
}

/** Streams of the progress of a batch, all at once. */
export interface StreamsTask {
  readonly kind: "streams";
  readonly url: string;
  readonly token: string;
  readonly batch: string;
  readonly streams: number;
  readonly seconds: number;
}

export type LoadTask = ManyTask | PacedTask | GiantTask | StreamsTask;

/** Times in milliseconds. */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** What came of requests. */
export interface Told {
  /** Of the answers that say yes. */
  readonly latency: Latency;
  /** How many answers there were of each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Connections that broke, and requests without an answer. */
  readonly errors: number;
  /** Answers a second. */
  readonly rate: number;
  readonly seconds: number;
}

/** What a server says of itself, since it was asked to begin. */
export interface Metered {
  readonly wallMs: number;
  /** User and system, of all threads of the process, without its children. */
  readonly cpuMs: number;
  /** The longest time in which the event loop did not turn, with the millisecond of the measurement. */
  readonly pauseMs: number;
  readonly pauseP99Ms: number;
  readonly peakMb: number;
}

/** Of times in any order; those of the answers that count. */
export function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
