import { clearLine, cursorTo } from "node:readline";
import { type CommandIo, type Output, writeLine } from "./io.ts";
import { memoryInUse } from "./memory.ts";
import { progressLine } from "./progress-line.ts";
import { Rate } from "./rate.ts";

/** The progress of a phase. */
export interface ProgressState {
  /** The number of finished items, including those of an earlier command. */
  readonly done: number;
  /** Null if the total is unknown. */
  readonly total: number | null;
  /** Default 0. */
  readonly failed?: number;
}

/** Shows the progress of a command: on a terminal, one line that is updated in place; elsewhere, plain lines. */
export interface Progress {
  /** The command's `io`, whose messages do not mix with the line. */
  readonly io: CommandIo;
  /**
   * Starts a phase. `name` precedes the number of items, for example `reading`. Only a phase with `rate` shows a rate
   * and the time left.
   */
  phase(name: string, options?: PhaseOptions): void;
  update(state: ProgressState): void;
  /** Shows the last state and ends the line. */
  finish(): void;
}

/** When a line is shown for the first time, and how often it is updated, in milliseconds. */
interface Pace {
  readonly first: number;
  readonly next: number;
}

const ON_TERMINAL: Pace = { first: 300, next: 200 };
const PLAIN: Pace = { first: 2_000, next: 2_000 };
const MEMORY_MS = 2_000;

/** Options of {@link Progress.phase}. */
export interface PhaseOptions {
  /** Whether the phase shows a rate and the time left. Default false. */
  readonly rate?: boolean;
  /** The state before the first item, which does not count towards the rate. Default: nothing is done. */
  readonly from?: ProgressState;
}

/** Creates progress on standard error. With `quiet`, it shows nothing. */
export function createProgress(
  io: CommandIo,
  { quiet = false, now = () => performance.now() }: ProgressOptions = {},
): Progress {
  return quiet ? silentProgress(io) : new ShownProgress(io, now);
}

/** Options of {@link createProgress}. */
export interface ProgressOptions {
  /** Default false. */
  readonly quiet?: boolean | undefined;
  /** A clock in milliseconds. Default: the monotonic clock. */
  readonly now?: () => number;
}

function silentProgress(io: CommandIo): Progress {
  return { io, phase: () => {}, update: () => {}, finish: () => {} };
}

class ShownProgress implements Progress {
  readonly io: CommandIo;
  readonly #stream: Output;
  readonly #now: () => number;
  readonly #pace: Pace;
  #phase = { name: "", rate: false };
  #state: ProgressState = { done: 0, total: null };
  #rate = new Rate();
  #dueAt: number;
  #memory = { at: Number.NEGATIVE_INFINITY, bytes: 0 };
  /** The line that was shown last; on a terminal, empty after the line was removed. */
  #shown = "";
  /** Updates the line even while no item is finished. */
  #timer: NodeJS.Timeout | undefined;

  constructor(io: CommandIo, now: () => number) {
    this.#stream = io.stderr;
    this.#now = now;
    this.#pace = io.stderr.isTTY ? ON_TERMINAL : PLAIN;
    this.#dueAt = now() + this.#pace.first;
    this.io = Object.create(io, {
      stdout: { value: this.#besideLine(io.stdout) },
      stderr: { value: this.#besideLine(io.stderr) },
    });
  }

  phase(name: string, { rate = false, from }: PhaseOptions = {}): void {
    this.#phase = { name, rate };
    this.#state = from ?? { done: 0, total: null };
    this.#rate = new Rate();
    this.#timer ??= setInterval(() => this.#showIfDue(), this.#pace.next).unref();
  }

  update(state: ProgressState): void {
    this.#state = state;
    this.#rate.add(this.#now(), state.done);
    this.#showIfDue();
  }

  finish(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#phase.name === "") return;
    if (!this.#phase.rate && this.#shown === "") return; // too short to be worth a line
    this.#show();
    if (this.#stream.isTTY) this.#stream.write("\n");
    this.#shown = "";
    this.#phase = { name: "", rate: false };
  }

  #showIfDue(): void {
    if (this.#phase.name !== "" && this.#now() >= this.#dueAt) this.#show();
  }

  #show(): void {
    this.#dueAt = this.#now() + this.#pace.next;
    const { isTTY = false, columns = 80 } = this.#stream;
    const rate = this.#phase.rate ? this.#rate.perSecond(this.#now()) : null;
    const memory = this.#phase.rate ? this.#measureMemory() : null;
    const width = isTTY ? Math.max(columns - 1, 20) : null;
    const line = progressLine({ ...this.#state, phase: this.#phase.name, rate, memory }, width);
    if (!isTTY) {
      if (line !== this.#shown) writeLine(this.#stream, line);
    } else {
      cursorTo(this.#stream, 0);
      this.#stream.write(line);
      clearLine(this.#stream, 1);
    }
    this.#shown = line;
  }

  #measureMemory(): number {
    if (this.#now() - this.#memory.at >= MEMORY_MS) {
      this.#memory = { at: this.#now(), bytes: memoryInUse() };
    }
    return this.#memory.bytes;
  }

  /**
   * Creates an output for messages. It removes the progress line before each message; the next update shows it again.
   */
  #besideLine(output: Output): Output {
    const write = (text: string): boolean => {
      if (output.isTTY) this.#removeLine();
      return output.write(text);
    };
    return Object.create(output, { write: { value: write } });
  }

  #removeLine(): void {
    if (!this.#stream.isTTY || this.#shown === "") return;
    cursorTo(this.#stream, 0);
    clearLine(this.#stream, 0);
    this.#shown = "";
    this.#dueAt = this.#now();
  }
}
