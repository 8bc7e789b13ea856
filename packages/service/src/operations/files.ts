import { type CatalogFile, type CatalogFolder, isQuireError, QuireError } from "@quire/core/host";
import { check, invalidAt, tooLarge } from "@quire/http/parts";
import { multipartBody } from "../openapi/multipart-body.ts";
import { readUpload } from "../request/upload.ts";
import {
  file,
  files,
  fileUpdate,
  fileVersions,
  preflightRequest,
  uploadAttributes,
  uploadUrl,
  versionAttributes,
} from "../schemas/files.ts";
import { ROOT_ID, wireVersion } from "../wire/files.ts";
import { ifMatch, sha1Header } from "./file-headers.ts";
import { changeIfMatch, fileOfPath, withFolder } from "./file-of-path.ts";
import { author, folderOf } from "./folders.ts";
import { operation, type ServiceCall } from "./service-operation.ts";

const TAG = "Files";
const fileId = { file_id: "The id of the file." };
export const uploadFile = operation({
  id: "post_files_content",
  method: "POST",
  path: "/files/content",
  tag: TAG,
  summary: "Upload a file",
  needs: "write",
  headers: sha1Header,
  upload: multipartBody(uploadAttributes),
  responses: { 201: { description: "The file was uploaded.", schema: files } },
  errors: [404, 409, 413, 415],
  async run(call) {
    const { service, who, signal } = call;
    const sha1 = sha1Of(call.request.headers);
    const created = await upload(call, async (input, bytes) => {
      const { name, parent } = check(uploadAttributes, input, "/attributes");
      const folder = await folderOf(service, who.enterprise, parent.id);
      return service.files.upload(author(who), folder.id, name, bytes, { ...sha1, signal });
    });
    return { status: 201, body: { total_count: 1, entries: [await withFolder(call, created)] } };
  },
});

export const uploadVersion = operation({
  id: "post_files_id_content",
  method: "POST",
  path: "/files/{file_id}/content",
  tag: TAG,
  summary: "Upload a new version of a file",
  description: "Existing batches keep the version with which they were created.",
  needs: "write",
  params: fileId,
  headers: { ...sha1Header, ...ifMatch },
  upload: multipartBody(versionAttributes),
  responses: { 201: { description: "The version was uploaded.", schema: files } },
  errors: [404, 409, 412, 413, 415],
  async run(call) {
    const { service, who, signal } = call;
    const before = await fileOfPath(call);
    const sha1 = sha1Of(call.request.headers);
    const created = await upload(call, async (input, bytes) => {
      const { name = before.name } = check(versionAttributes, input, "/attributes");
      const parent = await folderOf(service, who.enterprise, before.parentId ?? ROOT_ID);
      // A name that is taken is rejected before the version is created.
      if (name !== before.name) await assertFree(service, parent, name, before.id);
      const added = await changeIfMatch(call, before, (still) =>
        service.files.uploadVersion(author(who), before.id, bytes, { ...sha1, signal, ...still }),
      );
      if (name === added.name) return added;
      return service.files.rename(who.enterprise, before.id, name);
    });
    return { status: 201, body: { total_count: 1, entries: [await withFolder(call, created)] } };
  },
});

export const preflight = operation({
  id: "options_files_content",
  method: "OPTIONS",
  path: "/files/content",
  tag: TAG,
  summary: "Check whether a file can be uploaded",
  needs: "write",
  body: preflightRequest,
  responses: { 200: { description: "The file can be uploaded.", schema: uploadUrl } },
  errors: [404, 409, 413, 415],
  async run({ baseUrl, body, service, who }) {
    const { uploadBytes } = service.limits;
    if ((body.size ?? 0) > uploadBytes) throw tooLarge(uploadBytes);
    const parent = await folderOf(service, who.enterprise, body.parent?.id ?? ROOT_ID);
    if (body.name !== undefined) await assertFree(service, parent, body.name);
    return {
      status: 200,
      body: { upload_url: `${baseUrl}/files/content`, upload_token: "none" },
    };
  },
});

export const getFile = operation({
  id: "get_files_id",
  method: "GET",
  path: "/files/{file_id}",
  tag: TAG,
  summary: "Get a file",
  needs: "read",
  params: fileId,
  responses: { 200: { description: "The file.", schema: file } },
  errors: [404],
  run: async (call) => ({ status: 200, body: await withFolder(call, await fileOfPath(call)) }),
});

