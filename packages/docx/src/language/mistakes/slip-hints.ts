import { type Wording, withTags } from "../delimiters/wording.ts";
import { formMeant, SOME_FUNCTIONS } from "../grammar/functions-elsewhere.ts";
import { isModifier } from "../grammar/modifier-signatures.ts";
import { functionNamed, isCondition } from "./lists.ts";
import { NAME, PATH, TEXT, Written } from "./written.ts";

/** Returns a hint for a slip that several tags or a part of a tag replace, or null. */
export function slipHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  return (
    unquotedHint(tag, isValid) ??
    caseHint(tag) ??
    skipHint(tag, isValid) ??
    nextHint(tag) ??
    groupedHint(tag) ??
    includesHint(tag) ??
    unitHint(tag) ??
    selectedHint(tag, isValid)
  );
}

/** `total > 0` and `total > 0 :: checkbox`: a condition in the place of a value. */
export function conditionHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, condition = "", modifiers] = tag.match(String.raw`^([^:]+?)(?:\s*::\s*(.+))?$`) ?? [];
  const boxed = `(${condition}) :: ${modifiers || "checkbox"}`;
  if (!isCondition(condition) || !isValid(`if ${condition}`) || !isValid(boxed)) return null;
  if (modifiers) return withTags`Put the condition into parentheses: {{${boxed}}}.`;
  return tag.match(`^${NAME}\\s+in\\s+${PATH}$`) !== null
    ? withTags`To repeat a list, write {{for ${condition}}} … {{endfor}}. To show text if a list has the value, write {{if ${condition}}} … {{endif}}.`
    : withTags`To show text by the condition, write {{if ${condition}}} … {{endif}}. For a check box write {{${boxed}}}.`;
}

const WORD = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*`;

/** `phone ?? not given`. */
function unquotedHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, before, text = "", after = ""] =
    tag.match(String.raw`^(.+?\?\?\s*)(${WORD}(?:[,.:;]?\s+${WORD})+[.!?]?)(\s*::.*)?$`) ?? [];
  const quoted = `${before}"${text}"${after}`;
  if (before === undefined || !isValid(quoted)) return null;
  const isKey = /^\S+ \S+$/.test(text) && !/^(?:not|no|to|on|by|see|in|at)\s/i.test(text);
  const key = isKey ? withTags` For a key with a space write {{${before}this["${text}"]}}.` : "";
  return withTags`Text goes in quotes: {{${quoted}}}.${key}`;
}

const OPPOSITES: Readonly<Record<string, string>> = {
  ...{ "<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "==": "!=", "!=": "==", "<>": "==" },
};

/** `SKIPIF visits[0].cost < 100`, a field of Word: a loop selects its items. */
function skipHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, path = "", sign = "", value = ""] =
    tag.match(
      String.raw`^SKIPIF\s+(${PATH})\s*(<>|[<>!=]=|[<>=])\s*(${TEXT}|-?\d+(?:\.\d+)?)$`,
      "i",
    ) ?? [];
  const [, list = "items", key = ""] = /^(?:(.+?)(?:\[\d+\])?\.)?([^.[\]]+)$/.exec(path) ?? [];
  const loop = `for i in ${list || "items"}.where(${key} ${OPPOSITES[sign]} ${value})`;
  return path !== "" && isValid(loop)
    ? withTags`Repeat only the items to show: {{${loop}}} … {{endfor}}.`
    : null;
}

/** `Next Record` and `Skip Record If`, fields of Word: a loop repeats its content. */
function nextHint(tag: Written): Wording | null {
  const isField =
    tag.match(
      String.raw`^(?:(?:next|skip)\s*record(?:\s*if\b.*)?|(?:next|skip)\s*if\s.*)$`,
      "i",
    ) !== null;
  return isField
    ? withTags`To repeat content for each record write {{for item in items}} … {{endfor}}: no tag moves to the next record.`
    : null;
}

/** `visits{type: $sum(cost)}` of JSONata. */
function groupedHint(tag: Written): Wording | null {
  const [, list, key = "", name, of = ""] =
    tag.match(
      String.raw`^(${PATH})\{\s*(${NAME})\s*:\s*\$(sum|average|min|max|count)\(\s*(${NAME})\s*\)\s*\}?$`,
    ) ?? [];
  if (list === undefined) return null;
  const total = name === "count" ? "g.items.count()" : `g.items.${name}(${of})`;
  return withTags`Write {{for g in ${list}.group(${key})}}{{g.key}}: {{${total}}}{{endfor}}.`;
}

/** `when "open"`, and the ends of its blocks. */
function caseHint(tag: Written): Wording | null {
  if (tag.match(String.raw`^end\s*[-_]?\s*(?:when|otherwise)$`, "i") !== null)
    return "Leave out this tag.";
  const [, values = ""] =
    tag.match(String.raw`^when\s+((?:${TEXT}|\d+)(?:(?:\s*,\s*|\s+or\s+)(?:${TEXT}|\d+))*)$`) ?? [];
  if (values === "") return null;
  const all = new Written(values).split(String.raw`,|or\s`);
  const condition = all.length === 1 ? `status == ${values}` : `status in [${all.join(", ")}]`;
  return withTags`Write {{if ${condition}}} for the first 'when', and {{elseif ${condition}}} for the others. Write the value of 'case' in place of 'status'.`;
}

/** `include "a.docx", "b.docx"`. */
function includesHint(tag: Written): Wording | null {
  const [, names = ""] =
    tag.match(String.raw`^include\s+(${TEXT}(?:\s*(?:,|and|\+)\s*${TEXT})+)$`) ?? [];
  if (names === "") return null;
  const all = new Written(names).split(String.raw`,|\+|and\s`).join(", ");
  return withTags`Write one {{include}} for each file, each in its own paragraph. To choose one by the data, write {{include file in [${all}]}}.`;
}

/** `net (EUR)`, a key with parentheses. */
function unitHint(tag: Written): Wording | null {
  const [, path = "", unit = ""] =
    tag.match(String.raw`^(${PATH})\s+\(\s*(${NAME}(?:[/ ]${NAME})*|%)\s*\)$`) ?? [];
  const name = path.slice(path.lastIndexOf(".") + 1);
  const isFunction = functionNamed(name) !== null || formMeant(name) !== null || isModifier(name);
  if (path === "" || isFunction || /^(?:if|elseif|for|not|include|when)$/.test(name)) return null;
  const parent = path === name ? "this" : path.slice(0, -name.length - 1);
  const whole = withTags`For the key '${name} (${unit})' write {{${parent}["${name} (${unit})"]}}.`;
  return new Written(unit).match(`^${NAME}$`) === null
    ? whole
    : withTags`${whole} For the key '${unit}' of '${path}' write {{${path}.${unit}}}.${/^\p{Lu}/u.test(unit) ? "" : ` ${SOME_FUNCTIONS}`}`;
}

/** Carbone's `d.items[paid=false,i].name`. */
function selectedHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, list, condition = "", key] =
    tag.match(String.raw`^(?:d\.)?(${PATH})\[\s*([^\[\]]+?)\s*,\s*i\s*\]\.(${PATH})$`) ?? [];
  if (list === undefined || key === undefined) return null;
  const conditions = condition.replace(/(?<![=!<>])=(?!=)/g, " == ").replace(/\s*,\s*/g, " and ");
  const loop = `for i in ${list}.where(${conditions})`;
  return isValid(loop) ? withTags`Write {{${loop}}}{{i.${key}}}{{endfor}}.` : null;
}
