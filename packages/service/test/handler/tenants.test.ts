import { randomUUID } from "node:crypto";
import type { Operation } from "@quire/http/parts";
import { describe, expect, test } from "vitest";
import { linesOf } from "../../../ooxml/test/support/docx.ts";
import { OPERATIONS } from "../../src/operations/all.ts";
import {
  type Ask,
  batchBody,
  entries,
  HELLO,
  type TestService,
  type Told,
  templateOf,
  testService,
  WEBHOOKS,
} from "../support/service.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The items of acme, by kind. */
type Ids = Readonly<
  Record<"file" | "folder" | "version" | "batch" | "job" | "webhook" | "output", string>
>;

/** Returns a service for one test, in which acme has one item of each kind. */
async function place(): Promise<{ service: TestService; ids: Ids }> {
  const service = await testService({ webhooks: WEBHOOKS });
  const file = await service.upload("hello.docx", HELLO);
  const folder = await service.folder("secret folder");
  await service.ask("/2.0/docgen_templates", { body: { file: { id: file } } });
  const batch = await service.batch(file, folder, entries("Ann"));
  await service.finished(batch);
  const [job] = (await service.ask(`/2.0/docgen_batch_jobs/${batch}`)).body.entries;
  const webhook = await service.ask("/2.0/webhooks", {
    body: {
      target: { type: "folder", id: folder },
      address: "https://hooks.invalid/",
      triggers: ["DOCGEN_DOCUMENT_GENERATION_FAILED"],
    },
  });
  const { body } = await service.ask(`/2.0/files/${file}`);
  const version = body.file_version.id;
  return {
    service,
    ids: {
      file,
      folder,
      version,
      batch,
      job: job.id,
      webhook: webhook.body.id,
      output: job.output_file.id,
    },
  };
}

/** Returns the response without its variable parts: the requested id and the id of the request. */
function comparable({ status, headers, body }: Told, id: string): unknown {
  const text = JSON.stringify(body).replaceAll(id, "ID");
  const rest = new Headers(headers);
  rest.delete("x-request-id");
  return [status, [...rest], { ...JSON.parse(text), request_id: null }];
}

/** Returns an id in the correct format that does not exist. */
function neverGiven(id: string): string {
  const random = `${randomUUID()}${randomUUID()}`.replaceAll("-", "");
  let at = 0;
  return id.replaceAll(/[0-9a-f]/g, () => random[at++ % random.length] ?? "0");
}

/** Returns a valid body for the operation. */
function bodyFor(operation: Operation): unknown {
  if (operation.body === null) return undefined;
  return operation.path.startsWith("/files/") ? { name: "mine.docx" } : {};
}

async function expectSame(service: TestService, id: string, ask: (id: string) => [string, Ask?]) {
  const other = neverGiven(id);
  expect(other).not.toBe(id);
  const [theirs, unknown] = [ask(id), ask(other)];
  const found = await service.ask(theirs[0], { who: "eve", ...theirs[1] });
  const missing = await service.ask(unknown[0], { who: "eve", ...unknown[1] });
  expect([theirs[0], found.status]).toEqual([theirs[0], 404]);
  expect(comparable(found, id)).toEqual(comparable(missing, other));
}

