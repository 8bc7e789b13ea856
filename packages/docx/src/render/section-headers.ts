import { type Wording, withTags } from "../language/delimiters/wording.ts";
import type { HeadersOp } from "../program/header-op.ts";
import { attributeXml } from "../values/text.ts";
import type { Scope } from "./evaluate/context/scope.ts";
import type { PartWriter } from "./part-writer.ts";
import {
  chainOf,
  type SectionOwner,
  type SectionTurn,
  SectionTurns,
} from "./references/section-turns.ts";
import type { Rendering } from "./rendering.ts";

type Shown = NonNullable<HeadersOp["references"][number]["shown"]>;
type Need = NonNullable<Shown["needs"]>[number];

/** Gives each section of a document the headers and footers with the items of its content. */
export class SectionHeaders {
  readonly #writer: PartWriter;
  readonly #rendering: Rendering;
  // Created at first use, because most documents have no such headers.
  #turns: SectionTurns<Scope> | null = null;
  /** The relationships to the headers and footers of the last section, by element and type. */
  #shown: Map<string, string> | null = null;

  constructor(writer: PartWriter, rendering: Rendering) {
    this.#writer = writer;
    this.#rendering = rendering;
  }

  /**
   * Begins an iteration. `loop`: the number of a loop around section breaks; nothing happens without a number. `scope`:
   * null if the iteration has the names around it.
   */
  begin(loop: number | undefined, scope: Scope | null): void {
    if (loop !== undefined) this.#sections.begin(loop, scope, this.#visible);
  }

  /** Ends the iteration of `loop` that began last. */
  end(loop: number | undefined): void {
    if (loop !== undefined) this.#sections.end(this.#visible);
  }

  /** Writes the references of a section to its headers and footers, or begins the next section. */
  write(op: HeadersOp | { readonly op: "nextSection" }): void {
    if (op.op === "headers") this.#references(op);
    else this.#sections.next(this.#visible);
  }

  #references(op: HeadersOp): void {
    const owner = this.#sections.owner(op, this.#visible);
    this.#shown ??= new Map();
    for (const { element, type, shown, isExplicit } of op.references) {
      const key = `${element} ${type}`;
      const before = this.#shown.get(key);
      const id =
        this.#idOf(shown, op, owner) ?? (before === undefined ? null : this.#empty(element));
      // Word shows the header of the section before if a section names none.
      if (id === null || (!isExplicit && id === before)) continue;
      this.#shown.set(key, id);
      this.#writer.relationships.use([id]);
      const attributes = ` w:type="${attributeXml(type)}" r:id="${attributeXml(id)}"`;
      this.#writer.write(`<${element}${attributes}/>`, "unchanged");
    }
  }

  get #sections(): SectionTurns<Scope> {
    this.#turns ??= new SectionTurns();
    return this.#turns;
  }

  get #visible(): number {
    return this.#writer.mark().shown;
  }

  /** Returns the relationship to the header that a section shows; null for no header, or an empty one. */
  #idOf(shown: Shown | null, { loops }: HeadersOp, owner: SectionOwner<Scope>): string | null {
    if (shown === null || shown.part === null || shown.needs === null) return shown?.id ?? null;
    const lacking = shown.needs.filter((need) => !isIn(owner.turn, need, loops));
    for (const need of lacking) {
      const hasRun = loopsFor(need, loops).some(({ number }) =>
        this.#sections.hasRun(number, owner.turn),
      );
      if (hasRun) this.#report(need, owner);
    }
    // A loop that repeats nothing has no item to show.
    if (lacking.length > 0) return null;
    return this.#copy(shown.part, shown.id, scopeFor(shown.needs, owner.turn));
  }

  #empty(element: string): string {
    return this.#copy(element, "", null);
  }

  #copy(part: string, id: string, scope: Scope | null): string {
    const { output, budget } = this.#rendering;
    return output.copy(output.facts.mainPart, { part, id }, scope, budget.spend);
  }

  #report({ by }: Need, { isMixed }: SectionOwner<Scope>): void {
    const content = isMixed ? "content of several items" : "no content of its item";
    const problem = `is in the header or footer of a section with ${content}`;
    const hint = (): Wording => (isMixed ? ONE_ITEM : NO_ITEM);
    this.#rendering.diagnostics.invalid(by, problem, undefined, hint);
  }
}

const ONE_ITEM = withTags`End the content of each item with a section break: put it at the end of the loop, with no other condition than {{if not $last}} around it.`;

const NO_ITEM = withTags`For a section before or after the loop, switch off Link to Previous in Word, and write another header. For the last item, put {{if not $last}} before the section break and {{endif}} after it.`;

function loopsFor({ alias }: Need, loops: HeadersOp["loops"]): HeadersOp["loops"] {
  return alias === null ? loops.slice(-1) : loops.filter((loop) => loop.alias === alias);
}

/** Whether the content of a section is in an iteration that has what a header uses. */
function isIn(turn: SectionTurn<Scope> | null, need: Need, loops: HeadersOp["loops"]): boolean {
  if (need.alias !== null) return chainOf(turn).some(({ scope }) => scope?.alias === need.alias);
  return turn !== null && loopsFor(need, loops).some(({ number }) => number === turn.loop);
}

/** Returns the outermost scope that has everything that a header uses, so that other iterations share its copy. */
function scopeFor(needs: readonly Need[], turn: SectionTurn<Scope> | null): Scope | null {
  const aliases = new Set(needs.map(({ alias }) => alias));
  let scope = chainOf(turn).find((each) => each.scope !== null)?.scope ?? null;
  // In a section, any name may be a key of the item.
  while (scope !== null && scope.alias !== null && !aliases.has(null)) {
    if (aliases.has(scope.alias)) break;
    scope = scope.outer;
  }
  return scope;
}
