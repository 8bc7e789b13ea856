import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../engines/engine.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { docxTemplate } from "../word/docx.ts";

/** A folder for the templates, data and documents of one run. */
export interface Workspace {
  /** The template of a scenario for an engine, and the data sets. Both files exist. */
  filesFor(scenario: Scenario, engine: Engine): Promise<ScenarioFiles>;
  /** A new, empty folder. */
  folder(name: string): Promise<string>;
  /** Removes everything. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The files that a task needs. */
export interface ScenarioFiles {
  readonly template: string;
  readonly data: string;
}

/** Creates the folder below the folder for temporary files. */
export async function createWorkspace(): Promise<Workspace> {
  const root = await mkdtemp(join(tmpdir(), "quire-bench-"));
  const written = new Map<string, Promise<void>>();
  const once = async (file: string, content: () => string | Uint8Array) => {
    const writing = written.get(file) ?? writeFile(file, content());
    written.set(file, writing);
    await writing;
    return file;
  };
  let folders = 0;
  return {
    filesFor: async (scenario, { syntax }) => ({
      template: await once(join(root, `${scenario.name}.${syntax.name}.docx`), () =>
        docxTemplate(scenario.template, syntax),
      ),
      data: await once(join(root, `${scenario.name}.json`), () =>
        JSON.stringify(Array.from({ length: scenario.dataSets }, (_, set) => scenario.data(set))),
      ),
    }),
    folder: async (name) => {
      folders += 1;
      const folder = join(root, `${name}-${folders}`);
      await mkdir(folder);
      return folder;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
