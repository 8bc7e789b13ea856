import { isModifier, MODIFIERS, type ModifierName } from "../grammar/modifier-signatures.ts";
import { type Correction, CURRENCIES, rewrite } from "./rewrites.ts";
import { NAME, PATH, TEXT, VALUE, Written } from "./written.ts";

const MODIFIER = String.raw`(?<=(?:::.*,|::)\s*)`;
const LOOK = "bold|italic|underline|strike";

/** Modifiers that other languages write differently. Each correction concerns the part after `::`. */
export const OTHER_MODIFIERS: readonly Correction[] = [
  rewrite(String.raw`${MODIFIER}(${NAME})(?=\s*(?:\(|,|$))`, ([, name = ""]) =>
    isModifier(name) ? null : inLowercase(name),
  ),
  // Formats.
  rewrite(String.raw`${MODIFIER}format\(\s*(\d+)\s*\)`, ([, decimals]) => `number(${decimals})`),
  rewrite(
    String.raw`${MODIFIER}(${CURRENCIES})(?=\s*(?:,|$))`,
    ([, code]) => `currency("${code}")`,
  ),
  rewrite(
    String.raw`${MODIFIER}(currency|percent)\(\s*(${VALUE})\s*,\s*(${TEXT})\s*\)`,
    ([, name, value, language = ""]) =>
      /^["'][a-z]{2}(?:-[A-Za-z]{2})?["']$/.test(language)
        ? `${name}(${value}), locale(${language})`
        : null,
  ),
  rewrite(
    String.raw`${MODIFIER}((?:number|currency)(?:\([^()]*\))?)\s*,\s*replace\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\)`,
    ([, number, from = "", to = ""]) =>
      from.slice(1, -1) === "," && /^["'](?:'|’)["']$/.test(to)
        ? `${number}, locale("de-CH")`
        : null,
  ),
  rewrite(
    String.raw`^([^:]+?)\s*::\s*((?:number|currency|percent)(?:\([^()]*\))?)\s*([-+*/%])\s*(${VALUE})(?:\s*::\s*[^:]+)?$`,
    ([, value = "", number, sign, other]) => {
      const isTerm = new Written(value).split("[-+*/%]|[?]{2}").length === 1;
      return `${isTerm ? value : `(${value})`} ${sign} ${other} :: ${number}`;
    },
  ),
  rewrite(String.raw`${MODIFIER}optional\(\s*(${VALUE})\s*\)`, ([, value]) => `default(${value})`),
  rewrite(
    String.raw`${MODIFIER}default\(\s*([-–—/.*?]+|n\/a)\s*\)`,
    ([, text]) => `default("${text}")`,
  ),
  rewrite(
    String.raw`^(${PATH})\s*::\s*(?:yes_?no|bool(?:ean)?)(?:\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\))?$`,
    ([, value, yes, no]) => `$if(${value}, ${yes || '"Yes"'}, ${no || '"No"'})`,
    "i",
  ),
  rewrite(
    String.raw`${MODIFIER}(?:(ceil(?:ing)?|round_?up)|floor|round_?down|trunc)(?:\(\s*(\d*)\s*\))?(?=\s*(?:,|$))`,
    ([, up, places]) => `round(${places || 0}, "${up === "" ? "down" : "up"}")`,
    "i",
  ),
  // Sizes and codes.
  rewrite(
    String.raw`${MODIFIER}(?:size|image|img|picture)\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\)`,
    ([, width, height]) => `width(${width}), height(${height})`,
  ),
  rewrite(
    String.raw`${MODIFIER}(code128|code39|ean13|ean8|upca|itf14|isbn)(?=\s*(?:,|$))`,
    ([, kind = ""]) => `barcode("${kind.toLowerCase()}")`,
    "i",
  ),
  (tag) =>
    tag.replace(
      String.raw`${MODIFIER}(qrcode|barcode)\(\s*(${TEXT})\s*\)`,
      ([, code, size = ""]) =>
        /\d\s*(?:cm|mm|in|pt|px)\W$/.test(size) ? `${code}, width(${size})` : null,
    ),
  // Looks.
  rewrite(
    String.raw`(?<=::.*)(?<![\p{L}\p{N}_])(${LOOK})\s+(?:(?:and|&|\+)\s*)?(?=(?:${LOOK})(?![\p{L}\p{N}_]))`,
    ([, look]) => `${look}, `,
  ),
  rewrite(
    String.raw`${MODIFIER}(color|fill|style)\(\s*(${TEXT})\s*\)\s*,\s*when\(([^()]+)\)\s*,\s*(?:else|otherwise)\s+\1\(\s*(${TEXT})\s*\)$`,
    ([, look, one, condition, other]) => `${look}($if(${condition}, ${one}, ${other}))`,
  ),
  rewrite(
    String.raw`${MODIFIER}(color|fill|style)\(\s*([^(),]*[<>=][^(),]*)\s*,\s*(${TEXT})\s*\)`,
    ([, look, condition = "", value]) => `${look}(${value}), when(${condition.trim()})`,
  ),
  rewrite(
    String.raw`(?<=::.*(?:color|fill|style)\(\s*${TEXT}\s*\)\s*,\s*|::.*(?:${LOOK})\s*,\s*)\$?if\s*\(`,
    () => "when(",
  ),
  rewrite(
    String.raw`(?<=::.*(?:color|fill|style)\(\s*${TEXT}\s*\)|::\s*(?:${LOOK}))\s+(?:if|when)\s+([^:]+)$`,
    ([, condition]) => `, when(${condition})`,
  ),
  rewrite(
    String.raw`${MODIFIER}(red|green|blue|orange|yellow|gr[ae]y|white|black)(?=\s*(?:,|$))`,
    ([, color = ""]) => `color("${color.toLowerCase()}")`,
    "i",
  ),
  rewrite(
    String.raw`${MODIFIER}style\(\s*(\p{L}[\p{L}\p{N}]*(?:\s+[\p{L}\p{N}]+)+)\s*\)`,
    ([, name]) => `style("${name}")`,
  ),
];

/** Returns a modifier that is written in other letters, such as `Optional`. */
function inLowercase(name: string): string | null {
  const small = name.toLowerCase();
  const known = Object.keys(MODIFIERS).find((each) => each.toLowerCase() === small);
  return (known as ModifierName | undefined) ?? null;
}
