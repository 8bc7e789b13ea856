/** Ids in their real format, for consistent examples. */
export const EXAMPLE = {
  batch: "8c9d0f4e-2f0e-4a53-9d0b-3a0c6c0b8f11",
  job: "8c9d0f4e-2f0e-4a53-9d0b-3a0c6c0b8f11-1",
  template: "f4b1c2d3e4f5061728394a5b6c7d8e9f",
  templateVersion: "b7d1e0c2a3f44b5c9d6e7f8091a2b3c4",
  output: "0a9b8c7d6e5f40312233445566778899",
  outputVersion: "5e6f708192a3b4c5d6e7f80912233445",
  folder: "c0ffee00112233445566778899aabbcc",
  webhook: "d1e2f30415263748596a7b8c9daebfc0",
  user: "ann",
  enterprise: "acme",
  instant: "2026-11-22T10:15:00.000Z",
  sha1: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
} as const;
