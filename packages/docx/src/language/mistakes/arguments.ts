import { NO_LIST } from "./calls.ts";
import { functionNamed } from "./lists.ts";
import { START } from "./rewrites.ts";
import { NAME, PATH, TEXT, VALUE, Written } from "./written.ts";

const OPERATOR = "(?:==?|!=|[<>]=?|contains)";
/** An argument with a comparison, without parentheses in it. */
const COMPARED = String.raw`[^(),]*?(?:[=<>]|\s(?:contains|in|isPresent|isEmpty)(?![\p{L}\p{N}_]))[^(),]*?`;
const OF_KEYS = "sum|average|min|max";

/**
 * Returns a tag in which a function has only arguments that it takes: `items.sum(price, 2)` becomes
 * `items.sum(price).round(2)`.
 */
export function argumentsMeant(tag: Written): string | null {
  if (!tag.text.includes("(")) return null;
  return (
    selectedMeant(tag) ??
    computedMeant(tag) ??
    unquotedMeant(tag) ??
    severalMeant(tag) ??
    countMeant(tag) ??
    joinedMeant(tag) ??
    unjoinedMeant(tag) ??
    eitherMeant(tag) ??
    tag.replace(
      String.raw`\.find\(\s*(${COMPARED})\s*\)`,
      ([, condition]) => `.first(${condition})`,
    ) ??
    tag.replace(
      String.raw`\.(where|count|first|last)\(([^()]*,[^()]*)\)`,
      ([, name, given = ""]) => {
        return `.${name}(${new Written(given).split(",").join(" and ")})`;
      },
    ) ??
    tag.replace(String.raw`(?<=[(,+&]\s*)(?:if|iif)\s*\((?=[^()]*,)`, () => "$if(", "i")
  );
}

/** `items.sum(price, paid == true)`, and `$count(items.status == "open")`. */
function selectedMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`\.(${OF_KEYS})\(\s*([^(),]+?)\s*,\s*(${COMPARED})\s*\)`,
      ([, name, key, condition]) => `.where(${condition}).${name}(${key})`,
    ) ??
    tag.replace(
      String.raw`(?<![\p{L}\p{N}_$.])\$?(${OF_KEYS})\(\s*(${PATH})\.(${NAME})\s*,\s*(${COMPARED})\s*\)`,
      ([, name, list, key, condition]) => `${list}.where(${condition}).${name}(${key})`,
    ) ??
    tag.replace(
      String.raw`(?<![\p{L}\p{N}_$.])\$?count\(\s*(${PATH})\.(${NAME}\s*${OPERATOR}\s*${VALUE})\s*\)`,
      ([, list, condition]) => `${list}.count(${condition})`,
    ) ??
    tag.replace(
      String.raw`(${PATH})\.count\(\s*(?:distinct|unique)\s+(${PATH})\s*\)`,
      ([, list, key]) => `${list}.${key}.distinct().count()`,
    )
  );
}

/** `$sum(items.price * items.qty)` and `$sum(net, vat, shipping)`. */
function computedMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`${START}\$?(${NAME})\(\s*(${PATH})\.(${NAME}(?:\s*[-+*/%]\s*(?:\2\.${NAME}|\d+(?:\.\d+)?))+)\s*\)`,
      ([, word = "", list = "", computation = ""]) => {
        const name = ofNumbers(word);
        return name === null || NO_LIST.test(list)
          ? null
          : `${list}.${name}(${computation.replaceAll(`${list}.`, "")})`;
      },
    ) ??
    tag.replace(
      String.raw`${START}\$?(${NAME})\(\s*(${VALUE}(?:\s*,\s*${VALUE}){2,})\s*\)`,
      ([, word = "", values = ""]) => {
        const name = ofNumbers(word);
        const [first = "", ...others] = values.split(/\s*,\s*/);
        // `$sum(items, price, 2)` begins with a list.
        const isList = first.endsWith("s") && !others.every((each) => each.endsWith("s"));
        return name === null || isList ? null : `[${values}].${name}()`;
      },
    )
  );
}

/** Returns the function that computes a number with the values of items, also of another language; null for others. */
function ofNumbers(word: string): string | null {
  const name = functionNamed(word);
  return name !== null && /^(?:sum|average|min|max)$/.test(name) ? name : null;
}

/** `items.where("paid")` and `when("amount < 0")`: keys and conditions have no quotes. */
function unquotedMeant(tag: Written): string | null {
  return tag.replace(
    String.raw`(?<![\p{L}\p{N}_])(where|count|first|last|when|bold|italic|underline|strike)\(\s*(${TEXT})\s*\)`,
    ([, name, text = ""]) => {
      const inside = text.slice(1, -1).trim();
      return isCondition(inside) ? `${name}(${withQuotes(inside)})` : null;
    },
  );
}

/** Returns a tag without the quotes of a condition: `if "amount < 0"`. */
export function quotedCondition(tag: Written): string | null {
  const [, keyword, text = ""] = tag.match(String.raw`^(if|elseif)\s+(${TEXT})$`) ?? [];
  const inside = text.slice(1, -1).trim();
  return keyword !== undefined && /[<>=]/.test(inside) ? `${keyword} ${inside}` : null;
}

