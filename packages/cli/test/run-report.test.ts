import type { ConverterJoining, Diagnostic, Job } from "@quire/core/host";
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

function printed(
  report: RunReport,
  { quiet = true, joining = null }: { quiet?: boolean; joining?: ConverterJoining | null } = {},
): string {
  const lines: string[] = [];
  const output = { write: (text: string) => lines.push(text) > 0 };
  const io = { stdout: output, stderr: output } as unknown as Io;
  report.print(io, "out", {
    interrupted: false,
    blankRows: 0,
    quiet,
    ifTaken: "",
    isDry: false,
    joining,
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

test("the summary says why PDFs were converted one by one", () => {
  const report = new RunReport();
  const refused = { "documents with many pages": 1, "a lane ended": 2 };
  const joining = { joined: 12, separate: 1_300, refused };
  expect(printed(report, { quiet: false, joining })).toContain(
    "\n1,300 of 1,312 PDFs were converted one by one, which takes longer. Reason: documents with many pages; a lane ended\n",
  );
  expect(printed(report, { joining })).toBe("");
  const all = { ...joining, refused: {} };
  expect(printed(report, { quiet: false, joining: all })).not.toContain("one by one");
});
