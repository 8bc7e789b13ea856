import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, test, vi } from "vitest";
import { fsStorage, removeLeftovers } from "../src/index.ts";
import { temporaryName } from "../src/temporary-files.ts";
import { leftovers, makePlace, OUT, text } from "./support/place.ts";

const BUILT = fileURLToPath(new URL("../dist/temporary-files.js", import.meta.url));

/** Returns the name of a temporary file of another process that has already ended. */
function nameOfDeadProcess(): string {
  const program = `import { temporaryName } from ${JSON.stringify(BUILT)}; process.stdout.write(temporaryName());`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
}

/** The start time of a process as its temporary files state it. */
function startOf(pid: number | undefined): string {
  if (process.platform !== "linux") return "";
  return /\) (?:\S+ ){19}(\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? "";
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
      const [host] = temporaryName()
        .split(/(?<=-)/)
        .slice(2);
      const living = `.quire-tmp-${host}${child.pid}-${startOf(child.pid)}-half`;
      // The process does not exist on this machine, but may run on the other one.
      const foreign = nameOfDeadProcess().replace(host ?? expect.fail(), "00000000-");
      for (const name of [living, foreign, temporaryName()]) await writeFile(join(out, name), "x");
      await fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
      expect(await leftovers(out)).toHaveLength(3);
    } finally {
      child.kill("SIGKILL");
    }
  });

  test.skipIf(process.platform !== "linux")(
    "is removed although the parent of its process has not waited for it",
    async () => {
      await using place = await makePlace();
      const out = join(place.root, "out");
      // The shell becomes a process that never waits for its child.
      const script = '"$0" --input-type=module -e "$1" & exec sleep 60';
      const program = `import { temporaryName } from ${JSON.stringify(BUILT)}; process.stdout.write(temporaryName());`;
      const parent = spawn("sh", ["-c", script, process.execPath, program]);
      try {
        const [name] = await once(parent.stdout, "data");
        const pid = String(name).split("-")[3];
        await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /));
        await writeFile(join(out, String(name)), "half");
        await fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
        expect(await readdir(out)).toEqual(["a.docx"]);
      } finally {
        parent.kill("SIGKILL");
      }
    },
  );

  test.skipIf(process.platform !== "linux")(
    "is removed although another process has its id now",
    async () => {
      await using place = await makePlace();
      const out = join(place.root, "out");
      const other = spawn("sleep", ["60"]);
      await once(other, "spawn");
      try {
        const [prefix = "", pid = ""] = /^\.quire-tmp-[^-]+-(\d+)-/.exec(nameOfDeadProcess()) ?? [];
        const name = `${prefix.replace(`-${pid}-`, `-${other.pid}-`)}1-half`;
        await writeFile(join(out, name), "half");
        await fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
        expect(await readdir(out)).toEqual(["a.docx"]);
      } finally {
        other.kill("SIGKILL");
      }
    },
  );

  test("is removed on request, without a write", async () => {
    await using place = await makePlace();
    const out = join(place.root, "out");
    for (const name of [nameOfDeadProcess(), temporaryName()])
      await writeFile(join(out, name), "x");
    await removeLeftovers(out);
    expect(await leftovers(out)).toHaveLength(1);
    await removeLeftovers(join(out, "missing"));
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
