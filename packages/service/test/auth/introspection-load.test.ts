import { describe, expect, test } from "vitest";
import { type IntrospectionOptions, introspection } from "../../src/auth/introspection.ts";
import { caught, shown } from "./support/caught.ts";
import { type Answer, json, localServer, status } from "./support/local-server.ts";

const ACTIVE = { active: true, sub: "ann", enterprise: "acme", scope: "root_readonly" };

/** Returns an issuer that holds every request until it is released, and counts the requests in progress. */
function slowIssuer(answer: object) {
  const held: (() => void)[] = [];
  const counts = { asked: 0, most: 0, underWay: 0 };
  const fetch = async (): Promise<Response> => {
    counts.asked += 1;
    counts.underWay += 1;
    counts.most = Math.max(counts.most, counts.underWay);
    await new Promise<void>((resolve) => held.push(resolve));
    counts.underWay -= 1;
    return Response.json(answer);
  };
  const letGo = async (): Promise<void> => {
    for (const release of held.splice(0)) release();
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { counts, fetch, letGo };
}

function optionsFor(change: Partial<IntrospectionOptions>): IntrospectionOptions {
  const url = "https://issuer.example/introspect";
  return { url, clientId: "gate", clientSecret: "hush-hush", ...change };
}

const tokens = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `random-${index}`);

describe("many tokens at the same time", () => {
  test("are checked a few at a time; some others wait, and further ones are rejected immediately", async () => {
    const { counts, fetch, letGo } = slowIssuer({ active: false });
    const authenticate = introspection(optionsFor({ fetch }));
    const all = tokens(3000);
    const asked = all.slice(0, 32 + 256).map((token) => authenticate(token, {}));
    const beyond = all.slice(32 + 256).map((token) => caught(() => authenticate(token, {})));
    const refused = await Promise.all(beyond);
    for (const error of refused) expect(error).toMatchObject({ code: "unavailable" });
    expect(refused.every(({ retryable }) => retryable)).toBe(true);
    expect(refused[0]?.message).toMatch(/^The access token cannot be checked: .*\.$/);
    expect(shown(refused[0])).not.toContain("random-");
    while (counts.asked < 32 + 256) await letGo();
    await letGo();
    expect(new Set(await Promise.all(asked))).toEqual(new Set([null]));
    expect(counts).toEqual({ asked: 32 + 256, most: 32, underWay: 0 });
  });

  test("release their place when the issuer fails, so that the next ones are checked", async () => {
    await using server = await localServer(status(500));
    const url = `${server.origin}/introspect`;
    const options = optionsFor({ url, allowInsecure: true, concurrency: 2 });
    const authenticate = introspection(options);
    const failed = await Promise.all(
      tokens(7).map((token) => caught(() => authenticate(token, {}))),
    );
    expect(failed.map(({ code }) => code)).toEqual(Array(7).fill("unavailable"));
    expect(server.asked).toHaveLength(7);
    server.answer = json(ACTIVE);
    expect(await authenticate("good", {})).not.toBeNull();
  });

  test("are checked in order of arrival", async () => {
    await using server = await localServer(json(ACTIVE));
    const url = `${server.origin}/introspect`;
    const authenticate = introspection(optionsFor({ url, allowInsecure: true, concurrency: 1 }));
    await Promise.all(tokens(5).map((token) => authenticate(token, {})));
    const order = server.asked.map(({ body }) => new URLSearchParams(body).get("token"));
    expect(order).toEqual(tokens(5));
  });
});

describe("a rejected token", () => {
  const refusals: Record<string, Answer> = {
    "because it is not active": json({ active: false }),
    "because it has no owner": json({ ...ACTIVE, sub: undefined }),
  };
  test.each(Object.entries(refusals))(
    "that is invalid %s is not checked again for 2 s",
    async (_, answer) => {
      await using server = await localServer(answer);
      let now = Date.now();
      const url = `${server.origin}/introspect`;
      const authenticate = introspection(optionsFor({ url, allowInsecure: true, now: () => now }));
      expect(await authenticate("later", {})).toBeNull();
      server.answer = json(ACTIVE);
      now += 1_999;
      expect(await authenticate("later", {})).toBeNull();
      expect(server.asked).toHaveLength(1);
      now += 1;
      expect(await authenticate("later", {})).not.toBeNull();
    },
  );

  test("does not evict valid tokens, however many there are", async () => {
    await using server = await localServer(json(ACTIVE));
    const url = `${server.origin}/introspect`;
    const authenticate = introspection(optionsFor({ url, allowInsecure: true, cacheSize: 2 }));
    await authenticate("good", {});
    server.answer = json({ active: false });
    for (const token of tokens(5)) expect(await authenticate(token, {})).toBeNull();
    expect(await authenticate("good", {})).not.toBeNull();
    expect(server.asked).toHaveLength(6);
  });
});
