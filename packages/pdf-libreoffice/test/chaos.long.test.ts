/** A batch in which documents hang and are broken while LibreOffice and lanes are killed and frozen. */
import { convertUnderBlows } from "./blows.ts";
import { lanesIn, officesIn, slowTest } from "./laboratory.ts";

slowTest("whatever happens to lanes, each document comes to the end that it deserves", () =>
  convertUnderBlows({
    conversions: 150,
    signals: {
      20: [officesIn, "SIGKILL"],
      50: [lanesIn, "SIGKILL"],
      80: [officesIn, "SIGSTOP"],
      110: [lanesIn, "SIGSTOP"],
      130: [officesIn, "SIGSEGV"],
    },
    hanging: [40, 110],
    broken: [60, 130],
  }),
);
