/**
 * Whether the service in this container answers: exit code 0, else 1. With a port as argument, it asks the health pages
 * of a worker.
 */
const { QUIRE_PORT = "8080", QUIRE_PREFIX = "" } = process.env;
const [workerPort] = process.argv.slice(2);
const prefix = workerPort ? [] : QUIRE_PREFIX.split("/").filter((name) => name !== "");
const path = ["", ...prefix, "healthz"].join("/");
try {
  const { ok } = await fetch(`http://127.0.0.1:${workerPort ?? QUIRE_PORT}${path}`);
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
