import { TEXT, Written } from "./written.ts";

/** Returns a tag that chooses one of two values in another language, such as `a ? b : c`, as `$if(a, b, c)`. */
export function choiceMeant(tag: Written): string | null {
  return ofFunction(tag) ?? ofField(tag) ?? ofSeveral(tag) ?? ofSigns(tag) ?? ofWords(tag);
}

/** `if(a, b, c)`, also as in spreadsheets: `=IF(a; b; c)`. */
function ofFunction(tag: Written): string | null {
  const [, inside] = tag.match(String.raw`^=?\s*(?:iif|iff|ifelse|if)\s*\((.*)\)$`, "i") ?? [];
  if (inside === undefined || tag.closing(tag.text.indexOf("(")) !== tag.text.length - 1) {
    return null;
  }
  const [condition, one, other = '""', more] = new Written(inside).split("[,;]");
  return one === undefined || more !== undefined ? null : chosen(condition, one, other);
}

/** `IF total > 100 "large" "small"`, a field of Word, and `if paid, "yes", "no"`. */
function ofField(tag: Written): string | null {
  const [, condition, one, other] =
    tag.match(
      String.raw`^if\s+(.+?[\p{L}\p{M}\p{N}_)\]"'])(?<!\s(?:in|of|or|and|contains))(?:\s+|\s*[,:]\s*)(${TEXT})(?:\s+|\s*[,:]\s*)(${TEXT})$`,
      "i",
    ) ?? [];
  return condition === undefined ? null : chosen(condition, one, other);
}

/** `$if(a, b, c, d, e)` and `IFS(a, b, c, d)`, with several conditions, and `$if a, b, c`. */
function ofSeveral(tag: Written): string | null {
  const [, bare] = tag.match(String.raw`^\$if\s+([^(\s][^:]*)$`) ?? [];
  if (bare !== undefined) return `$if(${bare})`;
  return tag.replace(
    String.raw`(?<![\p{L}\p{N}_$.])(?:\$ifs?|ifs)\(([^()]*)\)`,
    ([, inside = ""]) => {
      const parts = [...new Written(inside).split("[,;]")];
      if (parts.length < 4 || parts.length > 12) return null;
      if (parts.length % 2 === 0) parts.push('""');
      let choice = parts.pop() ?? "";
      while (parts.length > 0) {
        const [condition, value] = parts.splice(-2);
        choice = `$if(${condition}, ${value}, ${choice})`;
      }
      return choice;
    },
    "i",
  );
}

/** `a ? b : c`, and `a ?: b`. */
function ofSigns(tag: Written): string | null {
  const [, condition, one, other] =
    tag.match(String.raw`^(?:if\s+)?(.+?)\s*(?<!\?)\?(?![?:])\s*(.+?)\s*(?<!:):(?!:)\s*(.+)$`) ??
    [];
  if (condition !== undefined) return chosen(condition, one, other);
  return tag.replace(String.raw`\s*\?:\s*`, () => " ?? ");
}

/** `a if b else c`, and `if b then a else c`. */
function ofWords(tag: Written): string | null {
  const [, first, condition, last] =
    tag.match(String.raw`^(?!(?:if|for)\b)(.+?)\s+if\s+(.+?)\s+else\s+(.+)$`) ?? [];
  if (condition !== undefined) return chosen(condition, first, last);
  const [, tested, one, other] =
    tag.match(String.raw`^if\s+(.+?)\s+then\s+(.+?)\s+else\s+(.+)$`, "i") ?? [];
  return tested === undefined ? null : chosen(tested, one, other);
}

/** Whether a tag that begins with `if` chooses a value, as `if(a, b, c)` does, and so begins no block. */
export function isChoice(content: string): boolean {
  return content.length < 200 && choiceMeant(new Written(content)) !== null;
}

/** Modifiers after the last value are kept after the whole choice. */
function chosen(condition = "", one = "", other = ""): string {
  const [last = "", modifiers] = other.split(/\s*::\s*/, 2);
  return `$if(${condition}, ${one}, ${last})${modifiers === undefined ? "" : ` :: ${modifiers}`}`;
}
