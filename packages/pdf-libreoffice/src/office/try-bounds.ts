import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ConverterSeal } from "@quire/contracts";
import { type Isolation, type LaunchLimits, limitedCommand } from "./launch.ts";
import type { Enclosure } from "./readable.ts";
import type { View } from "./view.ts";

/** The part of the seal that restricts the process. */
export type Bounds = Omit<ConverterSeal, "cleaned" | "hardened">;

const NOTHING_HOLDS: Bounds = {
  network: false,
  files: false,
  processes: false,
  calls: false,
  room: false,
};

const PERL = "/usr/bin/perl";
const DEADLINE_MS = 10_000;

/**
 * The trial, a shell script. It prints a line for each forbidden action that succeeds, and a dot at the end. Output
 * without the dot proves nothing. The trial cannot start programs, so the shell uses built-in commands and then becomes
 * Perl, if that exists. Nothing listens on port 9: with a network, the connection is refused.
 */
const TRIAL = `secret=$1 host=$2 perl=$3
{ true <"$secret"; } 2>/dev/null && echo files
if [ "$host" != $$ ]; then
  { true <"/proc/$host/cmdline"; } 2>/dev/null && echo processes
  kill -0 "$host" 2>/dev/null && echo processes
fi
x=0123456789abcdef x=$x$x$x$x x=$x$x$x$x x=$x$x$x$x x=$x$x$x$x x=$x$x$x$x x=$x$x$x$x x=$x$x$x$x x=$x$x$x$x
if printf %s "$x" >tmp/1 && printf %s "$x" >tmp/2; then echo room; fi 2>/dev/null
if [ "$perl" != "" ]; then exec "$perl" -e '
  socket(my $net, 2, 1, 0)
    && (connect($net, pack("S n C4 x8", 2, 9, 127, 0, 0, 1)) || $! == 111) and print "network\\n";
  my $child = fork;
  exit if defined $child && $child == 0;
  print "calls\\n" if defined $child;
  print ".\\n"'; fi
echo calls
while read -r name rest; do case $name in lo:*|face*|Inter*) ;; *) echo network ;; esac; done </proc/net/dev
echo .`;

/** The limit for the trial's files. The trial writes twice as much. */
const ROOM_MB = 1;

/** Tests what a program that runs like LibreOffice can do. `folder` is a private folder for the trial. */
export async function tryBounds(options: {
  readonly folder: string;
  readonly enclosure: Enclosure | null;
  readonly limits: LaunchLimits;
  readonly seal: Isolation;
}): Promise<Bounds> {
  const { enclosure, limits, seal } = options;
  const folder = join(options.folder, "trial-lane");
  const profile = join(options.folder, "trial-profile");
  const secret = join(options.folder, "trial-secret");
  try {
    for (const path of [profile, join(folder, "work"), join(folder, "tmp")]) {
      await mkdir(path, { recursive: true });
    }
    await writeFile(secret, "not for LibreOffice");
    const ownFolder = enclosure?.by === "namespace" ? { profile, roomMb: ROOM_MB } : null;
    const view: View | null =
      enclosure === null ? null : { ...enclosure, folder, socket: null, ownFolder };
    const perl = existsSync(PERL) ? PERL : "";
    const trial = ["/bin/sh", "-c", TRIAL, "sh", secret, `${process.pid}`, perl];
    const [program = "", ...args] = limitedCommand(trial, limits, seal, view);
    const run = { cwd: folder, timeout: DEADLINE_MS, killSignal: "SIGKILL" } as const;
    const { stdout } = await promisify(execFile)(program, args, run);
    return boundsOf(stdout);
  } catch {
    return NOTHING_HOLDS;
  } finally {
    for (const path of [folder, profile, secret]) await rm(path, { recursive: true, force: true });
  }
}

function boundsOf(said: string): Bounds {
  const can = new Set(said.trim().split("\n"));
  if (!can.has(".")) return NOTHING_HOLDS;
  return {
    network: !can.has("network"),
    files: !can.has("files"),
    processes: !can.has("processes"),
    calls: !can.has("calls"),
    room: !can.has("room"),
  };
}
