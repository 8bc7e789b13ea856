/** Maximum number of characters of a bookmark's name in Word. */
const LONGEST = 40;

/** Maximum length of the suffix: a number and the underscore before it. */
const ROOM = 9;

/** Creates names for copies of bookmarks. */
export class UniqueNames {
  readonly #taken: ReadonlySet<string>;
  #counts: Map<string, number> | null = null;

  /** `taken`: names that must not be used, in lowercase, as Word compares them. */
  constructor(taken: ReadonlySet<string>) {
    this.#taken = taken;
  }

  /** Whether {@link next} returned this name, in any case. */
  gave(name: string): boolean {
    const [, start = "", number] = /^(.*)_([1-9]\d*)$/s.exec(name) ?? [];
    const key = start.slice(0, LONGEST - ROOM).toLowerCase();
    return Number(number) > 1 && Number(number) <= (this.#counts?.get(key) ?? 1);
  }

  /** Returns a similar name that is not in use. */
  next(name: string): string {
    const start = name.slice(0, LONGEST - ROOM);
    const key = start.toLowerCase();
    this.#counts ??= new Map();
    let count = this.#counts.get(key) ?? 1;
    let unique: string;
    do {
      count += 1;
      const suffix = `_${count}`;
      unique = `${name.length + suffix.length > LONGEST ? start : name}${suffix}`;
    } while (this.#taken.has(unique.toLowerCase()));
    this.#counts.set(key, count);
    return unique;
  }
}
