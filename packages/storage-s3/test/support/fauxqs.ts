import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs until its standard input is closed, so that it ends with the test process. */
const PROGRAM = `
  import { startFauxqs } from "fauxqs";
  const server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  console.log(server.address);
  process.stdin.on("end", () => process.exit()).resume();
`;

/** A second S3 server, in another process, because it generates code, which tests forbid in their own process. */
export interface Fauxqs {
  readonly endpoint: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server with its objects in memory. */
export async function startFauxqs(): Promise<Fauxqs> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const ended = once(child, "exit");
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    ended.then(() => Promise.reject(new Error("fauxqs ended before it listened."))),
  ]);
  return {
    endpoint: String(line).trim(),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
