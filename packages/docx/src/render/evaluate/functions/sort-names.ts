import { monthNames, weekdayNames } from "../../../format/format-date.ts";
import { parseDate } from "../../../format/parse-date.ts";
import { utcTime } from "../../../format/read-date.ts";
import { createCache, remember } from "../../../format/remember.ts";
import { patternOfDate } from "../../../format/text-forms.ts";

/** The kind of texts that are not sorted by their letters, and a hint for sorting them. */
export interface Named {
  readonly what: string;
  /** `key`: the key as the tag has it. `sortBy` returns the call with another key. */
  readonly hint: (key: string, sortBy: (meant: string) => string) => string;
}

/** Maximum number of different texts that are examined. */
const MAX_TEXTS = 200;

/** Matches text with a year or with three numbers. Other texts are not examined, which takes longer. */
const MAY_BE_DATE = /(?:19|20)\d\d|\d[./-]\d\d?[./-]\d/;

const SIZES = ["xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl", "2xl", "3xl", "4xl"];

/**
 * Returns what texts are if all of them are names of months or weekdays, sizes, or dates of one form, and if their order
 * by letters is another than the one of time or size; otherwise null. `ranks`: their places in the order by letters.
 */
export function namedInOrder(
  texts: readonly (string | undefined)[],
  ranks: ArrayLike<number>,
  locale: string,
): Named | null {
  const first = texts.find((text) => text !== undefined && text !== "") ?? "";
  const lists = namesOf(locale).filter(({ names }) => names.includes(plain(first)));
  const pattern = MAY_BE_DATE.test(first) ? patternOfDate(first, locale) : null;
  if (lists.length === 0 && (pattern === null || /^\d{4}/.test(first))) return null;
  const byRank = new Map<string, number>();
  for (const [index, text] of texts.entries()) {
    if (text === undefined || text === "") continue;
    byRank.set(text.trim(), ranks[index] ?? 0);
    if (byRank.size > MAX_TEXTS) return null;
  }
  const sorted = [...byRank].sort((one, other) => one[1] - other[1]).map(([text]) => text);
  if (sorted.length < 2) return null;
  const isOutOfOrder = (places: readonly (number | null)[]): boolean => {
    if (places.includes(null)) return false;
    return places.some((place, at) => at > 0 && Number(place) < Number(places[at - 1]));
  };
  for (const { names, named } of lists) {
    const places = sorted.map((text) => {
      const place = names.indexOf(plain(text));
      return place === -1 ? null : place % named.length;
    });
    if (isOutOfOrder(places)) return named;
  }
  if (pattern === null || sorted.every((text) => /^\d{4}/.test(text))) return null;
  const times = sorted.map((text) => {
    const date = parseDate(text, pattern, { locale, timeZone: "UTC" });
    return "problem" in date ? null : utcTime(date);
  });
  if (!isOutOfOrder(times)) return null;
  return {
    what: "dates",
    hint: (key, sortBy) =>
      `Sort by the date in the text: ${sortBy(`${key}.toDate("${pattern}")`)}.`,
  };
}

interface NamesInOrder {
  readonly names: readonly string[];
  readonly named: Named & { readonly length: number };
}

const known = createCache<readonly NamesInOrder[]>();

function namesOf(locale: string): readonly NamesInOrder[] {
  return remember(known, locale, () => readNames(locale));
}

/** Returns the names of months, weekdays and sizes in their order. The week begins on Monday. */
function readNames(locale: string): readonly NamesInOrder[] {
  const locales = [...new Set([locale, "en-US"])];
  const months = locales.flatMap((each) =>
    (["long", "short"] as const).flatMap((style) => monthNames(each, style, false).map(plain)),
  );
  const weekdays = locales.flatMap((each) =>
    (["long", "short"] as const).flatMap((style) => {
      const [sunday = "", ...others] = weekdayNames(each, style).map(plain);
      return [...others, sunday];
    }),
  );
  const ofSizes: Named["hint"] = (key, sortBy) =>
    `Sort with a number for each, as in ${sortBy(`$if(${key} == "S", 1, $if(${key} == "M", 2, 3))`)}.`;
  return [
    {
      names: months,
      named: {
        what: "names of months",
        hint: () => "Sort by a date or by the number of the month.",
        length: 12,
      },
    },
    {
      names: weekdays,
      named: {
        what: "names of weekdays",
        hint: () => "Sort by a date, or by the number of the weekday: date.weekday().",
        length: 7,
      },
    },
    {
      names: SIZES,
      named: { what: "sizes", hint: ofSizes, length: SIZES.length },
    },
  ];
}

function plain(name: string): string {
  return name.trim().toLowerCase().replace(/\.$/, "");
}
