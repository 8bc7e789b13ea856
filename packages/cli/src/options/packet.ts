import type { Command } from "commander";

/** The command line options for packets. */
export interface PacketFlags {
  readonly packet?: string;
}

/** Adds the option of {@link PacketFlags} to a command. */
export function withPacketOption(command: Command): Command {
  return command.option(
    "--packet <file>",
    "with --to pdf: also merge all documents into one PDF; with tags in its name, one PDF for each group, for example 'out/{{region}}.pdf'",
  );
}
