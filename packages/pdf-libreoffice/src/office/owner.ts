import { readFileSync, readlinkSync } from "node:fs";

const MARK = /^(\d+)s(\d+)n(\d+)b([0-9a-f]+)$/;

/**
 * A name for this process, with letters and digits, that no other process of this machine ever has: its id, its start
 * time, its PID namespace and the boot. Without Linux's `/proc`, only its id.
 */
export function ownerMark(): string {
  const { pid } = process;
  const place = placeOfProcesses();
  const start = startOf(pid);
  return place === null || start === null ? String(pid) : `${pid}s${start}${place}`;
}

/**
 * Whether the process with this mark has certainly ended. A process in another PID namespace, or of another kernel that
 * shares our files, cannot be seen and may be running.
 */
export function hasEnded(mark: string): boolean {
  const [, pid = "", start, namespace, boot] = MARK.exec(mark) ?? [];
  if (pid === "" || `n${namespace}b${boot}` !== placeOfProcesses()) return false;
  return startOf(Number(pid)) !== start;
}

/** The PID namespace and the boot; null if unknown. */
function placeOfProcesses(): string | null {
  try {
    // If this `/proc` belongs to another namespace, its ids are not ours.
    if (readlinkSync("/proc/self") !== String(process.pid)) return null;
    const namespace = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return namespace === undefined
      ? null
      : `n${namespace}b${boot.replaceAll("-", "").slice(0, 12)}`;
  } catch {
    return null;
  }
}

/** When a process started, in ticks since the boot; null if it has ended. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is a name in parentheses, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return /^[ZX]/.test(fields[0] ?? "") ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
