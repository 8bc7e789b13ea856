/** Runs a batch in which some documents hang or are damaged, while LibreOffice and lanes are killed and frozen. */
import { convertUnderBlows } from "./blows.ts";
import { lanesIn, officesIn, slowTest } from "./laboratory.ts";

slowTest("each document has the right outcome, whatever happens to lanes", () =>
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
