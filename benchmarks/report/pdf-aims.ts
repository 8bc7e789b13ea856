import type { Spread } from "../measure/statistics.ts";
import { LISTENER, ONE_LANE } from "../pdf/peers/all.ts";
import type { PdfResults } from "../pdf/results.ts";

/** An aim for a ratio, and the measured ratio. */
export interface Aim {
  readonly what: string;
  readonly aim: number;
  /** The measured ratio; null if it was not measured. */
  readonly reached: Spread | null;
}

const SINGLE = { letter: 35, invoice: 20, contract: 6 } as const;
const BATCHES = { Letter: 250, Invoice: 35 } as const;
const OVER_LISTENER = 1.6;
const SECOND_LANE = 1.8;

/** Returns the aims with the results of a run. */
export function aimsOf({ scenarios, batches }: PdfResults): Aim[] {
  const single = Object.entries(SINGLE).flatMap(([name, aim]): Aim[] => {
    const scenario = scenarios.find((each) => each.name === name);
    const title = scenario?.title ?? name;
    const line = ({ title: engine }: { readonly title: string }) =>
      scenario?.lines.find((each) => each.engine === engine);
    return [
      {
        what: `${title}: less CPU time than libreoffice-convert`,
        aim,
        reached: line(ONE_LANE)?.ratio ?? null,
      },
      {
        what: `${title}: less CPU time than ${LISTENER.title}`,
        aim: OVER_LISTENER,
        reached: line(LISTENER)?.oneLaneRatio ?? null,
      },
      {
        what: `${title}: throughput of 2 lanes compared with 1`,
        aim: SECOND_LANE,
        reached: scenario?.secondLane ?? null,
      },
    ];
  });
  const inBatches = Object.entries(BATCHES).map(([title, aim]): Aim => {
    const batch = batches.find((each) => each.title === title);
    return {
      what: `A batch, ${title}: less CPU time than libreoffice-convert one by one`,
      aim,
      reached: batch?.lines.at(-1)?.ratio ?? null,
    };
  });
  return [...single, ...inBatches];
}
