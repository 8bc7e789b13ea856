import { Checker } from "../checker.ts";
import { finish, lastError } from "../support/finish.ts";
import { makePlace } from "../support/place.ts";
import type { Report } from "../support/report.ts";
import { endInWords, startProgram } from "../support/run-program.ts";

/** Starts several engines at the same time when there is no journal yet. All of them submit the same batch. */
export async function firstStarts(rounds: number, engines: number): Promise<Report> {
  const violations: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    await using place = await makePlace({ waitForGo: true, tellJobs: false });
    const checker = new Checker(place);
    const programs = Array.from({ length: engines }, () => startProgram(place));
    await Promise.all(programs.map((program) => program.said("ready")));
    for (const { process } of programs) process.stdin?.write("go\n");
    for (const program of programs) {
      const end = await program.ended;
      checker.heard(program.lines);
      const when = `round ${round}`;
      if (end.code !== 0) checker.report(`${when}: ${endInWords(end)} ${lastError(program.lines)}`);
    }
    await finish(place, checker, `round ${round}`);
    violations.push(...checker.violations);
  }
  return {
    scenario: "Engines that create one journal",
    tried: `${rounds} rounds of ${engines} engines`,
    violations,
  };
}
