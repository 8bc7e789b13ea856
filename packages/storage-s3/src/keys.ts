import { QuireError } from "@quire/contracts";

/** The id of the root folder. */
export const ROOT = ".";

/** The prefix of the names of objects that test the server. Ids and listings exclude such names. */
export const PROBE_PREFIX = ".quire-probe-";

/** The maximum length of a key in S3, in UTF-8 bytes. */
export const MAX_KEY_BYTES = 1024;

/**
 * Returns the key of an id; null for the root, which is not a file, and for a key that is longer than S3 allows. Throws
 * `forbidden` for an invalid id.
 */
export function keyOf(prefix: string, id: string): string | null {
  if (id === ROOT) return null;
  const problem = idProblem(id);
  if (problem !== null) {
    throw new QuireError(
      "forbidden",
      `The id ${JSON.stringify(id)} ${problem}. Use a path below the storage's prefix, its segments ` +
        'joined by "/", or "." for the root folder.',
    );
  }
  return fits(prefix + id) ? prefix + id : null;
}

/**
 * Returns the prefix of the keys of a folder's entries: `""`, or a string that ends with "/". Throws as {@link keyOf}
 * does.
 */
export function folderPrefix(prefix: string, id: string): string {
  if (id === ROOT) return prefix;
  keyOf(prefix, id);
  return `${prefix}${id}/`;
}

/** Whether the key is short enough for S3. */
export function fits(key: string): boolean {
  return Buffer.byteLength(key) <= MAX_KEY_BYTES;
}

/** Returns the last segment of an id. */
export function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

/** Returns the id of an entry in a folder. */
export function childOf(folder: string, name: string): string {
  return folder === ROOT ? name : `${folder}/${name}`;
}

/** Whether the name belongs to an object that tests the server. */
export function isProbeName(name: string): boolean {
  return name.startsWith(PROBE_PREFIX);
}

/** Returns why an id is invalid, as the end of a sentence ("it …"); null if the id is valid. */
export function idProblem(id: string): string | null {
  if (id.includes("\0")) return "contains a NUL character";
  if (id.includes("\\")) return "contains a backslash";
  if (!id.isWellFormed()) return "contains a lone surrogate";
  if (id.startsWith("/")) return "is an absolute path";
  for (const segment of id.split("/")) {
    if (segment === "") return "is empty or has an empty segment";
    if (segment === "..") return 'has a segment ".."';
    if (segment === ".") return 'has a segment "."';
    if (isProbeName(segment)) return "names an object that the storage uses to test its server";
  }
  return null;
}

/**
 * Decodes a key from a listing that was requested in URL encoding, because XML cannot represent every key. Servers that
 * do not support the encoding do not set `EncodingType`; their keys are returned unchanged.
 */
export function decodedKey(
  key: string | undefined,
  { EncodingType }: { readonly EncodingType?: string | undefined },
): string {
  if (key === undefined || EncodingType !== "url") return key ?? "";
  return decodeURIComponent(key.replaceAll("+", "%20"));
}
