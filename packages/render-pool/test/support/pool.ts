import type { RenderResult } from "@quire/docx";
import { type RenderPoolOptions, renderInProcess, renderPool } from "../../src/index.ts";
import { poolProcesses } from "./pool-program.ts";

/** Whether a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a condition is true. The timeout of the test ends the wait. */
export async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** The memory limit of the next pool. Each pool of a test file has a different one, which identifies its processes. */
let nextLimitMb = 1100;

/** Creates a pool with two processes. `await using` closes it. */
export function pool(options: RenderPoolOptions = {}) {
  const memoryLimitMb = options.memoryLimitMb ?? nextLimitMb++;
  const renderer = renderPool({ processes: 2, ...options, memoryLimitMb });
  return {
    ...bound(renderer),
    /** Returns the ids of the pool's processes. */
    processes: () => poolProcesses(`${memoryLimitMb}`),
    [Symbol.asyncDispose]: () => renderer.close(),
  };
}

function bound(renderer: ReturnType<typeof renderPool>) {
  return {
    open: renderer.open.bind(renderer),
    openPdf: renderer.openPdf.bind(renderer),
    close: renderer.close.bind(renderer),
  };
}

/** A pool with helpers for tests. */
export type Pool = ReturnType<typeof pool>;

/** Returns the result of rendering in this process. */
export async function inProcess(
  template: Uint8Array,
  data: Record<string, unknown>,
): Promise<RenderResult> {
  return renderInProcess().open(template).render(data);
}
