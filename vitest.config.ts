import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "chaos/test/**/*.test.ts",
      "examples/test/**/*.test.ts",
      "scripts/test/**/*.test.ts",
    ],
    globalSetup: ["packages/storage-s3/test/support/global-setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    // Templates and data are never run as code: the whole suite passes where no code can be made of texts.
    execArgv: ["--disallow-code-generation-from-strings", "--disable-proto=throw"],
    maxWorkers: 2,
  },
});
