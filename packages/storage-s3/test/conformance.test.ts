import { describe } from "vitest";
import { keepsTheContract } from "./support/contract.ts";

describe.each([
  ["a bucket without versions", "plain", "no faults"],
  ["a bucket with versions", "versioned", "no faults"],
  ["a bucket without versions and a bad connection", "plain", "faults"],
] as const)("s3Storage over %s keeps the contract of Storage:", (_name, kind, connection) => {
  keepsTheContract(kind, connection);
});
