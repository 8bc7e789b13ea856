import { readFileSync } from "node:fs";
import { Command } from "commander";
import { annotateCommand } from "./commands/annotate.ts";
import { checkCommand } from "./commands/check.ts";
import { convertCommand } from "./commands/convert.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { inspectCommand } from "./commands/inspect.ts";
import { mergeCommand } from "./commands/merge.ts";
import { renderCommand } from "./commands/render.ts";
import { reportCommand } from "./commands/report.ts";
import { runCommand } from "./commands/run.ts";
import { sampleCommand } from "./commands/sample.ts";
import { serveCommand } from "./commands/serve.ts";
import { tokenCommand } from "./commands/token.ts";
import { typesCommand } from "./commands/types.ts";
import { verifyCommand } from "./commands/verify.ts";
import { EXIT } from "./exit.ts";
import { processIo as io } from "./process-io.ts";
import { printError } from "./terminal/problems.ts";

const { version, description } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
) as { version: string; description: string };

const program = new Command("quire")
  .description(description)
  .version(version)
  .showHelpAfterError("(quire --help shows the commands)")
  .addCommand(renderCommand())
  .addCommand(runCommand())
  .addCommand(verifyCommand())
  .addCommand(reportCommand())
  .addCommand(convertCommand())
  .addCommand(mergeCommand())
  .addCommand(checkCommand())
  .addCommand(inspectCommand())
  .addCommand(typesCommand())
  .addCommand(sampleCommand())
  .addCommand(annotateCommand())
  .addCommand(serveCommand())
  .addCommand(tokenCommand())
  .addCommand(doctorCommand());

// Whoever reads what we print may stop reading (`| head`); that must not end a run.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

try {
  await program.parseAsync();
} catch (error) {
  printError(io, error);
  process.exitCode = EXIT.nothingRan;
}
