// Checks which packages an adapter installs.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { fsStorage } from "@quire/storage-fs";

assert.equal(typeof fsStorage, "function");
assert.deepEqual(readdirSync("node_modules/@quire").sort(), ["contracts", "storage-fs"]);
assert.deepEqual(
  readdirSync("node_modules").filter((name) => !name.startsWith(".")),
  ["@quire"],
);
