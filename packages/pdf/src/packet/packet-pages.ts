import type { PacketFile } from "./packet-file.ts";

/** Maximum number of children of a node in the page tree. */
const CHILDREN = 64;

interface OpenNode {
  readonly number: number;
  readonly children: number[];
  pages: number;
}

/** A balanced page tree that is written incrementally. Only one open node per level is in memory. */
export class PageTree {
  readonly #file: PacketFile;
  /** The open node of each level, from the leaves up. */
  readonly #open: (OpenNode | undefined)[] = [];
  #pages = 0;

  constructor(file: PacketFile) {
    this.#file = file;
  }

  get pages(): number {
    return this.#pages;
  }

  /** Appends a page. Returns the object number of its parent. */
  async add(page: number): Promise<number> {
    this.#pages += 1;
    const parent = this.#nodeOf(0).number;
    await this.#append(0, page, 1);
    return parent;
  }

  /** Closes all nodes. Returns the object number of the root. */
  async finish(): Promise<number> {
    for (let level = 0; level < this.#open.length - 1; level++) {
      if (this.#open[level] !== undefined) await this.#close(level);
    }
    const root = this.#nodeOf(this.#open.length - 1);
    await this.#write(root, "");
    return root.number;
  }

  async #append(level: number, child: number, pages: number): Promise<void> {
    const node = this.#nodeOf(level);
    node.children.push(child);
    node.pages += pages;
    if (node.children.length === CHILDREN) await this.#close(level);
  }

  async #close(level: number): Promise<void> {
    const node = this.#nodeOf(level);
    this.#open[level] = undefined;
    await this.#write(node, `/Parent ${this.#nodeOf(level + 1).number} 0 R`);
    await this.#append(level + 1, node.number, node.pages);
  }

  async #write({ number, children, pages }: OpenNode, parent: string): Promise<void> {
    const kids = children.map((child) => `${child} 0 R`).join(" ");
    const text = `<</Type/Pages${parent}/Count ${pages}/Kids[${kids}]>>`;
    await this.#file.put({ number, text, stream: null });
  }

  #nodeOf(level: number): OpenNode {
    const open = this.#open[level];
    if (open !== undefined) return open;
    const node: OpenNode = { number: this.#file.reserve(), children: [], pages: 0 };
    this.#open[level] = node;
    return node;
  }
}
