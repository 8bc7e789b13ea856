/**
 * Targets for documents that try to reach something, on this machine and over the network, with a record of each
 * access.
 */
import { stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { afterAll, beforeAll } from "vitest";
import type { Bait } from "./link-vectors.ts";
import { images, look } from "./pdf-look.ts";

/** LibreOffice's own pictures do not have this width. */
const SECRET_WIDTH = 37;
const SECRET_TEXT = "secretcanarytext";
const SECRET_PNG = png(SECRET_WIDTH);

/** Network requests since the list was emptied. */
export const requests: string[] = [];
let origin = "";
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  const { url = "" } = request;
  if (url.endsWith(".png")) response.setHeader("content-type", "image/png").end(SECRET_PNG);
  else response.setHeader("content-type", "text/html").end(`<p>${SECRET_TEXT}</p>`);
});

server.on("connection", (socket) => {
  requests.push("a connection");
  // Closes the connection, because a client that waits for an answer would wait for a minute.
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

/**
 * Watches the bait in a folder, by the access times of its files if the file system records them. Returns a function
 * that resolves with whether the bait was read. Even with `relatime`, the first read after a change is recorded.
 */
export async function watched(folder: string): Promise<() => Promise<boolean>> {
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

/** Returns the bait that a PDF shows; null if it shows none. */
export async function secretIn(pdf: Uint8Array): Promise<string | null> {
  if ((await images(pdf)).some(({ width }) => width === SECRET_WIDTH)) return "the picture";
  const { text } = await look(pdf);
  return text.join("").includes(SECRET_TEXT) ? "the text" : null;
}

export type Way = keyof typeof BAITS;

/** The ways to address the bait. */
export const BAITS = {
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
  "over FTP": async (): Promise<Bait> => named(`ftp${origin.slice(4)}`),
  "by an address in capitals": async (folder: string): Promise<Bait> =>
    mapped(await files(folder), (path) => `FILE://LOCALHOST${path}`),
  "by an encoded address": async (folder: string): Promise<Bait> =>
    mapped(await files(folder), (path) => `file://${path.replace(/[^/]/g, encoded)}`),
  "within a package": async (folder: string): Promise<Bait> =>
    mapped(await files(folder), (path) => {
      const { href } = pathToFileURL(path);
      return `vnd.sun.star.pkg://${encodeURIComponent(href)}/word/document.xml`;
    }),
  // Relative to the folder in which a lane stores a document.
  "by a relative path": async (folder: string): Promise<Bait> =>
    mapped(await files(folder), (path) => `../../../${basename(path)}`),
} as const;

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

/** Returns the addresses of the bait below a base address. */
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

/** The ways that work for any program. */
export const ALL_WAYS: readonly Way[] = ["over the network", "by a file's address", "by a path"];

/** Rarer ways that only LibreOffice supports. */
export const RARE_WAYS: readonly Way[] = [
  "over WebDAV",
  "over FTP",
  "by an expansion",
  "by an address in capitals",
  "by an encoded address",
  "within a package",
  "by a relative path",
];

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

/** Creates a square picture with this width in pixels. */
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
