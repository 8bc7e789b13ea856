/** Helpers for tests and for the programs that they start. */
import { execFileSync } from "node:child_process";
import { docx, p } from "../../../ooxml/test/support/docx.ts";

/**
 * Returns the ids of the pool processes that this process has started, optionally only those with this memory limit.
 */
export function poolProcesses(memoryLimitMb = ""): number[] {
  const list = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return list.split("\n").flatMap((line) => {
    const [, pid = "", parent = "", limit = ""] =
      /^\s*(\d+)\s+(\d+)\s.*pool-process\.\w+ (\d+)/.exec(line) ?? [];
    const isOne = Number(parent) === process.pid && (memoryLimitMb || limit) === limit;
    return isOne ? [Number(pid)] : [];
  });
}

/** A letter with one tag, `name`. */
export const LETTER = docx({ body: p("Dear {{name}}") });

/** Data with a file reference. `readFile` is called while the document is being rendered. */
export const ASKING = { logo: { type: "file", id: "logo" }, name: "Poe" };
