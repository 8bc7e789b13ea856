import { FUNCTIONS, type FunctionName, isFunction } from "../../grammar/functions.ts";
import { isModifier, MODIFIERS, modifierMeant } from "../../grammar/modifier-signatures.ts";
import { functionNamed } from "../lists.ts";
import { CURRENCIES } from "../rewrites.ts";
import { NAME, PATH, TEXT, Written } from "../written.ts";

/** A filter with its arguments: `sort(attribute='price', reverse=true)`, and `orderBy:'city':true`. */
interface Filter {
  readonly name: string;
  /** The arguments without a name. */
  readonly given: readonly string[];
  /** The arguments with a name, such as `attribute`. */
  readonly named: ReadonlyMap<string, string>;
  /** Everything between the parentheses, or after the colon. */
  readonly whole: string;
}

/** Returns a tag with functions and modifiers in place of the filters of `items | sort(name)`. */
export function pipesMeant(tag: Written): string | null {
  const [value = "", ...filters] = tag.split(String.raw`(?<!\|)\|(?!\|)`);
  const written = filters.map((filter, at) => {
    const read = filterOf(filter);
    return read === null ? null : filterMeant(read, filters[at - 1] ?? "");
  });
  if (filters.length === 0 || value === "" || written.includes(null)) return null;
  const parts = written.filter((filter) => filter !== "");
  const choice = fallbackOf(value, filters);
  if (choice !== null) return choice;
  const first = parts.findIndex((part) => !isFunctionOrSign(part ?? ""));
  const calls = first === -1 ? parts : parts.slice(0, first);
  const modifiers = first === -1 ? [] : parts.slice(first);
  if (modifiers.some((part) => isFunctionOrSign(part ?? ""))) return null;
  let whole = value;
  for (const call of calls) {
    if (/^ /.test(call ?? "")) whole = `${inBrackets(whole)}${call}`;
    else whole = `${inBrackets(whole)}.${call}`;
  }
  return [whole, modifiers.join(", ")].filter((part) => part !== "").join(" :: ");
}

/** Whether a filter is written as a function, or as an operator with its operand: ` * 2`. */
function isFunctionOrSign(written: string): boolean {
  if (written.startsWith(" ")) return true;
  return written.endsWith(")") && !isModifier(written.split("(", 1)[0] ?? "");
}

/** Returns a computation in parentheses, and any other value unchanged. */
function inBrackets(value: string): string {
  return new Written(value).split(String.raw`\s[-+*/%]\s`).length > 1 ? `(${value})` : value;
}

/** The filters of Liquid that compute. */
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ plus: "+", minus: "-", times: "*", divided_by: "/", modulo: "%" },
};

/** `first | default('none', true)`, which also replaces an empty text. */
function fallbackOf(value: string, filters: readonly string[]): string | null {
  if (filters.length !== 1 || new Written(value).match(`^${PATH}$`) === null) return null;
  const [, other] =
    new Written(filters[0] ?? "").match(
      String.raw`^d(?:efault)?\(\s*(${TEXT}|-?\d+(?:\.\d+)?)\s*,\s*(?:boolean\s*=\s*)?[tT]rue\s*\)$`,
    ) ?? [];
  return other === undefined ? null : `$if(${value} isEmpty, ${other}, ${value})`;
}

function filterOf(filter: string): Filter | null {
  const [, name, inside, behind] =
    new Written(filter).match(String.raw`^(${NAME})\s*(?:\((.*)\)|:\s*(.*))?$`) ?? [];
  if (name === undefined) return null;
  const whole = inside || behind || "";
  const parts =
    whole === ""
      ? []
      : new Written(whole).split(inside === "" && !whole.startsWith("{") ? "[:,]" : ",");
  const named = new Map<string, string>();
  const given: string[] = [];
  for (const part of parts) {
    const [, key, value] =
      new Written(part).match(String.raw`^(attribute|reverse|boolean|default)\s*=(?!=)\s*(.+)$`) ??
      [];
    if (key === undefined || value === undefined) given.push(part);
    else named.set(key, value);
  }
  return { name, given, named, whole };
}

/** Filters that a value needs no equivalent for. */
const UNNEEDED = /^(?:list|float|string|e|escape|tojson|async|escape_once|force_escape)$/;

/** Matches a filter whose result is a list that it selects. */
const SELECTION = /^(?:list|(?:select|reject)(?:attr)?|where|filter)(?!\p{L})/u;

/** Returns what this language writes for a filter; empty if nothing is needed. `before`: the filter before it. */
function filterMeant(filter: Filter, before: string): string | null {
  const { name, given, named } = filter;
  const [first] = given;
  if (UNNEEDED.test(name) && given.length === 0) return "";
  if (name === "int" && /^round(?!\w)/.test(before)) return "";
  if (/^(?:length|count)$/.test(name) && SELECTION.test(before)) return "count()";
  if (name === "batch" && /^\d+$/.test(first ?? ""))
    return `group(($index / ${first}).round(0, "down"))`;
  const sign = OPERATORS[name];
  if (sign !== undefined && first !== undefined && given.length === 1) return ` ${sign} ${first}`;
  if (name === "remove" && given.length === 1) return `replace(${first}, "")`;
  const selected = selectedMeant(filter) ?? decimalsOf(filter);
  if (selected !== null) return selected;
  const known = functionNamed(name);
  if (known === "sort") return sorted(filter);
  const attribute = named.get("attribute");
  if (attribute === undefined) return plainFilter(filter);
  if (known === "join") return `map(${plain(attribute)}).join(${first ?? ""})`;
  return known === null ? null : `${known}(${plain(attribute)})`;
}

