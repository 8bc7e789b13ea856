import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { HubLine, MachinesOptions } from "../machines/hub.ts";
import type { Report } from "../support/report.ts";

const HUB = fileURLToPath(new URL("../machines/hub.ts", import.meta.url));

/**
 * Two request nodes and three workers, each on a separate machine, with a PostgreSQL primary, its synchronous standby
 * and a bucket. Machines are network namespaces. While clients submit batches, machines lose their power, links break,
 * and the standby is promoted.
 */
export async function machines(
  options: MachinesOptions,
  progress: (text: string) => void = () => {},
): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), "quire-machines-"));
  // The user of PostgreSQL must be able to enter it.
  await chmod(folder, 0o711);
  // Network devices, mounts and processes disappear with the namespaces, which disappear with this process.
  const namespaces = ["--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child=KILL"];
  const program = [process.execPath, "--no-warnings", HUB, JSON.stringify(options), folder];
  const hub = spawn("unshare", [...namespaces, ...program], { stdio: ["pipe", "pipe", "pipe"] });
  let report: Report | undefined;
  let errors = "";
  hub.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  createInterface({ input: hub.stdout }).on("line", (text) => {
    const line = JSON.parse(text) as HubLine;
    if (line.type === "progress") progress(line.text);
    else report = line.report;
  });
  await once(hub, "close");
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  if (report === undefined) throw new Error(`The machines did not work: ${errors}`);
  return report;
}
