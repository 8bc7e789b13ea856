/** Nothing that a document names is fetched or read: by each layer of the seal for itself. */
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { type Converter, isQuireError } from "@quire/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sealedConverter } from "../src/converter.ts";
import { networkIsolation } from "../src/index.ts";
import { hasOwnMounts } from "../src/office/launch.ts";
import type { Seal } from "../src/office/seal.ts";
import { closing, slowTest, testFolder } from "./laboratory.ts";
import { type Bait, VECTORS } from "./link-vectors.ts";
import { images, look } from "./pdf-look.ts";

/** No picture of LibreOffice's own is so wide. */
const SECRET_WIDTH = 37;
const SECRET_TEXT = "secretcanarytext";
const SECRET_PNG = png(SECRET_WIDTH);

const requests: string[] = [];
let origin = "";
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  const { url = "" } = request;
  if (url.endsWith(".png")) response.setHeader("content-type", "image/png").end(SECRET_PNG);
  else response.setHeader("content-type", "text/html").end(`<p>${SECRET_TEXT}</p>`);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("The server has no port.");
  origin = `http://127.0.0.1:${bound.port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What got out of, or into, a PDF. */
interface Leak {
  readonly vector: string;
  readonly what: string;
}

/** Converts every document over every address, and tells what leaked. */
async function leaks(
  seal: Seal,
  ways: readonly Way[],
  mode: "warm" | "wasm" = "warm",
): Promise<Leak[]> {
  const folder = await testFolder();
  await using office = closing(
    sealedConverter({ lanes: 1, mode, tempDir: folder, cacheMb: 0 }, seal),
  );
  const found: Leak[] = [];
  for (const way of ways) {
    const bait = await BAITS[way](folder);
    for (const [vector, write] of Object.entries(VECTORS)) {
      const name = `${vector}, ${way}`;
      requests.length = 0;
      const seen = await shown(office, write(bait));
      if (seen !== null) found.push({ vector: name, what: seen });
      if (requests.length > 0) found.push({ vector: name, what: requests.join(", ") });
    }
  }
  // A document that was refused may still have been read: what comes late is seen here.
  requests.length = 0;
  await office.close();
  if (requests.length > 0) found.push({ vector: "late", what: requests.join(", ") });
  return found;
}

/** The secret that a PDF of the document shows; null when there is none, or no PDF. */
async function shown(office: Converter, document: Uint8Array): Promise<string | null> {
  let bytes: Uint8Array;
  try {
    ({ bytes } = await office.convert(document));
  } catch (error) {
    if (isQuireError(error) && error.code === "conversion_failed") return null;
    throw error;
  }
  if ((await images(bytes)).some(({ width }) => width === SECRET_WIDTH)) return "the picture";
  const { text } = await look(bytes);
  return text.join("").includes(SECRET_TEXT) ? "the text" : null;
}

type Way = keyof typeof BAITS;

/** How the bait is named. */
const BAITS = {
  "over the network": async (): Promise<Bait> => ({
    png: `${origin}/secret.png`,
    txt: `${origin}/secret.txt`,
    html: `${origin}/page.html`,
  }),
  "by a file's address": async (folder: string): Promise<Bait> => {
    const { png, txt, html } = await files(folder);
    return {
      png: pathToFileURL(png).href,
      txt: pathToFileURL(txt).href,
      html: pathToFileURL(html).href,
    };
  },
  "by a path": files,
  "through another process": async (folder: string): Promise<Bait> => {
    const root = join("/proc", `${process.pid}`, "root");
    const { png, txt, html } = await files(folder);
    return { png: join(root, png), txt: join(root, txt), html: join(root, html) };
  },
} as const;

const ALL_WAYS: readonly Way[] = ["over the network", "by a file's address", "by a path"];

async function files(folder: string): Promise<Bait> {
  const at = {
    png: join(folder, "s.png"),
    txt: join(folder, "s.txt"),
    html: join(folder, "s.html"),
  };
  await writeFile(at.png, SECRET_PNG);
  await writeFile(at.txt, SECRET_TEXT);
  await writeFile(at.html, `<html><body>${SECRET_TEXT}<img src="s.png"></body></html>`);
  return at;
}

const CASES: readonly (readonly [what: string, seal: Seal, ways: readonly Way[]])[] = [
  ["without cleaning", { cleaned: false, hardened: true, isolated: true }, ALL_WAYS],
  ["without the hardened profile", { cleaned: true, hardened: false, isolated: true }, ALL_WAYS],
  ["with the network", { cleaned: true, hardened: true, isolated: false }, ALL_WAYS],
  ["with cleaning only", { cleaned: true, hardened: false, isolated: false }, ALL_WAYS],
  ["with the hardened profile only", { cleaned: false, hardened: true, isolated: false }, ALL_WAYS],
];

/**
 * Local pictures that LibreOffice 7.4 draws although its profile forbids it: cleaning keeps them away, and a view of
 * the files in which they are not. No other may join them, and none over the network.
 */
const DRAWN_ALL_THE_SAME: readonly string[] = [
  "a fill of a shape, by a file's address",
  "a fill of a shape, by a path",
  "a picture of SVG with a picture, by a file's address",
];

for (const [what, seal, ways] of CASES) {
  slowTest(`nothing is fetched or read ${what}`, async () => {
    const hidden = seal.cleaned || (seal.isolated && hasOwnMounts());
    const known = hidden ? [] : DRAWN_ALL_THE_SAME;
    const found = await leaks(seal, ways);
    expect(found.filter(({ vector }) => !known.includes(vector))).toEqual([]);
  });
}

test.skipIf(!hasOwnMounts())(
  "nothing is fetched or read by a process that sees neither network nor files (skipped where the system has no namespaces)",
  async () => {
    const seal = { cleaned: false, hardened: false, isolated: true };
    expect(await leaks(seal, [...ALL_WAYS, "through another process"])).toEqual([]);
  },
  120_000,
);

test.skipIf(networkIsolation() === "none")(
  "nothing is fetched by a process without a network only (skipped where the system has no namespaces)",
  async () => {
    const seal = { cleaned: false, hardened: false, isolated: true };
    expect(await leaks(seal, ["over the network"])).toEqual([]);
  },
  120_000,
);

test("nothing is fetched or read by LibreOffice as WebAssembly, which has no other layer", async () => {
  const ways: readonly Way[] = [...ALL_WAYS, "through another process"];
  const seal = { cleaned: false, hardened: false, isolated: false };
  expect(await leaks(seal, ways, "wasm")).toEqual([]);
}, 300_000);

slowTest("without any layer it leaks, so the others prove something", async () => {
  const ways: readonly Way[] = [...ALL_WAYS, "through another process"];
  const found = await leaks({ cleaned: false, hardened: false, isolated: false }, ways);
  const by = (way: Way) => found.filter(({ vector }) => vector.endsWith(way));
  for (const way of ways) expect([way, by(way).length > 0]).toEqual([way, true]);
  expect(found).toContainEqual({
    vector: "a picture by link, by a file's address",
    what: "the picture",
  });
});

/** A picture of so many pixels in a square. */
function png(width: number): Uint8Array {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const whole = Buffer.alloc(body.length + 8);
    whole.writeUInt32BE(data.length, 0);
    body.copy(whole, 4);
    whole.writeUInt32BE(crc32(body), body.length + 4);
    return whole;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(width, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc((width * 3 + 1) * width, 0))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
