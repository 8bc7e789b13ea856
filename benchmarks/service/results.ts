import type { Spread } from "../measure/statistics.ts";
import type { Machine } from "../report/results.ts";
import type { Kind } from "./running.ts";

/** Everything that a run of the benchmark of the service found out. Times in milliseconds. */
export interface ServiceResults {
  /** The day of the run, as `2026-01-31`. */
  readonly date: string;
  readonly machine: Machine;
  readonly rounds: number;
  readonly accept: readonly AcceptLine[];
  readonly connections: readonly ConnectionsLine[];
  readonly disturbed: readonly DisturbedLine[];
  /** Missing in older results. */
  readonly hostile?: readonly HostileLine[];
  readonly pages: readonly PagesLine[];
  readonly streams: {
    readonly streams: number;
    readonly events: number;
    readonly seconds: number;
    readonly statuses: Readonly<Record<string, number>>;
  };
}

/** How small batches are accepted by a server. */
export interface AcceptLine {
  readonly kind: Kind;
  /** Answers a second. */
  readonly rate: Spread;
  /** Of the server's process, for each request. */
  readonly cpuMs: Spread;
  /** Of the answers. */
  readonly p50: Spread;
  /** How many times the CPU time of `layer`, in the same round. */
  readonly ratio: Spread;
}

/** What becomes of many connections at once. */
export interface ConnectionsLine {
  readonly what: "GET" | "POST";
  readonly connections: number;
  readonly tenants: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly errors: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly peakMb: number;
}

/** A tenant's requests while another one disturbs, and alone. */
export interface DisturbedLine {
  readonly title: string;
  readonly kind: Kind;
  readonly post: Compared;
  readonly get: Compared;
  /** The answers to the other one, of all rounds. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of the other one: half of its answers took up to so long. */
  readonly otherP50: Spread | null;
  /** The longest pause of the event loop, alone and under load. */
  readonly pauseAlone: Spread;
  readonly pause: Spread;
  readonly peakMb: number;
}

/** Latency alone, under load, and the ratio of both, round by round. */
export interface Compared {
  readonly p50: { readonly alone: Spread; readonly meanwhile: Spread; readonly ratio: Spread };
  readonly p95: { readonly alone: Spread; readonly meanwhile: Spread; readonly ratio: Spread };
  /** Answers that did not say yes, and requests without an answer. */
  readonly failed: number;
}

/** A request of a tenant that takes long to read, on a new server. */
export interface HostileLine {
  readonly title: string;
  /** The longest pause of the event loop. */
  readonly pause: Spread;
  /** The slowest answer of `/healthz`. */
  readonly health: Spread;
  readonly peakMb: number;
}

/** How fast jobs are listed. */
export interface PagesLine {
  readonly limit: number;
  readonly rate: Spread;
  readonly p50: Spread;
  readonly p99: Spread;
}
