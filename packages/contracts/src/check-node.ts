// Each entry point imports this file first. Without this check, an older Node would fail later with an unclear error.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  throw new Error(`Quire needs Node 22.13 or newer, but this is Node ${process.versions.node}.`);
}
