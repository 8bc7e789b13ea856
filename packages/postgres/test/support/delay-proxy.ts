import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./delay-proxy-process.ts", import.meta.url));

/** What happens to connections that lead elsewhere: nothing, they are closed, or they pass nothing on any more. */
export type OldConnections = "keep" | "close" | "hang";

/** A proxy in a separate process. It delays everything by 1 to 20 ms in each direction. */
export class DelayProxy {
  readonly #child;
  readonly #waiting = new Map<string, () => void>();

  /** `host` is the address on which it listens. */
  constructor(host = "127.0.0.1") {
    const args = ["--no-warnings", PROGRAM, host];
    this.#child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      this.#waiting.get(line)?.();
      this.#waiting.delete(line);
    });
  }

  /**
   * Leads one of its ports to an address, `host:port`. `old` says what happens to connections that lead elsewhere.
   * Resolves when new connections go there.
   */
  lead(port: number, target: string, old: OldConnections = "keep"): Promise<void> {
    const line = `${port} ${target} ${old}`;
    return new Promise((resolve) => {
      this.#waiting.set(line, resolve);
      this.#child.stdin.write(`${line}\n`);
    });
  }

  /** Ends the process with all connections. */
  close(): void {
    this.#child.stdin.end();
  }
}
