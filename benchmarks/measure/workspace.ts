import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../engines/engine.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { docxTemplate } from "../word/docx.ts";

/** A folder for the templates, data and documents of one run. */
export interface Workspace {
  /** Returns the paths of the template for an engine and of the data sets of a scenario. Both files exist. */
  filesFor(scenario: Scenario, engine: Engine): Promise<ScenarioFiles>;
  /** Creates an empty folder and returns its path. */
  folder(name: string): Promise<string>;
  /** Removes the whole workspace. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The paths of the files that a task needs. */
export interface ScenarioFiles {
  readonly template: string;
  readonly data: string;
}

/** Creates a workspace in the system's folder for temporary files. */
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
