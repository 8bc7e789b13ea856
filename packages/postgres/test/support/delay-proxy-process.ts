/**
 * A TCP proxy that delays everything by 1 to 20 ms in each direction. Runs in a separate process. It reads targets
 * from standard input, one a line: the number of the port, a space, and the address `host:port`. The first line for a
 * port makes the proxy listen there, and further ones move it: new connections go to the new target. The third word
 * says what happens to the connections to the old target: `keep`, `close`, or `hang`, which passes nothing on any more.
 * Prints each line when it has taken effect.
 */
import { createConnection, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

const [host = ""] = process.argv.slice(2);
const MIN_MS = 1;
const MAX_MS = 20;

interface Line {
  target: string;
  readonly open: Set<Socket>;
}

const lines = new Map<number, Line>();
/** Clients whose connections pass nothing on. */
const hanging = new WeakSet<Socket>();

createInterface({ input: process.stdin })
  .on("line", (text) => {
    const [port = "", target = "", old = "keep"] = text.split(" ");
    const known = lines.get(Number(port));
    if (known === undefined) return listen(Number(port), target, text);
    known.target = target;
    if (old === "close") for (const socket of known.open) socket.resetAndDestroy();
    if (old === "hang") for (const socket of known.open) hanging.add(socket);
    process.stdout.write(`${text}\n`);
  })
  // The scenario has ended.
  .on("close", () => process.exit());

function listen(port: number, target: string, text: string): void {
  const line: Line = { target, open: new Set() };
  lines.set(port, line);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const [to = "", toPort = ""] = line.target.split(":");
    const options = { host: to, port: Number(toPort), allowHalfOpen: true, noDelay: true };
    const other = createConnection(options);
    connect(client, other);
    connect(other, client);
    line.open.add(client);
    client.on("close", () => line.open.delete(client));
  });
  server.listen(port, host, () => process.stdout.write(`${text}\n`));
}

/** Passes everything on, in its order, each piece after a random delay. */
function connect(from: Socket, to: Socket): void {
  const waiting: (() => void)[] = [];
  let last = 0;
  const later = (pass: () => void): void => {
    waiting.push(pass);
    const delay = MIN_MS + Math.random() * (MAX_MS - MIN_MS);
    last = Math.max(last, performance.now() + delay);
    // Timers with different delays may be out of order by a millisecond.
    setTimeout(() => {
      const next = waiting.shift();
      if (!hanging.has(from) && !hanging.has(to)) next?.();
    }, last - performance.now());
  };
  from.on("data", (piece) => later(() => to.write(piece)));
  from.on("end", () => later(() => to.end()));
  // Both ends notice a reset.
  from.on("error", () => to.resetAndDestroy());
  from.on("close", () => later(() => to.destroy()));
}
