/** Slow connections of many kinds. */

/** The tenant that opens the connections, and the resources that they request. */
export interface DripTarget {
  readonly host: string;
  readonly token: string;
  readonly folder: string;
  readonly template: string;
  /** A file that is too large for any buffer. */
  readonly large: string;
  /** A batch whose documents are created during the test. */
  readonly batch: string;
}

/** A kind of slow connection. */
export interface DripKind {
  readonly name: string;
  /** The time limit in milliseconds after which the service ends the connection. */
  readonly limitMs: number;
  /** The number of these connections among each hundred. */
  readonly share: number;
  /** Returns a request that is answered before anything else is sent. */
  readonly opening?: (target: DripTarget) => string;
  readonly first?: (target: DripTarget, name: string) => string;
  /** Pieces that are sent afterwards, one by one and repeatedly. By default, nothing more is sent. */
  readonly drips?: readonly string[];
  readonly everyMs?: number;
  /** Number of bytes that are read at each step. By default, everything is read. */
  readonly reads?: number;
  /** Whether the client closes its sending side but keeps the connection open. */
  readonly isHalfClosed?: boolean;
}

/** Time limits in milliseconds, as documented in docs/service.md. */
const HEAD_MS = 10_000;
const REQUEST_MS = 300_000;
const PAUSE_MS = 30_000;
const IDLE_MS = 65_000;

const CHUNKS = ["1\r\nx\r\n"];
const BYTES = ["x"];
const LINES = ["\r\n"];
const HEAD = [..."GET /healthz HTTP/1.1\r\nhost: a\r\n", ..."x-a: b\r\n".repeat(500)];

/** A gzip header. After it, everything up to a zero byte is a comment. */
const GZIP_HEAD = "\x1f\x8b\x08\x10\0\0\0\0\0\x03";

const UPLOAD = "POST /2.0/files/content";
const BATCH = "POST /2.0/docgen_batches";
const MULTIPART = "content-type: multipart/form-data; boundary=xx";
const JSON_TYPE = "content-type: application/json";
const CHUNKED = "transfer-encoding: chunked";

function head(line: string, { host }: DripTarget, ...more: readonly string[]): string {
  return [`${line} HTTP/1.1`, `host: ${host}`, "service-version: 2025.0", ...more, "", ""].join(
    "\r\n",
  );
}

function bearer({ token }: DripTarget): string {
  return `authorization: Bearer ${token}`;
}

function part(disposition: string, content: string): string {
  return `--xx\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}`;
}

