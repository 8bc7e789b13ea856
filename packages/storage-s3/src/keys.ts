import { QuireError } from "@quire/core/host";

/** The id of the root folder. */
export const ROOT = ".";

/** How the names begin under which the server is tried. No id and no listing leads to them. */
export const PROBE_PREFIX = ".quire-probe-";

/** The longest key that S3 takes, in bytes of UTF-8. */
export const MAX_KEY_BYTES = 1024;

/**
 * The key of what an id names, or null for the root, which no file is, and for a key that is longer than any
 * object's. Rejects `forbidden` for what is no id of this storage.
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

/** What the keys of a folder's entries begin with: `""`, or something that ends with "/". Rejects like {@link keyOf}. */
export function folderPrefix(prefix: string, id: string): string {
  if (id === ROOT) return prefix;
  keyOf(prefix, id);
  return `${prefix}${id}/`;
}

/** Whether S3 takes a key of that length. */
export function fits(key: string): boolean {
  return Buffer.byteLength(key) <= MAX_KEY_BYTES;
}

/** The last segment of an id. */
export function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

/** The id of what stands in a folder under a name. */
export function childOf(folder: string, name: string): string {
  return folder === ROOT ? name : `${folder}/${name}`;
}

/** Whether a name is one under which the server is tried. */
export function isProbeName(name: string): boolean {
  return name.startsWith(PROBE_PREFIX);
}

/** Why a string is no id of this storage, as the end of a sentence ("it …"), or null when it is one. */
export function idProblem(id: string): string | null {
  if (id.includes("\0")) return "holds a NUL character";
  if (id.includes("\\")) return "holds a backslash";
  if (!id.isWellFormed()) return "holds a lone surrogate";
  if (id.startsWith("/")) return "is an absolute path";
  for (const segment of id.split("/")) {
    if (segment === "") return "is empty or has an empty segment";
    if (segment === "..") return "has a segment that leads upwards";
    if (segment === ".") return 'has a segment "."';
    if (isProbeName(segment)) return "names an object with which the storage tries its server";
  }
  return null;
}

/**
 * A key as it stands in a listing that was asked for in URL encoding, since XML cannot hold every key. Servers
 * that do not encode do not say that they did.
 */
export function decodedKey(
  key: string | undefined,
  { EncodingType }: { readonly EncodingType?: string | undefined },
): string {
  if (key === undefined || EncodingType !== "url") return key ?? "";
  return decodeURIComponent(key.replaceAll("+", "%20"));
}
