import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { fsStorage } from "../src/index.ts";
import { temporaryName } from "../src/temporary-files.ts";
import { leftovers, makePlace, OUT, text } from "./support/place.ts";

const BUILT = fileURLToPath(new URL("../dist/temporary-files.js", import.meta.url));

/** The name of a temporary file of another process that has already ended. */
function nameOfDeadProcess(): string {
  const program = `import { temporaryName } from ${JSON.stringify(BUILT)}; process.stdout.write(temporaryName());`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
}

describe("fsStorage: the temporary file of a killed process", () => {
  test("is removed when a storage first writes to the folder", async () => {
    await using place = await makePlace();
    const out = join(place.root, "out");
    await writeFile(join(out, nameOfDeadProcess()), "half");
    await fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
    expect(await readdir(out)).toEqual(["a.docx"]);
  });

  test("is kept while its process lives, and if it belongs to another machine", async () => {
    await using place = await makePlace();
    const out = join(place.root, "out");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await once(child, "spawn");
    try {
      const [host, , life, ...id] = temporaryName()
        .split(/(?<=-)/)
        .slice(2);
      const living = `.quire-tmp-${host}${child.pid}-${life}${id.join("")}`;
      // The process does not exist on this machine, but may run on the other one.
      const foreign = nameOfDeadProcess().replace(host ?? expect.fail(), "00000000-");
      for (const name of [living, foreign, temporaryName()]) await writeFile(join(out, name), "x");
      await fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
      expect(await leftovers(out)).toHaveLength(3);
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("is kept while another thread of its process writes it", async () => {
    await using place = await makePlace();
    // The program has no await, because V8 in Node 22.13 crashes when a thread ends while its module finishes an await.
    const program = `
      import { parentPort } from "node:worker_threads";
      import { temporaryName } from ${JSON.stringify(pathToFileURL(BUILT).href)};
      parentPort.postMessage(temporaryName());`;
    const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
    const [name] = await once(thread, "message");
    await writeFile(join(place.root, "out", String(name)), "x");
    await fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
    expect(await leftovers(join(place.root, "out"))).toEqual([name]);
    await thread.terminate();
  });

  test("is kept while its process lives, at any wall-clock time", async () => {
    await using place = await makePlace();
    const out = join(place.root, "out");
    const path = join(out, temporaryName());
    await writeFile(path, "x");
    await utimes(path, 0, 0);
    await fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
    expect(await leftovers(out)).toHaveLength(1);
  });

  test("is removed after a day if its owner is unknown", async () => {
    await using place = await makePlace();
    const path = join(place.root, "out", ".quire-tmp-somebody");
    await writeFile(path, "x");
    const yesterday = Date.now() / 1000 - 25 * 3600;
    await utimes(path, yesterday, yesterday);
    await fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
    expect(await leftovers(join(place.root, "out"))).toEqual([]);
  });
});
