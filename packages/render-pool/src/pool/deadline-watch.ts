import { type InFlight, limitMs, workedMs } from "./in-flight.ts";
import type { ChildSettings } from "./pool-child.ts";

/** Maximum interval between two checks. */
const TICK_MS = 100;

/** After this time, documents that wait behind the current one should be given to other processes. */
const STALLED_MS = 250;

/** After this time, the process of a tenant's document gets a lower priority. */
const SLOW_MS = 1_000;

const START_LIMIT_MS = 60_000;

/** The current work of a process. */
export interface CurrentWork {
  readonly isReady: boolean;
  readonly inFlight: readonly InFlight[];
  /** When the work on the first item in flight began; while the process is not ready, when it was started. */
  readonly begun: number;
}

/** Callbacks for the results of a check. */
export interface DeadlineEvents {
  /** The current work, or the start of the process, has exceeded its deadline. */
  onLate(): void;
  /** The current work is slow. Called at each check. */
  onSlow(item: InFlight): void;
  /** The current work takes long enough to be stopped if others wait. */
  onLong(item: InFlight): void;
  /** Work is waiting behind an item that takes long. */
  onStalled(): void;
}

/** Checks regularly how long the current work of a process has taken. */
export class DeadlineWatch {
  readonly #settings: ChildSettings;
  readonly #current: () => CurrentWork;
  readonly #events: DeadlineEvents;
  #wasLate = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(settings: ChildSettings, current: () => CurrentWork, events: DeadlineEvents) {
    this.#settings = settings;
    this.#current = current;
    this.#events = events;
  }

  start(): void {
    const { documentTimeoutMs, compileTimeoutMs } = this.#settings;
    const tick = Math.min(TICK_MS, documentTimeoutMs / 4, compileTimeoutMs / 4);
    this.#timer ??= setInterval(() => this.#check(), tick);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Call it when the process has sent something. */
  alive(): void {
    this.#wasLate = false;
  }

  /**
   * A process counts as late only if two consecutive checks find it past its deadline: events that arrive between them
   * are handled first.
   */
  #check(): void {
    const now = performance.now();
    const { isReady, inFlight, begun } = this.#current();
    const [item] = inFlight;
    const workMs = isReady && item !== undefined ? workedMs(item, begun, now) : 0;
    const isLate = isReady
      ? item !== undefined && workMs > limitMs(item, this.#settings)
      : now - begun > START_LIMIT_MS;
    if (isLate && this.#wasLate) this.#events.onLate();
    this.#wasLate = isLate;
    if (item !== undefined && workMs > SLOW_MS) this.#events.onSlow(item);
    if (item !== undefined && workMs > this.#settings.preemptAfterMs) this.#events.onLong(item);
    if (isReady && now - begun > STALLED_MS && inFlight.length > 1) this.#events.onStalled();
  }
}
