import { describe, expect, test } from "vitest";
import { type Authenticate, firstOf } from "../../src/auth/authenticate.ts";
import { staticTokens } from "../../src/auth/static-tokens.ts";
import { createToken, storedTokens } from "../../src/auth/stored-tokens.ts";
import { caught } from "./support/caught.ts";
import { memoryTokenStore } from "./support/memory-token-store.ts";

const acme = staticTokens([{ token: "shared-token", user: "ann", enterprise: "acme" }]);
const globex = staticTokens([
  { token: "shared-token", user: "bob", enterprise: "globex" },
  { token: "globex-token", user: "bob", enterprise: "globex" },
]);

function closedStore() {
  const store = memoryTokenStore();
  store.close();
  return storedTokens(store);
}

describe("several sources of tokens", () => {
  test("are asked in order", async () => {
    expect((await firstOf(acme, globex)("shared-token", {}))?.enterprise).toBe("acme");
    expect((await firstOf(globex, acme)("shared-token", {}))?.enterprise).toBe("globex");
    expect((await firstOf(acme, globex)("globex-token", {}))?.user).toBe("bob");
  });

  test("reject a token that none of them knows", async () => {
    expect(await firstOf(acme, globex)("other-token", {})).toBeNull();
    expect(await firstOf()("shared-token", {})).toBeNull();
  });

  test("accept a token that one source knows, even if another fails", async () => {
    expect(await firstOf(closedStore(), acme)("shared-token", {})).not.toBeNull();
    expect(await firstOf(acme, closedStore())("shared-token", {})).not.toBeNull();
  });

  test("are unavailable if no source knows the token and one fails", async () => {
    for (const all of [firstOf(closedStore(), acme), firstOf(acme, closedStore())]) {
      const error = await caught(() => all("other-token", {}));
      expect(error).toMatchObject({ code: "unavailable", retryable: true });
    }
  });

  test("report all failures in the cause", async () => {
    const error = await caught(() => firstOf(closedStore(), closedStore())("other-token", {}));
    expect(error).toMatchObject({ code: "unavailable", retryable: true });
    expect(error.cause).toBeInstanceOf(AggregateError);
    expect((error.cause as AggregateError).errors).toHaveLength(2);
  });

  test("reject a token after an unexpected failure", async () => {
    const broken = async (): Promise<never> => {
      throw new TypeError("broken");
    };
    const error = await caught(() => firstOf(broken)("shared-token", {}));
    expect(error).toMatchObject({ code: "unavailable", cause: { message: "broken" } });
  });

  test("are no longer asked when the request is aborted", async () => {
    const store = memoryTokenStore();
    const { token } = await createToken(store, { user: "u", enterprise: "acme" });
    const signal = AbortSignal.abort();
    const error = await caught(() => firstOf(storedTokens(store), acme)(token, { signal }));
    expect(error.code).toBe("aborted");
  });

  test("report that the request was aborted while the last one was asked", async () => {
    const aborted = new AbortController();
    const leaving: Authenticate = async (_token, { signal }) => {
      aborted.abort();
      signal?.throwIfAborted();
      return null;
    };
    const { signal } = aborted;
    const error = await caught(() => firstOf(acme, leaving)("other-token", { signal }));
    expect(error.code).toBe("aborted");
  });
});
