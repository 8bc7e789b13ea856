import { Buffer } from "node:buffer";
import { opensIn } from "@quire/ooxml/internal/xml/depth";
import type { StaticPiece } from "../deflate/pieces.ts";
import type { StaticTexts } from "../deflate/template-code.ts";

/** Assigns numbers to static texts. */
export class Statics {
  readonly #texts: { bytes: Uint8Array; block: number }[] = [];
  readonly #outer: number[] = [-1];
  readonly #repeats: boolean[] = [false];
  readonly #values: number[] = [0];

  /** Adds a block within another. Returns its number. */
  block(outer: number, repeats: boolean): number {
    this.#outer.push(outer);
    this.#repeats.push(repeats || this.#repeats[outer] === true);
    this.#values.push(0);
    return this.#outer.length - 1;
  }

  value(block: number): void {
    this.#values[block] = (this.#values[block] ?? 0) + 1;
  }

  add(xml: string, block: number): StaticPiece {
    const bytes = Buffer.from(xml);
    this.#texts.push({ bytes, block });
    const index = this.#texts.length - 1;
    return { xml, bytes, index, from: 0, to: bytes.length, whole: true, opens: opensIn(xml) };
  }

  finish(): StaticTexts {
    return {
      texts: this.#texts,
      outer: this.#outer,
      repeats: this.#repeats,
      values: this.#values,
    };
  }
}
