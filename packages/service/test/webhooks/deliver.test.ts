import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Resolve } from "../../src/webhooks/address.ts";
import { parseAllowList } from "../../src/webhooks/allow-list.ts";
import { deliver } from "../../src/webhooks/deliver.ts";
import { certificateFor } from "./support/certificate.ts";
import { rawReceiver, receiver, until } from "./support/receiver.ts";

const LOCAL = ["127.0.0.1"];

function send(address: string, allow: string[] = LOCAL, resolve?: Resolve, timeoutMs = 5_000) {
  const shipment = { address, headers: { "X-One": "1" }, body: Buffer.from('{"a":"ü"}') };
  return deliver(shipment, { allowed: parseAllowList(allow), resolve, timeoutMs });
}

function resolver(...answers: string[][]): Resolve & { calls: number } {
  const resolve = async () => {
    const answer = answers[Math.min(resolve.calls, answers.length - 1)] ?? [];
    resolve.calls += 1;
    return answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  resolve.calls = 0;
  return resolve;
}

describe("an attempt", () => {
  test("sends the body and the headers once, and closes the connection", async () => {
    await using server = await receiver();
    expect(await send(`http://127.0.0.1:${server.port}/hooks?a=b#c`)).toEqual({
      ok: true,
      status: 204,
    });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({
      path: "/hooks?a=b",
      body: '{"a":"ü"}',
      headers: {
        "x-one": "1",
        "content-type": "application/json",
        "content-length": "10",
        connection: "close",
        host: `127.0.0.1:${server.port}`,
      },
    });
  });

  test("succeeds only with a 2xx", async () => {
    await using server = await receiver({
      answer: (response, { path }) =>
        response.writeHead(Number(path.slice(1)), { location: "/200" }).end("bye"),
    });
    const of = (status: number) => send(`http://127.0.0.1:${server.port}/${status}`);
    for (const status of [200, 202, 299]) expect(await of(status)).toEqual({ ok: true, status });
    for (const status of [400, 410, 500, 600]) {
      expect(await of(status)).toEqual({ ok: false, reason: "bad_status", status });
    }
  });

  test("follows no redirect", async () => {
    await using inside = await receiver();
    for (const status of [301, 302, 303, 307, 308]) {
      await using server = await receiver({
        answer: (response) =>
          response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end(),
      });
      const result = await send(`http://127.0.0.1:${server.port}/`);
      expect(result).toEqual({ ok: false, reason: "redirect", status });
    }
    expect(inside.connections).toEqual([]);
  });

  test("ignores a proxy of the environment", async () => {
    await using proxy = await receiver();
    await using server = await receiver();
    const src = new URL("../../src/webhooks/", import.meta.url);
    const program = `
      import { deliver } from ${JSON.stringify(new URL("deliver.ts", src))};
      import { parseAllowList } from ${JSON.stringify(new URL("allow-list.ts", src))};
      const shipment = { address: process.argv[1], headers: {}, body: new Uint8Array() };
      const result = await deliver(shipment, { allowed: parseAllowList(["127.0.0.1"]) });
      process.exitCode = result.ok ? 7 : 1;`;
    const url = `http://127.0.0.1:${proxy.port}`;
    const env = {
      ...process.env,
      NODE_USE_ENV_PROXY: "1",
      HTTP_PROXY: url,
      http_proxy: url,
      NO_PROXY: "",
      no_proxy: "",
    };
    const args = ["--input-type=module", "-e", program, `http://127.0.0.1:${server.port}/`];
    const [code] = await once(spawn(process.execPath, args, { env, stdio: "inherit" }), "exit");
    expect([code, server.received.length, proxy.connections]).toEqual([7, 1, []]);
  });
});

describe("a forbidden address", () => {
  const hosts = (port: number) => [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    `0.0.0.0:${port}`,
    `[::]:${port}`,
    `169.254.169.254:${port}`,
    `10.0.0.1:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[::127.0.0.1]:${port}`,
    `2130706433:${port}`,
    `0x7f.1:${port}`,
    `0177.0.0.1:${port}`,
    `127.1:${port}`,
  ];

  test("gets no connection, for any spelling and scheme", async () => {
    await using server = await receiver({ host: null });
    for (const host of hosts(server.port)) {
      for (const scheme of ["http", "https"]) {
        const result = await send(`${scheme}://${host}/`, ["127.0.0.2", "hooks.internal"]);
        expect([host, result]).toEqual([host, { ok: false, reason: "address_refused" }]);
      }
    }
    expect(server.connections).toEqual([]);
    expect(await send(`http://127.0.0.1:${server.port}/`)).toMatchObject({ ok: true });
    expect(server.connections).toHaveLength(1);
  });

  test("gets no connection by a name that resolves to it", async () => {
    await using server = await receiver({ host: null });
    for (const address of [
      "127.0.0.1",
      "::1",
      "0.0.0.0",
      "169.254.169.254",
      "::ffff:127.0.0.1",
      "64:ff9b::7f00:1",
    ]) {
      const result = await send(`https://hooks.example:${server.port}/`, [], resolver([address]));
      expect([address, result]).toEqual([address, { ok: false, reason: "address_refused" }]);
    }
    expect(await send(`https://localtest:${server.port}/`, [], resolver([]))).toEqual({
      ok: false,
      reason: "name_not_resolved",
    });
    expect(server.connections).toEqual([]);
  });

  // Here, 127.0.0.1 is the public address, and 127.0.0.2 is the forbidden one. One server has both.
  test("gets no connection if its name changes during the check", async () => {
    await using server = await receiver({ host: "0.0.0.0" });
    const resolve = resolver(["127.0.0.1"], ["127.0.0.2"]);
    const result = await send(`https://hooks.example:${server.port}/`, LOCAL, resolve);
    expect(result).toEqual({ ok: false, reason: "tls_failed" });
    expect([resolve.calls, server.connections]).toEqual([1, ["127.0.0.1"]]);
    expect(await send(`https://hooks.example:${server.port}/`, LOCAL, resolve)).toEqual({
      ok: false,
      reason: "address_refused",
    });
    expect(server.connections).toEqual(["127.0.0.1"]);
  });

  test("gets no connection if it is one of several, even if the others fail", async () => {
    await using server = await receiver({ host: "0.0.0.0" });
    const resolve = resolver(["127.0.0.2", "127.0.0.1", "127.0.0.3"]);
    await send(`https://hooks.example:${server.port}/`, LOCAL, resolve);
    expect(server.connections).toEqual(["127.0.0.1"]);
    await using bad = await receiver();
    await send(`https://hooks.example:${bad.port}/`, ["127.0.0.2"], resolve);
    expect(bad.connections).toEqual([]);
  });
});

describe("https", () => {
  const certificate = certificateFor("hooks.example");
  // Node 22.13 has no `tls.setDefaultCACertificates`.
  const { createSecureContext } = tls;
  beforeAll(() => {
    tls.createSecureContext = (options) =>
      createSecureContext({ ...options, ca: [...tls.rootCertificates, certificate.cert] });
  });
  afterAll(() => {
    tls.createSecureContext = createSecureContext;
  });

  test("verifies the name, while the connection goes to the checked address", async () => {
    await using server = await receiver({ tls: certificate });
    const address = `https://hooks.example:${server.port}/`;
    expect(await send(address, LOCAL, resolver(["127.0.0.1"]))).toEqual({ ok: true, status: 204 });
    expect(server.received[0]).toMatchObject({
      serverName: "hooks.example",
      headers: { host: `hooks.example:${server.port}` },
    });
  });

  test("is rejected with the certificate of another name, or an untrusted one", async () => {
    await using server = await receiver({ tls: certificate });
    await using unknown = await receiver({ tls: certificateFor("hooks.example") });
    const refused = { ok: false, reason: "tls_failed" };
    const resolve = resolver(["127.0.0.1"]);
    expect(await send(`https://other.example:${server.port}/`, LOCAL, resolve)).toEqual(refused);
    expect(await send(`https://hooks.example:${unknown.port}/`, LOCAL, resolve)).toEqual(refused);
    expect([server.received, unknown.received]).toEqual([[], []]);
  });
});

describe("a misbehaving receiver", () => {
  test("has a total time limit for the name, the response and its body", async () => {
    await using silent = await rawReceiver(() => {});
    await using slow = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 100 Continue\r\n\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    const late = { ok: false, reason: "timeout" };
    for (const { port } of [silent, slow]) {
      expect(await send(`http://127.0.0.1:${port}/`, LOCAL, undefined, 150)).toEqual(late);
    }
    const never: Resolve = () => new Promise(() => {});
    expect(await send("https://hooks.example/", LOCAL, never, 50)).toEqual(late);
  });

  test("may disconnect, not speak HTTP, or not exist", async () => {
    const answering = (text: string) => (socket: Socket) => {
      socket.once("data", () => socket.end(text));
    };
    const reasonOf = async (onConnection: (socket: Socket) => void) => {
      await using server = await rawReceiver(onConnection);
      const result = await send(`http://127.0.0.1:${server.port}/`);
      return result.ok ? "ok" : result.reason;
    };
    expect(await reasonOf((socket) => socket.destroy())).toBe("connection_closed");
    // The reset may come before the connection is established.
    expect(await reasonOf((socket) => socket.resetAndDestroy())).toMatch(/^connection_/);
    expect(await reasonOf(answering("HTTP/1.1 20"))).toBe("connection_closed");
    expect(await reasonOf(answering("220 mail.example ESMTP\r\n"))).toBe("bad_answer");
    const switching = "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n";
    expect(await reasonOf(answering(switching))).toMatch(/^(connection_closed|bad_status)$/);
    const server = await receiver();
    await server[Symbol.asyncDispose]();
    expect(await send(`http://127.0.0.1:${server.port}/`)).toEqual({
      ok: false,
      reason: "connection_failed",
    });
  });

  test("may not send endless headers", async () => {
    await using huge = await receiver({
      answer: (response) => response.writeHead(200, { "x-huge": "a".repeat(20_000) }).end(),
    });
    await using endless = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const write = (): void => {
        if (socket.write("a: b\r\n".repeat(500))) setImmediate(write);
        else socket.once("drain", write);
      };
      write();
    });
    const refused = { ok: false, reason: "bad_answer" };
    for (const { port } of [huge, endless]) {
      expect(await send(`http://127.0.0.1:${port}/`)).toEqual(refused);
    }
  });

  test("is judged by its status and cut off, however long or broken the body is", async () => {
    let written = 0;
    let isOpen = true;
    await using endless = await rawReceiver((socket) => {
      socket.on("close", () => {
        isOpen = false;
      });
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const write = (): void => {
        if (socket.destroyed) return;
        written += 1_000;
        if (socket.write("a".repeat(1_000))) setImmediate(write);
        else socket.once("drain", write);
      };
      write();
    });
    expect(await send(`http://127.0.0.1:${endless.port}/`)).toEqual({ ok: true, status: 200 });
    await until(() => !isOpen);
    expect(written).toBeLessThan(50_000_000);
    await using broken = await rawReceiver((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nabc"));
    });
    expect(await send(`http://127.0.0.1:${broken.port}/`)).toMatchObject({ status: 500 });
    await using stuck = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
    });
    const result = await send(`http://127.0.0.1:${stuck.port}/`, LOCAL, undefined, 200);
    expect(result).toEqual({ ok: true, status: 200 });
  });

  test("does not delay an attempt that is aborted", async () => {
    await using silent = await rawReceiver(() => {});
    const shipment = {
      address: `http://127.0.0.1:${silent.port}/`,
      headers: {},
      body: Buffer.from("{}"),
    };
    const allowed = parseAllowList(LOCAL);
    const stop = new AbortController();
    const running = deliver(shipment, { allowed, signal: stop.signal });
    await until(() => silent.connections.length === 1);
    stop.abort();
    const aborted = { ok: false, reason: "aborted" };
    expect(await running).toEqual(aborted);
    expect(await deliver(shipment, { allowed, signal: stop.signal })).toEqual(aborted);
    expect(silent.connections).toHaveLength(1);
  });
});