/** Returns a condition with quotes around a word that is compared: they are lost in `where("status == open")`. */
function withQuotes(condition: string): string {
  return condition.replace(
    /^(\p{L}[\p{L}\p{N}_.]*\s*(?:==?|!=)\s*)(?!(?:true|false|null)$)(\p{L}[\p{L}\p{N}_ ]*)$/u,
    '$1"$2"',
  );
}

function isCondition(text: string): boolean {
  return /^\p{Ll}[\p{L}\p{N}_.]*$|[<>=]|\s(?:contains|in|isPresent|isEmpty)(?:\s|$)/u.test(text);
}

/** `items.sum(price, 2)`, `items.limit(1, 2)` and `items.running(price)`. */
function severalMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`\.(sum|average)\(\s*([^(),]+?)\s*,\s*(\d)\s*\)`,
      ([, name, key, places]) => `.${name}(${key}).round(${places})`,
    ) ??
    tag.replace(
      String.raw`\.limit\(\s*(\d+)\s*,\s*(\d+)\s*\)`,
      ([, first, count]) => `.skip(${first}).limit(${count})`,
    ) ??
    tag.replace(
      String.raw`(?:${PATH})\.(?:running|runningTotal|cumsum)\(\s*(${NAME})\s*\)`,
      ([, key]) => `$running(i.${key})`,
    )
  );
}

/** The functions that add days and others, by the first letters of the units. */
const ADDING: Readonly<Record<string, string>> = {
  ...{ d: "addDays", m: "addMonths", y: "addYears" },
};

/** `items.sum(price * 1,19)`, `due.addWorkdays(5, holidays)`, `due.addDays(30 days)` and `shrink(8pt)`. */
function countMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`\.(${OF_KEYS})\(([^()]*[-+*/]\s*\d+),(\d+)\s*\)`,
      ([, name, before, decimals]) => `.${name}(${before}.${decimals})`,
    ) ??
    tag.replace(
      String.raw`(?<![\p{L}\p{N}_])addWorkdays\(\s*(-?${VALUE})\s*,[^()]*\)`,
      ([, days]) => `addWorkdays(${days})`,
    ) ??
    tag.replace(
      String.raw`(?<![\p{L}\p{N}_])(add(?:Days|Months|Years|Workdays))\(\s*(-?\d+)\s*(d|w|m|y|days?|weeks?|months?|years?)\s*\)`,
      ([, name = "", count = "", unit = ""]) => {
        const [letter = ""] = unit;
        if (letter === "w") return `addDays(${Number(count) * 7})`;
        return `${name === "addWorkdays" && letter === "d" ? name : ADDING[letter]}(${count})`;
      },
    ) ??
    tag.replace(
      String.raw`(?<=::.*)shrink\(\s*(\d+)\s*(?:pt|points?)\s*\)`,
      ([, size]) => `shrink(${size})`,
    )
  );
}

/** `$if(paid, "Paid on " + due, "open")`: texts are joined with `$concat`. */
function joinedMeant(tag: Written): string | null {
  const part = VALUE;
  return tag.replace(
    String.raw`(?<=[(,]\s*)${part}(?:\s*(?:\+|&(?!&))\s*${part})+(?=\s*[,)])`,
    ([all = ""]) => {
      const parts = new Written(all).split(String.raw`\+|&`);
      return parts.some((each) => /^["']/.test(each)) ? `$concat(${parts.join(", ")})` : null;
    },
  );
}

/** `$if(paid, "Paid by " name, "open")`: a sign between texts is missing. */
function unjoinedMeant(tag: Written): string | null {
  return tag.replace(
    String.raw`(?<=\$?if\(.*,\s*)${VALUE}(?:\s+${VALUE})+(?=\s*[,)])`,
    ([all = ""]) => {
      const parts = new Written(all).split(String.raw`\s+`);
      const isText = parts.some((each) => /^["']/.test(each));
      return isText && !parts.some((each) => OPERATORS.test(each))
        ? `$concat(${parts.join(", ")})`
        : null;
    },
  );
}

const OPERATORS = /^(?:and|or|not|in|contains|isPresent|isEmpty)$/;

/** `iban.startsWith("DE", "AT")`. */
function eitherMeant(tag: Written): string | null {
  return tag.replace(
    String.raw`(${PATH})\.(startsWith|endsWith)\(\s*(${TEXT}(?:\s*,\s*${TEXT})+)\s*\)`,
    ([, value, name, texts = ""]) => {
      const parts = new Written(texts).split(",").map((text) => `${value}.${name}(${text})`);
      const either = parts.join(" or ");
      return /\s(?:and|not)\s/.test(tag.text) ? `(${either})` : either;
    },
  );
}

/** Returns the loop for `items.map(price :: currency("EUR")).join(", ")`, or null. */
export function formattedItems(tag: Written): { list: string; value: string } | null {
  const [, list, key, modifiers, between] =
    tag.match(
      String.raw`^(${PATH})\.map\(\s*(${PATH})\s*::\s*([^()]+(?:\([^()]*\))?)\s*\)(?:\.join\(\s*(${TEXT})?\s*\))?$`,
    ) ?? [];
  if (list === undefined) return null;
  return { list, value: `i.${key} :: ${modifiers?.trim()}, delimiter(${between || '", "'})` };
}
