/** Bytes over a socket, as no well-behaved client sends them. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A connection of a client that does as it likes. */
export interface Wire {
  readonly socket: Socket;
  /** All that has come so far. */
  text(): string;
  /** Writes as much as the other side takes; false when it takes no more. */
  write(bytes: string | Uint8Array): Promise<boolean>;
  /** Resolves with all that came when the other side has closed. */
  closed(): Promise<string>;
}

/** Connects to a port of this machine; the connection is gone with the test, or whenever `atEnd` has it. */
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
  // That the other side closes in the middle of what is sent is what these tests are about.
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

/** The head of a request, with its last empty line. */
export function head(line: string, headers: Readonly<Record<string, string>> | readonly string[]) {
  const lines = Array.isArray(headers)
    ? headers
    : Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, "host: service", ...lines, "", ""].join("\r\n");
}

/** The statuses of the answers in what came over a connection. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/** The most memory that a process has had so far, in MB. Reads /proc: Linux only. */
export function peakMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