export const updateFile = operation({
  id: "put_files_id",
  method: "PUT",
  path: "/files/{file_id}",
  tag: TAG,
  summary: "Rename a file",
  description: "The file keeps its id.",
  needs: "write",
  params: fileId,
  headers: ifMatch,
  body: fileUpdate,
  responses: { 200: { description: "The file.", schema: file } },
  errors: [404, 409, 412, 413, 415],
  async run(call) {
    const { body, service, who } = call;
    const before = await fileOfPath(call);
    if (body.parent !== undefined) {
      const parent = await folderOf(service, who.enterprise, body.parent.id);
      if (parent.id !== before.parentId) throw notMoved();
    }
    const { name = before.name } = body;
    if (name === before.name) return { status: 200, body: await withFolder(call, before) };
    const after = await changeIfMatch(call, before, (still) =>
      service.files.rename(who.enterprise, before.id, name, still),
    );
    return { status: 200, body: await withFolder(call, after) };
  },
});

export const deleteFile = operation({
  id: "delete_files_id",
  method: "DELETE",
  path: "/files/{file_id}",
  tag: TAG,
  summary: "Delete a file",
  description: "If the file is a template, it is unmarked. Existing batches are still completed.",
  needs: "write",
  params: fileId,
  headers: ifMatch,
  responses: { 204: { description: "The file was deleted." } },
  errors: [404, 412],
  async run(call) {
    const { service, who } = call;
    const before = await fileOfPath(call);
    const { id } = before;
    await changeIfMatch(call, before, (still) => service.files.remove(who.enterprise, id, still));
    await service.templates.unmark(who.enterprise, id);
    return { status: 204 };
  },
});

export const listVersions = operation({
  id: "get_files_id_versions",
  method: "GET",
  path: "/files/{file_id}/versions",
  tag: TAG,
  summary: "List the versions of a file",
  needs: "read",
  params: fileId,
  responses: { 200: { description: "The versions, newest first.", schema: fileVersions } },
  errors: [404],
  async run(call) {
    const { id } = await fileOfPath(call);
    const versions = await call.service.files.versions(call.who.enterprise, id);
    const entries = versions.map(wireVersion);
    const total = entries.length;
    return { status: 200, body: { total_count: total, entries, limit: total, offset: 0 } };
  },
});

/** Rejects `item_name_invalid` for an invalid name, and `conflict` if an item other than `except` has the name. */
async function assertFree(
  { files: catalog }: ServiceCall["service"],
  { id, tenant }: CatalogFolder,
  name: string,
  except?: string,
): Promise<void> {
  const found = await catalog.storageOf(tenant).find({ type: "folder", id }, name);
  if (found === null || found.ref.id === except) return;
  throw new QuireError(
    "conflict",
    `The name ${JSON.stringify(name)} is already taken in this folder. Choose another name.`,
  );
}

/** Reads an upload. A file that exceeds the size limit gets a 413, like a body that exceeds its limit. */
async function upload(
  { request, service, who }: Pick<ServiceCall, "request" | "service" | "who">,
  take: (attributes: unknown, bytes: AsyncIterable<Uint8Array>) => Promise<CatalogFile>,
): Promise<CatalogFile> {
  const { uploadBytes: maxBytes, idleMs } = service.limits;
  const turn = () => service.uploadTurn(who.enterprise);
  try {
    return await readUpload(request, { maxBytes, idleMs, turn }, take);
  } catch (error) {
    throw isQuireError(error) && error.code === "limit_exceeded" ? tooLarge(maxBytes) : error;
  }
}

function sha1Of(headers: Headers): { readonly sha1?: string } {
  const sha1 = headers.get("content-md5");
  if (sha1 === null || sha1 === "") return {};
  if (/^[0-9a-f]{40}$/i.test(sha1)) return { sha1 };
  throw invalidAt(
    "",
    "wrong_value",
    "The header Content-MD5 must be the SHA-1 of the file, as 40 hex digits.",
  );
}

function notMoved(): Error {
  return invalidAt(
    "/parent",
    "wrong_value",
    "A file cannot be moved to another folder. Upload it there.",
  );
}
