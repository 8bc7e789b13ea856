import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, type TestContext, test } from "vitest";
import { startServer } from "../../src/node-server.ts";

/** Starts a server that reads one chunk of a body, or nothing, and responds. Returns its port. */
async function start(reads: boolean, { onTestFinished }: TestContext): Promise<number> {
  const server = await startServer(
    async (request) => {
      const reader = reads ? request.body?.getReader() : undefined;
      await reader?.read();
      void reader?.cancel().catch(() => {});
      return new Response("answered", { status: request.method === "GET" ? 200 : 400 });
    },
    { port: 0 },
  );
  onTestFinished(() => server.close({ graceMs: 0 }));
  return server.port;
}

interface Client {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  text(): string;
}

async function client(port: number, { onTestFinished }: TestContext): Promise<Client> {
  let text = "";
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  onTestFinished(() => void socket.destroy());
  socket.on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => {});
  const closed = once(socket, "close");
  await once(socket, "connect");
  return { socket, closed, text: () => text };
}

function head(method: string, length: number): string {
  return `${method} / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`;
}

// The tests run concurrently, because they mostly wait.
describe.concurrent.each([
  ["that was partly read", true],
  ["that was not read", false],
])("A response before the end of a body %s", (_, reads) => {
  test.for([50_000, 1_000_000])(
    "keeps the connection for the next request, or says that it does not (%i bytes)",
    { timeout: 20_000 },
    async (length, context) => {
      const { expect } = context;
      const { socket, closed, text } = await client(await start(reads, context), context);
      for (let count = 1; count <= 2; count += 1) {
        socket.write(head("POST", length) + "x".repeat(length));
        await expect.poll(() => text().match(/answered/g)?.length, { timeout: 10_000 }).toBe(count);
        if (/^connection: close\r$/im.test(text())) {
          await closed;
          return;
        }
        // If the server closes the connection, it does so within this time.
        await sleep(700);
        expect(socket.closed).toBe(false);
      }
    },
  );

  test("to a short request keeps the connection, although the body arrives late", async (context) => {
    const { expect } = context;
    const { socket, closed, text } = await client(await start(reads, context), context);
    for (let count = 1; count <= 2; count += 1) {
      socket.write(`${head("POST", 1000)}x`);
      if (!reads) await expect.poll(() => text().match(/answered/g)?.length).toBe(count);
      socket.write("x".repeat(999));
      await expect.poll(() => text().match(/answered/g)?.length).toBe(count);
    }
    expect(text()).not.toMatch(/^connection: close/im);
    socket.write(`${head("POST", 1000)}x`);
    // The server does not wait for data that never arrives.
    await closed;
  }, 20_000);

  test.for(["POST", "GET"])(
    "to a %s reaches a client that still sends, and then ends the sending",
    { timeout: 20_000 },
    async (method, context) => {
      const { expect } = context;
      const { socket, text, closed } = await client(await start(reads, context), context);
      socket.write(head(method, 10_000_000_000));
      const chunk = "x".repeat(1_000_000);
      let sent = 0;
      while (!socket.closed) {
        if (!socket.write(chunk))
          await Promise.race([once(socket, "drain"), closed]).catch(() => {});
        sent += 1;
        await sleep(0);
      }
      expect(text()).toMatch(/^HTTP\/1\.1 [24]00 .*\r\nconnection: close\r\n.*answered/is);
      expect(sent).toBeLessThan(200);
    },
  );
});

test.concurrent("A server that is closed ends each connection after the current response", async (context) => {
  const { expect, onTestFinished } = context;
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let arrived = 0;
  const server = await startServer(
    async () => {
      arrived += 1;
      await asked;
      return new Response("answered");
    },
    { port: 0 },
  );
  onTestFinished(() => server.close({ graceMs: 0 }));
  const idle = await client(server.port, context);
  const busy = await client(server.port, context);
  busy.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await expect.poll(() => arrived).toBe(1);
  const closed = server.close({ graceMs: 60_000 });
  await idle.closed;
  expect(busy.text()).toBe("");
  answer();
  await Promise.all([closed, busy.closed]);
  expect(busy.text()).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*answered$/is);
}, 20_000);

/** Starts a client that ignores every response and sends a byte of `drips` every 50 ms. */
async function drip(
  port: number,
  { first, drips }: { readonly first: string; readonly drips: string },
  { onTestFinished }: TestContext,
): Promise<{ readonly closed: Promise<unknown>; text(): string }> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).setEncoding("latin1");
  let text = "";
  socket.on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  socket.write(first);
  let sent = 0;
  const timer = setInterval(() => {
    socket.write(drips[sent % drips.length] as string);
    sent += 1;
  }, 50);
  onTestFinished(() => {
    clearInterval(timer);
    socket.destroy();
  });
  return { closed, text: () => text };
}

