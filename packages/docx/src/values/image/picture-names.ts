import type { PathExpression } from "../../language/grammar/expression.ts";

/** Matches a key whose value is a picture. */
const KEY =
  /(?:^|_)(?:photo|picture|image|img|logo|signature|stamp|icon)$|[a-z0-9](?:Photo|Picture|Image|Img|Logo|Signature|Stamp|Icon)$/;

/** Matches the name of a file with a picture. */
const FILE = /^[^\s/\\:<>|?*"]+\.(?:png|jpe?g|gif|svg|webp|bmp)$/i;

/** Maximum length of the name of a file. */
const MAX_LENGTH = 255;

/** Whether the last key of a path is the name of a picture, such as `companyLogo`. */
export function isPictureKey({ head, rest }: PathExpression): boolean {
  const key = rest.at(-1) ?? head ?? "";
  return KEY.test(key) || KEY.test(key.toLowerCase());
}

/** Whether text is the name of a file with a picture. */
export function isPictureFile(text: string): boolean {
  return text.length <= MAX_LENGTH && FILE.test(text);
}
