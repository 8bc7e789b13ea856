import type { Spread } from "../measure/statistics.ts";
import type { Machine } from "../report/results.ts";
import type { Kind } from "./running.ts";

/** The results of a run of the service benchmark. Times are in milliseconds. */
export interface ServiceResults {
  /** The date of the run, such as `2026-01-31`. */
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

/** How fast a server accepts small batches. */
export interface AcceptLine {
  readonly kind: Kind;
  /** Responses per second. */
  readonly rate: Spread;
  /** CPU time of the server's process per request. */
  readonly cpuMs: Spread;
  /** Median latency. */
  readonly p50: Spread;
  /** CPU time as a multiple of the CPU time of `layer` in the same round. */
  readonly ratio: Spread;
}

/** The results with many simultaneous connections. */
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

/** The results of a tenant's requests, alone and while another tenant disturbs it. */
export interface DisturbedLine {
  readonly title: string;
  readonly kind: Kind;
  readonly post: Compared;
  readonly get: Compared;
  /** Number of responses to the other tenant by status, over all rounds. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The median latency of the other tenant. */
  readonly otherP50: Spread | null;
  /** The longest pause of the event loop, alone and under load. */
  readonly pauseAlone: Spread;
  readonly pause: Spread;
  readonly peakMb: number;
}

/** Latency alone, latency under load, and the ratio between them, round by round. */
export interface Compared {
  readonly p50: { readonly alone: Spread; readonly meanwhile: Spread; readonly ratio: Spread };
  readonly p95: { readonly alone: Spread; readonly meanwhile: Spread; readonly ratio: Spread };
  /** Number of unsuccessful responses and of requests without a response. */
  readonly failed: number;
}

/** The results of a hostile request that takes long to read, on a new server. */
export interface HostileLine {
  readonly title: string;
  /** The longest pause of the event loop. */
  readonly pause: Spread;
  /** The slowest response of `/healthz`. */
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