describe("An item of another enterprise", () => {
  let service: TestService;
  let ids: Ids;

  const withIds = OPERATIONS.filter(({ path }) => path.includes("{"));
  test.each(withIds.map((operation) => [operation.id, operation] as const))(
    "is a missing item for %s, with any id",
    async (_, operation) => {
      ({ service, ids } = await place());
      for (const id of Object.values(ids)) {
        await expectSame(service, id, (asked) => [
          `/2.0${operation.path.replace(/\{\w+\}/, asked)}`,
          { method: operation.method, body: bodyFor(operation) },
        ]);
      }
      // None of the requests changed anything.
      expect((await service.ask(`/2.0/files/${ids.file}`)).body.name).toBe("hello.docx");
      expect((await service.ask(`/2.0/folders/${ids.folder}/items`)).body.total_count).toBe(1);
      expect((await service.ask(`/2.0/webhooks/${ids.webhook}`)).status).toBe(200);
      expect((await service.ask(`/2.0/docgen_templates/${ids.file}`)).status).toBe(200);
    },
  );

  test("is a missing item where a body names it", async () => {
    ({ service, ids } = await place());
    const mine = await service.upload("mine.docx", HELLO, { who: "eve" });
    const hook = {
      address: "https://hooks.invalid/",
      triggers: ["DOCGEN_DOCUMENT_GENERATION_FAILED"],
    };
    const asks: ((id: string) => [string, Ask?])[] = [];
    for (const path of ["/2.0/docgen_batches", "/2.0/docgen_batches/check"]) {
      asks.push((id) => [path, { body: batchBody(id, "0", entries("a")) }]);
      asks.push((id) => [path, { body: batchBody(mine, id, entries("a")) }]);
      asks.push((id) => [
        path,
        { body: { ...batchBody(mine, "0", entries("a")), file_version: { id } } },
      ]);
    }
    asks.push((id) => ["/2.0/docgen_templates", { body: { file: { id } } }]);
    asks.push((id) => ["/2.0/folders", { body: { name: "a", parent: { id } } }]);
    asks.push((id) => [`/2.0/files/${mine}`, { method: "PUT", body: { parent: { id } } }]);
    asks.push((id) => ["/2.0/files/content", { method: "OPTIONS", body: { parent: { id } } }]);
    asks.push((id) => ["/2.0/webhooks", { body: { ...hook, target: { type: "file", id } } }]);
    asks.push((id) => ["/2.0/webhooks", { body: { ...hook, target: { type: "folder", id } } }]);
    asks.push((id) => [`/2.0/files/${mine}/content?version=${id}`]);
    for (const id of Object.values(ids)) for (const ask of asks) await expectSame(service, id, ask);
    await service.ask("/2.0/docgen_templates", { who: "eve", body: { file: { id: mine } } });
    await expectSame(service, ids.version, (id) => [
      `/2.0/docgen_templates/${mine}/tags?template_version_id=${id}`,
    ]);
  });

  test("is a missing item where an upload names it", async () => {
    ({ service, ids } = await place());
    const send = async (path: string, attributes: object): Promise<Told> => {
      const body = new FormData();
      body.append("attributes", JSON.stringify(attributes));
      body.append("file", new Blob(["x"]), "x");
      const headers = { authorization: "Bearer token-of-eve" };
      const answer = await service.fetch(path, { raw: { method: "POST", body, headers } });
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    };
    for (const id of Object.values(ids)) {
      const other = neverGiven(id);
      for (const [path, attributes] of [
        ["/2.0/files/content", { name: "a.docx", parent: { id } }],
        [`/2.0/files/${id}/content`, {}],
      ] as const) {
        const found = await send(path, attributes);
        const unknown = JSON.parse(JSON.stringify(attributes).replaceAll(id, other));
        const missing = await send(path.replace(id, other), unknown);
        expect(found.status).toBe(404);
        expect(comparable(found, id)).toEqual(comparable(missing, other));
      }
    }
  });

  test("cannot be reached by a path: each enterprise has its own root", async () => {
    ({ service, ids } = await place());
    for (const path of [
      "hello.docx",
      "secret folder",
      "../acme/hello.docx",
      "../../tenants/acme/hello.docx",
      ".quire",
    ]) {
      const id = `path:${path}`;
      for (const type of ["files", "folders"]) {
        const { status } = await service.ask(`/2.0/${type}/${encodeURIComponent(id)}`, {
          who: "eve",
        });
        expect([403, 404]).toContain(status);
      }
      const body = batchBody(id, "0", entries("a"));
      const { status } = await service.ask("/2.0/docgen_batches", { who: "eve", body });
      expect([403, 404]).toContain(status);
    }
    const same = await service.upload("hello.docx", HELLO, { who: "eve" });
    const mine = await service.ask("/2.0/files/path:hello.docx", { who: "eve" });
    expect(mine.body.id).toBe(same);
  });

  test("is in no listing of the other, and its markers are rejected there", async () => {
    ({ service, ids } = await place());
    await service.finished(await service.batch(ids.file, ids.folder, entries("b", "c")));
    const other = await service.upload("b.docx", HELLO);
    await service.ask("/2.0/docgen_templates", { body: { file: { id: other } } });
    await service.ask("/2.0/webhooks", {
      body: {
        target: { type: "folder", id: "0" },
        address: "https://hooks.invalid/",
        triggers: ["DOCGEN_DOCUMENT_GENERATION_FAILED"],
      },
    });
    for (const path of ["docgen_jobs", "docgen_templates", "webhooks"]) {
      const theirs = await service.ask(`/2.0/${path}`, { who: "eve" });
      expect([path, theirs.body.entries]).toEqual([path, []]);
      const { next_marker: marker } = (await service.ask(`/2.0/${path}?limit=1`)).body;
      expect(marker).toEqual(expect.any(String));
      const refused = await service.ask(`/2.0/${path}?marker=${encodeURIComponent(marker)}`, {
        who: "eve",
      });
      expect([path, refused.status]).toEqual([path, 400]);
    }
    const items = await service.ask("/2.0/folders/0/items", { who: "eve" });
    expect(items.body.entries).toEqual([]);
  });

  test("is not read by templates and data of the other: their includes and images fail", async () => {
    ({ service, ids } = await place());
    const secret = await service.upload("secret.docx", templateOf("the secret of acme"));
    const image = await service.upload("secret.png", Buffer.from(PNG, "base64"));
    const names = [
      secret,
      "secret.docx",
      "path:secret.docx",
      "../acme/secret.docx",
      "tenants/acme/secret.docx",
    ];
    for (const [index, name] of names.entries()) {
      const file = await service.upload(
        `include ${index}.docx`,
        templateOf(`{{include "${name}"}}`),
        { who: "eve" },
      );
      const text = await madeOf(service, file, {});
      expect(text).not.toContain("the secret");
    }
    const shows = await service.upload("image.docx", templateOf("{{image}}"), { who: "eve" });
    for (const id of [image, "secret.png", "path:secret.png", "../acme/secret.png"]) {
      const text = await madeOf(service, shows, { image: { type: "file", id } });
      expect(text).toMatch(/^failed/);
    }
    // She may use her own files.
    await service.upload("terms.docx", templateOf("the terms of eve"), { who: "eve" });
    const own = await service.upload("own.docx", templateOf('{{include "terms.docx"}}'), {
      who: "eve",
    });
    expect(await madeOf(service, own, {})).toContain("the terms of eve");
  });

  let count = 0;
  /** Returns the text of the document that Eve generates, or the error of the job. */
  async function madeOf(at: TestService, file: string, data: object): Promise<string> {
    count += 1;
    const body = batchBody(file, "0", [{ generated_file_name: `made ${count}`, user_input: data }]);
    const batch = await at.ask("/2.0/docgen_batches", { who: "eve", body });
    expect(batch.status).toBe(202);
    await at.finished(batch.body.id, "eve");
    const jobs = await at.ask(`/2.0/docgen_batch_jobs/${batch.body.id}`, { who: "eve" });
    const [job] = jobs.body.entries;
    if (job.failures !== null) return `failed: ${JSON.stringify(job.failures)}`;
    const response = await at.fetch(`/2.0/files/${job.output_file.id}/content`, { who: "eve" });
    return linesOf(new Uint8Array(await response.arrayBuffer())).join("\n");
  }
});
