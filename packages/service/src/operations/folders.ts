import type { CatalogFolder, CatalogPage } from "@quire/core/host";
import { pageAnswer, pageQuery, pageRequest } from "@quire/http/parts";
import { z } from "zod";
import { folder, folderRequest, items, offsetQuery } from "../schemas/files.ts";
import { wireEntry, wireFolder } from "../wire/files.ts";
import { operation, type ServiceCall } from "./service-operation.ts";

const TAG = "Folders";
const folderId = { folder_id: "The id of the folder; `0` is the root." };

export const createFolder = operation({
  id: "post_folders",
  method: "POST",
  path: "/folders",
  tag: TAG,
  summary: "Create a folder",
  needs: "write",
  body: folderRequest,
  responses: { 201: { description: "The folder was created.", schema: folder } },
  errors: [404, 409, 413, 415],
  async run({ body, service, who }) {
    const parent = await folderOf(service, who.enterprise, body.parent.id);
    const created = await service.files.createFolder(author(who), parent.id, body.name);
    return { status: 201, body: wireFolder(created, parent) };
  },
});

export const getFolder = operation({
  id: "get_folders_id",
  method: "GET",
  path: "/folders/{folder_id}",
  tag: TAG,
  summary: "Get a folder",
  needs: "read",
  params: folderId,
  responses: { 200: { description: "The folder.", schema: folder } },
  errors: [404],
  async run({ params, service, who }) {
    const found = await folderOf(service, who.enterprise, params.folder_id ?? "");
    const parent =
      found.parentId === null ? null : await folderOf(service, who.enterprise, found.parentId);
    return { status: 200, body: wireFolder(found, parent) };
  },
});

export const listItems = operation({
  id: "get_folders_id_items",
  method: "GET",
  path: "/folders/{folder_id}/items",
  tag: TAG,
  summary: "List the items of a folder",
  needs: "read",
  params: folderId,
  query: z.object({
    ...offsetQuery,
    marker: pageQuery.marker,
    usemarker: z
      .enum(["true", "false"])
      .optional()
      .meta({
        description: "Whether to page by `marker` instead of `offset`.",
        documented: { type: "boolean", default: false, examples: [false] },
      }),
  }),
  responses: { 200: { description: "A page of files and folders.", schema: items } },
  errors: [404],
  async run({ params, query, service, who }) {
    const found = await folderOf(service, who.enterprise, params.folder_id ?? "");
    const limit = Math.min(1000, Number(query.limit ?? 100));
    const contentOf = ({ total, items }: CatalogPage) => ({
      total_count: total,
      entries: items.map((entry) => wireEntry(entry, found)),
    });
    if (query.usemarker !== "true") {
      const offset = Number(query.offset ?? 0);
      const page = await service.files.list(who.enterprise, found.id, { limit, offset });
      return { status: 200, body: { ...contentOf(page), limit, offset } };
    }
    const scope = ["items", found.id];
    const wanted = pageRequest(query, ...scope);
    const page = await service.files.list(who.enterprise, found.id, wanted);
    const answer = pageAnswer(wanted, [], page.nextMarker, ...scope);
    return { status: 200, body: { ...answer, ...contentOf(page) } };
  },
});

export const deleteFolder = operation({
  id: "delete_folders_id",
  method: "DELETE",
  path: "/folders/{folder_id}",
  tag: TAG,
  summary: "Delete a folder",
  needs: "write",
  params: folderId,
  query: z.object({
    recursive: z
      .enum(["true", "false"])
      .optional()
      .meta({
        description: "Whether to delete the content of the folder as well.",
        documented: { type: "boolean", default: false, examples: [false] },
      }),
  }),
  responses: { 204: { description: "The folder was deleted." } },
  errors: [404, 409],
  async run({ params, query, service, who }) {
    const found = await folderOf(service, who.enterprise, params.folder_id ?? "");
    const recursive = query.recursive === "true";
    await service.files.remove(who.enterprise, found.id, { recursive });
    return { status: 204 };
  },
});

/** Returns a folder of a tenant. Rejects `not_found` if it does not exist. */
export async function folderOf(
  { files }: ServiceCall["service"],
  tenant: string,
  id: string,
): Promise<CatalogFolder> {
  return (await files.resolve(tenant, { type: "folder", id })) as CatalogFolder;
}

/** Returns the sender of a request as the author of a file or folder. */
export function author({ enterprise, user }: ServiceCall["who"]) {
  return { tenant: enterprise, user };
}
