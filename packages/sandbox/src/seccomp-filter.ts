/** Calls that no program of a task needs, with their numbers on x86-64 and on arm64 (-1: does not exist there). */
const denied: readonly (readonly [name: string, x64: number, arm64: number])[] = [
  ["ptrace", 101, 117],
  ["process_vm_readv", 310, 270],
  ["process_vm_writev", 311, 271],
  ["kcmp", 312, 272],
  ["pidfd_getfd", 438, 438],
  // Memory that belongs to no process would escape the memory limit.
  ["memfd_create", 319, 279],
  ["memfd_secret", 447, 447],
  ["shmget", 29, 194],
  ["shmat", 30, 196],
  ["msgget", 68, 186],
  ["mount", 165, 40],
  ["umount2", 166, 39],
  ["pivot_root", 155, 41],
  ["chroot", 161, 51],
  ["open_tree", 428, 428],
  ["move_mount", 429, 429],
  ["fsopen", 430, 430],
  ["fsconfig", 431, 431],
  ["fsmount", 432, 432],
  ["fspick", 433, 433],
  ["mount_setattr", 442, 442],
  ["open_by_handle_at", 304, 265],
  ["unshare", 272, 97],
  ["setns", 308, 268],
  ["bpf", 321, 280],
  ["perf_event_open", 298, 241],
  ["userfaultfd", 323, 282],
  ["io_uring_setup", 425, 425],
  ["io_uring_enter", 426, 426],
  ["io_uring_register", 427, 427],
  ["keyctl", 250, 219],
  ["add_key", 248, 217],
  ["request_key", 249, 218],
  ["kexec_load", 246, 104],
  ["kexec_file_load", 320, 294],
  ["init_module", 175, 105],
  ["finit_module", 313, 273],
  ["delete_module", 176, 106],
  ["syslog", 103, 116],
  ["quotactl", 179, 60],
  ["acct", 163, 89],
  ["swapon", 167, 224],
  ["reboot", 169, 142],
  ["iopl", 172, -1],
  ["ioperm", 173, -1],
];

interface Architecture {
  readonly audit: number;
  readonly column: 1 | 2;
  readonly clone: number;
  readonly socket: number;
}

const architectures: Readonly<Record<string, Architecture>> = {
  x64: { audit: 0xc000003e, column: 1, clone: 56, socket: 41 },
  arm64: { audit: 0xc00000b7, column: 2, clone: 220, socket: 198 },
};

const clone3 = 435;
const x32Bit = 0x40000000;
// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
const namespaceFlags = 0x7e020000;
const socketFamilies = { unix: 1, inet: 2, inet6: 10, netlink: 16 };

const offsets = { number: 0, audit: 4, firstArgument: 16 };
const codes = { load: 0x20, jumpEqual: 0x15, jumpAtLeast: 0x35, jumpAnyBit: 0x45, answer: 0x06 };
const errno = { perm: 1, noSys: 38, noFamily: 97 };
const answers = { allow: 0x7fff0000, error: (number: number) => 0x00050000 | number };

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, k: number];

/**
 * A seccomp program (classic BPF, little endian) that refuses kernel features no task needs: nested namespaces, mounts,
 * tracing, keys, io_uring, memory outside any process, and socket families that network namespaces don't separate.
 *
 * @param arch as in `process.arch`.
 * @returns the bytes for `bwrap --seccomp`; undefined for a processor whose call numbers are not known here.
 */
export function seccompFilter(arch: string): Buffer | undefined {
  const known = architectures[arch];
  if (known === undefined) return undefined;
  const numbers = denied.map((row) => row[known.column]).filter((number) => number >= 0);
  const refuse = (number: number): Instruction => [codes.answer, 0, 0, answers.error(number)];
  const allow: Instruction = [codes.answer, 0, 0, answers.allow];
  const ifNumber = (number: number, body: readonly Instruction[]): Instruction[] => [[codes.jumpEqual, 0, body.length, number], ...body];
  const families = Object.values(socketFamilies);
  return assemble([
    [codes.load, 0, 0, offsets.audit],
    [codes.jumpEqual, 1, 0, known.audit],
    refuse(errno.perm),
    [codes.load, 0, 0, offsets.number],
    [codes.jumpAtLeast, 0, 1, x32Bit],
    refuse(errno.noSys),
    ...numbers.flatMap((number) => ifNumber(number, [refuse(errno.perm)])),
    // The C library falls back to clone, whose flags can be read.
    ...ifNumber(clone3, [refuse(errno.noSys)]),
    ...ifNumber(known.clone, [
      [codes.load, 0, 0, offsets.firstArgument],
      [codes.jumpAnyBit, 0, 1, namespaceFlags],
      refuse(errno.perm),
      allow,
    ]),
    ...ifNumber(known.socket, [
      [codes.load, 0, 0, offsets.firstArgument],
      ...families.flatMap((family) => ifNumber(family, [allow])),
      refuse(errno.noFamily),
    ]),
    allow,
  ]);
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, k]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  }
  return bytes;
}
