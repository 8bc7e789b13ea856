import type { PlacedGlyph } from "../form/text-glyphs.ts";

/** A string found on a page, from its first glyph to its last. */
export interface TextMatch {
  readonly sentinel: string;
  readonly first: PlacedGlyph;
  readonly last: PlacedGlyph;
}

/** Maximum gap and overlap of adjacent glyphs of a word, relative to the font size. */
const WIDEST_GAP = 1;
const DEEPEST_OVERLAP = 0.6;
/** Maximum vertical distance of glyphs on one line, relative to the font size. */
const LARGEST_STEP = 0.3;

/** Equal strings that are closer than this, in points, count as one, because a shadow is drawn as a second string. */
const SAME_PLACE = 1;

/**
 * Finds sentinels among the glyphs of a page, even if the PDF splits them into pieces. Consecutive glyphs that are far
 * apart do not form a word. A sentinel within a longer sentinel is not reported.
 */
export function matchText(
  glyphs: readonly PlacedGlyph[],
  sentinels: readonly string[],
): TextMatch[] {
  let text = "";
  /** For each character, the index of its glyph. */
  const owners: number[] = [];
  for (const [index, glyph] of glyphs.entries()) {
    const meant = glyph.text.normalize("NFKC");
    for (let count = 0; count < meant.length; count++) owners.push(index);
    text += meant;
  }
  const longestFirst = [...new Set(sentinels)].sort((a, b) => b.length - a.length);
  const found: { readonly from: number; readonly to: number; readonly match: TextMatch }[] = [];
  const taken = new Uint8Array(text.length);
  for (const sentinel of longestFirst) {
    for (let at = text.indexOf(sentinel); at !== -1; at = text.indexOf(sentinel, at + 1)) {
      const to = at + sentinel.length;
      const [from, until] = [owners[at] ?? 0, owners[to - 1] ?? 0];
      if (taken[at] === 1 || !isWord(glyphs, from, until)) continue;
      taken.fill(1, at, to);
      const [first, last] = [glyphs[from], glyphs[until]];
      if (first === undefined || last === undefined) continue;
      found.push({ from: at, to, match: { sentinel, first, last } });
    }
  }
  found.sort((a, b) => a.from - b.from);
  return withoutShadows(found.map(({ match }) => match));
}

function isWord(glyphs: readonly PlacedGlyph[], from: number, until: number): boolean {
  for (let index = from; index < until; index++) {
    const [one, next] = [glyphs[index], glyphs[index + 1]];
    if (one === undefined || next === undefined || !follows(one, next)) return false;
  }
  return true;
}

/** Whether a glyph follows another glyph on its line. */
function follows(one: PlacedGlyph, next: PlacedGlyph): boolean {
  const [alongX, alongY] = [one.endX - one.x, one.endY - one.y];
  const length = Math.hypot(alongX, alongY);
  const [apartX, apartY] = [next.x - one.endX, next.y - one.endY];
  const size = Math.max(one.fontSize, next.fontSize);
  // Marks over a letter have no width, and therefore no direction.
  if (length < 1e-6) return Math.hypot(apartX, apartY) <= WIDEST_GAP * size;
  const gap = (apartX * alongX + apartY * alongY) / length;
  const step = Math.abs(apartX * alongY - apartY * alongX) / length;
  return gap <= WIDEST_GAP * size && gap >= -DEEPEST_OVERLAP * size && step <= LARGEST_STEP * size;
}

function withoutShadows(matches: readonly TextMatch[]): TextMatch[] {
  /** The matches, by grid square and sentinel. */
  const kept = new Map<string, TextMatch[]>();
  return matches.filter((match) => {
    const { sentinel, first } = match;
    const [column, row] = [Math.round(first.x / SAME_PLACE), Math.round(first.y / SAME_PLACE)];
    const near = AROUND.flatMap(([x, y]) => kept.get(`${column + x} ${row + y} ${sentinel}`) ?? []);
    const isShadow = near.some(
      (other) => Math.hypot(other.first.x - first.x, other.first.y - first.y) < SAME_PLACE,
    );
    if (isShadow) return false;
    const square = `${column} ${row} ${sentinel}`;
    kept.set(square, [...(kept.get(square) ?? []), match]);
    return true;
  });
}

const AROUND = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const));
