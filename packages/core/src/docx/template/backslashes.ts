import type { Delimiters } from "./delimiters.ts";
import { hiddenBackslashes } from "./escapes.ts";
import { detach, type TextNode } from "./nodes.ts";

/** Backslashes of a part's texts that do not print: they stay until messages have quoted them. */
export class Backslashes {
  readonly #hidden: number | null;
  readonly #delimiters: Delimiters;
  readonly #places = new Map<TextNode, number[]>();

  /** `hidden` is what stands for what the lexer must not see. */
  constructor(hidden: number | null, delimiters: Delimiters) {
    this.#hidden = hidden;
    this.#delimiters = delimiters;
  }

  /** Notes those of a text, as it was lexed, that is about to be added to a node. */
  follow(node: TextNode, lexed: string): void {
    const found = hiddenBackslashes(lexed, this.#hidden, this.#delimiters);
    if (found.length === 0) return;
    const places = this.#places.get(node) ?? [];
    for (const at of found) places.push(node.xml.length + at);
    this.#places.set(node, places);
  }

  /** Takes them out of the tree. */
  drop(): void {
    for (const [node, places] of this.#places) {
      let text = "";
      let from = 0;
      for (const at of places) {
        text += node.xml.slice(from, at);
        from = at + 1;
      }
      node.xml = text + node.xml.slice(from);
      if (node.xml === "") detach(node);
    }
  }
}
