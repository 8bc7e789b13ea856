/** Raw bytes over a socket, as badly behaved clients send them. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A connection for tests that violate the HTTP protocol. */
export interface Wire {
  readonly socket: Socket;
  /** Returns everything that was received. */
  text(): string;
  /** Writes bytes, and waits while the write buffer is full. Returns false if the connection is closed. */
  write(bytes: string | Uint8Array): Promise<boolean>;
  /** Resolves with everything received after the other side has closed the connection. */
  closed(): Promise<string>;
}

/** Connects to a port of this machine. The connection is closed after the test, or when `atEnd` calls its argument. */
export async function wire(
  port: number,
  atEnd: (clean: () => void) => void = onTestFinished,
): Promise<Wire> {
  const socket = connect(port, "127.0.0.1");
  atEnd(() => {
    socket.destroy();
  });
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  // These tests expect that the other side closes the connection during a write.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "connect");
  return {
    socket,
    text: () => text,
    async write(bytes) {
      if (!socket.writable) return false;
      if (socket.write(bytes)) return true;
      const drained = new Promise<boolean>((resolve) => socket.once("drain", () => resolve(true)));
      return Promise.race([drained, closed.then(() => false)]);
    },
    async closed() {
      await closed;
      return text;
    },
  };
}

/** Returns the head of a request, including the empty line at its end. */
export function head(line: string, headers: Readonly<Record<string, string>> | readonly string[]) {
  const lines = Array.isArray(headers)
    ? headers
    : Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, "host: service", ...lines, "", ""].join("\r\n");
}

/** Returns the statuses of the responses that were received over a connection. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/** Returns the peak memory of a process, in MB. Linux only, because it reads /proc. */
export function peakMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
