import { type Wording, withTags } from "../delimiters/wording.ts";
import { type Correction, CURRENCIES, rewrite } from "./rewrites.ts";
import { NAME, type Written } from "./written.ts";

/** The signs of currencies, with their codes. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ "€": "EUR", $: "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₺": "TRY", "₩": "KRW" },
  ...{ Fr: "CHF", zł: "PLN", Kč: "CZK", Ft: "HUF" },
};
const CURRENCY = String.raw`[€$£¥₹₺₩]|(?:Fr|zł|Kč|Ft)(?:\.(?=\s|$))?|${CURRENCIES}`;
const VALUE = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{M}\p{N}_]*|\[\d+\])*`;
const PICTURE = "image|img|picture";
/** The kinds of barcodes. They are not names of values. */
const KIND = /^(?:code\d+|ean\d*|upca?|itf\d*|isbn)$/i;

/** Tags with a word or a sign before or after the name: `qrcode url`, `image logo` and `total EUR`. */
export const WORDS_BESIDE: readonly Correction[] = [
  rewrite(
    String.raw`^(?:(${CURRENCY})\s*(${VALUE})|(${VALUE})\s+(${CURRENCY}))$`,
    ([, before = "", value, other, after = ""], { text }) => {
      const sign = before || after;
      // `EURtotal` and `$total` are names.
      if (before !== "" && !/^(?:[€£¥₹₺₩]|\S+\s)/.test(text)) return null;
      return `${value || other} :: currency("${SIGNS[sign.replace(/\.$/, "")] ?? sign}")`;
    },
  ),
  rewrite(
    String.raw`^(?:(qr_?code|qr|barcode)|${PICTURE})(?:\s*:\s*|\s+)(${VALUE})$`,
    ([, code = "", value = ""]) => {
      if (code === "") return value;
      return KIND.test(value) ? null : `${value} :: ${code === "barcode" ? code : "qrcode"}`;
    },
    "i",
  ),
  rewrite(
    String.raw`^(?:cell_?(?:bg|color|colour|fill)|bg_?color)(?:\s*:\s*|\s+)(${VALUE})$`,
    ([, value]) => `cell :: fill(${value})`,
    "i",
  ),
  rewrite(
    String.raw`^col_?span(?:\s*:\s*|\s+)(\d+|${VALUE})$`,
    ([, count]) => `cell :: span(${count})`,
    "i",
  ),
  // The letters of python-docx-template for the element around a tag.
  rewrite(String.raw`^(?:r|p|tr|tc)\s+(${VALUE})$`, ([, value]) => value ?? null),
];

/** Returns a sentence about the key with a space that a word and a name may be, or an empty text. */
export function noteOnKey(tag: Written): Wording {
  const isBeside = WORDS_BESIDE.some((correct) => correct(tag) !== null);
  const [, parent = "", key] = tag.match(String.raw`^(?:(${VALUE})\.)?(${NAME} ${NAME})$`) ?? [];
  return isBeside && key !== undefined
    ? withTags` For a key with a space write {{${parent || "this"}["${key}"]}}.`
    : "";
}
