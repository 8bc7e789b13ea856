import type { Command } from "commander";
import type { DoctorOptions } from "../actions/doctor.ts";
import { sofficeOption } from "../options/office.ts";
import type { CommandIo } from "../terminal/io.ts";

/** `quire doctor`: checks whether Quire can work on this machine. */
export function defineDoctor(command: Command, io: CommandIo): void {
  command
    .option("--out <folder>", "the output folder to check", ".")
    .addOption(sofficeOption())
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import("../actions/doctor.ts");
      await doctor(io, options);
    });
}
