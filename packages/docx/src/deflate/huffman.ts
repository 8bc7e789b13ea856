/**
 * Returns the code lengths of a Huffman code with at most `limit` bits per code, by symbol; 0 for symbols that do not
 * occur. A single symbol gets length 1. Frequencies are integers.
 */
export function codeLengths(frequencies: ArrayLike<number>, limit: number): Uint8Array {
  const lengths = new Uint8Array(frequencies.length);
  const symbols = byFrequency(frequencies);
  const depths = depthsOf(symbols.map((symbol) => frequencies[symbol] ?? 0));
  const perLength = limited(depths, limit);
  // The rarest symbols get the longest codes.
  let next = 0;
  for (let bits = limit; bits > 0; bits--) {
    for (let left = perLength[bits] as number; left > 0; left--, next++) {
      lengths[symbols[next] as number] = bits;
    }
  }
  return lengths;
}

/** A number that is higher than the number of symbols. */
const SYMBOLS = 512;

/** Returns the symbols that occur, rarest first. */
function byFrequency(frequencies: ArrayLike<number>): number[] {
  const keys = new Float64Array(frequencies.length);
  let count = 0;
  for (let symbol = 0; symbol < frequencies.length; symbol++) {
    const frequency = frequencies[symbol] as number;
    if (frequency > 0) keys[count++] = frequency * SYMBOLS + symbol;
  }
  return Array.from(keys.subarray(0, count).sort(), (key) => key % SYMBOLS);
}

/** Returns the depth of each leaf of a Huffman tree, for ascending weights. */
function depthsOf(weights: readonly number[]): number[] {
  const count = weights.length;
  if (count === 1) return [1];
  const nodes: number[] = [];
  const parents = new Int32Array(2 * count);
  let leaf = 0;
  let node = 0;
  const take = (): number => {
    const isLeaf =
      leaf < count && (node >= nodes.length || (weights[leaf] ?? 0) <= (nodes[node] ?? 0));
    return isLeaf ? leaf++ : count + node++;
  };
  const weightOf = (index: number): number =>
    (index < count ? weights[index] : nodes[index - count]) ?? 0;
  for (let made = 0; made < count - 1; made++) {
    const [first, second] = [take(), take()];
    parents[first] = count + made;
    parents[second] = count + made;
    nodes.push(weightOf(first) + weightOf(second));
  }
  const depths = new Int32Array(2 * count);
  for (let index = 2 * count - 3; index >= 0; index--) {
    depths[index] = (depths[parents[index] as number] as number) + 1;
  }
  return [...depths.subarray(0, count)];
}

/** Returns the number of codes of each length, with at most `limit` bits. Short codes are lengthened to make room. */
function limited(depths: readonly number[], limit: number): Int32Array {
  const perLength = new Int32Array(limit + 1);
  let used = 0;
  for (const depth of depths) {
    const bits = Math.min(depth, limit);
    perLength[bits] = (perLength[bits] as number) + 1;
    used += 1 << (limit - bits);
  }
  // Each step splits a code that is shorter than the limit into two codes that are one bit longer. One keeps the symbol
  // of the split code; the other goes to a symbol that had one of the longest codes.
  for (; used > 1 << limit; used--) {
    perLength[limit] = (perLength[limit] as number) - 1;
    let bits = limit - 1;
    while (perLength[bits] === 0) bits -= 1;
    perLength[bits] = (perLength[bits] as number) - 1;
    perLength[bits + 1] = (perLength[bits + 1] as number) + 2;
  }
  return perLength;
}

/** Returns the canonical codes of these lengths (RFC 1951, 3.2.2), with their bits in writing order. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  const perLength = new Uint16Array(16);
  for (const length of lengths) perLength[length] = (perLength[length] as number) + 1;
  perLength[0] = 0;
  const next = new Uint16Array(17);
  for (let bits = 1; bits < 16; bits++) {
    next[bits + 1] = ((next[bits] as number) + (perLength[bits] as number)) << 1;
  }
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const code = next[length] as number;
    next[length] = code + 1;
    codes[symbol] = reversed(code, length);
  }
  return codes;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >>> bit) & 1) << (length - 1 - bit);
  return result;
}
