import { spawnSync } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import { callFilter, OWN_PROCESS } from "./system-calls.ts";

/** The files that Landlock allows a process to use. */
export interface OwnFiles {
  /** Files and folders that the process may read. */
  readonly readable: readonly string[];
  /** Folders in which the process may do anything. */
  readonly writable: readonly string[];
}

/**
 * A Perl script that restricts itself permanently, and then becomes the program. Landlock allows access only to the
 * named files. It also blocks TCP (from version 4 on) and signals to other processes (from version 6 on). The filter
 * rejects system calls. None of this needs a privilege, so it works in containers unless they forbid it. Perl is part
 * of every Debian and Ubuntu, and can make system calls without a compiler. The numbers of Landlock's calls are the
 * same on all processors.
 */
const CONFINE = `
my ($filter, $prctl, @rules) = splice @ARGV, 0, 2;
while (@ARGV) { my $rule = shift; last if $rule eq "--"; push @rules, $rule }
sub call { my $result = syscall shift, @_; die "confine: $!\\n" if $result < 0; $result }
call($prctl, 38, 1, 0, 0, 0);
if (@rules) {
  my $version = call(444, 0, 0, 1);
  my $all = (0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff)[$version > 5 ? 4 : $version - 1];
  my $set = call(444, pack("QQQ", $all, $version > 3 ? 3 : 0, $version > 5 ? 3 : 0),
    $version > 5 ? 24 : $version > 3 ? 16 : 8, 0);
  for (@rules) {
    my ($kind, $path) = split /:/, $_, 2;
    sysopen(my $file, $kind eq "p" ? "/proc/$$" : $path, 010000000) or next;
    my $rights = $kind eq "s" ? 0x200 : $kind eq "w" ? $all & ~0x1c40 : 0xd;
    $rights &= 0xc007 unless -d $file;
    call(445, $set, 1, pack("Ql", $rights & $all, fileno $file), 0);
  }
  call(446, $set, 0);
}
if ($filter ne "") {
  $filter =~ s/${OWN_PROCESS}/$$/g;
  my $code = join "", map { pack "SCCL", split /,/ } split / /, $filter;
  call($prctl, 22, 2, pack("S x![P] P", length($code) / 8, $code), 0, 0);
}
exec { $ARGV[0] } @ARGV or die "confine: $ARGV[0]: $!\\n";
`;

const PERL = "/usr/bin/perl";

const PRCTL = { x64: 157, arm64: 167 } as const;

/** Which restrictions the system supports. */
export interface Confinement {
  readonly calls: boolean;
  readonly files: boolean;
}

let found: Confinement | undefined;

/** Tests the system once, and caches the result. */
export function confinement(): Confinement {
  found ??= {
    calls: works({ processes: false }, null),
    files: works(null, { readable: ["/"], writable: [] }),
  };
  return found;
}

function works(calls: { readonly processes: boolean } | null, files: OwnFiles | null): boolean {
  if (process.platform !== "linux") return false;
  const [program = "", ...args] = command(calls, files);
  const run = spawnSync(program, [...args, "/bin/true"], { stdio: "ignore", timeout: 5_000 });
  return run.status === 0;
}

/**
 * Returns a command prefix for the absolute path of a program. The prefix applies all restrictions that the system
 * supports; it is empty if the system supports none. If `files` is null, all files are allowed.
 */
export function confined(program: string, files: OwnFiles | null): readonly string[] {
  const may = confinement();
  const calls = may.calls ? { processes: isScript(program) } : null;
  const own = may.files ? files : null;
  return calls === null && own === null ? [] : command(calls, own);
}

function command(
  calls: { readonly processes: boolean } | null,
  files: OwnFiles | null,
): readonly string[] {
  const filter = calls === null ? "" : callFilter(calls);
  const prctl = PRCTL[process.arch as keyof typeof PRCTL];
  if (filter === null || prctl === undefined) return ["false"];
  const rules =
    files === null
      ? []
      : [
          ...files.readable.map((path) => `r:${path}`),
          ...[...files.writable, "/dev/null"].map((path) => `w:${path}`),
          "s:/tmp", // LibreOffice creates its sockets here
          "p:",
        ];
  return [PERL, "-e", CONFINE, filter, String(prctl), ...rules, "--"];
}

/** Whether a program is a script. A script's interpreter has to start other programs. */
export function isScript(program: string): boolean {
  try {
    const file = openSync(program, "r");
    try {
      const start = Buffer.alloc(2);
      readSync(file, start);
      return start.toString("latin1") === "#!";
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
