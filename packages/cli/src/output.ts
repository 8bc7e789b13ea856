import { refuseToReplace, replaceFile } from "./files.ts";
import { type CommandIo, writeLine } from "./io.ts";

/**
 * Prints the text that a command makes, or with `-o` writes it to a file, which is replaced when it is
 * there, and prints the file's path. Throws `invalid_request` when that is the input.
 */
export async function deliver(
  io: CommandIo,
  text: string,
  { output, input }: { readonly output?: string; readonly input: string },
): Promise<void> {
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  if (output === undefined) {
    io.stdout.write(whole);
    return;
  }
  await refuseToReplace(io, output, [input]);
  await replaceFile(io, output, whole);
  writeLine(io.stdout, output);
}
