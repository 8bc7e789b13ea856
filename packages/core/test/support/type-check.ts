import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const COMPILER = join(import.meta.dirname, "../../../../node_modules/typescript/bin/tsc");

/** What the TypeScript compiler says of modules, each a file of its own; empty when it says nothing. */
export function compilerErrors(sources: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "quire-types-"));
  try {
    for (const [index, source] of sources.entries()) {
      writeFileSync(join(folder, `t${index}.ts`), source);
    }
    const options = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: [] };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...options, target: "ES2023" }, include: ["*.ts"] }),
    );
    // With this Node: the Node on the PATH may not know the flags in the environment.
    execFileSync(process.execPath, [COMPILER, "-p", folder], { encoding: "utf8" });
    return "";
  } catch (error) {
    // A compiler that says nothing did not start.
    return (error as { stdout?: string }).stdout || String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
