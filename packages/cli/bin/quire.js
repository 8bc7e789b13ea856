#!/usr/bin/env node
// This file runs on any Node. If the Node is too old, it reports the required version and does not load the CLI.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  console.error(
    `quire: Node ${process.versions.node} is too old. Quire needs Node 22.13 or newer.`,
  );
  process.exitCode = 1;
} else {
  await import("../dist/main.js");
}
