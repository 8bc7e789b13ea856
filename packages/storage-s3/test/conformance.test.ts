/** The contract without faults. Versions and bad connections: `conformance.chaos.test.ts`; faults: `faults.test.ts`. */
import { describe } from "vitest";
import { keepsTheContract } from "./support/contract.ts";

describe("s3Storage over a bucket without versions keeps the contract of Storage:", () => {
  keepsTheContract("plain", "no faults");
});
