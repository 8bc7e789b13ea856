import { memory, time } from "./format.ts";
import type { Curve, CurvePoint } from "./results.ts";
import { colourOf, type LogAxis, line, logAxis, round, svg, text } from "./svg.ts";

const WIDTH = 860;
const HEIGHT = 420;
const BOX = { left: 80, right: 710, top: 48, bottom: 366 };
/** Minimum vertical distance between the names at the ends of curves, in pixels. */
const NAME_HEIGHT = 16;

/** A quantity to draw. */
export interface Quantity {
  readonly of: (point: CurvePoint) => number;
  readonly unit: (value: number) => string;
}

/** CPU time of a point. */
export const CPU: Quantity = { of: ({ cpuMs }) => cpuMs, unit: time };

/** Peak memory of the process of a point. */
export const PEAK: Quantity = { of: ({ peakMb }) => peakMb, unit: memory };

/** Returns a chart of curves on two logarithmic axes. A cross marks where a curve stopped. */
export function growthCurves(
  curves: readonly Curve[],
  quantity: Quantity,
  title: string,
  label: string,
): string {
  const points = curves.flatMap((each) => each.points);
  const x = logAxis(
    points.map(({ size }) => size),
    BOX.left,
    BOX.right,
  );
  const y = logAxis(points.map(quantity.of), BOX.bottom, BOX.top);
  const over = curves[0]?.over ?? "";
  const parts = [
    text(16, 26, title, { style: "title" }),
    ...grid(x, y, quantity),
    text((BOX.left + BOX.right) / 2, HEIGHT - 14, over, { anchor: "middle", style: "small" }),
    ...curves.map((curve) => drawn(curve, quantity, x, y)),
    ...names(curves, quantity, x, y),
  ];
  return svg(WIDTH, HEIGHT, label, parts.join("\n"));
}

function grid(x: LogAxis, y: LogAxis, { unit }: Quantity): string[] {
  const columns = x.ticks.filter(isPowerOfTen).flatMap((tick) => [
    line(x.at(tick), BOX.top, x.at(tick), BOX.bottom, 'class="grid"'),
    text(x.at(tick), BOX.bottom + 18, tick.toLocaleString("en-US"), {
      anchor: "middle",
      style: "small",
    }),
  ]);
  const lines = y.ticks.flatMap((tick) => [
    line(BOX.left, y.at(tick), BOX.right, y.at(tick), 'class="grid"'),
    text(BOX.left - 8, y.at(tick) + 4, unit(tick).replace(/\.0+ /, " "), {
      anchor: "end",
      style: "small",
    }),
  ]);
  return [...columns, ...lines];
}

function isPowerOfTen(value: number): boolean {
  return Number.isInteger(Math.log10(value));
}

function drawn({ engine, points, stopped }: Curve, { of }: Quantity, x: LogAxis, y: LogAxis) {
  const colour = colourOf(engine);
  const places = points.map((point) => [round(x.at(point.size)), round(y.at(of(point)))] as const);
  const dots = places.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3.5" fill="${colour}"/>`);
  const [lastX, lastY] = places.at(-1) ?? [0, 0];
  const cross =
    stopped === null || places.length === 0
      ? []
      : [-1, 1].map((way) =>
          line(
            lastX - 8,
            lastY - 8 * way,
            lastX + 8,
            lastY + 8 * way,
            `stroke="${colour}" stroke-width="2"`,
          ),
        );
  return [
    `<polyline points="${places.map((place) => place.join(",")).join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...dots,
    ...cross,
  ].join("\n");
}

/** Returns the name of each curve, placed next to its end. Where two names would overlap, one is moved down. */
function names(curves: readonly Curve[], { of }: Quantity, x: LogAxis, y: LogAxis): string[] {
  const ends = curves
    .flatMap(({ engine, points }) => {
      const last = points.at(-1);
      return last === undefined ? [] : [{ engine, px: x.at(last.size), py: y.at(of(last)) }];
    })
    .toSorted((a, b) => a.py - b.py);
  const taken: { readonly px: number; readonly py: number }[] = [];
  return ends.map(({ engine, px, py }) => {
    let free = py;
    for (const other of taken) {
      if (Math.abs(other.px - px) < 140) free = Math.max(free, other.py + NAME_HEIGHT);
    }
    taken.push({ px, py: free });
    return text(px + 14, free + 4, engine);
  });
}
