import type { Json } from "@quire/http/parts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openValidator, type Validator } from "../../../http/test/support/validator.ts";
import { DEFAULT_LIMITS } from "../../src/limits/limits.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { OPERATIONS } from "../../src/operations/all.ts";
import {
  type Ask,
  batchBody,
  LETTER,
  LETTER_DATA,
  ORIGIN,
  type TestService,
  testService,
} from "../support/service.ts";

const document = openApiDocument(OPERATIONS, ORIGIN, DEFAULT_LIMITS);
const WEBHOOKS = { webhooks: { keys: { primary: "a key for the signatures" } } };
let validator: Validator;

beforeAll(async () => {
  validator = await openValidator(document);
});
afterAll(() => validator.close());

/** Sends a request, checks that the response has this status and matches the document, and returns its JSON. */
async function ask(
  service: TestService,
  request: string,
  status: number,
  options: Ask & { readonly raw?: RequestInit } = {},
): Promise<Json> {
  const [method = "", path = ""] = request.split(" ");
  const answer = await service.fetch(path, { method, ...options });
  const type = answer.headers.get("content-type");
  const text = await answer.text();
  expect([request, answer.status, type === "application/json" ? text : ""]).toEqual([
    request,
    status,
    type === "application/json" ? text : "",
  ]);
  expect(answer.headers.get("x-request-id")).not.toBeNull();
  expect(await validator.response(method, path, status, type, text)).toEqual([]);
  if (status === 401) expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
  if (status === 405) expect(answer.headers.get("allow")).not.toBeNull();
  return type === "application/json" ? (JSON.parse(text) as Json) : {};
}

describe("every operation responds according to the document", () => {
  test("batches and jobs", async () => {
    const service = await testService();
    const file = await service.upload("letter.docx", LETTER);
    const folder = await service.folder("out");
    const body = batchBody(file, folder, [
      { generated_file_name: "one", user_input: LETTER_DATA },
      { generated_file_name: "two", user_input: {} },
    ]);
    await ask(service, "POST /2.0/docgen_batches/check", 200, { body });
    const { id } = await ask(service, "POST /2.0/docgen_batches", 202, { body });
    await ask(service, `GET /2.0/docgen_batches/${id}`, 200);
    await service.finished(String(id));
    await ask(service, `GET /2.0/docgen_batches/${id}/events`, 200);
    await ask(service, `POST /2.0/docgen_batches/${id}/cancel`, 200);
    await ask(service, `POST /2.0/docgen_batches/${id}/retry`, 200);
    await ask(service, `GET /2.0/docgen_batch_jobs/${id}?limit=1`, 200);
    const { entries } = await ask(service, "GET /2.0/docgen_jobs", 200);
    await ask(service, `GET /2.0/docgen_jobs/${(entries as Json[])[0]?.id}`, 200);
    await ask(service, `GET /2.0/docgen_template_jobs/${file}`, 200);
  });

  test("templates", async () => {
    const service = await testService();
    const file = await service.upload("letter.docx", LETTER);
    const broken = await service.upload("broken.docx", new Uint8Array([1, 2, 3]));
    await ask(service, "POST /2.0/docgen_templates", 201, { body: { file: { id: file } } });
    await ask(service, "POST /2.0/docgen_templates", 201, { body: { file: { id: broken } } });
    await ask(service, "GET /2.0/docgen_templates", 200);
    await ask(service, `GET /2.0/docgen_templates/${file}`, 200);
    for (const template of [file, broken]) {
      const tags = `/2.0/docgen_templates/${template}/tags`;
      await expect.poll(async () => (await service.ask(tags)).status).toBe(200);
      await ask(service, `GET ${tags}`, 200);
    }
    await ask(service, `GET /2.0/docgen_templates/${file}/schema`, 200);
    await ask(service, `GET /2.0/docgen_templates/${broken}/schema`, 400);
    await ask(service, `DELETE /2.0/docgen_templates/${file}`, 204);
  });

  test("files and folders", async () => {
    const service = await testService();
    const name = "letters";
    const { id: folder } = await ask(service, "POST /2.0/folders", 201, {
      body: { name, parent: { id: "0" } },
    });
    const options = { body: { name: "a.docx", parent: { id: folder }, size: 3 } };
    await ask(service, "OPTIONS /2.0/files/content", 200, options);
    const file = await service.upload("a.docx", LETTER, { parent: String(folder) });
    await ask(
      service,
      "POST /2.0/files/content",
      201,
      upload({ name: "b.docx", parent: { id: folder } }),
    );
    await ask(service, "OPTIONS /2.0/files/content", 409, options);
    await ask(service, `POST /2.0/files/${file}/content`, 201, upload({ name: "c.docx" }));
    await ask(service, `GET /2.0/files/${file}`, 200);
    await ask(service, `PUT /2.0/files/${file}`, 200, { body: { name: "d.docx" } });
    await ask(service, `GET /2.0/files/${file}/versions`, 200);
    await ask(service, `GET /2.0/files/${file}/content`, 200);
    const late = { headers: { "if-match": "another" } };
    await ask(service, `DELETE /2.0/files/${file}`, 412, late);
    await ask(service, "GET /2.0/folders/0", 200);
    await ask(service, `GET /2.0/folders/${folder}`, 200);
    await ask(service, "GET /2.0/folders/0/items", 200);
    await ask(service, `GET /2.0/folders/${folder}/items?limit=1&offset=1`, 200);
    await ask(service, `DELETE /2.0/files/${file}`, 204);
    await ask(service, `DELETE /2.0/folders/${folder}`, 409);
    await ask(service, `DELETE /2.0/folders/${folder}?recursive=true`, 204);
  });

  test("webhooks", async () => {
    const service = await testService(WEBHOOKS);
    const body = {
      target: { type: "folder", id: "0" },
      address: "https://example.com/hooks",
      triggers: ["DOCGEN_DOCUMENT_GENERATION_FAILED"],
    };
    const { id } = await ask(service, "POST /2.0/webhooks", 201, { body });
    await ask(service, "GET /2.0/webhooks", 200);
    await ask(service, `GET /2.0/webhooks/${id}`, 200);
    await ask(service, `PUT /2.0/webhooks/${id}`, 200, { body: { address: body.address } });
    await ask(service, `DELETE /2.0/webhooks/${id}`, 204);
    await ask(service, `GET /2.0/webhooks/${id}`, 404);
  });
});

