/** One thing that is measured. */
export interface BenchCase {
  readonly name: string;
  /** Bytes that one run looks at, for the column of MB/s. */
  readonly bytes: number;
  /** Where a few runs say too little. */
  readonly leastRuns?: number;
  run(): unknown;
}

/** Cases that are measured beside each other, the first being what the others are compared with. */
export interface BenchGroup {
  readonly name: string;
  readonly cases: readonly BenchCase[];
}

export interface BenchResult {
  readonly name: string;
  /** Milliseconds of the middle run, and of processor time for one run on average. */
  readonly medianMs: number;
  readonly cpuMs: number;
  readonly megabytesPerSecond: number;
  /** How many times the reference's time. */
  readonly ratio: number;
  readonly runs: number;
}

/** Runs each case at least this often, and until it took this long. */
const LEAST_RUNS = 3;
const LEAST_MS = 150;
const MOST_RUNS = 200;

/** Measures the cases of one group, one after the other, each after a run that does not count. */
export async function measure({ cases }: BenchGroup): Promise<readonly BenchResult[]> {
  const results: BenchResult[] = [];
  let reference: number | undefined;
  for (const one of cases) {
    await one.run();
    const times: number[] = [];
    const cpuBefore = process.cpuUsage();
    for (let total = 0; times.length < MOST_RUNS && (times.length < (one.leastRuns ?? LEAST_RUNS) || total < LEAST_MS);) {
      const started = performance.now();
      await one.run();
      const took = performance.now() - started;
      times.push(took);
      total += took;
    }
    const cpu = process.cpuUsage(cpuBefore);
    const medianMs = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    reference ??= medianMs;
    results.push({
      name: one.name,
      medianMs,
      cpuMs: (cpu.user + cpu.system) / 1000 / times.length,
      megabytesPerSecond: one.bytes / 1e6 / (medianMs / 1000),
      ratio: medianMs / reference,
      runs: times.length,
    });
  }
  return results;
}

/** The results as a table for people. */
export function tableOf(name: string, results: readonly BenchResult[]): string {
  const head = ["", "ms", "cpu ms", "MB/s", "× reference", "runs"];
  const rows = results.map((one) => [
    one.name,
    one.medianMs.toFixed(2),
    one.cpuMs.toFixed(2),
    one.megabytesPerSecond.toFixed(1),
    one.ratio.toFixed(1),
    String(one.runs),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ");
  return [`\n${name}`, line(head), ...rows.map(line)].join("\n");
}

/** A figure that a benchmark has to reach, read from what it measured. */
export interface Target<R> {
  readonly name: string;
  /** What stands behind the figure: `ms`, `×`, `%`. Empty for a number of things. */
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Undefined where it was not measured on this machine. */
  figure(result: R): number | undefined;
}

/** What a benchmark has measured: for the file of results, and as a text for people. */
export interface Measured<R> {
  readonly result: R;
  readonly text: string;
}

/**
 * What a module of this folder exports that is a benchmark; its file's name is the benchmark's. Undefined says that it could not be run here, and
 * has said why.
 */
export interface Bench<R> {
  bench(): Promise<Measured<R> | undefined>;
  readonly targets: readonly Target<R>[];
}

/** The results of groups, by their names. */
export type Groups = Readonly<Record<string, readonly BenchResult[]>>;

/** Measures groups of cases, one after the other. */
export async function measureGroups(groups: readonly BenchGroup[]): Promise<Measured<Groups>> {
  const result: Record<string, readonly BenchResult[]> = {};
  for (const group of groups) result[group.name] = await measure(group);
  return {
    result,
    text: Object.entries(result)
      .map(([name, rows]) => tableOf(name, rows))
      .join("\n"),
  };
}

/** The row of a case whose name begins so, in the first group whose name begins so. */
export function rowOf(groups: Groups, group: string, name: string): BenchResult | undefined {
  const rows = Object.entries(groups).find(([key]) => key.startsWith(group))?.[1];
  return rows?.find((row) => row.name.startsWith(name));
}

/** How much longer one case takes than another, in milliseconds. Undefined where one of them was not measured. */
export function moreThan(row: BenchResult | undefined, reference: BenchResult | undefined): number | undefined {
  return row === undefined || reference === undefined ? undefined : row.medianMs - reference.medianMs;
}
