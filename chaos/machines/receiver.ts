import { createServer } from "node:http";
import { HUB } from "./network.ts";

const PORT = 9000;
/** The share of events that the receiver does not accept at first. */
const REJECTED = 0.002;

/** An event that was received, once or several times. */
export interface Received {
  readonly trigger: string;
  readonly jobId: string;
  times: number;
}

/** A receiver of webhooks. */
export class Receiver {
  readonly address = `http://${HUB}:${PORT}/`;
  /** The events by the ids of their deliveries. */
  readonly events = new Map<string, Received>();
  readonly #ended = new Set<string>();
  readonly #random: () => number;

  private constructor(random: () => number) {
    this.#random = random;
  }

  static async start(random: () => number): Promise<Receiver> {
    const receiver = new Receiver(random);
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece) => pieces.push(piece));
      request.on("end", () => {
        const isAccepted = receiver.#random() >= REJECTED;
        if (isAccepted) receiver.#receive(JSON.parse(Buffer.concat(pieces).toString()));
        response.writeHead(isAccepted ? 204 : 500).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(PORT, HUB, resolve));
    return receiver;
  }

  /** The number of jobs whose end was reported. */
  get ended(): number {
    return this.#ended.size;
  }

  #receive(event: {
    readonly id: string;
    readonly trigger: string;
    readonly source: { readonly id: string };
  }): void {
    const known = this.events.get(event.id);
    if (known !== undefined) known.times += 1;
    else this.events.set(event.id, { trigger: event.trigger, jobId: event.source.id, times: 1 });
    this.#ended.add(event.source.id);
  }
}
