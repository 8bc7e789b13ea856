/** A real server for a handler, and a socket that can send any bytes to it. */
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type RunningServer, type ServerOptions, startServer } from "../../src/index.ts";

/** Listens on a free port until the test has finished. */
export async function serve(
  handler: (request: Request) => Promise<Response>,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const server = await startServer(handler, { port: 0, ...options });
  onTestFinished(() => server.close({ graceMs: 0 }));
  return server;
}

/** The response over a socket. */
export interface RawAnswer {
  readonly status: number;
  /** The head, with its lines joined by LF. */
  readonly head: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends a head with these lines and a body, and reads until the server closes the connection. */
export async function exchange(
  port: number,
  lines: readonly string[],
  body: string | Uint8Array = "",
): Promise<RawAnswer> {
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return answerOf(await roundTrip(port, Buffer.concat([head, Buffer.from(body)])));
}

/** Sends bytes. Returns everything that the server sends until it closes the connection. */
export async function roundTrip(port: number, bytes: Uint8Array): Promise<string> {
  const socket = connected(port);
  try {
    socket.write(bytes);
    return await everythingOf(socket);
  } finally {
    socket.destroy();
  }
}

/** Opens a connection that is closed when the test has finished. */
export function open(port: number): Socket {
  const socket = connected(port);
  onTestFinished(() => void socket.destroy());
  return socket;
}

function connected(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  // The server may reset the connection after its response.
  socket.on("error", () => {});
  return socket;
}

export async function everythingOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.once("close", resolve));
  return Buffer.concat(chunks).toString("latin1");
}

/** Returns the first response in the received data. */
export function answerOf(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const lines = text.slice(0, end).split("\r\n");
  const headers = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const rest = text.slice(end + 4);
  const isChunked = headers.get("transfer-encoding") === "chunked";
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
    head: lines.join("\n"),
    headers,
    body: isChunked ? unchunked(rest) : rest,
  };
}

function unchunked(text: string): string {
  let body = "";
  for (let at = 0; ; ) {
    const end = text.indexOf("\r\n", at);
    const length = Number.parseInt(text.slice(at, end), 16);
    if (!(length > 0)) return body;
    body += text.slice(end + 2, end + 2 + length);
    at = end + 2 + length + 2;
  }
}
