import { looksLikeHtml } from "../values/rich/detect.ts";
import type { Evaluation } from "./evaluate.ts";
import type { LineOp, LineValue } from "./ops.ts";
import { isPlainObject, plainText, plainValue } from "./plain-values.ts";
import { resolve } from "./scope.ts";

/**
 * Reads the values of a line: into `texts` goes what each prints, null for one that takes the longer way.
 * False when one of them cuts its paragraph in two, so that the line cannot be written as one.
 */
export function readLine(
  { values, item }: LineOp,
  env: Evaluation,
  texts: (string | null)[],
): boolean {
  const { scope, data } = env;
  const own = ownObject(item, env);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as LineValue;
    const { path, ownKey } = value;
    let text: string | null = null;
    if (value.isPlain && path !== null) {
      const found = own === null || ownKey === null ? undefined : own[ownKey];
      text = plainText(found ?? plainValue(path, scope, data), value.mode);
    }
    texts[at] = text;
    if (text === null && value.cuts && path !== null) {
      const found = resolve(path, env);
      if (typeof found === "string" && looksLikeHtml(found)) return false;
    }
  }
  return true;
}

/**
 * The same for an item of the block around, when all values of the line are its own keys and plain; false
 * when the line has to be read with what is around.
 */
export function readOwnLine({ values }: LineOp, item: unknown, texts: (string | null)[]): boolean {
  if (!isPlainObject(item)) return false;
  for (let at = 0; at < values.length; at++) {
    const { ownKey, isPlain, mode } = values[at] as LineValue;
    if (!isPlain || ownKey === null) return false;
    const text = plainText(item[ownKey], mode);
    if (text === null) return false;
    texts[at] = text;
  }
  return true;
}

/** The item of the block around a line, or the data outside of blocks, when its keys can be read as they are. */
function ownObject(
  item: string | null,
  { scope, data }: Evaluation,
): Readonly<Record<string, unknown>> | null {
  let near: unknown = null;
  if (scope === null) near = item === null ? data : null;
  else if (scope.alias === item) near = scope.item;
  return isPlainObject(near) ? near : null;
}
