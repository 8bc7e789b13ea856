import { valueBytes } from "../deflate/value-bytes.ts";
import type { LineOp, LineValue } from "../program/ops.ts";
import { looksLikeHtml } from "../values/rich/read/detect.ts";
import type { Evaluation } from "./evaluate/context/evaluation.ts";
import {
  addPlainValue,
  isPlainObject,
  plainText,
  plainValue,
} from "./evaluate/context/plain-values.ts";
import { resolve } from "./evaluate/context/scope.ts";

/**
 * Reads the values of a line. `texts` receives the output of each value, or null for a value that needs the general
 * code. Returns false if a value splits its paragraph, so that the line cannot be written in one step.
 */
export function readLine(
  { values, item }: LineOp,
  env: Evaluation,
  texts: (string | null)[],
): boolean {
  const own = ownObject(item, env);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as LineValue;
    const { path, ownKey } = value;
    let text: string | null = null;
    if (value.isPlain && path !== null) {
      const found = own === null || ownKey === null ? undefined : own[ownKey];
      text = plainText(found ?? plainValue(path, env), value.mode);
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
 * Reads the values of a line into {@link valueBytes} if all of them are plain. Returns false for a line that
 * {@link readLine} has to read.
 */
export function readPlainLine(line: LineOp, env: Evaluation): boolean {
  const { values, item } = line;
  const own = ownObject(item, env);
  if (!valueBytes.begin(values.length)) return false;
  for (let at = 0; at < values.length; at++) {
    const { path, ownKey, isPlain, mode } = values[at] as LineValue;
    if (!isPlain || path === null) return false;
    const found = own === null || ownKey === null ? undefined : own[ownKey];
    if (!addPlainValue(found ?? plainValue(path, env), mode)) return false;
  }
  return true;
}

/** Like {@link readPlainLine}, for an item of the innermost block if all values of the line are its own keys. */
export function readOwnLine({ values }: LineOp, item: unknown): boolean {
  if (!isPlainObject(item)) return false;
  if (!valueBytes.begin(values.length)) return false;
  for (let at = 0; at < values.length; at++) {
    const { ownKey, isPlain, mode } = values[at] as LineValue;
    if (!isPlain || ownKey === null || !addPlainValue(item[ownKey], mode)) return false;
  }
  return true;
}

/** Returns the item of the innermost block, or the data outside blocks, if its keys can be read directly. */
function ownObject(
  item: string | null,
  { scope, data }: Evaluation,
): Readonly<Record<string, unknown>> | null {
  let near: unknown = null;
  if (scope === null) near = item === null ? data : null;
  else if (scope.alias === item) near = scope.item;
  return isPlainObject(near) ? near : null;
}
