/** Requests that are costly for their size, or invalid. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { tagged } from "../../benchmarks/service/hostile-files.ts";
import type { HostileClient } from "./client.ts";

/** A hostile request. `send` resolves when there is a response, or when no response is expected. */
export interface HostileRequest {
  readonly name: string;
  readonly send: (client: HostileClient) => Promise<void>;
}

const BATCHES = "/2.0/docgen_batches";
const many = (count: number, make: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => make(index));

function body(
  name: string,
  make: () => string | Uint8Array,
  times = 4,
  headers: Record<string, string> = {},
): HostileRequest {
  return {
    name,
    async send(client) {
      const sent = make();
      await Promise.all(
        many(times, () => "").map(() => client.ask("POST", BATCHES, sent, headers)),
      );
    },
  };
}

async function small(client: HostileClient): Promise<string | null> {
  return client.upload("docx", tagged(["a"]));
}

/** All hostile requests that are not templates with data. */
export const REQUESTS: readonly HostileRequest[] = [
  body(
    "10 MB of long numbers",
    () => `{"x":[${many(500_000, () => "1111111111111111111").join(",")}]}`,
  ),
  body(
    "10 MB of duplicate keys",
    () =>
      `{"document_generation_data":[{"user_input":{${many(800_000, (n) => `"a${n % 2}":1`).join(",")}}}]}`,
  ),
  body("10 MB of distinct keys", () => `{${many(700_000, (n) => `"k${n}":${n}`).join(",")}}`),
  body(
    "JSON of a million levels",
    () => `{"document_generation_data":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`,
  ),
  body("10 MB of escapes", () => `{"x":"${"\\u0041".repeat(1_700_000)}"}`),
  body(
    "10 MB of empty objects",
    () => `{"document_generation_data":[${many(3_000_000, () => "{}").join(",")}]}`,
  ),
  body("a body that unpacks to 1 GB", () => gzipSync(Buffer.alloc(1_000_000_000)), 2, {
    "content-encoding": "gzip",
  }),
  body("10,000 wrong entries", () =>
    JSON.stringify({ document_generation_data: many(10_000, (n) => `x${n}`) }),
  ),
  {
    name: "a batch of 10,000 entries",
    async send(client) {
      const file = await small(client);
      if (file === null) return;
      const batch = await client.batch(
        file,
        many(10_000, String).map((a) => ({ data: { a } })),
      );
      await client.ask("GET", `/2.0/docgen_batch_jobs/${batch}?limit=1000`);
      await client.watch(batch);
      for (let count = 0; count < 10; count++) {
        await client.ask("GET", `/2.0/folders/${client.folder}/items?limit=1`);
        await client.ask("POST", "/2.0/folders", {
          name: client.name("f"),
          parent: { id: client.folder },
        });
      }
    },
  },
  {
    name: "200 small batches",
    async send(client) {
      const file = await small(client);
      if (file === null) return;
      for (let round = 0; round < 10; round++) {
        await Promise.all(many(20, String).map((a) => client.batch(file, [{ data: { a } }])));
      }
    },
  },
  {
    name: "webhooks and their deliveries",
    async send(client) {
      for (let count = 0; count < 12; count++) {
        await client.ask("POST", "/2.0/webhooks", {
          target: { id: "0", type: "folder" },
          address: `https://hooks${count}.example.com/${client.name("hook")}`,
          triggers: ["DOCGEN_DOCUMENT_GENERATION_STARTED", "DOCGEN_DOCUMENT_GENERATION_FAILED"],
        });
      }
      const file = await client.upload(
        "docx",
        tagged(many(100, (n) => `a${n}.${"b".repeat(180_000)}`)),
      );
      if (file !== null)
        await client.watch(
          await client.batch(
            file,
            many(300, String).map(() => ({ data: {} })),
          ),
        );
    },
  },
  {
    name: "the tags, the schema and the check of a template of 20,000 tags",
    async send(client) {
      const file = await client.upload(
        "docx",
        tagged(many(20_000, (n) => `a${n}.b${n}.${"c".repeat(300)}`)),
      );
      if (file === null) return;
      await client.ask("POST", "/2.0/docgen_templates", { file: { type: "file", id: file } });
      for (let count = 0; count < 5; count++) {
        await client.ask("GET", `/2.0/docgen_templates/${file}/tags?limit=1000`);
        await client.ask("GET", `/2.0/docgen_templates/${file}/schema`);
        await client.ask("POST", `${BATCHES}/check`, {
          file: { type: "file", id: file },
          input_source: "api",
          destination_folder: { type: "folder", id: client.folder },
          output_type: "docx",
          document_generation_data: many(300, String).map((a) => ({
            generated_file_name: `check ${a}`,
            user_input: { a },
          })),
        });
        await sleep(1000);
      }
    },
  },
  {
    name: "50 templates that include others",
    async send(client) {
      const long = tagged(many(500, (n) => `a${n} ${"+ b".repeat(50)}`));
      const included = client.name("docx");
      const form = new FormData();
      form.append("attributes", JSON.stringify({ name: included, parent: { id: "0" } }));
      form.append("file", new Blob([Uint8Array.from(long)]), included);
      await client.ask("POST", "/2.0/files/content", form);
      for (let count = 0; count < 50; count++) {
        const file = await client.upload("docx", tagged([`include "${included}"`, `x${count}`]));
        if (file !== null) await client.batch(file, [{ data: {} }]);
      }
    },
  },
  {
    name: "files of 50 MB",
    async send(client) {
      const bytes = new Uint8Array(50_000_000).fill(65);
      await Promise.all(many(4, () => "").map(() => client.upload("docx", bytes)));
    },
  },
  {
    name: "downloads that nobody reads",
    async send(client) {
      const file = await client.upload("docx", new Uint8Array(60_000_000).fill(66));
      if (file === null) return;
      const sockets = many(8, () => "").map(() => untaken(client, `/2.0/files/${file}/content`));
      await sleep(10_000);
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: "100 slow uploads",
    async send(client) {
      const sockets = many(100, () => "").map(() => dripping(client));
      await sleep(15_000);
      for (const stop of sockets) stop();
    },
  },
  {
    name: "100 streams of progress",
    async send(client) {
      const file = await small(client);
      if (file === null) return;
      const batch = await client.batch(
        file,
        many(500, String).map((a) => ({ data: { a } })),
      );
      await Promise.all(
        many(100, () => "").map(() => client.ask("GET", `${BATCHES}/${batch}/events`)),
      );
    },
  },
  {
    name: "invalid ids and queries",
    async send(client) {
      for (const id of ["..%2f..", "%00", "a".repeat(8000), "-1", "9".repeat(400), "%ff"]) {
        await client.ask("GET", `/2.0/files/${id}/content`);
        await client.ask("GET", `/2.0/docgen_jobs?limit=${id}&marker=${id}`);
        await client.ask("DELETE", `/2.0/folders/${id}?recursive=true`);
      }
    },
  },
];

/** Sends a request but does not read the response. */
function untaken({ url, token }: HostileClient, path: string): Socket {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {}).pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

/** Starts an upload that sends single bytes. Returns a function that ends the upload. */
function dripping({ url, token, name }: HostileClient): () => void {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on("error", () => {}).resume();
  const attributes = JSON.stringify({ name: name("docx"), parent: { id: "0" } });
  socket.write(
    [
      "POST /2.0/files/content HTTP/1.1",
      `host: ${host}`,
      `authorization: Bearer ${token}`,
      "content-length: 900000",
      "content-type: multipart/form-data; boundary=xx",
      "",
      "--xx",
      "content-disposition: form-data; name=attributes",
      "",
      attributes,
      "--xx",
      "content-disposition: form-data; name=file; filename=a.docx",
      "",
      "x",
    ].join("\r\n"),
  );
  const timer = setInterval(() => socket.write("x"), 500);
  return () => {
    clearInterval(timer);
    socket.destroy();
  };
}
