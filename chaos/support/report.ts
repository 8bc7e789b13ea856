/** The results of a scenario. */
export interface Report {
  readonly scenario: string;
  /** The tested cases, as text, such as `120 crash points of 480`. */
  readonly tried: string;
  /** Violations, each with the point in the scenario at which it was found. */
  readonly violations: readonly string[];
  /** Additional information. */
  readonly notes?: readonly string[];
}

/** Maximum number of violations that are shown. */
const MAX_SHOWN = 12;

/** Formats a report as text. */
export function reportInWords({ scenario, tried, violations, notes = [] }: Report): string {
  const shown = violations.slice(0, MAX_SHOWN);
  const more = violations.length - shown.length;
  const head = `${scenario}: ${tried}, ${violations.length} violations`;
  return [
    head,
    ...notes.map((note) => `  ${note}`),
    ...shown.map((one) => `  ! ${one}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join("\n");
}
