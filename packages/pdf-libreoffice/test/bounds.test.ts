/** Runs a hostile program within the bounds of LibreOffice. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { confinement } from "../src/office/confine.ts";
import {
  hasOwnMounts,
  hasOwnProcesses,
  type Isolation,
  limitedCommand,
} from "../src/office/launch.ts";
import { callFilter } from "../src/office/system-calls.ts";
import type { View } from "../src/office/view.ts";
import { testFolder } from "./laboratory.ts";

const LIMITS = { memoryMb: 4000, fileMb: 16, cpuSeconds: 10 };
const READABLE = ["/bin", "/lib", "/lib64", "/usr", "/etc/ld.so.cache", "/dev/null"];

/** A program that prints a line for each forbidden action that succeeds. */
const HOSTILE = `
my ($port, $secret, $host, $folder) = @ARGV;
socket(my $net, 2, 1, 0) && connect($net, pack("S n C4 x8", 2, $port, 127, 0, 0, 1)) and print "network\\n";
socket(my $net6, 10, 1, 0) && connect($net6, pack("S n N a16 N", 10, $port, 0, ("\\0" x 15) . "\\1", 0)) and print "network6\\n";
open(my $file, "<", $secret) and print "file\\n";
open($file, "<", "/proc/$host/root$secret") and print "file of another process\\n";
open($file, ">", "$secret.new"); # the test checks for it from outside
open($file, "<", "/proc/$host/cmdline") and <$file> =~ /node/ and print "command line\\n";
kill(0, $host) and $host != $$ and print "signal\\n";
kill(0, getppid()) and getppid() > 0 and print "signal to who started it\\n";
syscall(101, 16, $host, 0, 0) == 0 and print "traced\\n" if $host != $$;
defined(my $child = fork) and print "process\\n";
exit if defined $child && $child == 0;
-x "$_/gs" || -x "$_/env" and print "programs\\n" for split /:/, $ENV{PATH};
my $sum = 0;
for my $number (1 .. 4) {
  open(my $big, ">", "$folder/tmp/big$number") or last;
  syswrite($big, "x" x 1048576) == 1048576 and $sum++ for 1 .. 12;
}
print "sum $sum\\n" if $sum > 16;
print "own folder\\n" if $sum > 0;
`;

async function whatItCan(
  by: View["by"] | null,
  isolation: Isolation = { isolated: true },
): Promise<string[]> {
  const outer = await testFolder();
  const secret = join(outer, "secret");
  const profile = join(outer, "profile");
  const folder = join(outer, "lane");
  await writeFile(secret, "of the host");
  await mkdir(profile);
  await mkdir(join(folder, "work"), { recursive: true });
  await mkdir(join(folder, "tmp"));
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const ownFolder = by === "namespace" ? { profile, roomMb: 16 } : null;
  const view = by === null ? null : { by, folder, readable: READABLE, socket: null, ownFolder };
  const hostile = ["/usr/bin/perl", "-e", HOSTILE, `${port}`, secret, `${process.pid}`, folder];
  const [program = "", ...args] = limitedCommand(hostile, LIMITS, isolation, view);
  const { stdout } = await promisify(execFile)(program, args, { cwd: "/" });
  expect(existsSync(`${secret}.new`)).toBe(by === null);
  return stdout.trim().split("\n");
}

const NAMESPACES = hasOwnMounts() && hasOwnProcesses();
const { calls, files } = confinement();

test.skipIf(!NAMESPACES || !calls)(
  "a program in namespaces reaches only its own folder, within its size limit (skipped where the system has none)",
  async () => {
    expect(await whatItCan("namespace")).toEqual(["own folder"]);
  },
);

test.skipIf(!hasOwnMounts() || !calls || !files)(
  "in namespaces without one for processes, it sees no other processes either (skipped where the system has none)",
  async () => {
    const isolation = { isolated: true, withoutOwnProcesses: true };
    expect(await whatItCan("namespace", isolation)).toEqual(["own folder"]);
  },
);

test.skipIf(!calls || !files)(
  "a program without namespaces also reaches only its own folder (skipped where the system has neither seccomp nor Landlock)",
  async () => {
    expect(await whatItCan("landlock")).toEqual(["sum 48", "own folder"]);
  },
);

test.skipIf(!calls)(
  "a program that sees all files has no network, starts no process and signals none (skipped where the system has no seccomp)",
  async () => {
    const can = await whatItCan(null);
    expect(can).toContain("file");
    for (const what of ["network", "network6", "process", "signal", "traced", "programs"]) {
      expect(can).not.toContain(what);
    }
  },
);

test("the system call filter is the same on every machine, and null for an unknown processor", () => {
  for (const architecture of ["x64", "arm64"]) {
    const filter = callFilter({ processes: false }, architecture) ?? "";
    const program = filter.split(" ").map((line) => line.split(",").map(Number));
    for (const [index, [code = 0, yes = 0, no = 0]] of program.entries()) {
      const ends = (code & 7) === 5 ? [index + 1 + yes, index + 1 + no] : [];
      for (const end of ends) expect(end).toBeLessThan(program.length);
    }
    expect(program.at(-1)).toEqual([6, 0, 0, 0x7fff_0000]);
  }
  expect(callFilter({ processes: false }, "s390x")).toBeNull();
});
