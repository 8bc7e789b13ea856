// Run as a separate process: node child.ts <what> <root>. Prints one line per outcome.
import { isQuireError } from "@quire/contracts";
import { fsStorage } from "../../dist/index.js";
import { crashBytes } from "./crash-bytes.ts";

const OUT = { type: "folder", id: "out" } as const;
const [what, root = ""] = process.argv.slice(2);
const storage = fsStorage({ root });

/** Creates files endlessly, four at a time, until the parent kills this process. */
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

/** Yields `count` chunks of 64 KB. All chunks use the same memory. */
async function* chunks(count: number): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(64 * 1024);
  for (let index = 0; index < count; index += 1) yield chunk.fill(index % 251);
}

/** Creates a file of 300 MB from a stream, and prints how much the process grew, in MB. */
async function createLarge(): Promise<void> {
  await storage.create(OUT, "first.docx", chunks(100));
  const before = process.resourceUsage().maxRSS;
  const { size } = await storage.create(OUT, "a.docx", chunks(4800));
  const grownMb = Math.round((process.resourceUsage().maxRSS - before) / 1024);
  process.stdout.write(JSON.stringify({ size, grownMb }));
}

/** Creates one file of 1 MB and prints the outcome. */
async function createOne(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await storage.create(OUT, "a.docx", content);
    process.stdout.write("created");
  } catch (error) {
    if (!isQuireError(error)) throw error;
    process.stdout.write(JSON.stringify({ code: error.code, message: error.message }));
  }
}

// Root may write everywhere, so drop its permissions if we have them.
if (what === "as-nobody" && process.getuid?.() === 0) process.seteuid?.(65534);
const doing: Readonly<Record<string, () => Promise<void>>> = {
  "for-ever": createForEver,
  "large-stream": createLarge,
  "endless-stream": () => createOne(chunks(Number.POSITIVE_INFINITY)),
  "one-stream": () => createOne(chunks(16)),
};
await (doing[what ?? ""] ?? (() => createOne(new Uint8Array(1024 * 1024))))();
