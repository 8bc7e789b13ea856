import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const COMPILER = join(import.meta.dirname, "../../../../node_modules/typescript/bin/tsc");

/**
 * Returns the errors of the TypeScript compiler for modules in separate files, or an empty string.
 */
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
    // Uses this Node, because the Node on the PATH may not support the flags in the environment.
    execFileSync(process.execPath, [COMPILER, "-p", folder], { encoding: "utf8" });
    return "";
  } catch (error) {
    // Without output, the compiler did not start.
    return (error as { stdout?: string }).stdout || String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
