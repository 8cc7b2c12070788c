import { readFileSync } from 'node:fs'
import { allPostgresFiles, SAME_ON_POSTGRES } from './postgres-files'
import { startPostgres } from './postgres-server'

// Tells which statements only files of SAME_ON_POSTGRES run on PostgreSQL, so that the list can be kept honest. It runs
// every file by itself, which takes half an hour: `bun test/support/sql-coverage.ts [PATH]...`

/** The log of a server that writes down every statement, from a place on. */
class StatementLog {
  private read = 0

  constructor(private readonly path: string) {}

  /** The statements since the last call, without their values. */
  take(): Set<string> {
    const text = readFileSync(this.path, 'utf8')
    const added = text.slice(this.read)
    this.read = text.length
    const statements = added.matchAll(/(?:statement|execute [^:]*): (.*?)(?=\n\d{4}-|\n?$)/gs)
    return new Set([...statements].flatMap(([, sql = '']) => normalised(sql) ?? []))
  }
}

/** A statement with its values and the number of its rows taken out; null for what sets up a database. */
function normalised(sql: string): string | null {
  if (/^\s*(alter|create|drop|begin|commit|rollback|savepoint|release|set|show)\b/i.test(sql)) return null
  if (sql.includes('svc_migrations')) return null
  return sql
    .replace(/\s+/g, ' ')
    .replace(/\$\d+(::\w+)?/g, '?')
    .replace(/(\?, )+\?/g, '?+')
    .replace(/(\(\?\+?\), )+/g, '')
}

async function statementsOf(files: readonly string[]): Promise<Map<string, Set<string>>> {
  const server = await startPostgres(['log_statement=all'])
  const log = new StatementLog(server.log)
  const found = new Map<string, Set<string>>()
  for (const file of files) {
    const env = { ...process.env, SVC_LAW_RUNS: '50', SVC_TEST_DIALECT: 'postgres', SVC_TEST_POSTGRES_URL: server.url }
    log.take()
    const ran = Bun.spawnSync([process.execPath, 'test', '--timeout', '240000', file], { env, stderr: 'ignore' })
    found.set(file, log.take())
    process.stderr.write(`${file}: ${found.get(file)?.size} statements${ran.success ? '' : ', and failures'}\n`)
  }
  await server.stop()
  return found
}

const asked = process.argv.slice(2)
const found = await statementsOf(asked.length > 0 ? asked : allPostgresFiles())
const elsewhere = new Set([...found].flatMap(([file, all]) => (SAME_ON_POSTGRES.includes(file) ? [] : [...all])))
for (const [file, all] of found)
  if (SAME_ON_POSTGRES.includes(file))
    for (const sql of all) if (!elsewhere.has(sql)) process.stdout.write(`only in ${file}: ${sql}\n`)
