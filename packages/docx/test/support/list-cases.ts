import fc from "fast-check";

/** A decimal number with two decimals, as an integer number of hundredths. */
export type Cents = number;

export interface Item {
  readonly n: number;
  readonly price: number;
  readonly text: string;
  readonly paid: boolean;
  readonly city: string;
  readonly parts: readonly { readonly q: number }[];
}

/** The data of a case. */
export interface ListData {
  readonly items: readonly Item[];
  readonly limit: number;
  readonly wanted: string;
}

const CITIES = ["Bern", "Zug", "Äsch", "berlin"];

export const listData: fc.Arbitrary<ListData> = fc.record({
  items: fc.array(
    fc.record({
      n: fc.integer({ min: -5, max: 20 }),
      price: fc.integer({ min: -999, max: 99_999 }).map((cents) => cents / 100),
      text: fc.constantFrom("a", "B", "ä", "Z", "x 2", "x 10", "o'c"),
      paid: fc.boolean(),
      city: fc.constantFrom(...CITIES),
      parts: fc.array(fc.record({ q: fc.integer({ min: 0, max: 9 }) }), { maxLength: 3 }),
    }),
    { maxLength: 12 },
  ),
  limit: fc.integer({ min: 0, max: 6 }),
  wanted: fc.constantFrom(...CITIES),
});

/** A number for an item: as a tag writes it, and as a program computes it, in hundredths of hundredths. */
export interface NumberOf {
  readonly tag: string;
  of(item: Item): bigint;
}

/** The scale of {@link NumberOf}. */
export const SCALE = 10_000n;

const whole = (number: number): bigint => BigInt(number) * SCALE;
const money = (number: number): bigint => BigInt(Math.round(number * 100)) * 100n;

export const numberOf: fc.Arbitrary<NumberOf> = fc.constantFrom<NumberOf[]>(
  { tag: "n", of: ({ n }) => whole(n) },
  { tag: "price", of: ({ price }) => money(price) },
  { tag: "n * price", of: ({ n, price }) => BigInt(n) * money(price) },
  { tag: "price - n", of: ({ n, price }) => money(price) - whole(n) },
  {
    tag: "parts.sum(q)",
    of: ({ parts }) => whole(parts.reduce((sum, { q }) => sum + q, 0)),
  },
  { tag: "parts.count(q > 4)", of: ({ parts }) => whole(parts.filter(({ q }) => q > 4).length) },
  {
    tag: "parts.count().range().sum()",
    of: ({ parts: { length } }) => whole((length * (length + 1)) / 2),
  },
  { tag: "$if(paid, price, 0)", of: ({ paid, price }) => (paid ? money(price) : 0n) },
);

/** A condition for an item. */
export interface ConditionOf {
  readonly tag: string;
  holds(item: Item, data: ListData): boolean;
}

const simple: fc.Arbitrary<ConditionOf> = fc.oneof(
  fc.constantFrom<ConditionOf[]>(
    { tag: "paid", holds: ({ paid }) => paid },
    { tag: "paid == false", holds: ({ paid }) => !paid },
    { tag: "city == wanted", holds: ({ city }, { wanted }) => city === wanted },
    { tag: 'city in ["Bern", "Zug"]', holds: ({ city }) => city === "Bern" || city === "Zug" },
    { tag: "n in $range(-2, limit)", holds: ({ n }, { limit }) => n >= -2 && n <= limit },
    { tag: "n > limit", holds: ({ n }, { limit }) => n > limit },
    { tag: 'text.startsWith("x")', holds: ({ text }) => text.startsWith("x") },
    { tag: "parts[q > 4]", holds: ({ parts }) => parts.some(({ q }) => q > 4) },
  ),
  fc
    .record({ number: numberOf, than: fc.integer({ min: -3, max: 50 }) })
    .map(({ number, than }) => ({
      tag: `${number.tag} >= ${than}`,
      holds: (item: Item) => number.of(item) >= whole(than),
    })),
);

export const conditionOf: fc.Arbitrary<ConditionOf> = fc.oneof(
  { weight: 3, arbitrary: simple },
  {
    weight: 1,
    arbitrary: fc.tuple(simple, simple, fc.constantFrom("and", "or")).map(([a, b, word]) => ({
      tag: `${a.tag} ${word} not (${b.tag})`,
      holds: (item: Item, data: ListData) =>
        word === "and"
          ? a.holds(item, data) && !b.holds(item, data)
          : a.holds(item, data) || !b.holds(item, data),
    })),
  },
);

/** A step that makes another list of a list. */
export interface Step {
  readonly tag: string;
  of(items: readonly Item[], data: ListData): readonly Item[];
}

const collator = new Intl.Collator("en-US", { numeric: true });
const textOrder = (a: string, b: string): number =>
  collator.compare(a, b) || (a < b ? -1 : Number(a > b));

type Key = { readonly tag: string; compare(a: Item, b: Item): number };

const key: fc.Arbitrary<Key> = fc
  .tuple(
    fc.oneof(
      numberOf.map(
        ({ tag, of }): Key => ({
          tag,
          compare: (a: Item, b: Item) => Number(of(a) > of(b)) - Number(of(a) < of(b)),
        }),
      ),
      fc.constantFrom<Key[]>(
        { tag: "text", compare: (a, b) => textOrder(a.text, b.text) },
        { tag: "city", compare: (a, b) => textOrder(a.city, b.city) },
        { tag: "paid", compare: (a, b) => Number(a.paid) - Number(b.paid) },
      ),
    ),
    fc.constantFrom("", " asc", " desc"),
  )
  .map(
    ([{ tag, compare }, direction]): Key => ({
      tag: tag + direction,
      compare: (a, b) => (direction === " desc" ? -compare(a, b) : compare(a, b)),
    }),
  );

export const step: fc.Arbitrary<Step> = fc.oneof(
  conditionOf.map(
    ({ tag, holds }): Step => ({
      tag: `.where(${tag})`,
      of: (items, data) => items.filter((item) => holds(item, data)),
    }),
  ),
  simple
    .filter(({ tag }) => /[<>=]| in /.test(tag) && !tag.startsWith("parts["))
    .map(
      ({ tag, holds }): Step => ({
        tag: `[${tag}]`,
        of: (items, data) => items.filter((item) => holds(item, data)),
      }),
    ),
  fc.array(key, { minLength: 1, maxLength: 3 }).map(
    (keys): Step => ({
      tag: `.sort(${keys.map(({ tag }) => tag).join(", ")})`,
      of: (items) =>
        [...items].sort((a, b) => keys.reduce((order, { compare }) => order || compare(a, b), 0)),
    }),
  ),
  fc.constantFrom<Step[]>(
    { tag: ".reverse()", of: (items) => [...items].reverse() },
    { tag: ".limit(limit)", of: (items, { limit }) => items.slice(0, limit) },
    { tag: ".skip(1)", of: (items) => items.slice(1) },
    { tag: ".distinct(city)", of: (items) => firstOfEach(items, ({ city }) => city) },
    { tag: ".distinct(n)", of: (items) => firstOfEach(items, ({ n }) => n) },
  ),
);

export function firstOfEach(items: readonly Item[], keyOf: (item: Item) => unknown): Item[] {
  const seen = new Set<unknown>();
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}

/** Writes a number of {@link SCALE} as a tag prints it. */
export function numberText(number: bigint): string {
  const sign = number < 0n ? "-" : "";
  const digits = String(number < 0n ? -number : number).padStart(5, "0");
  const text = `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, "");
  return sign + text;
}
