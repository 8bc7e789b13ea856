import { type CatalogFile, QuireError } from "@quire/core";
import { etagOf, ROOT_ID, wireFile } from "../wire/files.ts";
import { Problem } from "../wire/problem.ts";
import { folderOf } from "./folders.ts";
import type { Call } from "./operation.ts";
import { fileOf } from "./template-of.ts";

/** The file of the path, as `if-match` wants it. */
export async function fileOfPath({
  service,
  params,
  request,
  who,
}: Pick<Call, "service" | "params" | "request" | "who">): Promise<CatalogFile> {
  const id = params.file_id ?? "";
  const found = await fileOf(service, who.enterprise, id);
  if (found === null) {
    throw new QuireError("not_found", `There is no file ${JSON.stringify(id)}.`);
  }
  const wanted = request.headers.get("if-match");
  const isAny = wanted === null || wanted === "*";
  if (isAny || wanted.replaceAll('"', "") === etagOf(found)) return found;
  throw new Problem(
    412,
    "precondition_failed",
    "The file has another etag than the one of If-Match: somebody has changed it. Get it again.",
  );
}

/** A file as the contract has it, with the folder that it is in. */
export async function told({ service, who }: Pick<Call, "service" | "who">, made: CatalogFile) {
  return wireFile(made, await folderOf(service, who.enterprise, made.parentId ?? ROOT_ID));
}
