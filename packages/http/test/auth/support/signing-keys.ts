import {
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";

/** A key as an issuer has it, with both of its halves. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKeyPair["privateKey"];
  /** What the issuer publishes. */
  readonly published: JWK;
}

type CryptoKeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

export async function signingKey(kid: string, alg: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    kid,
    alg,
    privateKey,
    published: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" },
  };
}

/** A token signed with a key; the header may be changed. */
export async function sign(
  key: SigningKey,
  claims: JWTPayload,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.privateKey);
}

/** What stands in a token, without a signature that fits. */
export function compact(header: object, claims: object, signature = ""): string {
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode(header)}.${encode(claims)}.${signature}`;
}
