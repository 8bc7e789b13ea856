import { type CommandIo, writeLine } from "../terminal/io.ts";
import { refuseToReplace, replaceFile } from "./command-files.ts";

/**
 * Prints the text that a command produces. With `--out`, writes it to a file, replacing an existing file, and prints the
 * path of the file. Throws `invalid_request` if that file is the input.
 */
export async function deliver(
  io: CommandIo,
  text: string,
  { output, input }: { readonly output: string | undefined; readonly input: string },
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
