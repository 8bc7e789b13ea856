/** What came out of a scenario. */
export interface Report {
  readonly scenario: string;
  /** How much was tried, in words: `120 crash points of 480`. */
  readonly tried: string;
  /** Each with the place in the scenario where it was found. */
  readonly violations: readonly string[];
  /** What else is worth knowing. */
  readonly notes?: readonly string[];
}

/** Of many violations the first ones tell. */
const MAX_SHOWN = 12;

/** A report, for people. */
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
