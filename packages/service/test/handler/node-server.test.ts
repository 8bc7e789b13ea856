import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../src/index.ts";
import { testService } from "../support/service.ts";

async function server(
  options: { readonly headersTimeoutMs?: number } = {},
  more: Parameters<typeof testService>[0] = {},
): Promise<number> {
  const { service } = await testService(more);
  const running = await startServer(service.handler, { port: 0, ...options });
  onTestFinished(() => running.close({ graceMs: 0 }));
  return running.port;
}

/** Sends bytes to a server. Returns everything that it sends until it closes the connection. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
    onTestFinished(() => void socket.destroy());
  });
}

const MALFORMED: Readonly<Record<string, readonly [number, string]>> = {
  "text that is not HTTP": [400, "hello\r\n\r\n"],
  "a header without a name": [400, "GET / HTTP/1.1\r\nhost: a\r\n: x\r\n\r\n"],
  "a space before the colon": [400, "GET / HTTP/1.1\r\nhost : a\r\n\r\n"],
  "two lengths": [
    400,
    "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
  ],
  "a length and chunks": [
    400,
    "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
  "no host": [400, "GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n"],
  "an invalid host": [400, "GET /healthz HTTP/1.1\r\nhost: a b/c\r\nconnection: close\r\n\r\n"],
  "an invalid target": [400, "GET healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"],
  "headers that are too long": [
    431,
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
  ],
};

test.each(Object.entries(MALFORMED))(
  "%s is rejected with the error object, and the connection is closed",
  async (_, [status, bytes]) => {
    const answer = await exchange(await server(), bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain("connection: close");
    const body = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)) as object;
    expect(body).toMatchObject({ type: "error", status, code: "bad_request", context_info: null });
    expect(Object.keys(body).sort()).toEqual(
      ["code", "context_info", "help_url", "message", "request_id", "status", "type"].sort(),
    );
  },
);

test("CONNECT is rejected with the error object, and is logged", async () => {
  const lines: object[] = [];
  const logger = { info: (facts: object) => void lines.push(facts), warn() {}, error() {} };
  const port = await server({}, { logger });
  const answer = await exchange(port, "CONNECT a:443 HTTP/1.1\r\nhost: a:443\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1.1 405 .*\r\nallow: GET, .*"code":"method_not_allowed"/is);
  expect(lines).toEqual([
    expect.objectContaining({
      method: "CONNECT",
      route: "*",
      status: 405,
      code: "method_not_allowed",
    }),
  ]);
});

test("a client that disconnects during its upload is not a failure of the service", async () => {
  const lines: object[] = [];
  const tell = (facts: object) => void lines.push(facts);
  const logger = { info: tell, warn: tell, error: tell };
  const port = await server({}, { logger });
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const part = (head: string, content: string) =>
    `--xx\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  socket.write(
    [
      "POST /2.0/files/content HTTP/1.1",
      "host: a",
      "authorization: Bearer token-of-ann",
      "content-type: multipart/form-data; boundary=xx",
      "content-length: 1000000",
      "",
      part("name=attributes", '{"name":"a.docx","parent":{"id":"0"}}') +
        part("name=file; filename=a", "x".repeat(100_000)),
    ].join("\r\n"),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.destroy();
  await expect.poll(() => lines).toEqual([expect.objectContaining({ status: 400 })]);
  expect(lines[0]).not.toHaveProperty("at");
});

test("a head that does not arrive is a 408", async () => {
  const port = await server({ headersTimeoutMs: 100 });
  expect(await exchange(port, "GET /healthz HTTP/1.1\r\nhost: a\r\n")).toMatch(/^HTTP\/1.1 408 /);
});

test("the process keeps its own Request and Response", async () => {
  const { Request: request, Response: response } = globalThis;
  await server();
  expect([globalThis.Request, globalThis.Response]).toEqual([request, response]);
});
