import { PATH, TEXT, VALUE, Written } from "./written.ts";

/** Replaces the conditions of SQL and other languages in a tag, such as `a between 1 and 3`. */
export function conditionMeant(tag: Written): string | null {
  return (
    rangeMeant(tag) ??
    junctionMeant(tag) ??
    partOfTextMeant(tag) ??
    sizeMeant(tag) ??
    sameMeant(tag)
  );
}

/** Several texts with a comma or a word between them. */
const TEXTS = String.raw`${TEXT}(?:\s*(?:,|or)\s*${TEXT})+`;

const SIGN = "==?|!=|[<>]=?";

/** `age > 18 and < 65`, `if a, b`, `AND(a, b)` and `contains(name, "A")`. */
function junctionMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`(${VALUE})\s*(${SIGN})\s*(${VALUE})\s*(\sand\s|\sor\s|&&|\|\|)\s*(${SIGN})`,
      ([, value, one, other, word = "", next]) =>
        `${value} ${one} ${other} ${/or|\|/.test(word) ? "or" : "and"} ${value} ${next}`,
    ) ??
    tag.replace(
      String.raw`(?<![\p{L}\p{N}_$.])\$?(?:contains|includes)\(\s*(${VALUE})\s*,\s*(${VALUE})\s*\)`,
      ([, whole, part]) => `${whole} contains ${part}`,
      "i",
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s+(?:is\s+)?(not\s+)?(?:(?:one|any)\s+of|in)\s+(?:\(\s*(${TEXTS})\s*\)|(${TEXTS}))`,
      ([, value, not, enclosed, bare = ""]) => {
        const texts = new Written(enclosed || bare).split(",|or").join(", ");
        return `${value} ${not === "" ? "" : "not "}in [${texts}]`;
      },
    ) ??
    tag.replace(
      String.raw`(?<=[\s)\]"'\p{L}\p{N}])\s+(AND|OR)\s+(?=[\p{L}("'!\[])`,
      ([, word = ""]) => ` ${word.toLowerCase()} `,
    ) ??
    tag.replace(
      String.raw`(?<![\p{L}\p{N}_$.])(not\s+)?(?:defined|present|exists)\s+(${PATH})$`,
      ([, not, value]) => `${not}${value} isPresent`,
    ) ??
    // "is > 5" and "is in [...]".
    tag.replace(
      String.raw`(${VALUE})\s+is\s+(?=[<>=!]|(?:not\s+)?in\s*[[(])`,
      ([, value]) => `${value} `,
    ) ??
    calledMeant(tag) ??
    listedMeant(tag)
  );
}

/** `AND(a, b)`, `OR(a, b)` and `NOT(a)`, as in spreadsheets. */
function calledMeant(tag: Written): string | null {
  if (!tag.text.includes("(")) return null;
  const before = String.raw`(?<=^|(?:if|elseif|where|and|or|not)[\s(]+|[(,]\s*)`;
  return tag.replace(
    String.raw`${before}(AND|OR|NOT|and|or)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)`,
    ([all = "", name = "", inside = ""]) => {
      const parts = new Written(inside).split("[,;]");
      const [first = ""] = parts;
      if (name === "NOT") {
        if (parts.length > 1) return null;
        return `not ${isWhole(first) ? first : `(${first})`}`;
      }
      if (parts.length < 2) return null;
      const both = joined(parts, name.toLowerCase());
      return /^(?:(?:else)?if\s+)?$/.test(tag.text.replace(all, "")) ? both : `(${both})`;
    },
  );
}

function isWhole(text: string): boolean {
  return new Written(text).match(`^${PATH}$`) !== null;
}

/** `if a, b`. */
function listedMeant(tag: Written): string | null {
  const [, keyword, rest = ""] = tag.match(String.raw`^(if|elseif)\s+(.+)$`) ?? [];
  const parts = new Written(rest).split(",");
  return keyword === undefined || parts.length < 2 ? null : `${keyword} ${joined(parts, "and")}`;
}

