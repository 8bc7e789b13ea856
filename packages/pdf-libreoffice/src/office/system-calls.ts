/** System calls that LibreOffice has no need of, as a filter (seccomp) in the machine's own form. */

/** Where a processor has a system call. */
type Numbers = readonly [x64: number, arm64: number];

/** Other families of sockets than those within a machine: no network, whatever namespace the process is in. */
const SOCKET: Numbers = [41, 198];
const AF_UNIX = 1;

/** Only itself may it send a signal, as it does when it aborts. */
const SIGNALS: readonly Numbers[] = [
  [62, 129], // kill
  [234, 131], // tgkill
];

/** Threads yes, processes no. */
const CLONE: Numbers = [56, 220];
const CLONE_THREAD = 0x10000;
/** fork and vfork, of which arm64 has none. */
const FORKS = { x64: [57, 58], arm64: [] } as const;

/** Filters cannot see its flags, which are in memory. Without it the C library uses clone. */
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

/** Of another process it would take limits away, or give it some. */
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

/** Where a filter finds the number of the call, its architecture and its first argument. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

const ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;

/** Calls with this bit belong to x32, another architecture with the same name. */
const X32 = 0x4000_0000;

/** What stands for the number of the process that is to be filtered. */
export const OWN_PROCESS = "pid";

type Instruction = readonly [code: number, yes: number, no: number, value: number | string];

/**
 * The filter: instructions of BPF between spaces, each four numbers between commas; null for a processor whose
 * numbers are not known. `processes`: it may start others.
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

/** Allowed only with a certain first argument. */
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
