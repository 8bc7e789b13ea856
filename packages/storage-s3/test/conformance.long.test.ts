import { describe } from "vitest";
import { keepsTheContract } from "./support/contract.ts";

describe.each([
  ["a bucket without versions and a bad connection", "plain"],
  ["a bucket with versions and a bad connection", "versioned"],
] as const)("s3Storage over %s keeps the contract of Storage:", (_name, kind) => {
  keepsTheContract(kind, "faults");
});
