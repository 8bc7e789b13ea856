import type { Op } from "../program/ops.ts";
import type { PictureShape } from "../program/picture-shape.ts";
import { relationshipIdsIn } from "../template/relationship-ids.ts";

/** Finds the relationships that a part may use or not, depending on the data. */
export class OptionalRelationships {
  readonly #used = new Set<string>();
  readonly #always = new Set<string>();

  /** Reads ops. `always`: whether every document with the part has their output. */
  read(ops: readonly Op[], always: boolean): void {
    for (const op of ops) this.#read(op, always);
  }

  #read(op: Op, always: boolean): void {
    switch (op.op) {
      case "static":
        for (const id of op.relationships ?? []) (always ? this.#always : this.#used).add(id);
        break;
      case "chart":
        // Another iteration may use the relationship, and this one a new relationship.
        this.#used.add(op.id);
        break;
      case "headers":
        // Another section may show the header, or this one a copy of it.
        for (const { shown } of op.references) this.#used.add(shown?.id ?? "");
        break;
      case "picture":
        // Whether the picture of the template is written is not recorded, so it is always kept.
        for (const id of idsIn(op.shape)) this.#always.add(id);
        break;
      case "look":
        // Whether the property of the template is written is not recorded, either.
        for (const id of relationshipIdsIn(op.otherwise) ?? []) this.#always.add(id);
        break;
      case "choose":
        for (const { body } of op.branches) this.read(body, false);
        break;
      case "paragraph":
        this.read(op.marks, false);
        this.read(op.body, false);
        break;
      case "reference":
        this.read(op.body, false);
        this.read(op.otherwise, false);
        break;
      case "container":
      case "shrink":
      case "flow":
        this.read(op.body, always);
        break;
      case "table":
        this.read(op.body, always && !op.vanishes);
        break;
      default:
        if ("body" in op) this.read(op.body, false);
    }
  }

  /** Returns the `ids` that a document may lack. */
  among(ids: Iterable<string>): ReadonlySet<string> {
    return new Set([...ids].filter((id) => this.#used.has(id) && !this.#always.has(id)));
  }
}

function idsIn({ pieces, original }: PictureShape): string[] {
  return [...pieces, ...original].flatMap((piece) =>
    typeof piece === "string" ? (relationshipIdsIn(piece) ?? []) : [],
  );
}
