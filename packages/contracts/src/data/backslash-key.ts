/** A key that is a single backslash, in either of its JSON spellings. */
const BACKSLASH_KEY = /(?<!\\)"\\(?:\\|u005[cC])"\s*:/;

/**
 * Whether JSON, as a string or UTF-8 bytes, has a key that is a single backslash. Do not parse such JSON: until the
 * process ends, V8's `JSON.parse` may then read other keys that are a single escaped character, such as `"\u00e9"`, as
 * a backslash (nodejs/node#63785; Node 24 and 26, not 22). One document could then change another.
 */
export function hasBackslashKey(json: string | Buffer): boolean {
  // This check is very cheap. Values that are a single backslash are rare, and such keys are even rarer.
  const mayHave = json.includes('"\\\\"') || json.includes('"\\u005');
  return mayHave && BACKSLASH_KEY.test(json.toString());
}