test("every error matches the document", async () => {
  const service = await testService();
  await ask(service, "GET /2.0/docgen_jobs", 401, { who: null });
  await ask(service, "POST /2.0/docgen_templates", 403, { who: "reader", body: {} });
  await ask(service, "GET /2.0/docgen_jobs", 400, { headers: { "service-version": "1" } });
  await ask(service, "GET /2.0/docgen_jobs?limit=0", 400);
  await ask(service, "GET /2.0/docgen_jobs?marker=x", 400);
  await ask(service, "POST /2.0/docgen_batches", 400, { body: {} });
  await ask(service, "POST /2.0/docgen_templates", 415, {
    body: {},
    headers: { "content-type": "text/plain" },
  });
  await ask(service, "DELETE /2.0/docgen_jobs", 405);
  await ask(service, "GET /2.0/nothing", 404);
  await ask(service, "GET /2.0/docgen_jobs/none-1", 404);
  await ask(service, "GET /2.0/webhooks", 403);
});

test("a request built from an example is accepted if its ids exist", async () => {
  const service = await testService(WEBHOOKS);
  const paths = document.paths as Record<string, Record<string, Json>>;
  for (const { method, path, body } of OPERATIONS) {
    if (body === null) continue;
    const { requestBody } = paths[path]?.[method.toLowerCase()] ?? {};
    const { content } = requestBody as { content: Record<string, Json> };
    const answer = await service.fetch(`/2.0${path.replaceAll(/\{\w+\}/g, "none")}`, {
      method,
      body: content["application/json"]?.example,
    });
    expect([200, 201, 404], `${method} ${path}`).toContain(answer.status);
  }
});

function upload(attributes: Json): { readonly raw: RequestInit } {
  const form = new FormData();
  form.append("attributes", JSON.stringify(attributes));
  form.append("file", new Blob([Uint8Array.from(LETTER)]), "file");
  return { raw: { method: "POST", body: form } };
}
