import { times } from "./format.ts";
import type { Line, ScenarioResult } from "./results.ts";
import { colourOf, type LogAxis, line, logAxis, round, svg, text } from "./svg.ts";

const WIDTH = 860;
const LEFT = 150;
const RIGHT = 80;
const BAR = 20;
const GROUP_HEAD = 34;
const TOP = 44;
const BOTTOM = 40;

/**
 * Returns a chart with a bar for each ratio on one logarithmic axis. Bars to the right of 1 are faster than the
 * baseline.
 */
export function ratioBars(scenarios: readonly ScenarioResult[], label: string): string {
  const heights = scenarios.map(({ lines }) => GROUP_HEAD + lines.length * BAR);
  const height = TOP + heights.reduce((sum, each) => sum + each, 0) + BOTTOM;
  const ratios = scenarios.flatMap(({ lines }) =>
    lines.flatMap(({ ratio }) => [ratio.min, ratio.max]),
  );
  const axis = logAxis(ratios, LEFT, WIDTH - RIGHT);
  const parts = [
    text(16, 26, "How many times less CPU time for a document", { style: "title" }),
    ...grid(axis, height),
  ];
  let y = TOP;
  for (const [index, scenario] of scenarios.entries()) {
    parts.push(group(scenario, axis, y));
    y += heights[index] ?? 0;
  }
  return svg(WIDTH, height, label, parts.join("\n"));
}

function grid(axis: LogAxis, height: number): string[] {
  return axis.ticks.flatMap((tick) => {
    const x = axis.at(tick);
    const style = tick === 1 ? "axis" : "grid";
    return [
      line(x, TOP, x, height - BOTTOM + 4, `class="${style}"`),
      text(x, height - BOTTOM + 22, `${tick.toLocaleString("en-US")} ×`, {
        anchor: "middle",
        style: "small",
      }),
    ];
  });
}

function group({ title, baseline, lines }: ScenarioResult, axis: LogAxis, y: number): string {
  const head = [
    text(16, y + 22, title, { style: "title" }),
    text(WIDTH - 16, y + 22, `${baseline} = 1`, { anchor: "end", style: "small" }),
  ];
  return [...head, ...lines.map((each, at) => bar(each, axis, y + GROUP_HEAD + at * BAR))].join(
    "\n",
  );
}

function bar({ engine, ratio }: Line, axis: LogAxis, y: number): string {
  const [one, end] = [axis.at(1), axis.at(ratio.median)];
  const middle = y + BAR / 2 - 2;
  const rightmost = Math.max(one, axis.at(ratio.max));
  return [
    text(LEFT - 20, y + 13, engine, { anchor: "end" }),
    `<rect x="${round(Math.min(one, end))}" y="${round(y + 2)}" width="${round(Math.max(1, Math.abs(end - one)))}" height="${BAR - 7}" fill="${colourOf(engine)}"/>`,
    line(axis.at(ratio.min), middle, axis.at(ratio.max), middle, 'class="axis"'),
    text(rightmost + 6, y + 13, times(ratio.median), { style: "small" }),
  ].join("\n");
}
