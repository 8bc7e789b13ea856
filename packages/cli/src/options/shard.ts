import { type Command, InvalidArgumentError, Option } from "commander";

/** One of the shards into which the entries of a run are divided. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/** The command line option for dividing a run among several processes. */
export interface ShardFlags {
  readonly shard?: Shard;
}

/** Adds the option of {@link ShardFlags} to a command. */
export function withShardOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--shard <i/n>",
      "make only part i of n of the entries, for example 1/8, with the same file names as in a run of all entries",
    ).argParser(shardOf),
  );
}

function shardOf(value: string): Shard {
  const [, first, second] = /^(\d{0,9})\/(\d{0,9})$/.exec(value) ?? [];
  if (first === undefined || second === undefined) {
    throw new InvalidArgumentError("Write the shard and the number of shards, for example 1/8.");
  }
  if (first === "" || second === "") {
    const missing = first === "" ? "before" : "after";
    throw new InvalidArgumentError(
      `The number ${missing} the slash is missing: a variable of the scheduler may not be set.`,
    );
  }
  const [index, count] = [Number(first), Number(second)];
  if (index === 0) {
    throw new InvalidArgumentError(
      'The first shard has the number 1. If the scheduler counts from 0, add 1: --shard "$((INDEX+1))/8".',
    );
  }
  if (index > count) {
    throw new InvalidArgumentError(`The number of the shard must be at most ${count}.`);
  }
  return { index, count };
}
