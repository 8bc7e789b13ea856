/** What the programs need that tests start, and the tests themselves. */
import { execFileSync } from "node:child_process";
import { docx, p } from "./docx.ts";

/** The processes of pools that this process has started; those with one memory limit, where that is given. */
export function poolProcesses(memoryLimitMb = ""): number[] {
  const list = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return list.split("\n").flatMap((line) => {
    const [, pid = "", parent = "", limit = ""] =
      /^\s*(\d+)\s+(\d+)\s.*pool-process\.\w+ (\d+)/.exec(line) ?? [];
    const isOne = Number(parent) === process.pid && (memoryLimitMb || limit) === limit;
    return isOne ? [Number(pid)] : [];
  });
}

/** A letter to somebody. */
export const LETTER = docx({ body: p("Dear {{name}}") });

/** A document that asks for a file while it is rendered: so a test knows when that is. */
export const ASKING = { logo: { type: "file", id: "logo" }, name: "Poe" };
