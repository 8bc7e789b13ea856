import { generateKeyPairSync, sign } from "node:crypto";

/**
 * Creates a key and a self-signed certificate for a host name, so that the repository does not have to contain a key.
 */
export function certificateFor(name: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaSha256 = der(0x30, Buffer.from("06082a8648ce3d040302", "hex"));
  const subject = der(
    0x30,
    der(0x31, der(0x30, Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from(name)))),
  );
  const year = new Date().getUTCFullYear();
  const validity = der(
    0x30,
    der(0x18, Buffer.from(`${year - 1}0101000000Z`)),
    der(0x18, Buffer.from(`${year + 1}0101000000Z`)),
  );
  const names = der(0x30, der(0x82, Buffer.from(name)));
  const extensions = der(
    0xa3,
    der(0x30, der(0x30, Buffer.from("0603551d11", "hex"), der(0x04, names))),
  );
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaSha256,
    subject,
    validity,
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    extensions,
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const base64 = der(0x30, body, ecdsaSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** Returns one DER element: tag, length and content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
