import { describe } from "vitest";
import { keepsTheContract } from "./support/contract.ts";

describe.each([
  ["a bucket with versions", "versioned", "no faults"],
  ["a bucket without versions and a bad connection", "plain", "faults"],
  ["a bucket with versions and a bad connection", "versioned", "faults"],
] as const)("s3Storage over %s keeps the contract of Storage:", (_name, kind, faults) => {
  keepsTheContract(kind, faults);
});
