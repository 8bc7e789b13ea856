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
    severalMeant(tag) ??
    joinedMeant(tag) ??
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
