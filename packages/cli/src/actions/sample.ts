import { deliver } from "../files/output.ts";
import { refuseSwapped } from "../files/swapped.ts";
import { loadTemplate } from "../files/template.ts";
import type { CompileFlags } from "../options/print.ts";
import type { CommandIo } from "../terminal/io.ts";

/** The flags of `quire sample`. */
export interface SampleOptions extends CompileFlags {
  readonly out?: string;
}

/** Prints sample data for the template, or writes it to a file. */
export async function sample(io: CommandIo, path: string, options: SampleOptions): Promise<void> {
  refuseSwapped(io, path, undefined);
  const { template } = await loadTemplate(io, path, options);
  await deliver(io, JSON.stringify(template.sample(), null, 2), {
    output: options.out,
    input: path,
  });
}