/** `number:'1.2-2'` of Angular. */
function decimalsOf({ name, whole }: Filter): string | null {
  const [, decimals] = /^["']\d\.\d-(\d)["']$/.exec(whole) ?? [];
  return decimals !== undefined && /^(?:number|percent)$/.test(name)
    ? `${name}(${decimals})`
    : null;
}

/** `sort(attribute='price', reverse=true)`, `orderBy:'city':true` and `orderBy:'-city'`. */
function sorted({ given: [first = "", second], named }: Filter): string {
  const key = plain(named.get("attribute") ?? first);
  const isReversed = key.startsWith("-") || /^true$/i.test(named.get("reverse") ?? second ?? "");
  const name = key.replace(/^-/, "");
  if (name === "") return isReversed ? "sort().reverse()" : "sort()";
  return `sort(${name}${isReversed ? " desc" : ""})`;
}

/** `selectattr('price', 'gt', 3)`, `where: "city", "Bern"` and `filter:{paid:true}`. */
function selectedMeant({ name, given, whole }: Filter): string | null {
  const [first, test, value] = given;
  if (/^(?:select|reject)attr$/.test(name)) {
    if (first === undefined) return null;
    const condition = testOf(plain(first), test === undefined ? "" : plain(test), value);
    const isRejected = name === "rejectattr";
    if (condition === null) return null;
    const isOne = /^[\p{L}\p{N}_.]+$/u.test(condition);
    return `where(${isRejected ? `not ${isOne ? condition : `(${condition})`}` : condition})`;
  }
  const [, pairs] = /^\{(.*)\}$/.exec(whole) ?? [];
  if (pairs === undefined || functionNamed(name) !== "where") return null;
  const conditions = new Written(pairs).split(",").map((pair) => {
    const [, key = "", same = ""] =
      new Written(pair).match(String.raw`^["']?(${NAME})["']?\s*:\s*(.+)$`) ?? [];
    return key === "" ? null : testOf(key, "eq", same);
  });
  return conditions.includes(null) ? null : `where(${conditions.join(" and ")})`;
}

const TESTS: Readonly<Record<string, string>> = {
  ...{ eq: "==", equalto: "==", sameas: "==", "==": "==", ne: "!=", "!=": "!=" },
  ...{ gt: ">", greaterthan: ">", ">": ">", ge: ">=", ">=": ">=" },
  ...{ lt: "<", lessthan: "<", "<": "<", le: "<=", "<=": "<=", in: "in" },
};

function testOf(key: string, test: string, value: string | undefined): string | null {
  if (test === "" || /^true(?:thy)?$/i.test(test)) return key;
  if (test === "defined") return `${key} isPresent`;
  if (/^(?:none|undefined)$/.test(test)) return `not ${key} isPresent`;
  const sign = TESTS[test];
  if (sign === undefined || value === undefined) return null;
  if (sign === "==" && /^true$/i.test(value)) return key;
  if (sign === "==" && /^false$/i.test(value)) return `not ${key}`;
  return `${key} ${sign} ${value}`;
}

function plain(text: string): string {
  return text.replace(/^["'](.*)["']$/, "$1");
}

function plainFilter({ name, given, whole }: Filter): string | null {
  const known = isModifier(name) ? name : (functionExactly(name) ?? modifierMeant(name));
  const meant = known ?? byName(name) ?? functionNamed(name);
  if (meant === null) return null;
  const [, key, same] =
    new Written(whole).match(
      `^(${TEXT})(?:\\s*,\\s*${TEXT})?\\s*,\\s*(${TEXT}|\\d+|true|false)$`,
    ) ?? [];
  if (meant === "where" && key !== undefined) return `where(${plain(key)} == ${same})`;
  if (/^(?:sort|map|sum|average|min|max|group|distinct)$/.test(meant) && whole !== "")
    return `${meant}(${plain(whole)})`;
  const isPattern = meant === "format" && /^[dMyHhmsYDE]+(?:[-./: ,]+[dMyHhmsYDE]+)+$/.test(whole);
  if (isPattern) return `format("${whole}")`;
  if (meant === "default" && given.length > 1) return `default(${given[0]})`;
  if (meant === "currency" && CODE.test(whole)) return `currency("${whole}")`;
  if (whole !== "") return `${meant}(${given.join(", ") || whole})`;
  if (isModifier(meant))
    return MODIFIERS[meant].required > 0 ? `${meant}${MODIFIERS[meant].example}` : meant;
  return `${meant}()`;
}

const CODE = new RegExp(`^(?:${CURRENCIES})$`);

/** `sumby:'amount'`, and other functions with `by` after their name. */
function byName(name: string): string | null {
  const [, short = ""] = /^(sum|average|avg|min|max|count)_?by$/i.exec(name) ?? [];
  const known = short === "" ? null : functionNamed(short);
  return known !== null && FUNCTIONS[`$${known}` as FunctionName].of === "list"
    ? known
    : /^limit_?to$/i.test(name)
      ? "limit"
      : null;
}

function functionExactly(name: string): string | null {
  return isFunction(`$${name}`) ? name : null;
}
