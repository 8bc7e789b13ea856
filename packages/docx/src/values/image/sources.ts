import {
  decodeBase64,
  decodeHead,
  isDataUri,
  mayBeBareImage,
  startOfPayload,
} from "@quire/ooxml/internal/picture/base64";
import type { Outcome } from "@quire/ooxml/internal/picture/outcome";
import { HEAD_LENGTH, sniff } from "@quire/ooxml/internal/picture/sniff";
import { isWebp } from "@quire/ooxml/internal/picture/webp";

/** How messages describe a reference to a file in the data. */
export const FILE_REFERENCE =
  'a file reference, {"type": "file", "id": "a.png"} (in a spreadsheet, photo has the columns photo.type and photo.id)';

/** A value that refers to the bytes of an image and does not contain them. */
export interface Reference {
  readonly kind: "file" | "url";
  /** The id of the file, or the URL. */
  readonly target: string;
}

/** Reads a reference: `{type: "file", id}` or `{type: "url", url}`. Returns null for any other value. */
export function referenceOf(value: unknown): Reference | null {
  if (typeof value !== "object" || value === null) return null;
  const type = ownText(value, "type");
  const target = type === "file" ? ownText(value, "id") : type === "url" && ownText(value, "url");
  return target ? { kind: type === "file" ? "file" : "url", target } : null;
}

function ownText(value: object, key: string): string | null {
  if (!Object.hasOwn(value, key)) return null;
  const text = (value as Readonly<Record<string, unknown>>)[key];
  return typeof text === "string" ? text : null;
}

/** Returns the key of a reference among the loaded images. */
export function keyOf({ kind, target }: Reference): string {
  return `${kind}:${target}`;
}

/**
 * Whether a string is an image: it begins like a data URI of an image, or it consists of base64 and begins with the
 * bytes of an image.
 */
export function isImageText(text: string): boolean {
  if (isDataUri(text)) return true;
  if (!mayBeBareImage(text)) return false;
  const head = decodeHead(text, 0, HEAD_LENGTH);
  return isWebp(head) || sniff(head) !== null;
}

/**
 * The first characters of a data URI, of `RIFF` and `<` in base64 and of a byte order mark in base64, and white space before them.
 */
const MAY_BE_DRAWN = /^[dDUP7 \t\r\n]/;

/** How an image becomes a PNG before it is rendered. */
export type Drawing = "svg" | "webp";

/**
 * Returns how an image must be drawn before it is rendered, judging by its first bytes. Most images need no drawing.
 */
export function drawingOf(bytes: Uint8Array): Drawing | null {
  if (isWebp(bytes)) return "webp";
  return sniff(bytes) === "svg" ? "svg" : null;
}

/** Whether a string is an image that must be drawn first. Called for every string in the data. */
export function isDrawnText(text: string): boolean {
  if (!MAY_BE_DRAWN.test(text)) return false;
  const start = startOfPayload(text);
  if (start === 0 && !mayBeBareImage(text)) return false;
  return drawingOf(decodeHead(text, start, HEAD_LENGTH)) !== null;
}

/** Returns the bytes of a string that is, or should be, an image. */
export function bytesOfText(text: string): Outcome<{ readonly bytes: Uint8Array }> {
  const start = startOfPayload(text);
  if (start > 0) return decodeBase64(text, start);
  if (isDataUri(text)) return { problem: "is a data URI that is not in base64" };
  if (text.trim() === "") return { problem: "is empty text: give null if there is no image" };
  if (isImageText(text)) return decodeBase64(text, 0);
  const what = /^https?:\/\//i.test(text)
    ? "a web address, and pictures are not downloaded"
    : "text, not an image";
  return { problem: `is ${what}: give base64, or ${FILE_REFERENCE}` };
}
