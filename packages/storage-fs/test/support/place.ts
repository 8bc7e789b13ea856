import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder with a storage's root and, next to the root, a file that must remain unreachable. */
export interface Place {
  readonly base: string;
  readonly root: string;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function makePlace(): Promise<Place> {
  const base = await mkdtemp(join(tmpdir(), "quire-fs-"));
  const root = join(base, "root");
  await mkdir(join(root, "out"), { recursive: true });
  return {
    base,
    root,
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  };
}

/** Returns the unfinished files directly in a folder. */
export async function leftovers(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith(".quire-tmp-"));
}

export const OUT = { type: "folder", id: "out" } as const;

export function file(id: string): { readonly type: "file"; readonly id: string } {
  return { type: "file", id };
}

export function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}
