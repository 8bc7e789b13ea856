import { readFileSync } from "node:fs";
import { join } from "node:path";
import { QuireError } from "@quire/core";
import { toProblem, WIRE_CODES } from "@quire/http/parts";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { describe, expect, test } from "vitest";
import { ERROR_CODES } from "../../../contracts/src/errors.ts";
import { CODE_PAGES } from "../../src/openapi/code-pages.ts";
import { docsPages } from "../../src/openapi/pages.ts";
import { OPERATIONS } from "../../src/operations/all.ts";
import { errorsMarkdown } from "../support/errors-markdown.ts";

const MARKDOWN = join(import.meta.dirname, "..", "..", "..", "..", "docs", "http-errors.md");
const SERVICE = "https://docs.example.com/v1";
const pages = docsPages(OPERATIONS);

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

async function textOf(path: string, service = SERVICE): Promise<string> {
  const response = pages.get(path)?.(service);
  if (response === undefined) throw new Error(`There is no page ${path}.`);
  return response.text();
}

async function elementsOf(path: string, service?: string): Promise<Element[]> {
  const elements: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ("attrs" in node) {
      const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      elements.push({ name: node.tagName, attributes });
    }
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  visit(parse(await textOf(path, service)));
  return elements;
}

const idsOf = (elements: readonly Element[]) =>
  elements.flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id]));

describe.each(["/docs", "/docs/errors"])("the page %s", (path) => {
  test("has every anchor once", async () => {
    const ids = idsOf(await elementsOf(path));
    expect(ids.length).toBe(new Set(ids).size);
  });

  test("links only to existing pages and anchors, at any address of the service", async () => {
    const addresses = (await elementsOf(path)).flatMap(({ attributes: { href } }) => href ?? []);
    expect(addresses.length).toBeGreaterThan(10);
    expect(addresses.filter((address) => /^(\/|\w+:)/.test(address))).toEqual([]);
    const known = new Set<string>();
    for (const target of pages.keys()) {
      known.add(`/v1${target}`);
      if (!target.startsWith("/docs")) continue;
      for (const id of idsOf(await elementsOf(target))) known.add(`/v1${target}#${id}`);
    }
    const lost = addresses.filter((address) => {
      const { pathname, hash } = new URL(address, SERVICE + path);
      return !known.has(pathname + hash);
    });
    expect(lost).toEqual([]);
  });

  test("runs no script and loads only its stylesheet", async () => {
    const elements = await elementsOf(path);
    const names = new Set(elements.map(({ name }) => name));
    for (const name of ["script", "style", "img", "iframe", "form", "base", "object"]) {
      expect(names).not.toContain(name);
    }
    const links = elements.filter(({ name }) => name === "link");
    expect(links.map(({ attributes }) => attributes.rel)).toEqual(["stylesheet"]);
    for (const { attributes } of elements) {
      expect(Object.keys(attributes).filter((name) => /^(on|style$|src)/.test(name))).toEqual([]);
    }
  });

  test("has a language, a title, one main heading and landmarks", async () => {
    const elements = await elementsOf(path);
    const count = (wanted: string) => elements.filter(({ name }) => name === wanted).length;
    expect(elements[0]).toEqual({ name: "html", attributes: { lang: "en" } });
    expect([count("title"), count("h1"), count("main"), count("nav")]).toEqual([1, 1, 1, 1]);
  });

  test("escapes a hostile address", async () => {
    const service = `https://x.example/"><script>alert(1)</script>'&$&`;
    const names = (await elementsOf(path, service)).map(({ name }) => name);
    expect(names).not.toContain("script");
    const document = JSON.parse(await textOf("/openapi.json", service)) as { servers: unknown };
    expect(document.servers).toMatchObject([{ url: `${service}/2.0` }]);
  });
});

test("the page of the operations has an anchor for each operation", async () => {
  const ids = idsOf(await elementsOf("/docs"));
  expect(ids).toEqual(expect.arrayContaining(OPERATIONS.map(({ id }) => id)));
});

test("the page of errors has an anchor for every code of the contract", async () => {
  const ids = idsOf(await elementsOf("/docs/errors"));
  expect(ids).toEqual(expect.arrayContaining([...WIRE_CODES]));
});

test("docs/http-errors.md has the same text and every code", async () => {
  await expect(errorsMarkdown()).toMatchFileSnapshot(MARKDOWN);
  const markdown = readFileSync(MARKDOWN, "utf8");
  for (const code of WIRE_CODES)
    expect(markdown).toMatch(new RegExp(`^## ${code}$|\`${code}\``, "m"));
});

test.each(ERROR_CODES)("the engine's error %s has a documented code", (code) => {
  const problem = toProblem(new QuireError(code, "It failed."));
  const statuses = CODE_PAGES[problem.code].cases.map(({ status }) => status);
  expect(statuses).toContain(problem.status);
});

test.each([...pages])(
  "%s can be cached, has the right content type, and cannot be embedded",
  (_path, respond) => {
    const { status, headers } = respond(SERVICE);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'self';/,
    );
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  },
);

test("no placeholder of the address remains", async () => {
  for (const path of pages.keys()) expect(await textOf(path)).not.toContain("quire.invalid");
});
