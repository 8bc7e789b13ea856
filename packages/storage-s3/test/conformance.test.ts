/** Without faults. The contract over a bad connection is in `conformance.long.test.ts`, single faults in `faults.test.ts`. */
import { describe } from "vitest";
import { keepsTheContract } from "./support/contract.ts";

describe.each([
  ["a bucket without versions", "plain"],
  ["a bucket with versions", "versioned"],
] as const)("s3Storage over %s keeps the contract of Storage:", (_name, kind) => {
  keepsTheContract(kind, "no faults");
});
