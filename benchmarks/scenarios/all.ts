import { contract } from "./contract.ts";
import { images } from "./images.ts";
import { invoice } from "./invoice.ts";
import { letter } from "./letter.ts";
import { rich } from "./rich.ts";
import { rows } from "./rows.ts";
import type { Scenario } from "./scenario.ts";

/** The scenarios, in the order of the results page. */
export const SCENARIOS: readonly Scenario[] = [letter, invoice, contract, rows, images, rich];

/** Returns the scenario with this name. Throws if it does not exist. */
export function scenarioNamed(name: string): Scenario {
  const scenario = SCENARIOS.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`Unknown scenario '${name}'.`);
  return scenario;
}
