// Run as a process of its own: node child.ts <what> <root>. Prints one line per outcome.
import { isQuireError } from "@quire/core";
import { fsStorage } from "../../src/index.ts";
import { crashBytes } from "./crash-bytes.ts";

const OUT = { type: "folder", id: "out" } as const;
const [what, root = ""] = process.argv.slice(2);
const storage = fsStorage({ root });

/** Creates files without end, four at a time; the parent process kills this one. */
async function createForEver(): Promise<void> {
  for (let round = 0; ; round += 4) {
    const indexes = [0, 1, 2, 3].map((lane) => round + lane);
    await Promise.all(
      indexes.map(async (index) => {
        await storage.create(OUT, `${index}.docx`, crashBytes(index));
        process.stdout.write(`${index}\n`);
      }),
    );
  }
}

/** Creates one file of 1 MB and prints what became of it. */
async function createOne(): Promise<void> {
  try {
    await storage.create(OUT, "a.docx", new Uint8Array(1024 * 1024));
    process.stdout.write("created");
  } catch (error) {
    if (!isQuireError(error)) throw error;
    process.stdout.write(JSON.stringify({ code: error.code, message: error.message }));
  }
}

// Root may write everywhere: take the rights of nobody, as far as we have any to lose.
if (what === "as-nobody" && process.getuid?.() === 0) process.seteuid?.(65534);
await (what === "for-ever" ? createForEver() : createOne());
