import { cutPlace, type TemplatePlace } from "@quire/contracts";
import type { Directive } from "../language/directive.ts";
import {
  type Expression,
  isSectionValue,
  type PathExpression,
  pathsOf,
} from "../language/grammar/expression.ts";
import { lookTarget } from "../language/looks.ts";
import type { Programs } from "../program/programs.ts";
import { placeOf } from "../template/nodes/diagnostics.ts";
import type { TagNode } from "../template/nodes/nodes.ts";
import { waysTo } from "./choices.ts";
import { type DataNode, isIndex } from "./data-node.ts";
import { gather } from "./gather.ts";
import type { Gathered } from "./gathering.ts";

/** A tag of a template, as the tags operation of the HTTP interface lists it. */
export interface TemplateTag {
  /** The tag as written, including delimiters. */
  readonly tag_content: string;
  /**
   * A section without a condition is a `for-loop`; `elseif` and other sections are `conditional`.
   * `arithmetic` includes all functions except `$join`. `table-loop` includes loops over columns.
   */
  readonly tag_type: "text" | "arithmetic" | "conditional" | "for-loop" | "table-loop" | "image";
  /**
   * The places in the data that it uses, without indexes, outer places first. The name of a loop's item is replaced
   * with the path of the list: `{{item.name}}` in `{{for item in products}}` has `products` and `products.name`. Keys
   * that are not names are in brackets: `data["first name"]`.
   */
  readonly json_paths: readonly string[];
  /** The part and the paragraph, with the tag and the text around it. Long text is shortened. */
  readonly place: TemplatePlace;
}

/**
 * Returns every tag of a template, with one entry for each occurrence, in document order. `else`, ends of blocks and
 * notes have no entries. `elseif` is conditional, and so is a section that is inverted or has a condition instead of a
 * path. Other sections are loops. `tablerow` and `tablecolumn` are table loops.
 */
export function tagsOf(
  parts: Programs & { readonly tags: readonly TagNode[] },
): readonly TemplateTag[] {
  const gathered = gather(parts);
  const paths = new JsonPaths(gathered);
  const tags: TemplateTag[] = [];
  for (const tag of parts.tags) {
    const { directive, text, place, near } = tag;
    const type = typeOf(directive, gathered.pictures);
    const expression = expressionOf(directive);
    if (type === null || expression === null) continue;
    tags.push({
      tag_content: text,
      tag_type: type,
      json_paths: paths.of(expression),
      place: cutPlace({ ...placeOf(place), tag: text, near }),
    });
  }
  return tags;
}

/** Whether a tag only changes the look of a cell, a row, a paragraph or a shape. */
export function onlyLooks({ directive }: TagNode): boolean {
  return directive.kind === "value" && isLook(directive);
}

function isLook({ expression, modifiers }: Extract<Directive, { kind: "value" }>): boolean {
  return (lookTarget(expression, modifiers) ?? "text") !== "text";
}

/** Returns the type of a tag, or null for tags that are not listed. */
function typeOf(
  directive: Directive,
  pictures: ReadonlySet<Expression>,
): TemplateTag["tag_type"] | null {
  switch (directive.kind) {
    case "value":
      if (isLook(directive)) return null;
      return pictures.has(directive.expression) ? "image" : valueType(directive.expression);
    case "for":
      return "for-loop";
    case "tablerow":
    case "tablecolumn":
      return "table-loop";
    case "section":
      return isSectionValue(directive.condition) && !directive.inverted
        ? "for-loop"
        : "conditional";
    case "if":
    case "elseif":
      return "conditional";
    default:
      return null;
  }
}

/** Returns the type of a value tag. A `$join` is listed as text, not as arithmetic. */
function valueType(expression: Expression): "text" | "arithmetic" {
  switch (expression.kind) {
    case "compute":
    case "negate":
      return "arithmetic";
    case "call":
      return expression.name === "$join" ? "text" : "arithmetic";
    default:
      return "text";
  }
}

function expressionOf(directive: Directive): Expression | null {
  if ("expression" in directive) return directive.expression;
  if ("condition" in directive) return directive.condition;
  return "collection" in directive ? (directive.shape ?? directive.collection) : null;
}

/** Maximum number of names of a path in the list. */
const MAX_NAMES = 100;
/** Limits the total length of the paths of a tag, because each path repeats the names before it. */
const MAX_CHARACTERS = 10_000;

class JsonPaths {
  readonly #gathered: Gathered;
  /** Cached, because many tags use the same place. */
  readonly #known = new Map<DataNode, readonly string[]>();

  constructor(gathered: Gathered) {
    this.#gathered = gathered;
  }

  of(expression: Expression): readonly string[] {
    const [first, ...others] = pathsOf(expression);
    if (first === undefined) return [];
    if (others.length === 0) return this.#path(first);
    const all = new Set(this.#path(first));
    for (const other of others) for (const path of this.#path(other)) all.add(path);
    return [...all];
  }

  #path(path: PathExpression): readonly string[] {
    const { places, choices } = this.#gathered;
    const node = places.get(path);
    // A tag that is not in the program, such as the copy of another tag, is listed as written.
    if (node === undefined) {
      const { head, rest } = path;
      return joined(head === null ? [] : [head, ...rest.filter((name) => !isIndex(name))]);
    }
    const known = this.#known.get(node) ?? [
      ...new Set(waysTo(node, choices).flatMap((names) => joined(names))),
    ];
    this.#known.set(node, known);
    return known;
  }
}

function joined(names: readonly string[]): readonly string[] {
  const paths: string[] = [];
  let path = "";
  let left = names.reduce((sum, name) => sum + name.length, MAX_CHARACTERS);
  for (const name of names.slice(0, MAX_NAMES)) {
    const isName = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u.test(name);
    path += isName ? `${path === "" ? "" : "."}${name}` : `[${JSON.stringify(name)}]`;
    left -= path.length;
    if (left < 0 && paths.length > 0) break;
    paths.push(path);
  }
  return paths;
}
