import type { Command } from "commander";
import type { DoctorOptions } from "../actions/doctor.ts";
import { databaseOptions, directDatabaseOption } from "../options/database.ts";
import { sofficeOption } from "../options/office.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire doctor`: checks whether Quire can work on this machine. */
export function defineDoctor(command: Command, io: CommandIo): void {
  command
    .option("-o, --out <folder>", "the output folder or bucket (s3://BUCKET/PREFIX) to check", ".")
    .addOption(sofficeOption());
  for (const one of [...databaseOptions(io), directDatabaseOption(io)]) command.addOption(one);
  command.action(async (options: DoctorOptions) => {
    const { doctor } = await import("../actions/doctor.ts");
    await doctor(io, options);
  });
  withExamples(command, ["quire doctor", "quire doctor --out letters"]);
}
