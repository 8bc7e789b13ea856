import { kindOf } from "../../format/print.ts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import {
  type Expression,
  type PathExpression,
  pathsOf,
  sourceOf,
  spellKey,
} from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import { written } from "../../language/literal-conditions.ts";
import { spellModifiers } from "../../language/spell-modifiers.ts";
import { jsonHint, positionHint } from "./built-in-meant.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { hasOwn, isThere, resolve } from "./context/scope.ts";
import { FROM_ZERO } from "./doubts.ts";
import { elementHint, type MissingTag } from "./hints/element-hints.ts";
import { itemByKey } from "./hints/item-by-key.ts";
import { sumOfProducts } from "./hints/list-products.ts";
import { mathHint, roundHint } from "./hints/math-hints.ts";

/** Returns the hint for a tag without a value that its form explains better than a similar name does; null for others. */
export function hintForForm(
  tag: MissingTag,
  path: PathExpression,
  env: Evaluation,
): Wording | null {
  const { expression } = tag;
  return (
    elementHint(tag) ??
    productHint(tag, path, env) ??
    mathHint(expression, path) ??
    roundHint(tag, path) ??
    keyHint(expression, env) ??
    indexHint(path, env) ??
    jsonHint(path, env) ??
    unquotedHint(tag, env)
  );
}

/** `{{labour.sum(hours) * rate :: number(2)}}`, where the items have the rate. */
function productHint(
  { expression, modifiers }: MissingTag,
  path: PathExpression,
  env: Evaluation,
): Wording | null {
  if (path.head === null || isThere(path.head, env)) return null;
  const meant = sumOfProducts(expression, path, (list, key) => {
    const source = sourceOf(list);
    const items = source === null ? null : resolve(source, env);
    return Array.isArray(items) && items.length > 0 && items.every((item) => hasOwn(item, key));
  });
  if (meant === null) return null;
  const printed = modifiers.length === 0 ? "" : ` :: ${spellModifiers(modifiers)}`;
  return withTags`Write {{${spellExpression(meant)}${printed}}}.`;
}

/** `{{customer[name]}}`, where the object has this key. */
function keyHint(expression: Expression, env: Evaluation): Wording | null {
  const element = expression.kind === "member" ? expression.of : expression;
  if (element.kind !== "element" || element.of.kind !== "path") return null;
  if (element.key.kind === "variable" && element.key.name === "$number") {
    const index = `${element.key.of === null ? "" : `${element.key.of}.`}$index`;
    const keys = expression.kind === "member" ? expression.keys.map(spellKey).join("") : "";
    return withTags`${FROM_ZERO} write {{${element.of.source}[${index}]${keys}}}.`;
  }
  if (element.key.kind !== "path") return null;
  const { of, key } = element;
  const value = resolve(of, env);
  const more = expression.kind === "member" ? expression.keys.map(spellKey).join("") : "";
  if (Array.isArray(value))
    return itemByKey(of, key, value, more, env) ?? positionHint(of, key, env);
  if (key.rest.length > 0 || !hasOwn(value, key.source)) return null;
  return withTags`Write {{${of.source}${spellKey(key.source)}${more}}}.`;
}

/** `{{name[0]}}` for text, `{{items[3]}}` after the last item, and `{{customer[0].name}}` for an object. */
function indexHint({ source, head, rest }: PathExpression, env: Evaluation): Wording | null {
  const [, before = "", index = "", after = ""] = /^([^[\]]+)\[(\d+)\](.*)$/.exec(source) ?? [];
  const at = rest.indexOf(index);
  if (before === "" || at === -1) return null;
  const value = resolve({ kind: "path", source: before, head, rest: rest.slice(0, at) }, env);
  if (typeof value === "string" && after === "") {
    return withTags`For a character of a text write {{${before}.substring(${index}, 1)}}.`;
  }
  if (Array.isArray(value)) {
    return value.length > Number(index)
      ? null
      : withTags`The list has no item at this position. Positions count from 0: the first item is {{${before}[0]${after}}}, and the last one is {{${before}.last()${after}}}.`;
  }
  const keys = rest.slice(at + 1);
  if (kindOf(value) === "object" && keys.length === 0) {
    const [first] = Object.keys(value as object);
    return first === undefined
      ? null
      : withTags`'${before}' has keys in place of positions: write {{${before}${spellKey(first)}}}.`;
  }
  const meant = { kind: "path", source: "", head, rest: [...rest.slice(0, at), ...keys] } as const;
  return typeof value !== "object" || keys.length === 0 || resolve(meant, env) === undefined
    ? null
    : withTags`'${before}' is an object, not a list: write {{${before}${after}}}.`;
}

/** `{{phone ?? none}}` and `{{phone :: default(n/a)}}`: the text in place of a missing value has no quotes. */
function unquotedHint({ expression, text }: MissingTag, env: Evaluation): Wording | null {
  if (expression.kind !== "fallback") return null;
  const { right } = expression;
  const [one, other] = right.kind === "compute" ? [right.left, right.right] : [right, null];
  const names = pathsOf(right);
  const isUnknown = names.every(
    ({ head, rest }) => head !== null && rest.length === 0 && !isThere(head, env),
  );
  if (one.kind !== "path" || !isUnknown || names.length === 0) return null;
  if (other !== null && (other.kind !== "path" || right.kind !== "compute")) return null;
  const value =
    right.kind === "compute" && other?.kind === "path"
      ? `${one.source}${right.operator}${other.source}`
      : one.source;
  const left = written(expression.left);
  if (left === null) return null;
  return /\bdefault\(/.test(text)
    ? withTags`If '${value}' is text, put it in quotes: {{${left} :: default("${value}")}}.`
    : withTags`If '${value}' is text, put it in quotes: {{${left} ?? "${value}"}}.`;
}
