import type { Diagnostic, Job } from "@quire/core/host";
import { expect, test } from "vitest";
import type { Io } from "../src/terminal/io.ts";
import { RunReport } from "../src/terminal/report.ts";

function job(entry: number, warnings: readonly Diagnostic[]): Job {
  const outputFile = { name: `${entry}.docx` };
  return {
    entry,
    status: "completed",
    failure: null,
    errors: [],
    warnings,
    outputFile,
  } as unknown as Job;
}

function printed(report: RunReport): string {
  const lines: string[] = [];
  const output = { write: (text: string) => lines.push(text) > 0 };
  const io = { stdout: output, stderr: output } as unknown as Io;
  report.print(io, "out", {
    interrupted: false,
    blankRows: 0,
    quiet: true,
    ifTaken: "",
    isDry: false,
  });
  return lines.join("");
}

test("a count of warnings is a minimum if the engine did not keep all of them", () => {
  const warning: Diagnostic = { severity: "warning", code: "missing_value", message: "No name." };
  const more: Diagnostic = { severity: "warning", code: "more_problems", message: "…", count: 3 };
  const report = new RunReport();
  report.add(job(1, [warning]));
  expect(printed(report)).toBe("warning: No name. (1 entry: 1)\n");
  report.add(job(2, [warning, more]));
  report.add(job(3, [more]));
  expect(printed(report)).toBe(
    "warning: No name. (at least 2 entries: 1, 2)\n" +
      "Only some warnings of 2 entries were kept; quire check --json lists all\n",
  );
});
