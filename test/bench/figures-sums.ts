import type Database from 'libsql'
import { DAY } from '../../src/base/lib/clock'
import { VALUE_NAMES } from '../../src/insight/figures/model'
import { rollBasis } from '../../src/insight/figures/rolls/read'
import { GROUPS } from '../../src/insight/figures/sums'

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const AMOUNTS = VALUE_NAMES.map(snake)
const SUMS = AMOUNTS.map((name) => `sum(${name}) AS ${name}`).join()
const MONTH = `cast(strftime('%s', day / 1000, 'unixepoch', 'start of month') AS integer) * 1000`

/**
 * Fills the kept sums of a seeded database in one pass, because the loop is made for news and not for years. It is
 * written in SQL and shares nothing with the loop, so that one can be compared with the other. Days are those of UTC.
 */
export function sumAll(database: Database.Database, projectId: string): void {
  database.exec('DELETE FROM figure_sums')
  database.exec('DELETE FROM figure_groups')
  database.exec('DELETE FROM figure_rolls')
  const last = database.prepare('SELECT max(position) AS position FROM figure_entries').get() as { position: number }
  sumFinest(database, last.position)
  for (const [dimension, names] of dimensions()) {
    const listed = names.map((name) => `, ${name}`).join('')
    const key = `json_array(environment, '${dimension}'${listed})`
    database.exec(`INSERT INTO figure_groups (project_id, environment, dimension, key${listed})
      SELECT DISTINCT '${projectId}', environment, '${dimension}', ${key}${listed} FROM combinations`)
    database.exec(`CREATE TEMP TABLE members AS SELECT c.id AS combination, g.id AS group_id FROM (SELECT id, ${key} AS key FROM combinations) c
      JOIN figure_groups g ON g.project_id = '${projectId}' AND g.key = c.key`)
    database.exec('CREATE INDEX temp.members_of ON members (combination)')
    database.exec(`INSERT INTO figure_sums (group_id, level, start, kind, ${AMOUNTS.join()})
      SELECT m.group_id, 0, f.day, f.kind, ${SUMS} FROM fine f CROSS JOIN members m ON m.combination = f.combination GROUP BY 1, 3, 4`)
    database.exec('DROP TABLE temp.members')
  }
  database.exec(`INSERT INTO figure_sums (group_id, level, start, kind, ${AMOUNTS.join()})
    SELECT group_id, 1, ${MONTH.replace('day', 'start')} AS month, kind, ${SUMS} FROM figure_sums WHERE level = 0 GROUP BY 1, 3, 4`)
  const insert = database.prepare(
    'INSERT INTO figure_rolls (scope, rolled_until, turn, timezone, basis) VALUES (?, ?, 1, ?, ?)',
  )
  insert.run(['', last.position, '', ''])
  insert.run([projectId, null, 'UTC', rollBasis()])
  for (const table of ['fine', 'combinations']) database.exec(`DROP TABLE temp.${table}`)
}

const CHUNK = 500_000

/** Sums for each combination of the values of all groups, kind and day, chunk by chunk: a row for each chunk. */
function sumFinest(database: Database.Database, last: number): void {
  const names = ['environment', ...GROUPS].join()
  const columns = `environment, ${GROUPS.join()}, kind, day`
  for (let first = 0; first < last; first += CHUNK) {
    const chunk = `FROM main.figure_entries WHERE position > ${first} AND position <= ${first + CHUNK}`
    const into = first === 0 ? 'CREATE TEMP TABLE chunks AS' : 'INSERT INTO chunks'
    database.exec(
      `${into} SELECT environment, ${GROUPS.join()}, kind, at - at % ${DAY} AS day, ${SUMS} ${chunk} GROUP BY ${columns}`,
    )
  }
  database.exec(
    `CREATE TEMP TABLE combinations AS SELECT row_number() OVER () AS id, * FROM (SELECT DISTINCT ${names} FROM chunks)`,
  )
  database.exec(`CREATE INDEX temp.combinations_of ON combinations (${names})`)
  const isSame = ['environment', ...GROUPS].map((name) => `c.${name} IS f.${name}`).join(' AND ')
  database.exec(`CREATE TEMP TABLE fine AS SELECT c.id AS combination, f.kind, f.day, ${AMOUNTS.map((name) => `f.${name}`).join()}
    FROM chunks f CROSS JOIN combinations c ON ${isSame}`)
  database.exec('DROP TABLE temp.chunks')
}

const dimensions = (): [string, readonly string[]][] => [
  ['', []],
  ...GROUPS.map((name): [string, readonly string[]] => [name, [name]]),
  ['*', GROUPS],
]
