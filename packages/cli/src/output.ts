import { refuseToReplace, replaceFile } from "./files.ts";

/**
 * Prints the text that a command makes, or with `-o` writes it to a file, which is replaced when it is
 * there, and prints the file's path. Throws `invalid_request` when that is one of the inputs.
 */
export async function deliver(
  text: string,
  output: string | undefined,
  inputs: readonly string[],
): Promise<void> {
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  if (output === undefined) {
    process.stdout.write(whole);
    return;
  }
  await refuseToReplace(output, inputs);
  await replaceFile(output, whole);
  console.log(output);
}
