/** Which statements each test file of a process has run. */
export type Recording = Readonly<Record<string, readonly string[]>>

/**
 * The statements that ran on local files and never on PostgreSQL, one line each. A statement that only one database
 * understands is left out.
 */
export function onlyOnFiles(files: readonly Recording[], postgres: readonly Recording[]): string[] {
  const known = new Set(postgres.flatMap((one) => Object.values(one).flat()))
  const lines = new Map<string, string>()
  for (const recording of files)
    for (const [file, statements] of Object.entries(recording))
      for (const sql of statements) if (!known.has(sql)) lines.set(sql, `${file} runs this on local files only: ${sql}`)
  return [...lines.values()]
}

/**
 * The fewest files, by their costs, that together run every statement: always the file next that adds most for what it
 * costs. `given` run anyway.
 */
export function chooseFiles(
  recordings: readonly Recording[],
  costOf: (file: string) => number,
  given: readonly string[],
): string[] {
  const missing = new Map<string, Set<string>>()
  for (const one of recordings)
    for (const [file, statements] of Object.entries(one))
      missing.set(file, new Set([...(missing.get(file) ?? []), ...statements]))
  const chosen: string[] = []
  const take = (file: string) => {
    const taken = missing.get(file) ?? new Set()
    missing.delete(file)
    for (const rest of missing.values()) for (const sql of taken) rest.delete(sql)
  }
  for (const file of given) take(file)
  for (;;) {
    const worth = [...missing].map(([file, rest]) => ({ file, worth: rest.size / costOf(file) }))
    const best = worth.reduce((most, one) => (one.worth > most.worth ? one : most), { file: '', worth: 0 })
    if (best.worth === 0) return chosen.sort()
    take(best.file)
    chosen.push(best.file)
  }
}
