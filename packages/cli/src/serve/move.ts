import { join, resolve } from "node:path";
import { isQuireError, QuireError } from "@quire/core/host";
import { sqliteSource } from "@quire/jobs-sqlite";
import { type MovedToPostgres, type MoveToPostgresOptions, moveToPostgres } from "@quire/postgres";
import { count } from "../terminal/format.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { createProgress } from "../terminal/progress.ts";
import { DATABASE } from "./stores.ts";

/** What `quire migrate --from` moves, and how it reports. */
export interface MoveOptions {
  /** The data folder. */
  readonly from: string;
  readonly json: boolean;
}

/** Moves the stores in a data folder to a database, and prints the result. */
export async function move(
  io: CommandIo,
  { from, json }: MoveOptions,
  target: MoveToPostgresOptions,
): Promise<void> {
  const folder = resolve(io.cwd, from);
  const source = sourceIn(folder);
  const progress = createProgress(io, { quiet: json && !io.stderr.isTTY });
  try {
    let shown = "";
    const result = await moveToPostgres(source, {
      ...target,
      onProgress: ({ phase, ...state }) => {
        if (phase !== shown) {
          progress.finish();
          progress.phase(phase, { rate: true, from: state });
        }
        shown = phase;
        progress.update(state);
      },
    });
    progress.finish();
    report(io, result, { folder, json, undo: source.undo });
  } finally {
    progress.finish();
    source.close();
  }
}

function sourceIn(folder: string): ReturnType<typeof sqliteSource> {
  try {
    return sqliteSource({ path: join(folder, DATABASE) });
  } catch (cause) {
    if (!isQuireError(cause) || cause.code !== "not_found") throw cause;
    throw new QuireError(
      "not_found",
      `${JSON.stringify(folder)} is not the data folder of a service: it has no file ${DATABASE}. Name the data folder of quire serve with --from.`,
      { cause },
    );
  }
}

function report(
  io: CommandIo,
  { moved, tables, target }: MovedToPostgres,
  {
    folder,
    json,
    undo,
  }: { readonly folder: string; readonly json: boolean; readonly undo: string },
): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (json) {
    for (const table of tables) writeLine(io.stdout, JSON.stringify({ type: "table", ...table }));
    writeLine(io.stdout, JSON.stringify({ type: "summary", moved, rows, target }));
    return;
  }
  if (!moved) {
    writeLine(io.stderr, `The data folder ${folder} was already moved to ${target}.`);
    return;
  }
  writeLine(
    io.stderr,
    `Moved ${count(rows)} rows from ${folder} to ${target}. Then read all of them on both sides: they are equal.`,
  );
  writeLine(
    io.stderr,
    `The data folder keeps its data, but services no longer start with it. To undo the move, ${undo}.`,
  );
  writeLine(
    io.stderr,
    `Files were not moved. If they are in ${join(folder, "files")}, share that folder with all machines or copy it to a bucket, and name it with --storage.`,
  );
}
