import {
  type BatchRequest,
  type FileRef,
  type FolderRef,
  isQuireError,
  parseBatchRequest,
} from "@quire/core/host";
import { tooManyEntries } from "../wire/problem.ts";
import type { DocGenCall, FoundFile } from "./doc-gen.ts";

/**
 * Replaces the ids of the template and of the folder in a request with the engine's ids. The engine checks everything
 * else. With `mayBeKnown`, the engine also handles missing files and folders.
 */
export async function resolveRequest(
  { body, service, who, hold }: DocGenCall<undefined, unknown>,
  mayBeKnown = false,
): Promise<BatchRequest> {
  const count = (body as { document_generation_data?: { length?: number } } | null)
    ?.document_generation_data?.length;
  const most = service.limits.entries;
  if (typeof count === "number" && count > most) throw tooManyEntries(most);
  const raw = body as Partial<BatchRequest> | null;
  const [template, folder] = [raw?.file?.id, raw?.destination_folder?.id];
  if (typeof template !== "string" || typeof folder !== "string") return parseBatchRequest(body);
  const idOf = async (ref: FileRef | FolderRef): Promise<string> => {
    try {
      const entry = await service.files.resolve(who.enterprise, ref);
      // This counts as held, because the engine reads the whole template into memory.
      if (entry.type === "file") hold(await sizeOf(entry, raw?.file_version?.id));
      return entry.id;
    } catch (error) {
      // Problems of the request itself are reported first.
      await parseBatchRequest(body);
      // The engine recognizes a repeated request even if its files no longer exist, and reports missing files itself.
      if (mayBeKnown && isQuireError(error) && error.code === "not_found") return ref.id;
      throw error;
    }
  };
  const sizeOf = async ({ id, version }: FoundFile, wanted: unknown): Promise<number> => {
    if (version === null) return 0;
    if (typeof wanted !== "string" || wanted === version.id) return version.size;
    return (await service.files.version(who.enterprise, id, wanted))?.size ?? 0;
  };
  return {
    ...raw,
    file: { ...raw?.file, id: await idOf({ type: "file", id: template }) },
    destination_folder: {
      ...raw?.destination_folder,
      id: await idOf({ type: "folder", id: folder }),
    },
  } as BatchRequest;
}
