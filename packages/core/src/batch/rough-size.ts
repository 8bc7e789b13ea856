/** What a value without a text counts. */
const OTHER = 8;

/** No more than so many values are looked at: what has more is large. */
const MAX_VALUES = 1_000_000;

/** About how many characters a value holds: its texts and the names of its keys. Minds no circles. */
export function roughSize(value: unknown): number {
  const open: unknown[] = [value];
  let size = 0;
  for (let looked = 0; open.length > 0 && looked < MAX_VALUES; looked++) {
    const next = open.pop();
    size += OTHER;
    if (typeof next === "string") size += next.length;
    else if (ArrayBuffer.isView(next)) size += next.byteLength;
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (typeof next === "object" && next !== null) {
      for (const [key, item] of Object.entries(next)) {
        size += key.length;
        open.push(item);
      }
    }
  }
  return size;
}
