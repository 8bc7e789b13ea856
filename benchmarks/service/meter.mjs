/**
 * Goes before a server's own program (`--import`): measures the server from within when the benchmark asks for it, and
 * ends it when the benchmark has gone.
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

/** The kernel's own count of the most resident memory, which can be set back. */
function resetPeak() {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Then it is the peak since the start.
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