/** Returns the beginning of an upload, up to the first byte of its file. */
function untilFile(name: string): string {
  const attributes = JSON.stringify({ name, parent: { id: "0" } });
  return `${part("name=attributes", attributes)}\r\n${part("name=file; filename=a.docx", "x")}`;
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

function length(bytes: number): string {
  return `content-length: ${bytes}`;
}

/** Returns the head of a download request. The service rejects it if it has no memory for the file. */
function download(target: DripTarget): string {
  const path = `/2.0/files/${target.large}/content`;
  return head(`GET ${path}`, target, bearer(target), "connection: close");
}

const health = (target: DripTarget): string => head("GET /healthz", target);

const HEADS: readonly DripKind[] = [
  { name: "nothing is sent", limitMs: HEAD_MS, share: 4 },
  {
    name: "a head, byte by byte",
    limitMs: HEAD_MS,
    share: 4,
    drips: HEAD,
    everyMs: 300,
  },
  {
    name: "header after header, with a token",
    limitMs: HEAD_MS,
    share: 3,
    first: (target) => head("GET /2.0/docgen_jobs", target, bearer(target)).slice(0, -2),
    drips: ["x-a: b\r\n"],
  },
  { name: "empty lines", limitMs: HEAD_MS, share: 3, drips: LINES },
  {
    name: "half a head, then a closed sending side",
    limitMs: HEAD_MS,
    share: 2,
    first: () => "GET / HTTP/1.1\r\nho",
    isHalfClosed: true,
  },
  {
    name: "the next head, byte by byte",
    limitMs: HEAD_MS,
    share: 3,
    opening: health,
    drips: HEAD,
    everyMs: 300,
  },
  { name: "idle after an answer", limitMs: IDLE_MS, share: 3, opening: health },
  {
    name: "empty lines after an answer",
    limitMs: IDLE_MS,
    share: 3,
    opening: health,
    drips: LINES,
  },
];

const UPLOADS: readonly DripKind[] = [
  {
    name: "an upload with a length",
    limitMs: REQUEST_MS,
    share: 15,
    first: (target, name) =>
      head(UPLOAD, target, bearer(target), MULTIPART, length(900_000)) + untilFile(name),
    drips: BYTES,
  },
  {
    name: "an upload in chunks",
    limitMs: REQUEST_MS,
    share: 12,
    first: (target, name) =>
      head(UPLOAD, target, bearer(target), MULTIPART, CHUNKED) + chunk(untilFile(name)),
    drips: CHUNKS,
  },
  {
    name: "an upload of a version",
    limitMs: REQUEST_MS,
    share: 4,
    first: (target) =>
      head(
        `POST /2.0/files/${target.template}/content`,
        target,
        bearer(target),
        MULTIPART,
        length(900_000),
      ) + `${part("name=attributes", "{}")}\r\n${part("name=file; filename=a.docx", "x")}`,
    drips: BYTES,
  },
  {
    name: "an upload that never reaches its file",
    limitMs: REQUEST_MS,
    share: 4,
    first: (target) =>
      head(UPLOAD, target, bearer(target), MULTIPART, CHUNKED) +
      chunk(part("name=attributes", '{"name":"')),
    drips: CHUNKS,
  },
  {
    name: "an upload that stalls",
    // The upload may wait for its turn before it is read.
    limitMs: REQUEST_MS,
    share: 4,
    first: (target, name) =>
      head(UPLOAD, target, bearer(target), MULTIPART, length(900_000)) + untilFile(name),
  },
  {
    name: "an upload without multipart",
    limitMs: REQUEST_MS,
    share: 2,
    first: (target) =>
      head(UPLOAD, target, bearer(target), "content-type: application/zip", length(900_000)),
    drips: BYTES,
  },
  {
    name: "an upload without a token",
    limitMs: HEAD_MS,
    share: 3,
    first: (target, name) => head(UPLOAD, target, MULTIPART, length(900_000)) + untilFile(name),
    drips: BYTES,
  },
];

const BATCHES: readonly DripKind[] = [
  {
    name: "a batch with a length",
    limitMs: REQUEST_MS,
    share: 5,
    first: (target) =>
      `${head(BATCH, target, bearer(target), JSON_TYPE, length(900_000))}{"document_generation_data":[`,
    drips: ["{},"],
  },
  {
    name: "a batch in chunks",
    limitMs: REQUEST_MS,
    share: 5,
    first: (target) =>
      `${head(BATCH, target, bearer(target), JSON_TYPE, CHUNKED)}${chunk('{"document_generation_data":[')}`,
    drips: CHUNKS,
  },
  {
    name: "chunk extensions of a batch",
    limitMs: PAUSE_MS,
    share: 2,
    first: (target) => `${head(BATCH, target, bearer(target), JSON_TYPE, CHUNKED)}${chunk("{")}1;`,
    drips: ["x"],
  },
  {
    name: "trailers of a batch",
    limitMs: PAUSE_MS,
    share: 2,
    first: (target) =>
      `${head(BATCH, target, bearer(target), JSON_TYPE, CHUNKED)}${chunk("{}")}0\r\n`,
    drips: ["x-a: b\r\n"],
  },
  {
    name: "a batch that says it is compressed",
    limitMs: PAUSE_MS,
    share: 2,
    first: (target) =>
      head(BATCH, target, bearer(target), JSON_TYPE, "content-encoding: gzip", length(900_000)) +
      GZIP_HEAD,
    drips: BYTES,
  },
  {
    name: "a batch without a token",
    limitMs: HEAD_MS,
    share: 2,
    first: (target) => `${head(BATCH, target, JSON_TYPE, length(900_000))}{`,
    drips: BYTES,
  },
];

const READERS: readonly DripKind[] = [
  {
    name: "a download that nobody reads",
    limitMs: PAUSE_MS,
    share: 4,
    first: (target) => download(target),
    reads: 0,
  },
  {
    name: "a slow download",
    limitMs: PAUSE_MS,
    share: 3,
    first: (target) => download(target),
    reads: 1024,
    drips: [""],
  },
  {
    name: "10 listings that nobody reads",
    // Short listings fit into the buffers of the system. The connection is then idle.
    limitMs: PAUSE_MS + IDLE_MS,
    share: 3,
    first: (target) =>
      head(`GET /2.0/docgen_batch_jobs/${target.batch}?limit=1000`, target, bearer(target)).repeat(
        10,
      ),
    reads: 0,
  },
  {
    name: "a stream of progress that nobody reads",
    // The stream ends with its batch. The connection is then idle.
    limitMs: PAUSE_MS + IDLE_MS,
    share: 3,
    first: (target) =>
      head(`GET /2.0/docgen_batches/${target.batch}/events`, target, bearer(target)),
    reads: 0,
  },
];

/** All kinds of slow connections. Their shares add up to 100. */
export const DRIPS: readonly DripKind[] = [...HEADS, ...UPLOADS, ...BATCHES, ...READERS];
