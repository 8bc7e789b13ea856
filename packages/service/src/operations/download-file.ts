import { type CatalogFile, type CatalogVersion, QuireError } from "@quire/core/host";
import { create as contentDisposition } from "content-disposition";
import { z } from "zod";
import { sentBody } from "../request/download.ts";
import { fileOfPath } from "./file-of-path.ts";
import { operation, type ServiceCall } from "./service-operation.ts";

const OCTETS = "application/octet-stream";
const MEDIA_TYPES = new Map([
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["pdf", "application/pdf"],
]);

export const downloadFile = operation({
  id: "get_files_id_content",
  method: "GET",
  path: "/files/{file_id}/content",
  tag: "Files",
  summary: "Download a file",
  needs: "read",
  params: { file_id: "The id of the file." },
  query: z.object({
    version: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .meta({ description: "The id of a version. Default: the current version." }),
  }),
  responses: {
    200: {
      description: "The content of the file.",
      mediaTypes: [...MEDIA_TYPES.values(), OCTETS],
      headers: {
        "content-disposition": {
          description: "The name of the file (RFC 6266).",
          example: 'attachment; filename="invoice.docx"',
        },
      },
    },
  },
  errors: [404],
  async run(call) {
    const file = await fileOfPath(call);
    const version = await versionOf(call, file, call.query.version);
    // A HEAD request gets the headers of GET, and the bytes are not needed.
    if (call.request.method === "HEAD") return response(file.name, null, version.size);
    const { service, who, signal } = call;
    const holding = service.downloads.holding(who.enterprise);
    try {
      holding.add(version.size);
      const options = { signal, version: version.id };
      const { bytes } = await service.files.read(who.enterprise, file.id, options);
      const { idleMs } = service.limits;
      const body = sentBody(bytes, { idleMs, onEnd: () => holding.release() });
      return response(file.name, body, bytes.length);
    } catch (error) {
      holding.release();
      throw error;
    }
  },
});

/** Returns the requested version. Rejects `not_found` if it does not exist. */
async function versionOf(
  { service, who }: Pick<ServiceCall, "service" | "who">,
  { id, version }: CatalogFile,
  wanted: string | undefined,
): Promise<CatalogVersion> {
  if (wanted === undefined || wanted === version.id) return version;
  const found = await service.files.version(who.enterprise, id, wanted);
  if (found !== null) return found;
  throw new QuireError(
    "not_found",
    `The file ${JSON.stringify(id)} has no version ${JSON.stringify(wanted)}. Check the id of the version.`,
  );
}

function response(name: string, body: ReadableStream<Uint8Array> | null, length: number): Response {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return new Response(body, {
    headers: {
      "content-type": MEDIA_TYPES.get(extension) ?? OCTETS,
      "content-length": String(length),
      "content-disposition": contentDisposition(name),
      // Browsers must never show a document as a page of this service.
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, no-store",
    },
  });
}
