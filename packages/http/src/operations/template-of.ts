import { type CatalogFile, isQuireError, QuireError } from "@quire/core/host";
import type { Call } from "./operation.ts";

/**
 * The template of the path: its file, if the file is marked as a template. With `or file`, any file is accepted: a
 * template that was unmarked still has jobs.
 */
export async function templateOf(
  { service, params, who }: Pick<Call, "service" | "params" | "who">,
  which: "marked" | "or file" = "marked",
): Promise<{ readonly file: CatalogFile }> {
  const id = params.template_id ?? "";
  const marked = await service.templates.find(who.enterprise, id);
  const file = await fileOf(service, who.enterprise, id);
  if (file !== null && (marked !== null || which === "or file")) return { file };
  throw new QuireError(
    "not_found",
    `There is no template ${JSON.stringify(id)}. Mark a file as a template first.`,
  );
}

/** Null if the file does not exist. */
export async function fileOf(
  { files }: Call["service"],
  tenant: string,
  id: string,
): Promise<CatalogFile | null> {
  try {
    const entry = await files.resolve(tenant, { type: "file", id });
    return entry.type === "file" ? entry : null;
  } catch (error) {
    if (isQuireError(error) && error.code === "not_found") return null;
    throw error;
  }
}
