import { isQuireError, type QuireError } from "@quire/core";
import { describe, expect, test } from "vitest";
import { checkAddress, pinnedLookup, usableAddresses } from "../../src/webhooks/address.ts";
import { parseAllowList } from "../../src/webhooks/allow-list.ts";
import { isPublicAddress, parseAddress } from "../../src/webhooks/public-address.ts";

const NONE = parseAllowList([]);

function errorOf(run: () => unknown): QuireError {
  try {
    run();
  } catch (error) {
    if (isQuireError(error)) return error;
  }
  throw new Error("No error of Quire was thrown.");
}

function codesOf(address: string, allowed = NONE): string[] {
  return errorOf(() => checkAddress(address, allowed)).diagnostics.map(({ code }) => code);
}

describe("an address", () => {
  test("is parsed without its fragment and the dot after its name", () => {
    expect(checkAddress("https://Example.COM.:8443/a%20b?c=d#e", NONE)).toEqual({
      isHttps: true,
      host: "example.com",
      port: 8443,
      path: "/a%20b?c=d",
    });
    expect(checkAddress("https://example.com", NONE)).toMatchObject({ port: 443, path: "/" });
    expect(checkAddress("https://[2606:4700::1111]/", NONE)).toMatchObject({
      host: "2606:4700::1111",
    });
  });

  test("must be a complete URL with https, without a user name or a password", () => {
    for (const address of [
      "",
      "example.com/hooks",
      "https://",
      "https://./",
      "https://[fe80::1%25eth0]/",
    ]) {
      expect(codesOf(address)).toEqual(["address_not_a_url"]);
    }
    for (const address of [
      "http://example.com/",
      "ftp://example.com/",
      "data:,x",
      "file:///etc/passwd",
    ]) {
      expect(codesOf(address)).toEqual(["address_not_https"]);
    }
    for (const user of ["a", "a:b", ":b"]) {
      expect(codesOf(`https://${user}@example.com/`)).toEqual(["address_with_credentials"]);
    }
    expect(codesOf(`https://example.com/${"a".repeat(2048)}`)).toEqual(["address_too_long"]);
  });

  test("has all its problems reported, with the place in the request, and is not quoted", () => {
    const error = errorOf(() => checkAddress("http://me:CANARY@10.0.0.1/?CANARY", NONE));
    expect(error.code).toBe("invalid_request");
    expect(error.diagnostics.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["address_not_https", "/address"],
      ["address_with_credentials", "/address"],
      ["address_not_public", "/address"],
    ]);
    expect(JSON.stringify([error.message, error.diagnostics])).not.toContain("CANARY");
  });

  test.each([
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "0177.0.0.1",
    "2130706433",
    "127.0.0.1.",
    "１２７.0.0.1",
    "0.0.0.0",
    "0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "[::]",
    "[::1]",
    "[::127.0.0.1]",
    "[::8.8.8.8]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::8.8.8.8]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2002:808:808::]",
    "[2001::1]",
    "[2001:db8::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[100::1]",
    "[4000::1]",
    "localhost",
    "LOCALHOST.",
    "ⓛocalhost",
    "api.localhost",
  ])("is rejected if its written form is not public: %s", (host) => {
    expect(codesOf(`https://${host}:8443/`)).toEqual(["address_not_public"]);
  });
});

