import { type Correction, rewrite } from "../rewrites.ts";
import { NAME, PATH, TEXT, VALUE } from "../written.ts";

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Conditions in words: `if no name`, `if customer has phone` and `if there is phone`. */
export const SPOKEN_CONDITIONS: readonly Correction[] = [
  rewrite(
    String.raw`^(if|elseif)\s+(?:there\s+(?:is|are)\s+)?no\s+(${PATH})$`,
    ([, word, path]) => {
      return `${word} ${path} isEmpty`;
    },
  ),
  rewrite(
    String.raw`^(if|elseif)\s+there\s+(?:is|are)\s+(?:an?\s+|any\s+|some\s+)?(${PATH})$`,
    ([, word, path]) => `${word} not ${path} isEmpty`,
  ),
  rewrite(
    String.raw`^(if|elseif)\s+(${PATH})\s+has\s+(?:an?\s+|(no)\s+)?(${NAME})$`,
    ([, word, path, no, key = ""]) => {
      if (/^(?:any|items|elements|values?|content)$/.test(key))
        return `${word} ${no === "" ? "not " : ""}${path} isEmpty`;
      return `${word} ${no === "" ? "" : "not "}${path}.${key} isPresent`;
    },
  ),
  rewrite(
    String.raw`^(if|elseif)\s+(${PATH})\s+(?:is\s+)?(not\s+)?filled(?:\s+(?:in|out))?$`,
    ([, word, path, not]) => `${word} ${not === "" ? "not " : ""}${path} isEmpty`,
  ),
  rewrite(
    String.raw`^(if|elseif)\s+(${PATH})\s+from\s+(${NUMBER})\s+to\s+(${NUMBER})$`,
    ([, word, value, least, most]) => `${word} ${value} >= ${least} and ${value} <= ${most}`,
  ),
  rewrite(
    String.raw`^((?:if|elseif)\s+${PATH})\s+(?:is\s+)?(before|after)\s+\$?(today|now)$`,
    ([, start, word, date]) => `${start} ${word === "before" ? "<" : ">"} $${date}`,
  ),
  rewrite(
    String.raw`(${PATH})\s+(?:is\s+)?(?:(exceeds|over|above)|under|below)\s+(${NUMBER})`,
    ([, value, over, number]) => `${value} ${over === "" ? "<" : ">"} ${number}`,
  ),
  rewrite(
    String.raw`(?<=^(?:if|elseif)\s+(?:.*\s)?)(${PATH})\s+(?:is\s+)?(positive|negative|zero)(?=$|\s)`,
    ([, value, word]) => `${value} ${word === "zero" ? "==" : word === "negative" ? "<" : ">"} 0`,
  ),
  rewrite(
    String.raw`(?<=^(?:if|elseif)\s+(?:.*\s)?)(${PATH})\s+(?:is\s+)?in\s+the\s+(?:(past)|future)(?=$|\s)`,
    ([, value, past]) => `${value} ${past === "" ? ">" : "<"} $today`,
  ),
  rewrite(
    String.raw`(${PATH})\s+(?:is\s+)?within\s+(?:the\s+next\s+)?(\d+)\s+(day|week|month|year)s?(?=$|\s)`,
    ([, value, count, unit = ""]) =>
      `${value} >= $today and ${value} <= $today.add${unit.charAt(0).toUpperCase()}${unit.slice(1)}s(${count})`,
  ),
  rewrite(
    String.raw`(${PATH})\s*(?:\sis\s+(?:(not)\s+)?(?:on\s+)?(?:an?\s+)?)(${DAYS.join("|")})(?=$|\s)`,
    ([, value, not, day = ""]) =>
      `${value}.weekday() ${not === "" ? "==" : "!="} ${DAYS.indexOf(day) + 1}`,
  ),
  rewrite(
    String.raw`(${PATH})\s+contains\s+(?:any\s+of|either)\s+(${TEXT})\s*(?:,|or)\s*(${TEXT})$`,
    ([, value, one, other]) => `${value} contains ${one} or ${value} contains ${other}`,
  ),
  rewrite(
    String.raw`(${PATH})\s*(?:\sis\s|\s|==?)\s*(?:either\s+(${TEXT})\s+or|(neither)\s+(${TEXT})\s+n?or)\s+(${TEXT})`,
    ([, value, one, neither, first, other]) =>
      `${value} ${neither === "" ? "" : "not "}in [${one || first}, ${other}]`,
  ),
  rewrite(
    String.raw`(?<=^(?:if|elseif)\s+)(?:both\s+(.+?\sand)|either\s+(.+?\sor))\s`,
    ([, all, any]) => `${all || any} `,
  ),
  rewrite(
    String.raw`^(if|elseif)\s+(?:(all|every)|any|some)\s+(?:of\s+)?(?:the\s+)?(${PATH})\s+(?:(?:is|are)\s+)?(${NAME}(?:\s*(?:==?|!=|[<>]=?)\s*${VALUE})?)$`,
    ([, word, all, list = "", test = ""]) => {
      const items = list.endsWith("s") ? list : `${list}s`;
      if (all === "") return `${word} ${items}.count(${test}) > 0`;
      return `${word} ${items}.count(not ${/\W/.test(test) ? `(${test})` : test}) == 0`;
    },
  ),
  rewrite(
    String.raw`^(if|elseif)\s+(not\s+)?(?:the\s+|is\s+)?(first|last)\s+(?:item|one|row|line|element|entry)$`,
    ([, word, not, which]) => `${word} ${not}$${which}`,
  ),
  rewrite(String.raw`\s(?:isn|aren|wasn)['’]t\s+(?=${VALUE}|["'])`, () => " != "),
  // `amount > 1 000`.
  rewrite(
    String.raw`(?<=[<>=]\s*)(\d{1,3}(?:[ \u00a0\u202f]\d{3})+)(?![\d.,])`,
    ([, number = ""]) => number.replace(/\D/g, ""),
  ),
];
