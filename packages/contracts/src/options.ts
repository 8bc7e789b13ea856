import { isUint8Array } from "node:util/types";
import { cutText } from "./cut-text.ts";
import { QuireError } from "./errors.ts";
import { nearest } from "./nearest.ts";

/** The names of all options of a type. The compiler reports missing and unknown names. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true };

/**
 * Throws `invalid_request` for options that are not an object, and for an unknown option, which TypeScript reports but
 * JavaScript would ignore. `call` is the function that takes the options, for example `render()`.
 */
export function checkOptions<Options extends object>(
  call: string,
  options: Options | undefined,
  names: OptionNames<Options>,
): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    const [first = "name"] = Object.keys(names);
    throw new QuireError(
      "invalid_request",
      `The options of ${call} must be an object, for example { ${first}: … }, not ${kindOf(options)}.`,
    );
  }
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(names, name)) throw unknownOption(call, name, Object.keys(names));
  }
}

/** Returns the names of the options that have a default. */
export function namesOf<Options extends object>(defaults: Required<Options>): OptionNames<Options> {
  const names = Object.keys(defaults).map((name) => [name, true]);
  return Object.fromEntries(names) as OptionNames<Options>;
}

function unknownOption(call: string, name: string, known: readonly string[]): QuireError {
  const near = nearest(name, known);
  const wrong = `${call} has no option ${JSON.stringify(cutText(name))}`;
  return new QuireError(
    "invalid_request",
    near === null
      ? `${wrong}. Its options are ${known.join(", ")}.`
      : `${wrong} (did you mean ${JSON.stringify(near)}?).`,
  );
}

/**
 * Copies a file's bytes. Throws `invalid_request` for any other value, such as a path; the message says what to pass.
 */
export function copyBytes(call: string, bytes: unknown): Uint8Array {
  if (isUint8Array(bytes)) return new Uint8Array(bytes);
  throw new QuireError(
    "invalid_request",
    `${call} takes the bytes of a file as a Uint8Array, not ${kindOf(bytes)}. ${insteadOf(bytes)}`,
  );
}

function insteadOf(bytes: unknown): string {
  if (typeof bytes === "string") {
    return bytes.length <= LONGEST_PATH
      ? `For a path, read the file first: await readFile(${JSON.stringify(bytes)}) of node:fs/promises.`
      : `For base64, decode it first: Buffer.from(text, "base64").`;
  }
  if (bytes instanceof Promise) return "Await the promise first.";
  if (bytes instanceof ArrayBuffer) return "Pass new Uint8Array(buffer).";
  if (bytes instanceof Blob) return "Pass new Uint8Array(await blob.arrayBuffer()).";
  return 'Read the file first: await readFile("template.docx") of node:fs/promises.';
}

/** Maximum length of a string that may be a path, in UTF-16 code units. */
const LONGEST_PATH = 1_000;

/** Describes the type of a value, but not its content. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  if (Array.isArray(value)) return "an array";
  const { name } = value.constructor ?? {};
  return name === undefined || name === "Object" ? "an object" : `a value of type ${name}`;
}