describe("the list of allowed hosts", () => {
  test("accepts names, addresses, ports and blocks", () => {
    const allowed = parseAllowList([
      "Hooks.internal.",
      "other.internal:8080",
      "127.0.0.1:3000",
      "::1",
      "[fd00::1]:80",
      "10.0.0.0/8",
      "fd12::/16",
    ]);
    for (const address of [
      "http://hooks.internal:1/",
      "http://hooks.internal./",
      "http://other.internal:8080/",
      "http://0x7f.1:3000/",
      "http://[::ffff:127.0.0.1]:3000/",
      "http://[::1]:5/",
      "http://[fd00::1]/",
      "http://10.255.0.1/",
      "https://10.255.0.1/",
      "http://[fd12:1::1]/",
      "https://localhost:3000/",
    ]) {
      expect(checkAddress(address, allowed).host).not.toBe("");
    }
    expect(codesOf("http://other.internal/", allowed)).toEqual(["address_not_https"]);
    expect(codesOf("http://hooks.internal.example/", allowed)).toEqual(["address_not_https"]);
    expect(codesOf("http://a.hooks.internal/", allowed)).toEqual(["address_not_https"]);
    expect(codesOf("https://127.0.0.1:3001/", allowed)).toEqual(["address_not_public"]);
    expect(codesOf("https://11.0.0.1@10.0.0.1/", allowed)).toEqual(["address_with_credentials"]);
  });

  test("reports every invalid entry", () => {
    const wrong = [
      "",
      " ",
      "10/8",
      "10.0.0.0/33",
      "::ffff:10.0.0.0/104",
      "a b",
      "*.internal",
      "http://a",
      "a:0",
      "a:65536",
      "a:",
      "u@a",
      "a#b",
      "[::1",
      "1:2:3",
    ];
    const { diagnostics, message } = errorOf(() => parseAllowList(["fine", ...wrong]));
    expect(diagnostics.map(({ pointer }) => pointer)).toEqual(
      wrong.map((_, index) => `/${index + 1}`),
    );
    expect(message).toMatch(
      /^The list of allowed webhook hosts has invalid entries at 1, 2, .*\.$/,
    );
  });
});

describe("the addresses of a host", () => {
  const target = { isHttps: true, host: "hooks.example", port: 443, path: "/" };
  const found = [
    { address: "10.0.0.1", family: 4 },
    { address: "93.184.215.14", family: 4 },
    { address: "::ffff:127.0.0.1", family: 6 },
    { address: "fe80::1%eth0", family: 6 },
    { address: "2606:4700::1111", family: 6 },
    { address: "0x7f.1", family: 4 },
  ];

  test("are skipped if they are not public", async () => {
    const { resolved, usable } = await usableAddresses(target, NONE, async () => found);
    expect(resolved).toBe(true);
    expect(usable.map(({ address }) => address)).toEqual(["93.184.215.14", "2606:4700::1111"]);
  });

  test("are used if they or the host are listed", async () => {
    const block = await usableAddresses(target, parseAllowList(["10.0.0.0/8"]), async () => found);
    expect(block.usable.map(({ address }) => address)).toContain("10.0.0.1");
    const name = await usableAddresses(
      target,
      parseAllowList(["hooks.example:443"]),
      async () => found,
    );
    expect(name.usable).toEqual(found);
  });

  test("are empty if the name is unknown", async () => {
    const failing = () => Promise.reject(new Error("ENOTFOUND"));
    expect(await usableAddresses(target, NONE, failing)).toEqual({ resolved: false, usable: [] });
    const { usable } = await usableAddresses({ ...target, host: "localhost" }, NONE);
    expect(usable).toEqual([]);
  });

  test("are the only ones that a connection can use", () => {
    const [one, two] = [
      { address: "192.0.2.1", family: 4 },
      { address: "192.0.2.2", family: 4 },
    ];
    const lookup = pinnedLookup([one, two]);
    const answers: unknown[] = [];
    lookup("any.name", { all: true }, (...answer) => answers.push(answer));
    lookup("any.name", {}, (...answer) => answers.push(answer));
    expect(answers).toEqual([
      [null, [one, two]],
      [null, "192.0.2.1", 4],
    ]);
  });
});

test("a public address is one for which ipaddr.js knows no other use", () => {
  for (const text of ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "::ffff:8.8.8.8"]) {
    const address = parseAddress(text);
    expect(address !== null && isPublicAddress(address)).toBe(true);
  }
  expect(parseAddress("0x7f.1")).toBeNull();
});
