/** Which statements each test file of a process, or each test, has run. */
export type Recording = Readonly<Record<string, readonly string[]>>

/** Statements that PostgreSQL need not get, each with the reason. */
const FILES_ONLY: readonly [statement: RegExp, why: string][] = [
  [/\btypeof\(|\bsqlite_\w|\bpragma_\w|\bnot indexed\b|->> '\$/, 'only SQLite understands it'],
  [/^(update|insert into|delete from) [a-z]/i, 'a test wrote it: the product quotes names'],
  [
    /^select count\(\*\) from "(subscribers|events|audit_log)" where [^(]*$/,
    'tests count rows so; the product also asks for a project and more',
  ],
  [
    /^select "id" from "(flags|audiences|experiments|placements|funnels)" where |"flags"."id" = \? *\) order by|"funnels"."id" = \?\)$/,
    'rows are read one by one where their JSON cannot be read, and only a local file can hold such JSON',
  ],
  [
    /^select max\("position"\) from "events" where |from \(select \?\) as one$/,
    'PostgreSQL asks which commits are open',
  ],
  [/"deliveries"\."due_at" > \? and /, 'only the one server of a local file may release all leases at its start'],
  [
    /^update "subscribers" where "subscribers"."id" = \? returning "seq"$/,
    'PostgreSQL also announces the positions of events',
  ],
  [
    /^insert into "(charge_repairs|usage_levels)" \([^)]*\) values \(\?\)$/,
    'a restored backup writes it, where a job ran before the backup',
  ],
  [
    /^update "figure_entries" where "figure_entries"."gross" > \?$/,
    'a test marks entries, to see which are made again',
  ],
  [
    /^insert into "(audit_log|object_revisions)" \([^)]*"(via|updated_at)"\) values \(\?\)$/,
    'rows of a moved project, which PostgreSQL gets as JSON; other inserts have another order of columns or a conflict',
  ],
  [/"store_events".* \|\| '' = \?/, "a test of plans asks them to compare with SQLite's indexes"],
]

/** Test files that write rows of an earlier version, with the columns of then. */
const OF_OLD_ROWS = ['test/http/present-version.test.ts']

/** Test files that combine the filters of lists at random; tests of each list have the combinations that matter. */
const AT_RANDOM = ['test/http/hostile-requests.test.ts']

/** Only the HTTP suite and the stories can run on PostgreSQL. */
export const canRunOnPostgres = (file: string): boolean =>
  /^test\/(http|stories)\//.test(file) && ![...OF_OLD_ROWS, ...AT_RANDOM].includes(file)

const isForFilesOnly = (sql: string): boolean => FILES_ONLY.some(([statement]) => statement.test(sql))

/** The statements that ran on local files and never on PostgreSQL, one line each, but for those of `FILES_ONLY`. */
export function onlyOnFiles(files: readonly Recording[], postgres: readonly Recording[]): string[] {
  const known = new Set(postgres.flatMap((one) => Object.values(one).flat()))
  const lines = new Map<string, string>()
  for (const recording of files)
    for (const [file, statements] of Object.entries(recording))
      for (const sql of canRunOnPostgres(file) ? statements : [])
        if (!known.has(sql) && !isForFilesOnly(sql)) lines.set(sql, `${file} runs this on local files only: ${sql}`)
  return [...lines.values()]
}

/**
 * The fewest runs, by their costs, that together make every statement: always the one next that adds most for what it
 * costs. A run is a key of the recordings, such as a test; `given` run anyway.
 */
export function chooseRuns(
  recordings: readonly Recording[],
  costOf: (run: string) => number,
  given: readonly string[],
): string[] {
  const missing = new Map<string, Set<string>>()
  for (const one of recordings)
    for (const [run, statements] of Object.entries(one))
      missing.set(run, new Set([...(missing.get(run) ?? []), ...statements.filter((sql) => !isForFilesOnly(sql))]))
  const chosen: string[] = []
  const take = (run: string) => {
    const taken = missing.get(run) ?? new Set()
    missing.delete(run)
    for (const rest of missing.values()) for (const sql of taken) rest.delete(sql)
  }
  for (const run of given) take(run)
  for (;;) {
    const worth = [...missing].map(([run, rest]) => ({ run, worth: rest.size / costOf(run) }))
    const best = worth.reduce((most, one) => (one.worth > most.worth ? one : most), { run: '', worth: 0 })
    if (best.worth === 0) return chosen.sort()
    take(best.run)
    chosen.push(best.run)
  }
}
