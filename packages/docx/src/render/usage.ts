import { nearest, pointerOf } from "@quire/contracts";
import { type Expression, type PathExpression, pathsOf } from "../language/expression.ts";
import { didYouMean } from "../language/suggest.ts";
import type { Op } from "../program/ops.ts";
import type { NotesProgram, PartProgram } from "../program/programs.ts";
import type { Diagnostics } from "./evaluate/document-diagnostics.ts";
import type { RenderData } from "./evaluate/scope.ts";

/** How a template uses a place in the data. The elements of a list share one `Usage`. */
export interface Usage {
  /** Whether the value itself is used, including everything in it. */
  whole: boolean;
  readonly keys: Map<string, Usage>;
}

/** A name or a section around a tag, and the places in the data that it may mean. */
interface UsageScope {
  readonly alias: string | null;
  readonly usages: readonly Usage[];
}

/**
 * Maximum number of places that a name may mean. The number grows with the nesting of sections. Above this maximum, all
 * of the data counts as used.
 */
const MAX_PLACES = 64;

/**
 * Returns all places in the data that the programs of a template use. The paths in a note are resolved at each
 * reference to the note.
 */
export function usageOf(programs: readonly PartProgram[], notes: readonly NotesProgram[]): Usage {
  const walk = new UsageWalk(notes);
  const nothing: readonly UsageScope[] = [];
  for (const { ops } of programs) walk.ops(ops, nothing);
  for (const { referenced, notes: all } of notes) {
    for (const { special, body } of all) if (special || !referenced) walk.ops(body, nothing);
  }
  return walk.root;
}

/** Maximum number of blocks for which a note is examined. Above this number, all of the data counts as used. */
const MAX_VISITS = 64;

/** The body of a note, and the blocks around each known reference. */
interface VisitedNote {
  readonly body: readonly Op[];
  readonly visits: Set<readonly UsageScope[]>;
}

class UsageWalk {
  readonly root: Usage = { whole: false, keys: new Map() };
  readonly #notes = new Map<string, VisitedNote>();

  constructor(notes: readonly NotesProgram[]) {
    for (const { kind, notes: all } of notes) {
      for (const { id, body } of all) this.#notes.set(`${kind}${id}`, { body, visits: new Set() });
    }
  }

  ops(ops: readonly Op[], scopes: readonly UsageScope[]): void {
    for (const op of ops) this.#op(op, scopes);
  }

  #op(op: Op, scopes: readonly UsageScope[]): void {
    const { root } = this;
    switch (op.op) {
      case "text":
        useWhole(op.expression, scopes, root);
        break;
      case "picture":
        useWhole(op.expression, scopes, root);
        for (const other of op.shape.others) this.#op(other, scopes);
        break;
      case "link":
        for (const piece of op.pieces) if (typeof piece !== "string") this.#op(piece, scopes);
        break;
      case "note":
        this.#note(op, scopes);
        break;
      case "repeat": {
        const usages = usagesAt(op.collection, scopes, root);
        this.ops(op.body, [...scopes, { alias: op.alias, usages }]);
        break;
      }
      case "section":
        this.#section(op, scopes);
        break;
      case "choose":
        for (const { condition, body } of op.branches) {
          if (condition !== null) useTested(condition, scopes, root);
          this.ops(body, scopes);
        }
        break;
      case "columns":
        for (const { collection } of op.repeated) usagesAt(collection, scopes, root);
        break;
      default:
        if ("body" in op) this.ops(op.body, scopes);
    }
  }

  #note({ kind, id }: Extract<Op, { op: "note" }>, scopes: readonly UsageScope[]): void {
    const note = this.#notes.get(`${kind}${id}`);
    if (note === undefined || note.visits.has(scopes)) return;
    if (note.visits.size === MAX_VISITS) {
      this.root.whole = true;
      return;
    }
    note.visits.add(scopes);
    this.ops(note.body, scopes);
  }

  #section(op: Extract<Op, { op: "section" }>, scopes: readonly UsageScope[]): void {
    useTested(op.condition, scopes, this.root);
    const scoped = op.condition.kind === "path" && !op.inverted;
    const usages = scoped ? usagesAt(op.condition as PathExpression, scopes, this.root) : null;
    this.ops(op.body, usages === null ? scopes : [...scopes, { alias: null, usages }]);
  }
}

function useWhole(expression: Expression, scopes: readonly UsageScope[], root: Usage): void {
  for (const path of pathsOf(expression)) {
    for (const usage of usagesAt(path, scopes, root)) usage.whole = true;
  }
}

/**
 * Records the use of a tested value. Testing a single path does not use the content of the value, but comparing and
 * computing do.
 */
function useTested(expression: Expression, scopes: readonly UsageScope[], root: Usage): void {
  if (expression.kind === "path") usagesAt(expression, scopes, root);
  else useWhole(expression, scopes, root);
}

/** Returns the places that a path may mean: in a section, its first name may be a key of the item or of the data. */
function usagesAt(path: PathExpression, scopes: readonly UsageScope[], root: Usage): Usage[] {
  let at = headUsages(path.head, scopes, root);
  // The whole path may be one key with dots.
  if (path.head !== null && path.rest.length > 0) {
    for (const usage of headUsages(path.source, scopes, root)) usage.whole = true;
  }
  for (const key of path.rest) {
    const inner = at.map((usage) => keyOf(usage, key));
    // Digits mean either an index, in which case all elements share their keys, or a key of an object.
    at = /^\d+$/.test(key) ? [...at, ...inner].slice(0, MAX_PLACES) : inner;
  }
  return at;
}

