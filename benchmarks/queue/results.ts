import type { Spread } from "../measure/statistics.ts";
import type { Machine } from "../report/results.ts";

/** The results of the benchmarks of the queue in PostgreSQL. Each run may measure one part only. */
export interface QueueResults {
  readonly stores?: Part<StoresResults>;
  readonly waiting?: Part<NodesResults>;
  readonly nodes?: Part<DocumentsResults>;
  readonly turn?: Part<TurnResults>;
  readonly pages?: Part<PagesResults>;
}

/** A part, with the date of its run, such as `2026-01-31`, and the machine. */
export type Part<T> = T & {
  readonly date: string;
  readonly machine: Machine;
};

/** The job stores alone, in the same rounds. */
export interface StoresResults {
  readonly rounds: number;
  /** The number of entries of a large batch. */
  readonly entries: number;
  readonly lines: readonly StoreLine[];
}

/** The results of one store. */
export interface StoreLine {
  readonly store: "PostgreSQL" | "SQLite";
  /** Milliseconds until a batch of one entry and a large batch are accepted. */
  readonly acceptOneMs: Spread;
  readonly acceptLargeMs: Spread;
  /** Jobs per second that one worker claims, notes and ends. */
  readonly rate: Spread;
  /** CPU time of the server for each entry that is accepted, and for each job; null without a server. */
  readonly acceptCpuMs: Spread | null;
  readonly jobCpuMs: Spread | null;
}

/** Worker nodes over one database. */
export interface NodesResults {
  readonly rounds: number;
  readonly lines: readonly NodesLine[];
}

/** What nodes work on. */
export interface LoadOptions {
  readonly batches: number;
  /** The number of enterprises that submitted them. */
  readonly tenants: number;
  /** Maximum number of documents of one batch that a node has in progress. */
  readonly concurrency: number;
  /** How long a document takes, in milliseconds; null if it is rendered. */
  readonly waitMs: number | null;
}

/** The results with a number of nodes. */
export interface NodesLine extends LoadOptions {
  readonly nodes: number;
  /** Documents per second of all nodes. */
  readonly rate: Spread;
  /** The rate divided by the rate of one node in the same round. */
  readonly speedup: Spread;
  /** CPU time for each document: of PostgreSQL, and of all nodes. */
  readonly serverCpuMs: Spread;
  readonly nodeCpuMs: Spread;
  /** The server's time for each document divided by the same with one node in the same round. */
  readonly serverRatio: Spread;
  /** How much of the machine's processors the server and the nodes used, from 0 to 1. */
  readonly busy: Spread;
  /** How long PostgreSQL waited for a flush of its log to the disk, on average, in milliseconds. */
  readonly flushMs: Spread;
}

/** Nodes that make documents in a folder. */
export interface DocumentsResults {
  readonly lines: readonly DocumentsLine[];
}

/** The results with a number of nodes. Includes the acceptance of the batch. */
export interface DocumentsLine {
  readonly output: "docx" | "pdf";
  readonly documents: number;
  readonly rounds: number;
  readonly nodes: number;
  /** Documents per second of all nodes. */
  readonly rate: Spread;
  /** The rate divided by the rate of one node in the same round. */
  readonly speedup: Spread;
  /** CPU time for each document: of PostgreSQL, and of all nodes with their rendering processes and LibreOffice. */
  readonly serverCpuMs: Spread;
  readonly nodeCpuMs: Spread;
}

/** Small batches of other tenants, while nodes work on a large batch. */
export interface TurnResults {
  readonly nodes: number;
  /** The number of entries of the large batch, and of each small one. */
  readonly entries: number;
  readonly smallEntries: number;
  readonly times: number;
  /** Milliseconds from the acceptance of a small batch until its first document is begun, and until all are made. */
  readonly begunMs: Spread;
  readonly madeMs: Spread;
}

/** Pages of jobs, by the number of jobs in the tables. */
export interface PagesResults {
  readonly repeats: number;
  readonly lines: readonly PageLine[];
}

/** The time of the server for one page. */
export interface PageLine {
  readonly title: string;
  readonly jobs: number;
  /** The number of items on the page. */
  readonly items: number;
  /** CPU time of the server for each page, in milliseconds. */
  readonly cpuMs: number;
}
