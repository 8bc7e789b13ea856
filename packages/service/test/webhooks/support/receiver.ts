import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Server, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** A request that a receiver has received. */
export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly serverName: string | undefined;
}

/** A real server on a free port of this machine. */
export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly received: Received[];
  /** The local address of each connection. */
  readonly connections: string[];
}

/** The response of a receiver. */
export type Answer = (response: ServerResponse, received: Received) => void;

/** Options of {@link receiver}. */
export interface ReceiverOptions {
  readonly answer?: Answer;
  /** The address to listen on. Default: 127.0.0.1; null means all addresses of this machine. */
  readonly host?: string | null;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export async function receiver({
  answer = (response) => response.writeHead(204).end(),
  host = "127.0.0.1",
  tls,
}: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message: Received = {
      path: request.url ?? "",
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
      serverName: tls && String((request.socket as TLSSocket & { servername: string }).servername),
    };
    received.push(message);
    answer(response, message);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => response.destroy());
  };
  const server = tls ? https.createServer(tls, onRequest) : http.createServer(onRequest);
  return { received, ...(await listen(server, host)) };
}

/** Starts a server that does not speak HTTP. */
export async function rawReceiver(
  onConnection: (socket: Socket) => void,
): Promise<Omit<Receiver, "received">> {
  return listen(net.createServer(onConnection), "127.0.0.1");
}

async function listen(server: Server, host: string | null): Promise<Omit<Receiver, "received">> {
  const sockets = new Set<Socket>();
  const connections: string[] = [];
  server.on("connection", (socket: Socket) => {
    connections.push(socket.localAddress ?? "");
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => {});
  server.listen({ port: 0, ...(host === null ? {} : { host }) });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Waits until a condition holds, and fails after five seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > end)
      throw new Error("The condition did not become true within five seconds.");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
