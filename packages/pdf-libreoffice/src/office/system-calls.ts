/** A seccomp filter for system calls that LibreOffice does not need. */

/** The number of a system call on each processor. */
type Numbers = readonly [x64: number, arm64: number];

/** Only sockets within the machine are allowed, so the process has no network even if it is not in a namespace. */
const SOCKET: Numbers = [41, 198];
const AF_UNIX = 1;

/** The process may send signals only to itself, as it does when it aborts. */
const SIGNALS: readonly Numbers[] = [
  [62, 129], // kill
  [234, 131], // tgkill
];

/** Allows threads, but not processes. */
const CLONE: Numbers = [56, 220];
const CLONE_THREAD = 0x10000;
/** The calls fork and vfork, which arm64 does not have. */
const FORKS = { x64: [57, 58], arm64: [] } as const;

/** Filters cannot see the flags of clone3, because they are in memory. Without clone3, the C library uses clone. */
const CLONE3: Numbers = [435, 435];

const FORBIDDEN: readonly Numbers[] = [
  ...same(424, 434, 438), // pidfd_send_signal, pidfd_open, pidfd_getfd
  ...same(425, 426, 427), // io_uring: it opens sockets that no filter sees
  ...same(428, 429, 430, 431, 432, 433, 442), // open_tree, move_mount, fsopen …, mount_setattr
  [200, 130], // tkill
  [129, 138], // rt_sigqueueinfo
  [297, 240], // rt_tgsigqueueinfo
  [101, 117], // ptrace
  [310, 270], // process_vm_readv
  [311, 271], // process_vm_writev
  [312, 272], // kcmp
  [141, 140], // setpriority
  [251, 30], // ioprio_set
  [142, 118], // sched_setparam
  [144, 119], // sched_setscheduler
  [203, 122], // sched_setaffinity
  [314, 274], // sched_setattr
  [272, 97], // unshare
  [308, 268], // setns
  [165, 40], // mount
  [166, 39], // umount2
  [155, 41], // pivot_root
  [161, 51], // chroot
  [304, 265], // open_by_handle_at
  [321, 280], // bpf
  [298, 241], // perf_event_open
  [323, 282], // userfaultfd
  [248, 217], // add_key
  [249, 218], // request_key
  [250, 219], // keyctl
  [246, 104], // kexec_load
  [320, 294], // kexec_file_load
  [175, 105], // init_module
  [313, 273], // finit_module
];

/** This call could change the limits of another process. */
const PRLIMIT: Numbers = [302, 261];

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_BITS = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const refusal = (code: number): number => 0x5_0000 | code;

/** Offsets of the call number, the architecture and the first argument in a filter's input. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

const ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;

/** Calls with this bit belong to x32, a separate architecture that reports the same architecture value. */
const X32 = 0x4000_0000;

/** Placeholder for the id of the filtered process. */
export const OWN_PROCESS = "pid";

type Instruction = readonly [code: number, yes: number, no: number, value: number | string];

/**
 * Returns the filter: BPF instructions separated by spaces, each with four numbers separated by commas; null for an
 * unsupported processor. `processes` says whether the process may start others.
 */
export function callFilter(
  options: { readonly processes: boolean },
  architecture: string = process.arch,
): string | null {
  if (architecture !== "x64" && architecture !== "arm64") return null;
  const column = architecture === "x64" ? 0 : 1;
  const of = (numbers: Numbers): number => numbers[column] as number;
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, ARCHITECTURES[architecture]],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    [JUMP_AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, refusal(ENOSYS)],
    ...unlessFirst(of(SOCKET), [JUMP_EQUAL, AF_UNIX], EAFNOSUPPORT),
    ...SIGNALS.flatMap((call) => unlessFirst(of(call), [JUMP_EQUAL, OWN_PROCESS], EPERM)),
    ...unlessFirst(of(PRLIMIT), [JUMP_EQUAL, 0], EPERM),
    ...never(of(CLONE3), ENOSYS),
    ...FORBIDDEN.flatMap((call) => never(of(call), EPERM)),
  ];
  if (!options.processes) {
    program.push(...unlessFirst(of(CLONE), [JUMP_BITS, CLONE_THREAD], EPERM));
    program.push(...FORKS[architecture].flatMap((call) => never(call, EPERM)));
  }
  program.push([RETURN, 0, 0, ALLOW]);
  return program.map((instruction) => instruction.join(",")).join(" ");
}

function never(call: number, code: number): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 1, call],
    [RETURN, 0, 0, refusal(code)],
  ];
}

/** Returns instructions that allow a call only with a certain first argument. */
function unlessFirst(
  call: number,
  [test, value]: readonly [number, number | string],
  code: number,
): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 4, call],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [test, 1, 0, value],
    [RETURN, 0, 0, refusal(code)],
    [RETURN, 0, 0, ALLOW],
  ];
}

function same(...numbers: readonly number[]): Numbers[] {
  return numbers.map((number) => [number, number]);
}
