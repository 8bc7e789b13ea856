import type { Scenario } from "../scenarios/scenario.ts";
import { carbone } from "./carbone.ts";
import { docxTemplates } from "./docx-templates.ts";
import { docxtemplater } from "./docxtemplater.ts";
import { docxtpl } from "./docxtpl.ts";
import { easyTemplateX } from "./easy-template-x.ts";
import type { Engine } from "./engine.ts";
import { quire } from "./quire.ts";

/** The engines, in the order of the results page. */
export const ENGINES: readonly Engine[] = [
  docxtemplater,
  easyTemplateX,
  docxTemplates,
  carbone,
  docxtpl,
  quire("small"),
  quire("fast"),
  quire("template"),
];

/** Returns the engine with this name. Throws if it does not exist. */
export function engineNamed(name: string): Engine {
  const engine = ENGINES.find((each) => each.name === name);
  if (engine === undefined) throw new Error(`Unknown engine '${name}'.`);
  return engine;
}

/** Returns the engines that support a scenario. */
export function enginesFor(scenario: Scenario, engines: readonly Engine[]): Engine[] {
  return engines.filter(({ can }) => scenario.needs.every((need) => can.has(need)));
}
