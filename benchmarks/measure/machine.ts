import { arch, cpus, platform, totalmem } from "node:os";
import type { Machine } from "../report/results.ts";

/** Returns the properties of this machine. */
export function machine(): Machine {
  const processors = cpus();
  return {
    node: process.versions.node,
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 1e9),
    platform: `${platform()} ${arch()}`,
  };
}

/** Returns today's date in the format of the results, such as `2026-01-31`. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
