import {
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";

/** The key pair of an issuer. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKeyPair["privateKey"];
  /** The published key of the issuer. */
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

/** Returns a token that is signed with this key. `header` overrides header parameters. */
export async function sign(
  key: SigningKey,
  claims: JWTPayload,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.privateKey);
}

/** Returns a token with this header and payload, and an invalid signature. */
export function compact(header: object, claims: object, signature = ""): string {
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode(header)}.${encode(claims)}.${signature}`;
}
