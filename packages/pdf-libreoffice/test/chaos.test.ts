/** The smoke of `chaos.long.test.ts`: two kills and a broken document. */
import { convertUnderBlows } from "./blows.ts";
import { lanesIn, officesIn, slowTest } from "./laboratory.ts";

slowTest("whoever kills lanes, each document comes to the end that it deserves", () =>
  convertUnderBlows({
    conversions: 30,
    signals: { 14: [officesIn, "SIGKILL"], 24: [lanesIn, "SIGKILL"] },
    hanging: [],
    broken: [18],
  }),
);
