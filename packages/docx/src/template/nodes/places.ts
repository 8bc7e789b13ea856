import { AuthorCount, isBranch } from "./author-count.ts";
import { outlineOf } from "./diagnostics.ts";
import { childNamed, closest, type ElementNode, type Place } from "./nodes.ts";

/** A table around the current place, with its current row and cell. */
interface OpenTable {
  readonly table: number;
  row: number;
  cell: number;
}

/** The places of fields and links, by the element that begins each of them. */
const fieldPlaces = new WeakMap<ElementNode, Place>();

/** Elements that begin a field or a link. */
const FIELDS = new Set(["w:fldChar", "w:fldSimple", "w:hyperlink"]);

/** Records the place of an element that begins a field or a link. */
export function notePlace(element: ElementNode, place: () => Place): void {
  if (FIELDS.has(element.name)) fieldPlaces.set(element, place());
}

/** Returns the place of a field or a link, by the element that begins it. */
export function placeOfField(element: ElementNode, part: string): Place {
  const paragraph = closest(element, "w:p")?.paragraph ?? 0;
  return fieldPlaces.get(element) ?? { part, paragraph };
}

/** Maximum length of headings in messages. */
const HEADING_LENGTH = 80;

/** Follows the elements of a part as they open and close, and tracks the current place for messages. */
export class Places {
  readonly #part: string;
  readonly #headingStyles: ReadonlySet<string>;
  readonly #ofParagraph = new Map<number, Place>();
  readonly #tables: OpenTable[] = [];
  readonly #count = new AuthorCount();
  #heading: string | null = null;
  /** For each open alternative, the heading above it, which is the same for all of its branches. */
  readonly #headings: (string | null)[] = [];

  constructor(part: string, headingStyles: ReadonlySet<string>) {
    this.#part = part;
    this.#headingStyles = headingStyles;
  }

  /** Begins an element. Returns its number if it is a paragraph; otherwise 0. */
  open(name: string): number {
    this.#count.open(name);
    const table = this.#tables.at(-1);
    if (name === "w:tbl") {
      this.#tables.push({ table: this.#count.tables, row: 0, cell: 0 });
    } else if (name === "w:tr" && table !== undefined) {
      table.row += 1;
      table.cell = 0;
    } else if (name === "w:tc" && table !== undefined) {
      table.cell += 1;
    } else if (name === "mc:AlternateContent") {
      this.#headings.push(this.#heading);
    } else if (isBranch(name)) {
      this.#heading = this.#headings.at(-1) ?? null;
    } else if (name === "w:p") {
      const { paragraphs } = this.#count;
      this.#ofParagraph.set(paragraphs, this.#place(paragraphs));
      return paragraphs;
    }
    return 0;
  }

  /** Ends an element whose children are complete. */
  close(element: ElementNode): void {
    const { name } = element;
    this.#count.close(name);
    if (name === "w:tbl") this.#tables.pop();
    else if (name === "mc:AlternateContent") this.#headings.pop();
    else if (name === "w:p" && this.#isHeading(element)) {
      const text = outlineOf(element).text.trim();
      if (text !== "") this.#heading = text.slice(0, HEADING_LENGTH);
    }
  }

  /** Returns the place of content in a paragraph. */
  at(paragraph: ElementNode | null): Place {
    return this.ofParagraph(paragraph?.paragraph ?? 0);
  }

  ofParagraph(number: number): Place {
    return this.#ofParagraph.get(number) ?? this.#place(0);
  }

  #place(paragraph: number): Place {
    const table = this.#tables.at(-1);
    return {
      part: this.#part,
      paragraph,
      ...(this.#heading === null ? {} : { heading: this.#heading }),
      ...(table === undefined ? {} : { table: table.table, row: table.row, cell: table.cell }),
    };
  }

  #isHeading(paragraph: ElementNode): boolean {
    const properties = childNamed(paragraph, "w:pPr");
    if (properties === null) return false;
    if (childNamed(properties, "w:outlineLvl") !== null) return true;
    const style = childNamed(properties, "w:pStyle")?.attributes ?? "";
    return this.#headingStyles.has(/ w:val="([^"]*)"/.exec(style)?.[1] ?? "");
  }
}
