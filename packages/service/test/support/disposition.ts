/** Parses a Content-Disposition header according to RFC 6266 and RFC 8187, independently of the code that writes it. */

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;

/** Returns the type and the file name as a browser reads them. Throws for an invalid header. */
export function dispositionName(header: string): { type: string; name: string } {
  // The bytes of headers arrive as Latin-1. Characters beyond ASCII are not allowed.
  if (/[^\x20-\x7e]/.test(header)) throw new Error("The header has characters beyond ASCII.");
  let rest = header;
  const token = (): string => {
    const found = TOKEN.exec(rest)?.[0];
    if (found === undefined) throw new Error(`No token at: ${rest}`);
    rest = rest.slice(found.length);
    return found;
  };
  const type = token().toLowerCase();
  const parameters = new Map<string, string>();
  while (rest !== "") {
    rest = rest.replace(/^ *; */, (separator) => (separator === "" ? "?" : ""));
    const key = token().toLowerCase();
    if (rest[0] !== "=") throw new Error(`No value of ${key}.`);
    rest = rest.slice(1);
    if (parameters.has(key)) throw new Error(`The parameter ${key} occurs twice.`);
    parameters.set(key, rest[0] === '"' ? quoted() : token());
  }
  const extended = parameters.get("filename*");
  const plain = parameters.get("filename");
  if (extended !== undefined) return { type, name: decoded(extended) };
  if (plain === undefined) throw new Error("The header has no name.");
  return { type, name: plain };

  function quoted(): string {
    let text = "";
    for (let at = 1; at < rest.length; at += 1) {
      if (rest[at] === '"') {
        rest = rest.slice(at + 1);
        return text;
      }
      if (rest[at] === "\\") at += 1;
      text += rest[at] ?? "";
    }
    throw new Error("A quoted text has no end.");
  }
}

function decoded(value: string): string {
  const [charset = "", , encoded = ""] = value.split("'");
  if (charset.toLowerCase() !== "utf-8") throw new Error(`The character set is ${charset}.`);
  const bytes: number[] = [];
  for (let at = 0; at < encoded.length; at += 1) {
    if (encoded[at] === "%") {
      bytes.push(Number.parseInt(encoded.slice(at + 1, at + 3), 16));
      at += 2;
    } else {
      bytes.push(encoded.charCodeAt(at));
    }
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
}
