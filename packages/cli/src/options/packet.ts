import { type Command, Option } from "commander";

/** The command line options for packets. */
export interface PacketFlags {
  readonly packet?: string;
  readonly packetOrder?: string;
  readonly duplex?: true;
}

/** Adds the options of {@link PacketFlags} to a command. */
export function withPacketOptions(command: Command): Command {
  return command
    .option(
      "--packet <file>",
      "with --to pdf: also merge all documents into one PDF; with tags in its name, one PDF for each group, for example 'out/{{region}}.pdf'",
    )
    .option(
      "--packet-order <pattern>",
      "sort the documents of a packet by this text with tags, for example '{{customer.zip}} {{customer.name}}' (default: the order of the entries)",
    )
    .addOption(duplexOption());
}

/** Creates `--duplex`: for printing merged documents on both sides. */
export function duplexOption(): Option {
  return new Option(
    "--duplex",
    "for printing on both sides: begin each document of a packet on a new sheet, after a blank page if necessary",
  );
}
