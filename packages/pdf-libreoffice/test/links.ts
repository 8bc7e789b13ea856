/** Converts documents that try to fetch or read something, and finds what they got. */
import { stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { type Converter, compileTemplate, isQuireError } from "@quire/core";
import { afterAll, beforeAll } from "vitest";
import { sealedConverter } from "../src/converter.ts";
import type { Seal } from "../src/office/seal.ts";
import { closing, testFolder } from "./laboratory.ts";
import { type Bait, VECTORS as LINK_VECTORS, type Vector } from "./link-vectors.ts";
import { OBJECT_VECTORS } from "./object-vectors.ts";
import { PART_VECTORS } from "./part-vectors.ts";
import { images, look } from "./pdf-look.ts";
import { PICTURE_VECTORS } from "./picture-vectors.ts";
import { SVG_VECTORS } from "./svg-vectors.ts";

/** All documents that try something, by their names. */
export const VECTORS: Readonly<Record<string, Vector>> = {
  ...LINK_VECTORS,
  ...PART_VECTORS,
  ...OBJECT_VECTORS,
  ...PICTURE_VECTORS,
  ...SVG_VECTORS,
};

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

server.on("connection", (socket) => {
  requests.push("a connection");
  // A program that waits for what this one never says would wait for a minute.
  setTimeout(() => socket.destroy(), 500).unref();
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
export interface Leak {
  readonly vector: string;
  readonly what: string;
}

/** What is tried. */
export interface Attempt {
  readonly ways: readonly Way[];
  /** Names of documents. Default all. */
  readonly vectors?: readonly string[];
  readonly mode?: "warm" | "wasm";
  /** Whether each is a template, from which a document is rendered first. Default false. */
  readonly rendered?: boolean;
}

/** Converts every document over every address, and gives what leaked. */
export async function leaks(seal: Seal, attempt: Attempt): Promise<Leak[]> {
  const { ways, vectors = Object.keys(VECTORS), mode = "warm", rendered = false } = attempt;
  const folder = await testFolder();
  await using office = closing(
    sealedConverter({ lanes: 1, mode, tempDir: folder, cacheMb: 0 }, seal),
  );
  const found: Leak[] = [];
  for (const way of ways) {
    const bait = await BAITS[way](folder);
    for (const vector of vectors) {
      const write = (VECTORS as Readonly<Record<string, Vector>>)[vector];
      if (write === undefined) throw new Error(`There is no vector "${vector}".`);
      const name = `${vector}, ${way}`;
      requests.length = 0;
      const wasRead = await watched(folder);
      const seen = await shown(office, write(bait), rendered);
      if (seen !== null) found.push({ vector: name, what: seen });
      else if (await wasRead()) found.push({ vector: name, what: "a file was read" });
      if (requests.length > 0) found.push({ vector: name, what: requests.join(", ") });
    }
  }
  // A document that was refused may still have been read: what comes late is seen here.
  requests.length = 0;
  await office.close();
  if (requests.length > 0) found.push({ vector: "late", what: requests.join(", ") });
  return found;
}

/**
 * Watches the bait in a folder by the access times of its files, where the file system keeps them. Even with
 * `relatime`, the first read after a change is recorded.
 */
async function watched(folder: string): Promise<() => Promise<boolean>> {
  const paths = NAMES.map((name) => join(folder, name));
  const changed = new Date();
  await Promise.all(paths.map((path) => utimes(path, LONG_AGO, changed).catch(() => undefined)));
  return async () => {
    const times = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
    return times.some((time) => time !== null && time.atime > LONG_AGO);
  };
}

const NAMES = ["s.png", "s.txt", "s.html"];
const LONG_AGO = new Date("2001-01-01");

const REFUSALS: ReadonlySet<string> = new Set(["conversion_failed", "invalid_template"]);

/** The secret that a PDF of the document shows; null when there is none, or no PDF. */
async function shown(
  office: Converter,
  given: Uint8Array,
  rendered: boolean,
): Promise<string | null> {
  let bytes: Uint8Array;
  try {
    const document = rendered ? (await (await compileTemplate(given)).render({})).bytes : given;
    ({ bytes } = await office.convert(document, { rendered }));
  } catch (error) {
    if (isQuireError(error) && REFUSALS.has(error.code)) return null;
    throw error;
  }
  if ((await images(bytes)).some(({ width }) => width === SECRET_WIDTH)) return "the picture";
  const { text } = await look(bytes);
  return text.join("").includes(SECRET_TEXT) ? "the text" : null;
}

export type Way = keyof typeof BAITS;

/** How the bait is named. */
const BAITS = {
  "over the network": async (): Promise<Bait> => named(origin),
  "by a file's address": async (folder: string): Promise<Bait> =>
    mapped(await files(folder), (path) => pathToFileURL(path).href),
  "by a path": files,
  "through another process": async (folder: string): Promise<Bait> => {
    const root = join("/proc", `${process.pid}`, "root");
    return mapped(await files(folder), (path) => join(root, path));
  },
  "over WebDAV": async (): Promise<Bait> => named(`vnd.sun.star.webdav${origin.slice(4)}`),
  "by an expansion": async (folder: string): Promise<Bait> =>
    mapped(await files(folder), (path) => `vnd.sun.star.expand:${pathToFileURL(path).href}`),
  // From the folder in which a lane puts a document.
  "by a relative path": async (folder: string): Promise<Bait> =>
    mapped(await files(folder), (path) => `../../../${basename(path)}`),
} as const;

/** The bait below an address. */
function named(base: string): Bait {
  return {
    png: `${base}/secret.png`,
    txt: `${base}/secret.txt`,
    html: `${base}/page.html`,
  };
}

function mapped({ png, txt, html }: Bait, how: (path: string) => string): Bait {
  return { png: how(png), txt: how(txt), html: how(html) };
}

/** The ways that lead to what every process may name. */
export const ALL_WAYS: readonly Way[] = ["over the network", "by a file's address", "by a path"];

/** Rarer ways, which LibreOffice alone knows. */
export const RARE_WAYS: readonly Way[] = ["over WebDAV", "by an expansion", "by a relative path"];

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
