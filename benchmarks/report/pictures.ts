import type { PdfResults } from "../pdf/results.ts";
import { ratioBars } from "./bars.ts";
import { CPU, growthCurves, PEAK } from "./curves.ts";
import { times } from "./format.ts";
import type { Picture } from "./page.ts";
import type { Results, ScenarioResult } from "./results.ts";

/** Returns the pictures of a page. Quantities that were not measured have no picture. */
export function picturesOf({ scenarios, growth }: Results): Picture[] {
  const curves = (["rows", "documents"] as const).flatMap((over) => {
    const these = growth.filter((curve) => curve.over === over);
    if (these.every(({ points }) => points.length === 0)) return [];
    const named = over === "rows" ? "rows of one document" : "documents";
    const engines = these.map(({ engine }) => engine).join(", ");
    const time = `CPU time over the number of ${named}`;
    const memory = `Peak memory over the number of ${named}`;
    return [
      picture(
        `${over}-time.svg`,
        `${time}, for ${engines}. The figures are in the table below.`,
        (alt) => growthCurves(these, CPU, time, alt),
      ),
      picture(
        `${over}-memory.svg`,
        `${memory}, for ${engines}. The figures are in the table below.`,
        (alt) => growthCurves(these, PEAK, memory, alt),
      ),
    ];
  });
  return [...bars("ratios.svg", scenarios), ...curves];
}

/** Returns the pictures for the part of the page about PDF. */
export function pdfPicturesOf({ scenarios }: PdfResults): Picture[] {
  return bars("pdf-ratios.svg", scenarios);
}

function bars(file: string, scenarios: readonly ScenarioResult[]): Picture[] {
  if (scenarios.length === 0) return [];
  const best = scenarios.map(({ title, lines }) => {
    const ratio = Math.max(...lines.map((line) => line.ratio.median));
    return `${title}: up to ${times(ratio)}`;
  });
  const alt = `Bars of how many times less CPU time each engine takes than the baseline, on a logarithmic axis. ${best.join("; ")}. The figures are in the table above.`;
  return [picture(file, alt, (label) => ratioBars(scenarios, label))];
}

function picture(file: string, alt: string, draw: (alt: string) => string): Picture {
  return { file, alt, svg: draw(alt) };
}
