import { readdirSync, readFileSync } from "node:fs";

/**
 * Returns the memory of this process and of all processes that it started, in bytes: the sum of their resident sets. On
 * systems other than Linux, returns only the memory of this process.
 */
export function memoryInUse(): number {
  const own = process.memoryUsage.rss();
  if (process.platform !== "linux") return own;
  return own + childrenOf(process.pid).reduce((sum, pid) => sum + residentWithChildren(pid), 0);
}

function residentWithChildren(pid: number): number {
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  const children = childrenOf(pid).map(residentWithChildren);
  return children.reduce((sum, bytes) => sum + bytes, kilobytes * 1024);
}

/** Returns the children of a process. Each of its threads lists the processes that it started. */
function childrenOf(pid: number): number[] {
  const lists = threadsOf(pid).map((thread) => read(`/proc/${pid}/task/${thread}/children`));
  return lists.join(" ").split(" ").filter(Boolean).map(Number);
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // the process has ended
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // the process has ended
  }
}
