/** Returns why a locale cannot be used to read numbers and dates; null if it can. */
export function localeProblem(locale: string): string | null {
  try {
    if (Intl.NumberFormat.supportedLocalesOf([locale]).length === 0)
      return "is not known. Write a language tag such as de or en-GB";
    const { calendar } = new Intl.DateTimeFormat(locale).resolvedOptions();
    return calendar === "gregory" ? null : `counts years by another calendar (${calendar})`;
  } catch {
    return "is not a language tag such as de or en-GB";
  }
}
