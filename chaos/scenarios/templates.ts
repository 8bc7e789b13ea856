import { copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Checker } from "../checker.ts";
import { TEMPLATE } from "../program/batch-request.ts";
import { finish } from "../support/finish.ts";
import { makePlace } from "../support/place.ts";
import { send } from "../support/processes.ts";
import type { Report } from "../support/report.ts";
import { startProgram } from "../support/run-program.ts";

const OTHER = new URL("../../examples/templates/contract.docx", import.meta.url);

/** Replaces the template in the middle of a batch. All documents must use the first template, even after a crash. */
export async function replacedTemplate(entries: number): Promise<Report> {
  await using place = await makePlace({ entries, concurrency: 4, renderer: "pool" });
  const checker = new Checker(place);
  const program = startProgram(place);
  await program.said("accepted");
  const template = join(place.options.root, TEMPLATE);
  await copyFile(OTHER, `${template}.new`);
  await rename(`${template}.new`, template);
  await sleep(300);
  send(program.pid, "SIGKILL");
  await program.ended;
  checker.heard(program.lines);
  await checker.checkMoment("the template was replaced");
  await finish(place, checker, "the template was replaced, run again");
  return {
    scenario: "A replaced template",
    tried: `${entries} entries`,
    violations: checker.violations,
  };
}