describe.concurrent("An expired connection is destroyed, although its client keeps sending", () => {
  test("within its head", async (context) => {
    const { expect, onTestFinished } = context;
    const server = await startServer(async () => new Response("answered"), {
      port: 0,
      headersTimeoutMs: 100,
    });
    onTestFinished(() => server.close({ graceMs: 0 }));
    const { closed, text } = await drip(
      server.port,
      { first: "GET / HTTP/1.1\r\nhost: a\r\nx: ", drips: "x" },
      context,
    );
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 408 /);
  }, 10_000);

  test("within its body, which ends for its reader", async (context) => {
    const { expect, onTestFinished } = context;
    let outcome: unknown = "reading";
    const server = await startServer(
      async (request) => {
        outcome = await request.text().catch((error: unknown) => error);
        return new Response("answered");
      },
      { port: 0, requestTimeoutMs: 100 },
    );
    onTestFinished(() => server.close({ graceMs: 0 }));
    const { closed, text } = await drip(
      server.port,
      { first: head("POST", 1_000_000), drips: "x" },
      context,
    );
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 408 /);
    await expect.poll(() => outcome).toBeInstanceOf(Error);
  }, 10_000);

  test("within a body that got an early response, without a second response", async (context) => {
    const { expect, onTestFinished } = context;
    const server = await startServer(
      async () =>
        new Response(new ReadableStream({ start: (sent) => sent.enqueue(new Uint8Array(9)) })),
      { port: 0, requestTimeoutMs: 100 },
    );
    onTestFinished(() => server.close({ graceMs: 0 }));
    const { closed, text } = await drip(
      server.port,
      { first: head("POST", 1_000_000), drips: "x" },
      context,
    );
    await closed;
    expect(text().match(/HTTP\/1\.1/g)).toHaveLength(1);
  }, 10_000);

  test("between two requests, with empty lines", async (context) => {
    const { expect, onTestFinished } = context;
    const server = await startServer(async () => new Response("answered"), {
      port: 0,
      keepAliveMs: 200,
    });
    onTestFinished(() => server.close({ graceMs: 0 }));
    const first = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
    const { closed, text } = await drip(server.port, { first, drips: "\r\n" }, context);
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 200 /);
  }, 10_000);
});

test.concurrent("A client that reads nothing of its response is cut off", async (context) => {
  const { onTestFinished } = context;
  const gone = Promise.withResolvers<void>();
  const server = await startServer(
    async (request) => {
      request.signal.addEventListener("abort", () => gone.resolve());
      return new Response("x".repeat(50_000_000));
    },
    { port: 0, stallMs: 300 },
  );
  onTestFinished(() => server.close({ graceMs: 0 }));
  const { socket } = await client(server.port, context);
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await gone.promise;
}, 10_000);

describe.concurrent("With the maximum number of connections, one more", () => {
  /**
   * Starts a server that accepts three connections. It holds requests for `/held`, and starts a response to `/slow`.
   */
  async function crowded({ onTestFinished }: TestContext): Promise<number> {
    const never = new Promise<never>(() => {});
    const server = await startServer(
      async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/held") return never;
        if (pathname === "/slow") {
          return new Response(
            new ReadableStream({ start: (sent) => sent.enqueue(Buffer.alloc(9)) }),
          );
        }
        await request.text().catch(() => {});
        return new Response("answered");
      },
      { port: 0, maxConnections: 3 },
    );
    onTestFinished(() => server.close({ graceMs: 0 }));
    return server.port;
  }

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
  const STATES = {
    "without a request": "GET / HTTP/1.1\r\nho",
    "that is idle": get("/"),
    "whose request is being received": `${head("POST", 1_000_000)}x`,
    "whose response is being sent": get("/slow"),
  };

  test.for([
    ["without a request", "that is idle"],
    ["that is idle", "whose request is being received"],
    ["whose request is being received", "whose response is being sent"],
  ] as const)(
    "closes the one %s before one %s",
    { timeout: 10_000 },
    async ([goes, stays], context) => {
      const { expect } = context;
      const port = await crowded(context);
      const stay = await client(port, context);
      stay.socket.write(STATES[stays]);
      const go = await client(port, context);
      go.socket.write(STATES[goes]);
      const held = await client(port, context);
      held.socket.write(get("/held"));
      // After this time, the server has read all three requests.
      await sleep(100);
      const one = await client(port, context);
      one.socket.write(get("/"));
      await expect.poll(one.text).toMatch(/answered/);
      await go.closed;
      expect([stay.socket.closed, held.socket.closed]).toEqual([false, false]);
    },
  );

  test("closes the oldest of equals, again and again, and no place remains blocked", {
    timeout: 10_000,
  }, async (context) => {
    const { expect } = context;
    const port = await crowded(context);
    const all: Client[] = [];
    for (let count = 0; count < 8; count++) {
      const next = await client(port, context);
      next.socket.write(STATES["without a request"]);
      all.push(next);
    }
    const one = await client(port, context);
    one.socket.write(get("/"));
    await expect.poll(one.text).toMatch(/answered/);
    await Promise.all(all.slice(0, 6).map(({ closed }) => closed));
    expect(all.slice(6).map(({ socket }) => socket.closed)).toEqual([false, false]);
  });

  test("gets a response on a request that gives way", { timeout: 10_000 }, async (context) => {
    const { expect } = context;
    const port = await crowded(context);
    const uploads: Client[] = [];
    for (let count = 0; count < 3; count++) {
      const next = await client(port, context);
      next.socket.write(STATES["whose request is being received"]);
      uploads.push(next);
    }
    await sleep(100);
    await client(port, context);
    await uploads[0]?.closed;
    expect(uploads[0]?.text()).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1\r\n.*connection limit/is);
  });

  test("is closed itself if all others are being processed", {
    timeout: 10_000,
  }, async (context) => {
    const { expect } = context;
    const port = await crowded(context);
    const all: Client[] = [];
    for (let count = 0; count < 3; count++) {
      const next = await client(port, context);
      next.socket.write(get("/held"));
      all.push(next);
    }
    await sleep(100);
    const one = await client(port, context);
    await one.closed;
    expect(all.map(({ socket }) => socket.closed)).toEqual([false, false, false]);
  });
});
