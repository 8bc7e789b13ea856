import { InvalidArgumentError } from "commander";

/** Reads an integer within inclusive bounds. */
export function whole(from: number, to = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= from && number <= to) return number;
    const bounds = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`;
    throw new InvalidArgumentError(`It must be a whole number ${bounds}.`);
  };
}

/** Reads and normalizes a path: `v1/docs/` becomes `/v1/docs`, and `/` becomes empty. */
export function pathPrefix(text: string): string {
  const segments = text.split("/").filter((segment) => segment !== "");
  if (segments.every((segment) => /^[\w~-][\w.~-]*$/.test(segment))) {
    return segments.map((segment) => `/${segment}`).join("");
  }
  throw new InvalidArgumentError(
    "It must be a path of letters, digits and -._~, for example /v1/docs.",
  );
}

/** Reads the public URL of the service, and removes slashes at its end. */
export function publicUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && `${url.search}${url.hash}${url.username}${url.password}` === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw new InvalidArgumentError(
    "It must be a complete URL, for example https://docs.example.com.",
  );
}

/** Reads the URL of an OAuth endpoint, which clients call. */
export function address(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && `${url.hash}${url.username}${url.password}` === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href;
  throw new InvalidArgumentError(
    "It must be a complete URL, for example https://id.example.com/authorize.",
  );
}

/** Reads host names separated by commas. */
export function hosts(text: string): readonly string[] {
  return text
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "");
}
