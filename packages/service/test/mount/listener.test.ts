import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeListener } from "../../src/index.ts";
import { type TestService, TOKENS, testService } from "../support/service.ts";

const HEADERS = {
  authorization: `Bearer ${TOKENS.ann.token}`,
  "content-type": "application/json",
};
const body = JSON.stringify({ name: "a", parent: { id: "0" } });

async function listen(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function routerOf({ service }: TestService, before: express.RequestHandler[] = []) {
  const app = express();
  const inner = express.Router();
  inner.use("/docs", ...before, nodeListener(service.handler));
  app.use("/v1", inner);
  const told: express.ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(500).send(String(error.message));
  };
  app.use(told);
  return app;
}

describe("The listener for Node's requests", () => {
  test("works alone", async () => {
    const service = await testService();
    const url = await listen(nodeListener(service.service.handler));
    const answer = await fetch(`${url}/2.0/folders`, { method: "POST", headers: HEADERS, body });
    expect(answer.status).toBe(201);
  });

  test("matches whole paths, at any depth of its router", async () => {
    const service = await testService({ prefix: "/v1/docs" });
    const url = await listen(routerOf(service));
    const path = `${url}/v1/docs/2.0/folders`;
    const made = await fetch(path, { method: "POST", headers: HEADERS, body });
    expect(made.status).toBe(201);
    expect((await fetch(`${path}/0/items?limit=1`, { headers: HEADERS })).status).toBe(200);
    const refused = await fetch(path, { headers: HEADERS });
    expect(await refused.text()).toContain(`${url}/v1/docs/docs/errors#method_not_allowed`);
  });

  test("reports that a body parser has run before it", async () => {
    const service = await testService({ prefix: "/v1/docs" });
    const url = await listen(routerOf(service, [express.json()]));
    const path = `${url}/v1/docs/2.0/folders`;
    const answer = await fetch(path, { method: "POST", headers: HEADERS, body });
    expect([answer.status, await answer.text()]).toEqual([
      500,
      "The request body was read before Quire received the request. Mount Quire before any body parser.",
    ]);
    expect(
      (await fetch(`${path}/0`, { headers: { authorization: HEADERS.authorization } })).status,
    ).toBe(200);
  });
});
