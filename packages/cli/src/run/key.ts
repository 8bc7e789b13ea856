import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { unreadable } from "../entries/entry.ts";
import type { LoadedTemplate } from "../files/template.ts";

/**
 * The key that identifies a run: the hash of its template, data and options. Reads the data file once. Rejects
 * `not_found`.
 */
export async function runKey(
  { bytes, included }: LoadedTemplate,
  dataPath: string,
  options: unknown,
): Promise<string> {
  const key = createHash("sha256");
  const part = (content: string | Uint8Array): void => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    key.update(`${sha256}\n`);
  };
  part(bytes);
  for (const [name, content] of included) {
    part(name);
    part(content);
  }
  part(JSON.stringify(options));
  key.update(await hashOf(dataPath));
  return key.digest("hex");
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return hash.digest("hex");
}