/** Returns conditions with a word between them. Those with such words are put into parentheses. */
function joined(parts: readonly string[], word: string): string {
  return parts.map((part) => (/\s(?:and|or)\s/i.test(part) ? `(${part})` : part)).join(` ${word} `);
}

const SIZES: readonly (readonly [words: string, sign: string])[] = [
  [String.raw`before|earlier\s+than|older\s+than|(?:less|lower|smaller|fewer)\s+than|below`, "<"],
  [
    String.raw`after|later\s+than|(?:newer|younger)\s+than|(?:more|greater|larger|bigger|higher)\s+than|above`,
    ">",
  ],
  [String.raw`at\s+least`, ">="],
  [String.raw`at\s+most`, "<="],
];

/** `end is before $today`, `end.isBefore($today)`, `total at least 5` and `end older than 30 days`. */
function sizeMeant(tag: Written): string | null {
  if (!/than|before|after|below|above|earlier|later|at\s+(?:least|most)/i.test(tag.text))
    return null;
  const ago = tag.replace(
    String.raw`(${VALUE})\s+(?:is\s+)?(?:(older)|newer|younger|(more)|less)\s+than\s+(\d+)\s+(day|week|month|year)s?(\s+ago)?(?![\p{L}\p{N}_])`,
    ([all = "", value, older, more, count, unit = "", past]) => {
      if (past === "" && /\s(?:more|less)\s/i.test(all)) return null;
      const sign = older === "" && more === "" ? ">" : "<";
      const name = `${unit.charAt(0).toUpperCase()}${unit.slice(1).toLowerCase()}s`;
      return `${value} ${sign} $today.add${name}(-${count})`;
    },
    "i",
  );
  if (ago !== null) return ago;
  for (const [words, sign] of SIZES) {
    const found =
      tag.replace(
        // Without 'is', "total before tax" may be a key.
        String.raw`(${VALUE})\s+(is\s*)?(${words})(\s+or\s+equal(?:\s+to)?)?\s+(?=(${VALUE})(?![\p{L}\p{N}_.([]|\s*[=!<>]))`,
        ([, value, is, word = "", same, other = ""]) =>
          is === "" && /^(?:before|after|below|above)$/i.test(word) && /^[\p{L}_]/u.test(other)
            ? null
            : `${value} ${sign}${same === "" || sign.endsWith("=") ? "" : "="} `,
        "i",
      ) ??
      tag.replace(
        String.raw`(${PATH})\.is(?:${words})\(\s*(${VALUE})\s*\)`,
        ([, value, other]) => `${value} ${sign} ${other}`,
        "i",
      );
    if (found !== null) return found;
  }
  return null;
}

