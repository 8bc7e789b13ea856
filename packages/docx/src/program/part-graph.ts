import { relationshipsPartOf } from "@quire/ooxml/internal/package/relationships";

/** A relationship from one part of a template to another. */
export interface PartLink {
  readonly id: string;
  /** The part to which it leads. */
  readonly part: string;
  /** The ids by which content uses it. If content uses none of them, the relationship is lost. */
  readonly names: readonly string[];
}

/** The relationships that a document does not need, by the part that has them. */
export type LostRelationships = ReadonlyMap<string, ReadonlySet<string>>;

/** How the parts of a template lead to each other, including the parts of included templates. */
export class PartGraph {
  readonly #read: (part: string) => readonly PartLink[];
  readonly #links = new Map<string, readonly PartLink[]>();
  #all: ReadonlySet<string> | null = null;

  /** `read` returns the relationships of a part, or of the package itself (`""`). */
  constructor(read: (part: string) => readonly PartLink[]) {
    this.#read = read;
  }

  /** Returns the ids of a part's relationships to other parts. */
  idsIn(part: string): readonly string[] {
    return this.#linksOf(part).map(({ id }) => id);
  }

  /** Whether a relationship is lost if content does not use `lost`. */
  isLost(part: string, id: string, lost: LostRelationships): boolean {
    const ids = lost.get(part);
    if (ids === undefined) return false;
    const link = this.#linksOf(part).find((each) => each.id === id);
    return link !== undefined && isLostLink(link, ids);
  }

  /** Returns the parts to which nothing leads without the lost relationships, with their relationships parts. */
  unreachable(lost: LostRelationships): ReadonlySet<string> {
    this.#all ??= this.#reachable(new Map());
    const kept = this.#reachable(lost);
    const parts = [...this.#all].filter((part) => !kept.has(part));
    return new Set(parts.flatMap((part) => [part, relationshipsPartOf(part)]));
  }

  #reachable(lost: LostRelationships): Set<string> {
    const found = new Set([""]);
    // The loop also visits the parts that it adds.
    for (const part of found) {
      const ids = lost.get(part);
      for (const link of this.#linksOf(part)) {
        if (ids === undefined || !isLostLink(link, ids)) found.add(link.part);
      }
    }
    return found;
  }

  #linksOf(part: string): readonly PartLink[] {
    const links = this.#links.get(part) ?? this.#read(part);
    this.#links.set(part, links);
    return links;
  }
}

function isLostLink({ names }: PartLink, lost: ReadonlySet<string>): boolean {
  return names.every((name) => lost.has(name));
}
