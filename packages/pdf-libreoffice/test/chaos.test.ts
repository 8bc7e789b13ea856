/** The smoke test for `chaos.long.test.ts`: two kills and a damaged document. */
import { convertUnderBlows } from "./blows.ts";
import { lanesIn, officesIn, slowTest } from "./laboratory.ts";

slowTest("each document has the right outcome when lanes are killed", () =>
  convertUnderBlows({
    conversions: 30,
    signals: { 14: [officesIn, "SIGKILL"], 24: [lanesIn, "SIGKILL"] },
    hanging: [],
    broken: [18],
  }),
);
