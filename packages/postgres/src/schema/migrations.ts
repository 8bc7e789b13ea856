import type { SchemaSteps } from "../database/migrate.ts";
import { ACCEPT_FUNCTIONS } from "./accept-functions.ts";
import { CLAIM_FUNCTIONS } from "./claim-functions.ts";
import { JOB_FUNCTIONS } from "./job-functions.ts";
import { JOB_TABLES } from "./job-tables.ts";
import { LIST_FUNCTIONS } from "./list-functions.ts";
import { MOVE_TABLE } from "./move-table.ts";
import { PAGE_FUNCTIONS } from "./page-functions.ts";
import { PARTITION_FUNCTIONS } from "./partition-functions.ts";
import { REPLACED_FUNCTIONS } from "./replaced-functions.ts";
import { SERVICE_TABLES } from "./service-tables.ts";
import { SETTLE_FUNCTIONS } from "./settle-functions.ts";
import { TIDY_FUNCTIONS } from "./tidy-functions.ts";

/**
 * The steps that lead from an empty schema to the one of this release. A step never changes once it is released. A node
 * of the release before works with the tables of this one, so that nodes can be replaced one by one: a step adds, and
 * the release after the next one removes. `rolling-update.test.ts` checks this.
 */
const STEPS: readonly string[] = [
  [
    JOB_TABLES,
    JOB_FUNCTIONS,
    PARTITION_FUNCTIONS,
    ACCEPT_FUNCTIONS,
    CLAIM_FUNCTIONS,
    SETTLE_FUNCTIONS,
    PAGE_FUNCTIONS,
    TIDY_FUNCTIONS,
    "SELECT quire.add_partition(0), quire.add_partition(1), quire.add_partition(2);",
    SERVICE_TABLES,
    MOVE_TABLE,
  ].join("\n"),
  [LIST_FUNCTIONS, REPLACED_FUNCTIONS].join("\n"),
];

/** The steps, and how many steps a release must have at least that works on these tables. */
export const SCHEMA_STEPS: SchemaSteps = { steps: STEPS, oldestCompatible: 1 };
