/** The messages between the processes of this benchmark. */

/** A request to repeat. `[<id>]` in the body is replaced by different text each time. */
export interface Ask {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/** Sends requests as fast as they are answered: each connection sends the next one after a response. */
export interface ManyTask {
  readonly kind: "many";
  readonly url: string;
  /**
   * Each connection repeats one of these requests, with the token at the same index. Connections use the requests in
   * turn.
   */
  readonly asks: readonly Ask[];
  readonly tokens: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Number of responses after which to stop, instead of a duration. */
  readonly amount?: number;
  /** Priority relative to other processes of the machine: 0 is normal, 19 is lowest. */
  readonly nice?: number;
}

/** Sends requests at fixed intervals, whether or not earlier ones have been answered. */
export interface PacedTask {
  readonly kind: "paced";
  readonly url: string;
  /** The requests, which are sent in turn. */
  readonly asks: readonly Ask[];
  readonly token: string;
  readonly everyMs: number;
  readonly seconds: number;
}

/** Sends batches of many entries, one after the other. */
export interface GiantTask {
  readonly kind: "giant";
  readonly url: string;
  readonly token: string;
  readonly template: string;
  readonly folder: string;
  readonly entries: number;
  readonly seconds: number;
}

/** Opens progress streams of a batch, all at the same time. */
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

/** The results of requests. */
export interface Told {
  /** Latency of successful responses. */
  readonly latency: Latency;
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Number of broken connections and of requests without a response. */
  readonly errors: number;
  /** Responses per second. */
  readonly rate: number;
  readonly seconds: number;
}

/** A server's report about itself, since the start of the measurement. */
export interface Metered {
  readonly wallMs: number;
  /** User and system CPU time of all threads of the process, without its children. */
  readonly cpuMs: number;
  /** The longest time between two turns of the event loop, including the millisecond of the measurement. */
  readonly pauseMs: number;
  readonly pauseP99Ms: number;
  readonly peakMb: number;
}

/** Computes latencies from the times of successful responses, in any order. */
export function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
