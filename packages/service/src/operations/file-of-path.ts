import { type CatalogFile, isQuireError, QuireError } from "@quire/core/host";
import { fileOf, Problem } from "@quire/http/parts";
import type { ChangeOptions } from "../files/files-types.ts";
import { etagOf, ROOT_ID, wireFile } from "../wire/files.ts";
import { folderOf } from "./folders.ts";
import type { ServiceCall } from "./service-operation.ts";

type FileCall = Pick<ServiceCall, "service" | "params" | "request" | "who">;

/**
 * Returns the file that the path names. Throws `not_found` if it does not exist, and a 412 if `if-match` does not match
 * it.
 */
export async function fileOfPath(call: FileCall): Promise<CatalogFile> {
  const { service, params, who } = call;
  const id = params.file_id ?? "";
  const found = await fileOf(service.files, who.enterprise, id);
  if (found === null) {
    throw new QuireError("not_found", `There is no file ${JSON.stringify(id)}. Check the id.`);
  }
  const wanted = wantedEtag(call);
  if (wanted === null || wanted === etagOf(found)) return found;
  throw hasChanged();
}

/**
 * Changes the file that {@link fileOfPath} returned. If `if-match` is set and the file has been changed in the
 * meantime, throws a 412 instead. `change` must reject `conflict` if the file no longer matches `ifStill`.
 */
export async function changeIfMatch<T>(
  call: FileCall,
  before: CatalogFile,
  change: (options: ChangeOptions) => Promise<T>,
): Promise<T> {
  if (wantedEtag(call) === null) return change({});
  try {
    return await change({ ifStill: before });
  } catch (error) {
    if (!isQuireError(error) || error.code !== "conflict") throw error;
    const now = await fileOf(call.service.files, call.who.enterprise, before.id);
    throw now !== null && etagOf(now) === etagOf(before) ? error : hasChanged(error);
  }
}

/** Returns the etag that `if-match` requires; null if any etag is acceptable. */
function wantedEtag({ request }: FileCall): string | null {
  const wanted = request.headers.get("if-match");
  return wanted === null || wanted === "*" ? null : wanted.replaceAll('"', "");
}

function hasChanged(cause?: unknown): Problem {
  return new Problem(
    412,
    "precondition_failed",
    "The file's etag differs from the If-Match header: somebody has changed the file. Get it again.",
    { cause },
  );
}

/** Returns a file in the format of the hosted service, with its folder. */
export async function withFolder(
  { service, who }: Pick<ServiceCall, "service" | "who">,
  created: CatalogFile,
) {
  return wireFile(created, await folderOf(service, who.enterprise, created.parentId ?? ROOT_ID));
}
