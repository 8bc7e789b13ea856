import { type InFlight, limitMs, workedMs } from "./in-flight.ts";
import type { ChildSettings } from "./pool-child.ts";

/** Maximum interval between two checks, in milliseconds. */
const TICK_MS = 100;

/** Duration of the current work, in milliseconds, after which other processes should get the documents behind it. */
const STALLED_MS = 250;

/** Duration, in milliseconds, after which the process of a tenant's document gets a lower priority. */
const SLOW_MS = 1_000;

const START_LIMIT_MS = 60_000;

/** The current work of a process. */
export interface CurrentWork {
  readonly isReady: boolean;
  readonly inFlight: readonly InFlight[];
  /** When the work on the first item in flight began. If the process is not ready, when it was started. */
  readonly begun: number;
}

/** Callbacks for the results of a check. */
export interface DeadlineEvents {
  /** Called when the current work, or the start of the process, has exceeded its deadline. */
  onLate(): void;
  /** Called at each check while the current work is slow. */
  onSlow(item: InFlight): void;
  /** Called when the current work has taken so long that it may be stopped if other documents wait. */
  onLong(item: InFlight): void;
  /** Called when work is waiting behind an item that takes long. */
  onStalled(): void;
}

/** Regularly checks how long the current work of a process has taken. */
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

  /** Must be called when the process has sent something. */
  alive(): void {
    this.#wasLate = false;
  }

  /**
   * A process counts as late only if two consecutive checks find that it has exceeded its deadline. Events that arrive
   * between the two checks are handled first.
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
