import { describe } from "vitest";
import { keepsTheContract } from "./support/contract.ts";

describe("s3Storage over a bucket with versions and a bad connection keeps the contract of Storage:", () => {
  keepsTheContract("versioned", "faults");
});