function rangeMeant(tag: Written): string | null {
  const within = ([, value, not, least, most]: readonly string[]): string => {
    const range = `${value} >= ${least} and ${value} <= ${most}`;
    return not === "" ? range : `not (${range})`;
  };
  return (
    tag.replace(
      String.raw`(${VALUE})\s+(?:is\s+)?(not\s+)?between\s+(${VALUE})\s+and\s+(${VALUE})`,
      within,
      "i",
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s+(not\s+)?in\s+\(?(${VALUE})\s*\.\.\.?\s*(${VALUE})\)?`,
      within,
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s*([<>]=?)\s*(${VALUE})\s*([<>]=?)\s*(${VALUE})`,
      ([, a = "", one = "", b = "", other = "", c]) => {
        // `a >= 5 <= 10` begins with the value that is in the range.
        const value = one[0] === other[0] || !/^[\d"']/.test(b) ? b : a;
        return `${a} ${one} ${b} and ${value} ${other} ${c}`;
      },
    )
  );
}

function partOfTextMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`(${VALUE})\s+(not\s+)?i?like\s+(${TEXT})`,
      ([, value = "", not = "", text = ""]) =>
        `${not === "" ? "" : "not "}${likeMeant(value, text)}`,
      "i",
    ) ??
    patternMeant(tag) ??
    tag.replace(
      String.raw`(${VALUE})\s+((?:(?:does|do)\s+)?not\s+)?(starts?|begins?|ends?)\s?with\s+(${VALUE})`,
      ([, value, not, word = "", text]) =>
        `${not === "" ? "" : "not "}${value}.${/^e/i.test(word) ? "endsWith" : "startsWith"}(${text})`,
      "i",
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s+(?:does\s+)?not\s+contains?\s+(${VALUE})`,
      ([, value, text]) => `not ${value} contains ${text}`,
      "i",
    ) ??
    tag.replace(
      String.raw`(!\s*|not\s+)?(${VALUE})\.(?:contains|includes)\(\s*(${VALUE})\s*\)`,
      ([, not, value, text]) => `${not === "" ? "" : "not "}${value} contains ${text}`,
    )
  );
}

/** Returns the condition for a pattern, in which `%` and `*` mean any text. */
function likeMeant(value: string, quoted: string): string {
  const text = quoted.slice(1, -1);
  const plain = `"${text.replace(/^[%*]|[%*]$/g, "")}"`;
  if (/^[%*].*[%*]$/s.test(text)) return `${value} contains ${plain}`;
  if (/^[%*]/.test(text)) return `${value}.endsWith(${plain})`;
  return /[%*]$/.test(text) ? `${value}.startsWith(${plain})` : `${value} == ${plain}`;
}

/** `code matches "^A"` and `code.test("A$")`. */
function patternMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`(${VALUE})\s*(?:\s(not\s)\s*matche?s?|\smatche?s|=~|~=|\sregexp?|\srlike)\s*(${TEXT})`,
      ([, value = "", not, text = ""]) => comparedPart(value, not !== "", text),
      "i",
    ) ??
    tag.replace(
      String.raw`(!\s*|not\s+)?(${PATH})\.(?:matches|match|test)\(\s*(${TEXT})\s*\)`,
      ([, not, value = "", text = ""]) => comparedPart(value, not !== "", text),
    )
  );
}

/** Returns the condition for a simple regular expression; null for others. */
function comparedPart(value: string, isNegated: boolean, quoted: string): string | null {
  const [, start, plain = "", end] =
    /^(\^(?!\.\*)|\^?\.\*)?([^\\^$.|?*+()[\]{}"]+)(\$|\.\*\$?)?$/.exec(quoted.slice(1, -1)) ?? [];
  if (plain === "") return null;
  const not = isNegated ? "not " : "";
  if (start === "^" && end === "$") return `${value} ${isNegated ? "!=" : "=="} "${plain}"`;
  if (start === "^") return `${not}${value}.startsWith("${plain}")`;
  return end === "$" ? `${not}${value}.endsWith("${plain}")` : `${not}${value} contains "${plain}"`;
}

function sameMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`(?<=(?:if|and|or|where|count|first|when|not)[\s(]+|\(\s*)(${VALUE})\s+not\s+(?:(?:==?=?|equals?(?:\s+to)?(?=\s))\s*)?(${TEXT}|\d+(?:\.\d+)?|(?<==\s*|to\s+|equals?\s+)${PATH})(?![\p{L}\p{N}_.(])`,
      ([, value, other]) => `${value} != ${other}`,
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s*(!=|==?)=?\s*\[\s*\]`,
      ([, value, sign]) => `${sign === "!=" ? "not " : ""}${value} isEmpty`,
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s+is\s+(not\s+)?(null|none|nil|undefined|defined|present|set|empty|blank)(?![\p{L}\p{N}_.])`,
      ([, value, not, word = ""]) => {
        const isBlank = /^(?:empty|blank)$/i.test(word);
        const negated = (not === "") === /^n|^u/i.test(word);
        return `${negated ? "not " : ""}${value} ${isBlank ? "isEmpty" : "isPresent"}`;
      },
      "i",
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s+is\s+(not\s+)?(?:equal\s+to\s+|equals\s+)?(${VALUE})`,
      ([, value, not, other]) => `${value} ${not === "" ? "==" : "!="} ${other}`,
    )
  );
}
