/**
 * Preloaded into a server's process (`--import`). Measures the server from within at the benchmark's request, and ends
 * it when the benchmark has ended.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const loop = monitorEventLoopDelay({ resolution: 1 });
let cpu = process.cpuUsage();
let began = performance.now();

loop.enable();
process.on("message", (asked) => {
  if (asked === "begin") begin();
  process.send(asked === "begin" ? {} : told());
});
process.on("disconnect", () => process.exit());

function begin() {
  resetPeak();
  loop.reset();
  cpu = process.cpuUsage();
  began = performance.now();
}

function told() {
  const { user, system } = process.cpuUsage(cpu);
  return {
    wallMs: performance.now() - began,
    cpuMs: (user + system) / 1000,
    pauseMs: loop.max / 1e6,
    pauseP99Ms: loop.percentile(99) / 1e6,
    peakMb: peakMb(),
  };
}

/** Resets the kernel's peak of resident memory. */
function resetPeak() {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Without a reset, the peak counts since the start.
  }
}

function peakMb() {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
    return Number(line?.[1]) / 1000;
  } catch {
    return process.resourceUsage().maxRSS / 1000;
  }
}
