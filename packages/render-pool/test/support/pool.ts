import type { RenderResult } from "@quire/docx";
import { type RenderPoolOptions, renderInProcess, renderPool } from "../../src/index.ts";
import { poolProcesses } from "./pool-program.ts";

/** True if a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a condition is true. The time limit of the test ends the wait. */
export async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Each pool of a test file has a different memory limit, which identifies its processes. */
let nextLimitMb = 1100;

/** A pool with two processes, which `await using` closes. */
export function pool(options: RenderPoolOptions = {}) {
  const memoryLimitMb = options.memoryLimitMb ?? nextLimitMb++;
  const renderer = renderPool({ processes: 2, ...options, memoryLimitMb });
  return {
    ...bound(renderer),
    /** The ids of its processes. */
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

/** The result of rendering in this process. */
export async function inProcess(
  template: Uint8Array,
  data: Record<string, unknown>,
): Promise<RenderResult> {
  return renderInProcess().open(template).render(data);
}
