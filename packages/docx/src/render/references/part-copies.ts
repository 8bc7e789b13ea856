import { QuireError } from "@quire/contracts";
import { relationshipsPartOf } from "@quire/ooxml/internal/package/relationships";
import type { CopyPlan, PlannedPart } from "../../program/copy-plan.ts";
import type { Spend } from "../../values/budget.ts";
import { type TemplateRelationship, targetFrom } from "./package-lists.ts";

/** What copies need to know about an iteration of a block. */
interface Turn {
  ids: Map<string, number> | null;
}

/** A chart, header or footer in one iteration, or outside all blocks. */
export interface PartCopy<Iteration> {
  readonly plan: CopyPlan;
  readonly scope: Iteration | null;
  /** Whether it has the parts of the template. */
  readonly isOriginal: boolean;
  /** The names of its parts, by their names in the template. */
  readonly names: ReadonlyMap<string, string>;
}

/** A part of a copy. */
export interface CopiedPart {
  readonly name: string;
  /** The part in the template. */
  readonly of: PlannedPart;
}

/** The steps for a part of a copy, and the bytes of content that take another step. */
const STEPS = 200;
const BYTES_OF_STEP = 8;

/** A zip cannot have more parts. */
const MAX_PARTS = 65_000;

/**
 * The charts, headers and footers that one document shows with other values in each iteration. The first copy has the
 * parts of the template, and further copies get parts with other names. All references in an iteration share a copy.
 */
export class PartCopies<Iteration extends Turn> {
  readonly #plans: ReadonlyMap<string, CopyPlan>;
  readonly #hasPart: (name: string) => boolean;
  readonly #copies: PartCopy<Iteration>[] = [];
  /** The parts of all copies except for the originals, by name. */
  readonly #parts = new Map<
    string,
    { readonly copy: PartCopy<Iteration>; readonly of: PlannedPart }
  >();
  /** The number of these parts and of their relationships parts. */
  #entries = 0;
  /** The copies outside all blocks, as in {@link Turn}. */
  readonly #outside = new Map<string, number>();
  readonly #begun = new Set<CopyPlan>();
  /** The last number in a name, by the name without its number, in lower case. */
  readonly #numbers = new Map<string, number>();

  constructor({
    plans,
    hasPart,
  }: {
    readonly plans: ReadonlyMap<string, CopyPlan>;
    readonly hasPart: (name: string) => boolean;
  }) {
    this.#plans = plans;
    this.#hasPart = hasPart;
  }

  /** All copies, in the order of their first references. */
  get all(): readonly PartCopy<Iteration>[] {
    return this.#copies;
  }

  /** Returns the copy of a part for an iteration. Throws `limit_exceeded` for too many. */
  at(part: string, scope: Iteration | null, spend: Spend): PartCopy<Iteration> {
    if (scope !== null) scope.ids ??= new Map();
    const ids = scope?.ids ?? this.#outside;
    const key = `part${part}`;
    const known = this.#copies[ids.get(key) ?? -1];
    if (known !== undefined) return known;
    const plan = this.#plans.get(part);
    if (plan === undefined) throw new Error("The part is not copied.");
    ids.set(key, this.#copies.length);
    const copy = this.#copy(plan, scope, spend);
    this.#copies.push(copy);
    return copy;
  }

  #copy(plan: CopyPlan, scope: Iteration | null, spend: Spend): PartCopy<Iteration> {
    const isOriginal = !plan.isNew && !this.#begun.has(plan);
    this.#begun.add(plan);
    const names = new Map<string, string>();
    const copy = { plan, scope, isOriginal, names };
    for (const of of plan.parts) {
      spend(STEPS + (isOriginal ? 0 : Math.ceil(of.size / BYTES_OF_STEP)), "copies");
      const name = isOriginal ? of.part : this.#newName(of.part);
      names.set(of.part, name);
      if (isOriginal) continue;
      this.#parts.set(name, { copy, of });
      this.#entries += of.relationships.length > 0 ? 2 : 1;
    }
    if (this.#entries > MAX_PARTS) throw tooMany();
    return copy;
  }

  /** Returns the name of a part with the next free number: `word/charts/chart2.xml`. */
  #newName(part: string): string {
    const [, stem = "", extension = ""] = /^(.*?)\d*(\.[^./]*)?$/.exec(part) ?? [];
    const key = `${stem}${extension}`.toLowerCase();
    let number = this.#numbers.get(key) ?? 0;
    let name: string;
    do {
      number += 1;
      name = `${stem}${number}${extension}`;
    } while (this.#hasPart(name) || this.#hasPart(relationshipsPartOf(name)));
    this.#numbers.set(key, number);
    return name;
  }

  /** Returns the parts of all copies except for the originals. */
  *parts(): Generator<CopiedPart> {
    for (const [name, { of }] of this.#parts) yield { name, of };
  }

  /** Returns the relationships of a part of a copy, after its name in the template; undefined for any other part. */
  relationshipsOf(
    name: string,
  ): readonly [of: string, relationships: readonly TemplateRelationship[]] | undefined {
    const found = this.#parts.get(name);
    if (found === undefined) return undefined;
    const relationships = found.of.relationships.map(({ id, type, target, external, part }) => {
      const copied = part === null ? undefined : found.copy.names.get(part);
      return {
        id,
        type,
        target: copied === undefined ? target : targetFrom(name, copied),
        external,
      };
    });
    return [found.of.part, relationships];
  }
}

function tooMany(): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The document has more than ${MAX_PARTS.toLocaleString("en-US")} parts, because each repetition of a loop has its own charts, headers and footers. Split the data into several documents.`,
  );
}
