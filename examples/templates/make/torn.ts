// Splits tags as Word saves them: into several runs at arbitrary positions, with spelling marks, bookmarks, language
// changes and page-break hints. The positions depend only on the tag and the number of runs.

import {
  Bookmark,
  BuilderElement,
  type IRunOptions,
  LastRenderedPageBreak,
  type ParagraphChild,
  TextRun,
} from "docx";

export interface Wear {
  /** The number of runs, at most one per character. */
  readonly runs: number;
  /** The formatting of only the first run. The rendered value must have it. */
  readonly first?: IRunOptions;
  /** The mark between the runs. "spelling" is the most common mark in Word files. */
  readonly noise?: "none" | "spelling" | "grammar" | "page-break" | { readonly bookmark: string };
}

export function torn(tag: string, wear: Wear): ParagraphChild[] {
  const noise = wear.noise ?? "spelling";
  const runs = cut(tag, wear.runs).map((text, index) => pieceOf(text, index, wear));
  if (noise === "none" || noise === "page-break") return runs;
  const middle = Math.floor(runs.length / 2);
  if (typeof noise === "object") {
    const children = runs.slice(middle, middle + 1);
    const bookmark = new Bookmark({ id: noise.bookmark, children });
    return [...runs.slice(0, middle), bookmark, ...runs.slice(middle + 1)];
  }
  const kind = noise === "spelling" ? "spell" : "gram";
  const [start, finish] = [new ProofMark(`${kind}Start`), new ProofMark(`${kind}End`)];
  return [
    ...runs.slice(0, 1),
    start,
    ...runs.slice(1, middle + 1),
    finish,
    ...runs.slice(middle + 1),
  ];
}

function pieceOf(text: string, index: number, { first, noise }: Wear): TextRun {
  if (index === 0) return new TextRun({ ...first, text });
  if (noise === "page-break" && index === 1) {
    return new TextRun({ children: [new LastRenderedPageBreak(), text] });
  }
  if (index % 3 === 1) return new TextRun({ text, language: { value: "en-GB" } });
  return index % 3 === 2 ? new TextRun({ text, noProof: true }) : new TextRun(text);
}

/** Splits at distinct positions. With five or more runs, one position is between the two opening braces. */
function cut(text: string, runs: number): string[] {
  const wanted = Math.min(runs, text.length) - 1;
  const places = new Set<number>(wanted >= 4 ? [1] : []);
  let state = [...text].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0, runs);
  while (places.size < wanted) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    places.add(1 + ((state >>> 8) % (text.length - 1)));
  }
  const edges = [0, ...[...places].sort((a, b) => a - b), text.length];
  return edges.slice(1).map((edge, index) => text.slice(edges[index], edge));
}

/** The element `w:proofErr`, for which docx has no class. This class extends `TextRun` only for the compiler. */
class ProofMark extends TextRun {
  readonly #type: string;

  constructor(type: string) {
    super("");
    this.#type = type;
  }

  override prepForXml(context: Parameters<TextRun["prepForXml"]>[0]) {
    const attributes = { type: { key: "w:type", value: this.#type } };
    return new BuilderElement({ name: "w:proofErr", attributes }).prepForXml(context);
  }
}
