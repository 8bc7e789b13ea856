/** Uses the service as a function from request to response, with everything in memory: no server, no files. */
import { readFile } from "node:fs/promises";
import {
  memoryFileCatalog,
  memoryJobStore,
  memoryStorage,
  memoryTemplateStore,
  memoryWebhookStore,
} from "@quire/core";
import { createService, staticTokens } from "@quire/service";

const service = await createService({
  storage: memoryStorage(),
  stores: {
    jobs: memoryJobStore(),
    files: memoryFileCatalog(),
    templates: memoryTemplateStore(),
    webhooks: memoryWebhookStore(),
    close: async () => {},
  },
  authenticate: staticTokens([{ token: "a-token-of-ann", user: "ann", enterprise: "acme" }]),
});

// Any runtime with the Fetch API can serve it: `export default { fetch: service.handler }`.
const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const headers = { authorization: "Bearer a-token-of-ann", "service-version": "2025.0" };
  const request = new Request(`http://quire.test/2.0${path}`, {
    ...init,
    headers: { ...headers, ...(typeof init.body === "string" ? JSON_BODY : {}) },
  });
  return service.handler(request);
};
const JSON_BODY = { "content-type": "application/json" };
const json = async (response: Response) => JSON.parse(await response.text());

const folder = new URL("./", import.meta.url);
const form = new FormData();
form.append("attributes", JSON.stringify({ name: "letter.docx", parent: { id: "0" } }));
form.append("file", new Blob([await readFile(new URL("templates/letter.docx", folder))]));
const uploaded = await json(await ask("/files/content", { method: "POST", body: form }));

const batch = await ask("/docgen_batches", {
  method: "POST",
  body: JSON.stringify({
    file: { type: "file", id: uploaded.entries[0].id },
    input_source: "api",
    destination_folder: { type: "folder", id: "0" },
    output_type: "docx",
    document_generation_data: [
      {
        generated_file_name: "Letter to a customer",
        user_input: JSON.parse(await readFile(new URL("data/letter.json", folder), "utf8")),
      },
    ],
  }),
});
const { id } = await json(batch);

// The stream ends with the batch.
await (await ask(`/docgen_batches/${id}/events`)).text();
const { entries } = await json(await ask(`/docgen_batch_jobs/${id}`));
const document = await ask(`/files/${entries[0].output_file.id}/content`);
console.log(entries[0].status, document.headers.get("content-disposition"));

await service.close();
