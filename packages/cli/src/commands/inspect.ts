import { type Command, Option } from "commander";
import type { InspectOptions } from "../actions/inspect.ts";
import { delimitersOption } from "../options/print.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire inspect`: lists the tags of a template, or prints the schema of its data. */
export function defineInspect(command: Command, io: CommandIo): void {
  command
    .argument("<template>", "the template: a .docx file, or a .pdf file with form fields")
    .addOption(new Option("--json", "print the tags as one JSON document").conflicts("schema"))
    .option("--schema", "print the JSON Schema of the data that the template needs")
    .addOption(delimitersOption())
    .action(async (path: string, options: InspectOptions) => {
      const { inspect } = await import("../actions/inspect.ts");
      await inspect(io, path, options);
    });
  withExamples(command, ["quire inspect invoice.docx", "quire inspect invoice.docx --schema"]);
}
