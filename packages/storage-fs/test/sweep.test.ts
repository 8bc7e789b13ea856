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

/** The name that another process gives its unfinished file; that process has ended since. */
function nameOfDeadProcess(): string {
  const program = `import { temporaryName } from ${JSON.stringify(BUILT)}; process.stdout.write(temporaryName());`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
}

describe("fsStorage: what a killed process left", () => {
  test("goes with the first file that a storage writes into the folder", async () => {
    await using place = await makePlace();
    const out = join(place.root, "out");
    await writeFile(join(out, nameOfDeadProcess()), "half");
    await fsStorage(place).create(OUT, "a.docx", text("one"));
    expect(await readdir(out)).toEqual(["a.docx"]);
  });

  test("stays while its process lives, and when it is another machine's", async () => {
    await using place = await makePlace();
    const out = join(place.root, "out");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await once(child, "spawn");
    try {
      const [host, , life, ...id] = temporaryName()
        .split(/(?<=-)/)
        .slice(2);
      const living = `.quire-tmp-${host}${child.pid}-${life}${id.join("")}`;
      // Its process is gone here, and may live there.
      const foreign = nameOfDeadProcess().replace(host ?? expect.fail(), "00000000-");
      for (const name of [living, foreign, temporaryName()]) await writeFile(join(out, name), "x");
      await fsStorage(place).create(OUT, "a.docx", text("one"));
      expect(await leftovers(out)).toHaveLength(3);
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("stays while another thread of its process writes it", async () => {
    await using place = await makePlace();
    // Without an await: V8 of Node 22.13 crashes when a thread ends as its module gets to the end of one.
    const program = `
      import { parentPort } from "node:worker_threads";
      import { temporaryName } from ${JSON.stringify(pathToFileURL(BUILT).href)};
      parentPort.postMessage(temporaryName());`;
    const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
    const [name] = await once(thread, "message");
    await writeFile(join(place.root, "out", String(name)), "x");
    await fsStorage(place).create(OUT, "a.docx", text("one"));
    expect(await leftovers(join(place.root, "out"))).toEqual([name]);
    await thread.terminate();
  });

  test("stays while its process lives, whatever the wall clock says", async () => {
    await using place = await makePlace();
    const out = join(place.root, "out");
    const path = join(out, temporaryName());
    await writeFile(path, "x");
    await utimes(path, 0, 0);
    await fsStorage(place).create(OUT, "a.docx", text("one"));
    expect(await leftovers(out)).toHaveLength(1);
  });

  test("goes after a day, when nobody can tell who left it", async () => {
    await using place = await makePlace();
    const path = join(place.root, "out", ".quire-tmp-somebody");
    await writeFile(path, "x");
    const yesterday = Date.now() / 1000 - 25 * 3600;
    await utimes(path, yesterday, yesterday);
    await fsStorage(place).create(OUT, "a.docx", text("one"));
    expect(await leftovers(join(place.root, "out"))).toEqual([]);
  });
});
