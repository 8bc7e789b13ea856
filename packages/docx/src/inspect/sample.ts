import { SampleValues } from "./sample-value.ts";
import { isPlural } from "./sample-words.ts";
import type { DataShape, Form } from "./shape.ts";

/**
 * Creates data that a template renders without warnings. It has every key that a tag uses, with values that fit the
 * tags and, where the words of a key suggest a meaning, look realistic. Lists have three items. The first branch of an
 * `if` is shown where possible: a compared value equals the literal in its condition. No data fits a template whose
 * tags contradict each other (one tag prints a value that another repeats with keys), or a tag that never has a value,
 * such as `{{a + "x"}}`. For such a template, `check` reports the problems of the sample. If a list item consists only
 * of a section with text, the section gets a list as well. In this way, the warning about items without a separator
 * already appears with the sample, before there is real data. The same template always gives the same sample.
 */
export function sampleOf(shape: DataShape): Record<string, unknown> {
  const size = SIZES.find((each) => countFields(shape.fields, each) <= MAX_VALUES) ?? SMALLEST;
  return new SampleWriter(size).fields(shape.fields, 0);
}

/** The size of a sample: how many elements its lists have. */
interface SampleSize {
  readonly items: number;
  /** Whether lists have all the elements that tags refer to by index. */
  readonly indexes: boolean;
}

const SMALLEST: SampleSize = { items: 1, indexes: false };
const SIZES: readonly SampleSize[] = [
  { items: 3, indexes: true },
  { items: 2, indexes: true },
  { items: 1, indexes: true },
  SMALLEST,
];

/** Nested lists multiply the number of values. If a sample would have more values than this, lists get shorter. */
const MAX_VALUES = 100_000;

function countFields(fields: ReadonlyMap<string, Form>, size: SampleSize): number {
  let count = 1;
  for (const form of fields.values()) count += countForm(form, size);
  return count;
}

function countForm(form: Form, size: SampleSize): number {
  switch (form.kind) {
    case "object":
      return countFields(form.fields, size);
    case "list":
      return 1 + lengthOf(form.atLeast, size) * countForm(form.item, size);
    case "section":
      return 1 + size.items * countForm(form.item, size);
    default:
      return 1;
  }
}

function lengthOf(atLeast: number, { items, indexes }: SampleSize): number {
  return indexes ? Math.max(items, atLeast) : items;
}

class SampleWriter {
  readonly #size: SampleSize;
  readonly #values = new SampleValues();

  constructor(size: SampleSize) {
    this.#size = size;
  }

  /**
   * Returns an object with a value for each field. All entries become own properties, even a key such as `__proto__`.
   */
  fields(fields: ReadonlyMap<string, Form>, turn: number): Record<string, unknown> {
    return Object.fromEntries([...fields].map(([key, form]) => [key, this.#form(form, key, turn)]));
  }

  #form(form: Form, key: string, turn: number): unknown {
    switch (form.kind) {
      case "anything":
        return form.facts.uses.has("counted")
          ? this.#items(form, key, this.#size.items)
          : this.#values.tested(form.facts);
      case "value":
        return this.#values.value(form, { key, turn });
      case "object":
        return this.fields(form.fields, turn);
      case "list":
        return this.#items(form.item, key, lengthOf(form.atLeast, this.#size));
      case "section":
        return this.#section(form, key, turn);
    }
  }

  /** Returns a list if the name of the section or a tag in it suggests one; otherwise returns an object. */
  #section(
    { item, facts }: Extract<Form, { kind: "section" }>,
    key: string,
    turn: number,
  ): unknown {
    const isList = facts.uses.has("asked") || (isPlural(key) && !facts.uses.has("crossed"));
    return isList ? this.#items(item, key, this.#size.items) : this.#form(item, key, turn);
  }

  /** Items that no tag tests or prints are numbers. */
  #items(item: Form, key: string, count: number): unknown[] {
    return Array.from({ length: count }, (_, turn) => {
      if (item.kind !== "anything") return this.#form(item, key, turn);
      return item.facts.wish === null ? turn + 1 : this.#values.tested(item.facts);
    });
  }
}
