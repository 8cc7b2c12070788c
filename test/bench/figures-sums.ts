import type Database from 'libsql'
import { DAY } from '../../src/base/lib/clock'
import { VALUE_NAMES } from '../../src/insight/figures/model'
import { rollBasis } from '../../src/insight/figures/rolls/basis'
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
  database.exec(`CREATE TEMP TABLE fine AS SELECT environment, ${GROUPS.join()}, kind, at - at % ${DAY} AS day, ${SUMS}
    FROM figure_entries GROUP BY environment, ${GROUPS.join()}, kind, at - at % ${DAY}`)
  for (const [dimension, names] of dimensions()) {
    const values = names.join()
    const key = `json_array(environment, '${dimension}'${names.map((name) => `, ${name}`).join('')})`
    database.exec(`INSERT INTO figure_groups (project_id, environment, dimension, key${names.map((one) => `, ${one}`).join('')})
      SELECT DISTINCT '${projectId}', environment, '${dimension}', ${key}${values && `, ${values}`} FROM fine`)
    for (const [level, start] of [
      [0, 'day'],
      [1, MONTH],
    ])
      database.exec(`INSERT INTO figure_sums (group_id, level, start, kind, ${AMOUNTS.join()})
        SELECT g.id, ${level}, ${start} AS start, f.kind, ${SUMS} FROM fine f JOIN figure_groups g
        ON g.project_id = '${projectId}' AND g.key = ${key.replace('environment', 'f.environment').replaceAll(/, (?!')(\w+)/g, ', f.$1')}
        GROUP BY 1, 3, 4`)
  }
  const last = database.prepare('SELECT max(position) AS position FROM figure_entries').get() as { position: number }
  const insert = database.prepare(
    'INSERT INTO figure_rolls (scope, rolled_until, turn, timezone, basis) VALUES (?, ?, 1, ?, ?)',
  )
  insert.run(['', last.position, '', ''])
  insert.run([projectId, null, 'UTC', rollBasis()])
  database.exec('DROP TABLE temp.fine')
}

const dimensions = (): [string, readonly string[]][] => [
  ['', []],
  ...GROUPS.map((name): [string, readonly string[]] => [name, [name]]),
  ['*', GROUPS],
]
