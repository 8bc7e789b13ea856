/** Returns a key or index as a reference token of a JSON Pointer (RFC 6901), without the slash. */
export function pointerStep(key: string | number): string {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Returns the JSON Pointer of a path of keys and indexes; `""` for an empty path. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => `/${pointerStep(key)}`).join("");
}

/** Returns the keys and indexes of a JSON Pointer. */
export function pointerPath(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
