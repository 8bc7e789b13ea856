import { deliver } from "../files/output.ts";
import { refuseSwapped } from "../files/swapped.ts";
import { loadTemplate } from "../files/template.ts";
import type { CompileFlags } from "../options/print.ts";
import type { CommandIo } from "../terminal/io.ts";

/** The flags of `quire types`. */
export interface TypesOptions extends CompileFlags {
  readonly out?: string;
  readonly name?: string;
}

/** Prints TypeScript types of the data, or writes them to a file. */
export async function types(io: CommandIo, path: string, options: TypesOptions): Promise<void> {
  refuseSwapped(io, path, undefined);
  const { template } = await loadTemplate(io, path, options);
  await deliver(io, template.types(options.name), { output: options.out, input: path });
}
