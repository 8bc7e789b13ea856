import { registerMutants } from "./support/job-store-cases.ts";
import { SLOW_MUTANTS } from "./support/job-store-mutants.ts";

registerMutants(SLOW_MUTANTS);
