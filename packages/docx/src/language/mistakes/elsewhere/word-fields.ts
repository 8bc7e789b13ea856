import { type Correction, rewrite } from "../rewrites.ts";
import { PATH, TEXT } from "../written.ts";

/** The functions for the switches of Word's fields, in lowercase. */
const SWITCHES: Readonly<Record<string, string>> = {
  ...{ roman: ".roman()", alphabetic: ".letter()", ordinal: ".ordinal()", arabic: "" },
  ...{ cardtext: ".words()", ordtext: ".ordinalWords()" },
};
/** Tags that begin a list in mail merges and in Adobe's templates. */
const BEGINS = String.raw`^(?:(?:TableStart|BeginGroup|GroupStart)\s*:\s*|repeating-section\s*\(?\s*)(${PATH})\s*\)?$`;
const TODAY = String.raw`\$today`.replace("\\", "");

/** Fields of Word, the blocks of mail merges, and what other engines write for today. */
export const WORD_FIELDS: readonly Correction[] = [
  rewrite(
    String.raw`^(${PATH})\s*\\\*\s*(roman|alphabetic|ordinal|cardtext|ordtext|arabic)$`,
    ([, value, name = ""]) => {
      const isSmall = /^(?:roman|alphabetic)$/.test(name);
      return `${value}${SWITCHES[name.toLowerCase()]}${isSmall ? ".lowercase()" : ""}`;
    },
    "i",
  ),
  rewrite(
    String.raw`^(?:(DATE)|TIME)\s*\\@\s*(${TEXT})$`,
    ([, day, pattern]) => `${day === "" ? "$now" : TODAY} :: format(${pattern})`,
  ),
  rewrite(String.raw`^(${TEXT})\s*(?=\|\s*(?:date|format|strftime|moment))`, ([, text = ""]) =>
    /^.(?:now|today).$/i.test(text) ? `${TODAY} ` : null,
  ),
  rewrite(
    String.raw`^c\.now\s*:\s*formatD\(\s*["']?([dDMyYHhms]+(?:[-./: ]+[dDMyYHhms]+)*)["']?\s*\)$`,
    ([, pattern = ""]) =>
      `${TODAY} :: format("${pattern.replace(/[DY]/g, (letter) => letter.toLowerCase())}")`,
  ),
  rewrite(BEGINS, ([, list]) => `#${list}`),
  rewrite(String.raw`^(?:TableEnd|EndGroup|GroupEnd)\s*:\s*(${PATH})$`, ([, list]) => `/${list}`),
];
