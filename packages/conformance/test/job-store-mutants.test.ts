/** The suite must fail for stores that break the contract. */
import { afterAll, beforeAll, vi } from "vitest";
import { MemoryState } from "../../core/src/memory/job-state.ts";
import { registerMutants } from "./support/job-store-cases.ts";
import { MUTANTS, thieves } from "./support/job-store-mutants.ts";

beforeAll(() => {
  const { takeName } = MemoryState.prototype;
  vi.spyOn(MemoryState.prototype, "takeName").mockImplementation(function (
    this: MemoryState,
    batch,
    folded,
  ) {
    const owner = this.names.get(batch.made.folder.id)?.get(folded);
    const begin = thieves.get(batch.made.id);
    if (owner && owner !== batch && begin !== undefined && owner.number > begin) return true;
    return takeName.call(this, batch, folded);
  });
});
afterAll(() => void vi.restoreAllMocks());

registerMutants(MUTANTS);
