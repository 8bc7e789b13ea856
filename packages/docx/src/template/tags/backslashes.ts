import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { detach, type TextNode } from "../nodes/nodes.ts";
import { hiddenBackslashes } from "./escapes.ts";

/**
 * Backslashes in a part's text that are not printed. They are kept until the messages that quote them have been
 * created.
 */
export class Backslashes {
  readonly #hidden: number | null;
  readonly #delimiters: Delimiters;
  readonly #places = new Map<TextNode, number[]>();

  /** `hidden`: the first code point that replaces characters that the lexer must not see, or null. */
  constructor(hidden: number | null, delimiters: Delimiters) {
    this.#hidden = hidden;
    this.#delimiters = delimiters;
  }

  /** Records the backslashes in lexed text that is about to be added to a node. */
  follow(node: TextNode, lexed: string): void {
    const found = hiddenBackslashes(lexed, this.#hidden, this.#delimiters);
    if (found.length === 0) return;
    const places = this.#places.get(node) ?? [];
    for (const at of found) places.push(node.xml.length + at);
    this.#places.set(node, places);
  }

  /** Removes the recorded backslashes from the tree. */
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
