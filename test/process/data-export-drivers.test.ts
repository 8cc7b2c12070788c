import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HOUR } from '../../src/base/lib/clock'
import { MAX_INT64 } from '../../src/base/lib/int64'
import { EXPORT_TABLES } from '../../src/insight/data-export/model'
import { at, type Bench, backupBench, svc } from '../support/backup'
import { NOW } from '../support/context'
import { freshFolder, jsonRows, readExport } from '../support/exports'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import { hasSqld, startSqld } from '../support/sqld'

let bench: Bench
let wanted: Awaited<ReturnType<typeof exportOf>>
beforeAll(async () => {
  bench = await backupBench()
  const file = at(bench.fresh('file'))
  expect((await svc(['restore', bench.file], file)).code).toBe(0)
  wanted = await exportOf(file)
})
afterAll(() => bench.close())

const never = new Promise<void>(() => {})

async function exportOf(env: Record<string, string>, ...args: string[]) {
  const argv = ['export-data', '--project', 'project-1', '--to', freshFolder(), '--format', 'jsonl', '--json', ...args]
  const ran = await svc(argv, env, never, undefined, NOW + HOUR)
  expect([ran.err, ran.code]).toEqual(['', 0])
  return readExport(JSON.parse(ran.out).folder)
}

test('a file has rows of every table', () => {
  for (const table of EXPORT_TABLES) expect([table, jsonRows(wanted, table).length > 0]).toEqual([table, true])
})

const SERVERS: [
  name: string,
  missing: string | null,
  start: () => Promise<{ url: string; stop(): Promise<unknown> }>,
][] = [
  [
    'a libSQL server',
    hasSqld() ? null : 'sqld is not installed',
    async () => {
      const { url, kill } = await startSqld()
      return { url, stop: kill }
    },
  ],
  ['PostgreSQL', postgresMissing(), startPostgres],
]

for (const [name, missing, start] of SERVERS)
  describe.skipIf(missing !== null)(missing === null ? name : `${name} (skipped: ${missing})`, () => {
    test('gives the same rows as a file, with every digit', async () => {
      const server = await start()
      try {
        const env = { SVC_DATABASE_URL: server.url }
        expect(await svc(['restore', bench.file], env)).toMatchObject({ code: 0, err: '' })
        const found = await exportOf(env)
        for (const table of EXPORT_TABLES) expect(jsonRows(found, table)).toEqual(jsonRows(wanted, table))
        expect(found.files.get('ledger-000001.jsonl')?.toString()).toContain(`"balance":${MAX_INT64},`)
        const vendor = await exportOf(env, '--columns', 'revenuecat_v5')
        expect(jsonRows(vendor, 'transactions').length).toBeGreaterThan(0)
      } finally {
        await server.stop()
      }
    })
  })
