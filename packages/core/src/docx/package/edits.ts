/** A stretch of bytes and what stands there instead. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Changes to the bytes of a text in UTF-8, gathered in any order. One within the stretch of another is covered by it. */
export class Edits {
  readonly #edits: Edit[] = [];

  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  remove(start: number, end: number): void {
    this.replace(start, end, "");
  }

  replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text });
  }

  applyTo(source: Buffer): Buffer {
    const pieces: Uint8Array[] = [];
    let done = 0;
    for (const { start, end, text } of this.#edits.toSorted(byPlace)) {
      if (start < done) continue;
      pieces.push(source.subarray(done, start), Buffer.from(text));
      done = end;
    }
    pieces.push(source.subarray(done));
    return Buffer.concat(pieces);
  }
}

/** Of two at one place the longer comes first. */
function byPlace(a: Edit, b: Edit): number {
  return a.start - b.start || b.end - a.end;
}
