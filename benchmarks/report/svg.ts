/** The colour of each engine. Colour-blind people can distinguish these colours. */
const COLOURS: Readonly<Record<string, string>> = {
  docxtemplater: "#8a8a8a",
  "easy-template-x": "#e69f00",
  "docx-templates": "#cc79a7",
  "Carbone CE": "#b8a400",
  docxtpl: "#009e73",
  "Quire, small": "#56b4e9",
  "Quire, fast": "#0072b2",
  "Quire, template": "#d55e00",
  "Gotenberg's way": "#e69f00",
  "unoserver's way": "#009e73",
  "Quire, 1 lane": "#0072b2",
  "Quire, 2 lanes": "#56b4e9",
};

/** Returns the colour of an engine by its title. */
export function colourOf(engine: string): string {
  return COLOURS[engine] ?? "#8a8a8a";
}

/** Returns a picture with a background, so that it is readable on light and dark pages. */
export function svg(width: number, height: number, label: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(label)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #24292f; }
.small { font-size: 11px; fill: #57606a; }
.title { font-weight: 600; }
.ground { fill: #ffffff; stroke: #d0d7de; }
.grid { stroke: #d0d7de; }
.axis { stroke: #57606a; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.small { fill: #9da7b3; }
.ground { fill: #0d1117; stroke: #30363d; }
.grid { stroke: #30363d; }
.axis { stroke: #9da7b3; }
}
</style>
<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>
${content}
</svg>
`;
}

/** Returns text at a position. Anchors are the same as in SVG. */
export function text(
  x: number,
  y: number,
  content: string,
  { anchor = "start", style = "" }: { anchor?: "start" | "middle" | "end"; style?: string } = {},
): string {
  const styled = style === "" ? "" : ` class="${style}"`;
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${styled}>${escaped(content)}</text>`;
}

/** Returns a straight line. */
export function line(x1: number, y1: number, x2: number, y2: number, attributes: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ${attributes}/>`;
}

/** Rounds a coordinate to one decimal, because finer differences are invisible. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A logarithmic axis, which maps values to positions between two ends. */
export interface LogAxis {
  readonly at: (value: number) => number;
  /** The powers of ten on the axis. If there are few, also their double and fivefold values. */
  readonly ticks: readonly number[];
}

const FEW_POWERS = 2;

/** Creates an axis that covers all values, with powers of ten at both ends. */
export function logAxis(values: readonly number[], from: number, to: number): LogAxis {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const powers = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  const between = powers.slice(0, -1).flatMap((power) => [2 * power, 5 * power]);
  return {
    at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    ticks: high - low > FEW_POWERS ? powers : [...powers, ...between],
  };
}

function escaped(content: string): string {
  return content
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
