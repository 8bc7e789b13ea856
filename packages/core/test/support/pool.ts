import { execFileSync } from "node:child_process";
import {
  type RenderPoolOptions,
  type RenderResult,
  renderInProcess,
  renderPool,
} from "../../src/index.ts";
import { docx, p } from "./docx.ts";

/** The processes of pools that a process has started, by default this one. */
export function poolProcesses(host = process.pid): number[] {
  const list = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return list.split("\n").flatMap((line) => {
    const [, pid = "", parent = ""] = /^\s*(\d+)\s+(\d+)\s.*pool-process/.exec(line) ?? [];
    return Number(parent) === host ? [Number(pid)] : [];
  });
}

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
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A pool of few processes, which the test's scope closes. */
export function pool(options: RenderPoolOptions = {}) {
  const renderer = renderPool({ processes: 2, ...options });
  return { ...bound(renderer), [Symbol.asyncDispose]: () => renderer.close() };
}

function bound(renderer: ReturnType<typeof renderPool>) {
  return {
    open: renderer.open.bind(renderer),
    close: renderer.close.bind(renderer),
  };
}

/** A letter to somebody. */
export const LETTER = docx({ body: p("Dear {{name}}") });

/** A document that asks for a file while it is rendered: so a test knows when that is. */
export const ASKING = { logo: { type: "file", id: "logo" }, name: "Poe" };

/** What rendering in this process gives. */
export async function inProcess(
  template: Uint8Array,
  data: Record<string, unknown>,
): Promise<RenderResult> {
  return renderInProcess().open(template).render(data);
}