function headUsages(head: string | null, scopes: readonly UsageScope[], root: Usage): Usage[] {
  if (head === null) return [...(scopes.at(-1)?.usages ?? [root])];
  const named = scopes.findLast(({ alias }) => alias === head);
  if (named !== undefined) return [...named.usages];
  const sections = scopes.filter(({ alias }) => alias === null).flatMap(({ usages }) => usages);
  if (sections.length > MAX_PLACES) {
    root.whole = true;
    return [];
  }
  return [root, ...sections].map((usage) => keyOf(usage, head));
}

function keyOf(usage: Usage, key: string): Usage {
  let inner = usage.keys.get(key);
  if (inner === undefined) {
    inner = { whole: false, keys: new Map() };
    usage.keys.set(key, inner);
  }
  return inner;
}

/** Warns about each key of the data that no tag uses, once for all elements of a list. */
export function reportUnused(data: RenderData, usage: Usage, diagnostics: Diagnostics): void {
  new UnusedKeys(diagnostics).object(data, usage);
}

/**
 * Returns the keys that tags use but that an object does not have. Keys that consist of digits are ignored, because
 * they mean elements of lists.
 */
function wantedIn(object: object, usage: Usage): string[] {
  const wanted = [...usage.keys.keys()].filter(
    (each) => !Object.hasOwn(object, each) && !/^\d+$/.test(each),
  );
  return wanted.slice(0, MAX_WANTED);
}

/** Maximum number of names to search for a suggestion. */
const MAX_WANTED = 500;

/** Maximum number of unused keys reported. */
const MAX_REPORTED = 100;

/** The search stops after this number of unused keys, of which the first hundred are reported. */
const MAX_UNUSED = 1000;

/** Deeper data is not worth reporting, and may be infinitely deep. */
const MAX_DEPTH = 500;

/** The uses of an object's keys, in order, or null for a key whose value is not searched. */
interface Layout {
  readonly keys: string[];
  readonly uses: (Usage | "unused" | null)[];
}

class UnusedKeys {
  readonly #diagnostics: Diagnostics;
  /** The objects of a list usually have their keys in the same order. */
  readonly #layouts = new Map<Usage, Layout>();
  readonly #path: (string | number)[] = [];
  readonly #reported = new Map<Usage, Set<string>>();
  #count = 0;

  constructor(diagnostics: Diagnostics) {
    this.#diagnostics = diagnostics;
  }

  object(object: object, usage: Usage): void {
    if (usage.whole || this.#count > MAX_UNUSED) return;
    let layout = this.#layouts.get(usage);
    if (layout === undefined) {
      layout = { keys: [], uses: [] };
      this.#layouts.set(usage, layout);
    }
    let at = -1;
    // A list may contain a million objects, and Object.keys() would create an array for each.
    for (const key in object) {
      at += 1;
      if (layout.keys[at] !== key) {
        layout.keys[at] = key;
        layout.uses[at] = Object.hasOwn(object, key) ? this.#useOf(usage, key) : null;
      }
      const use = layout.uses[at] as Layout["uses"][number];
      if (use === null) continue;
      const value: unknown = (object as Record<string, unknown>)[key];
      this.#path.push(key);
      if (use !== "unused") this.#value(value, use);
      else if (value !== undefined) {
        this.#report(key, object, usage);
        layout.uses[at] = null;
      }
      this.#path.pop();
    }
  }

  /**
   * Returns how a key is used, or null if its value need not be searched. A value that is only tested, or repeated
   * without using its items, counts as used.
   */
  #useOf(usage: Usage, key: string): Layout["uses"][number] {
    const inner = usage.keys.get(key);
    if (inner === undefined) return this.#isReported(usage, key) ? null : "unused";
    return inner.whole || inner.keys.size === 0 ? null : inner;
  }

  #isReported(usage: Usage, key: string): boolean {
    return this.#reported.get(usage)?.has(key) === true;
  }

  #value(value: unknown, usage: Usage): void {
    if (typeof value !== "object" || value === null || value instanceof Date) return;
    if (!Array.isArray(value)) {
      this.object(value, usage);
      return;
    }
    if (this.#path.length > MAX_DEPTH) return;
    for (let index = 0; index < value.length; index++) {
      this.#path.push(index);
      this.#value(value[index], usage);
      this.#path.pop();
    }
  }

  #report(key: string, object: object, usage: Usage): void {
    this.#count += 1;
    const reported = this.#reported.get(usage) ?? new Set();
    this.#reported.set(usage, reported.add(key));
    const path = this.#path;
    const name = path.filter((each) => typeof each === "string").join(".");
    // Keys above this limit are not reported.
    const near = this.#count > MAX_REPORTED ? null : nearest(key, wantedIn(object, usage));
    const around = name.slice(0, name.length - key.length);
    this.#diagnostics.addToData({
      severity: "warning",
      code: "unused_value",
      message: `The tag '${name}' was provided but not used in the template.`,
      ...(near === null ? {} : { hint: didYouMean(around + near, name) }),
      pointer: pointerOf(path),
    });
  }
}
