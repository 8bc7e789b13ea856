import { type FileRef, QuireError } from "@quire/core/host";
import { orNull } from "../wire/or-null.ts";
import type { DocGenCall, DocGenFiles, FoundFile } from "./doc-gen.ts";

/**
 * Returns the template that the path names. Its file must be marked as a template. With `or file`, any file is
 * accepted, because a template that is no longer marked still has jobs.
 */
export async function templateOf(
  { service, params, who }: Pick<DocGenCall, "service" | "params" | "who">,
  which: "marked" | "or file" = "marked",
): Promise<FoundFile> {
  const id = params.template_id ?? "";
  const { templates, files } = service;
  const isMarked = templates === null || (await templates.find(who.enterprise, id)) !== null;
  const file = await fileOf(files, who.enterprise, id);
  if (file !== null && (isMarked || which === "or file")) return file;
  throw new QuireError(
    "not_found",
    `There is no template ${JSON.stringify(id)}. Mark a file as a template first.`,
  );
}

/** Returns the file with this id; null if it does not exist. */
export async function fileOf<Item extends Awaited<ReturnType<DocGenFiles["resolve"]>>>(
  files: { resolve(tenant: string, ref: FileRef): Promise<Item> },
  tenant: string,
  id: string,
): Promise<Extract<Item, { readonly type: "file" }> | null> {
  const item = await orNull(files.resolve(tenant, { type: "file", id }));
  return item !== null && isFile(item) ? item : null;
}

function isFile<Item extends { readonly type: string }>(
  item: Item,
): item is Extract<Item, { readonly type: "file" }> {
  return item.type === "file";
}
