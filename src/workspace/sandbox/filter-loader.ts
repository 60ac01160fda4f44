import { findProgram } from "../find-program.ts";

/**
 * Loads a seccomp program by the two system calls that it takes, then becomes the rest of its arguments. Perl's own interpreter can call
 * them, and Debian and Ubuntu never come without it. `prctl` refuses the program unless no new privileges can be had, which is so by then.
 * Sources: seccomp(2), struct sock_fprog in linux/filter.h.
 */
const LOAD = `
use strict;
my ($seccomp, $hex) = splice(@ARGV, 0, 2);
my $filter = pack("H*", $hex);
my $program = pack("S x![P] P", length($filter) / 8, $filter);
syscall($seccomp + 0, 1, 0, $program) == 0 or die "the seccomp filter was not taken: $!\\n";
exec { $ARGV[0] } @ARGV or die "$!\\n";
`;
const SECCOMP: Readonly<Record<string, number>> = { x64: 317, arm64: 277 };

/** The command line that loads the filter before what stands behind it; undefined where there is no filter, or no Perl in the system's own folders. */
export async function filterLoader(filter: Buffer | undefined, processor: string): Promise<readonly string[] | undefined> {
  const number = SECCOMP[processor];
  const perl = await findProgram("perl", "/usr/bin");
  if (filter === undefined || number === undefined || perl === undefined) return undefined;
  return [perl, "-e", LOAD, String(number), filter.toString("hex")];
}
