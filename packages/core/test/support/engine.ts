import { docx, p } from "../../../ooxml/test/support/docx.ts";
import {
  type BatchRequest,
  type Converter,
  createEngine,
  type Engine,
  type EngineOptions,
  type Job,
  memoryStorage,
  renderInProcess,
  type Storage,
} from "../../src/index.ts";

/** A letter with one tag, `name`. */
export const template = docx({ body: p("Dear {{name}}") });

/** Returns a storage with templates and an empty folder `out`. */
export function place(): Storage {
  return memoryStorage({
    folders: ["out"],
    files: {
      "letter.docx": template,
      "broken.docx": docx({ body: p("{{if a}}") }),
      "text.docx": Buffer.from("hi"),
    },
  });
}

/** Creates an engine that renders in this process. `renderer-engine.test.ts` tests child processes. */
export function makeEngine(options: EngineOptions): Engine {
  return createEngine({ renderer: renderInProcess(), ...options });
}

/** Returns a batch request for the letter, with any entries. */
export function request(entries: unknown, more: Partial<BatchRequest> = {}): BatchRequest {
  return {
    file: { type: "file", id: "letter.docx" },
    input_source: "api",
    destination_folder: { type: "folder", id: "out" },
    output_type: "docx",
    document_generation_data: entries,
    ...more,
  } as BatchRequest;
}

/** Returns an entry of a batch. */
export function entry(name: string, user_input: object = { name: "Ann" }): object {
  return { generated_file_name: name, user_input };
}

/** Returns all jobs of a batch, in the order of its entries. */
export async function all(jobs: AsyncIterable<Job>): Promise<Job[]> {
  const list: Job[] = [];
  for await (const job of jobs) list.push(job);
  return list.sort((a, b) => a.entry - b.entry);
}

/** Returns the names in the folder `out`. */
export async function names(storage: Storage): Promise<string[]> {
  return (await storage.list({ type: "folder", id: "out" })).entries.map(({ name }) => name);
}

/** Returns a converter without LibreOffice, for tests of what the engine does with the results. */
export function echoConverter(convert: Converter["convert"]): Converter & { closed: number } {
  return {
    closed: 0,
    convert,
    async close() {
      this.closed += 1;
    },
  };
}

/** Returns a storage that behaves like another storage, except for `create`. */
export function withCreate(inner: Storage, create: Storage["create"]): Storage {
  return {
    create,
    read: (file, options) => inner.read(file, options),
    stat: (file, options) => inner.stat(file, options),
    find: (folder, name, options) => inner.find(folder, name, options),
    list: (folder, options) => inner.list(folder, options),
    remove: (file, options) => inner.remove(file, options),
    createFolder: (folder, name, options) => inner.createFolder(folder, name, options),
    removeFolder: (folder, options) => inner.removeFolder(folder, options),
  };
}
