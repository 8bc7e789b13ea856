import {
  type RenderPoolOptions,
  type RenderResult,
  renderInProcess,
  renderPool,
} from "../../src/index.ts";
import { poolProcesses } from "./pool-program.ts";

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until something is so. The test's own time limit ends it. */
export async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** No two pools of a test file have the same memory limit: it tells their processes from each other. */
let nextLimitMb = 1100;

/** A pool of few processes, which the test's scope closes. */
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

/** A pool with what tests ask of it. */
export type Pool = ReturnType<typeof pool>;

/** What rendering in this process gives. */
export async function inProcess(
  template: Uint8Array,
  data: Record<string, unknown>,
): Promise<RenderResult> {
  return renderInProcess().open(template).render(data);
}
