/** Formats a number with separators between the thousands. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** Formats a duration in a suitable unit. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
