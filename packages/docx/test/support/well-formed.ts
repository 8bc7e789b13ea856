import assert from "node:assert/strict";
import { SaxesParser } from "saxes";
import { partsOf } from "./word-file.ts";

const MC = "http://schemas.openxmlformats.org/markup-compatibility/2006";
const OFFICE =
  /^http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/officeDocument\//;
/** Attributes whose value is a list of prefixes, or of names with prefixes. */
const LISTS = ["Ignorable", "MustUnderstand", "ProcessContent", "PreserveElements"];
/** Namespaces of Word 2010 and later. They must be ignorable or used inside a choice. */
const LATER = /^http:\/\/schemas\.microsoft\.com\/office\/(?:word|drawing)\/20/;
/** Elements that may contain any namespace. */
const OPEN = ["graphicData", "extLst"];

/**
 * Throws if Word cannot open a document: a part is not well-formed, a prefix is not declared, a reference is
 * dangling, or a part has no content type.
 */
export function assertWellFormed(bytes: Uint8Array): void {
  const parts = partsOf(bytes);
  const types = parts.get("[Content_Types].xml") ?? "";
  const extensions = values(types, "Extension").map((each) => each.toLowerCase());
  const overrides = values(types, "PartName").map((each) => each.toLowerCase());
  assert.equal(new Set(overrides).size, overrides.length, "a part has two types");
  assert.equal(new Set(extensions).size, extensions.length, "an extension has two types");
  for (const name of parts.keys()) {
    if (name === "[Content_Types].xml") continue;
    const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
    const isTyped = extensions.includes(extension) || overrides.includes(`/${name.toLowerCase()}`);
    assert(isTyped, `${name} has no type`);
  }
  for (const [name, xml] of parts) {
    if (!/\.(?:xml|rels|vml)$/.test(name)) continue;
    if (name.endsWith(".rels")) targets(name, xml, parts);
    const slash = name.lastIndexOf("/") + 1;
    const relationships = parts.get(`${name.slice(0, slash)}_rels/${name.slice(slash)}.rels`);
    part(name, xml, new Set(values(relationships ?? "", "Id")));
  }
}

function part(name: string, xml: string, ids: ReadonlySet<string>): void {
  const parser = new SaxesParser({ xmlns: true });
  const open: { readonly ignorable: ReadonlySet<string>; readonly free: boolean }[] = [];
  parser.on("error", (error) => {
    throw new Error(`${name}: ${error.message}`);
  });
  parser.on("opentag", ({ name: element, local, uri, attributes }) => {
    const around = open.at(-1);
    const ignorable = new Set(around?.ignorable);
    for (const each of Object.values(attributes)) {
      const isRequires = uri === MC && each.name === "Requires";
      if (isRequires || (each.uri === MC && LISTS.includes(each.local))) {
        for (const entry of each.value.split(/\s+/).filter((item) => item !== "")) {
          const [prefix = ""] = entry.split(":");
          const namespace = parser.resolve(prefix);
          assert(namespace, `${name}: ${each.name} uses the undeclared prefix ${prefix}`);
          if (each.local === "Ignorable") ignorable.add(namespace);
        }
      }
      if (OFFICE.test(each.uri) && each.value !== "") {
        assert(ids.has(each.value), `${name}: ${element} refers to ${each.value}`);
      }
    }
    const free =
      around?.free === true || OPEN.includes(local) || (uri === MC && local === "Choice");
    for (const each of [uri, ...Object.values(attributes).map((attribute) => attribute.uri)]) {
      const isKnown = free || !LATER.test(each) || ignorable.has(each);
      assert(isKnown, `${name}: ${element} uses ${each}, which is not ignorable`);
    }
    open.push({ ignorable, free });
  });
  parser.on("closetag", () => {
    open.pop();
  });
  parser.write(xml).close();
}

/** Checks that the targets of relationships exist. */
function targets(name: string, xml: string, parts: ReadonlyMap<string, string>): void {
  const folder = name.replace(/_rels\/[^/]*$/, "");
  for (const [relationship] of xml.matchAll(/<Relationship [^>]*>/g)) {
    if (relationship.includes('TargetMode="External"')) continue;
    const [target = ""] = values(relationship, "Target");
    const base = target.startsWith("/") ? "http://x" : `http://x/${folder}`;
    const path = decodeURI(new URL(target, base).pathname.slice(1));
    assert(parts.has(path), `${name} refers to ${path}, which is missing`);
  }
}

function values(xml: string, attribute: string): string[] {
  return [...xml.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(
    ([, value = ""]) => value,
  );
}
