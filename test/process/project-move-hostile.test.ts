import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { eq, getTableColumns, getTableName, type Table } from 'drizzle-orm'
import { footerLine, type RawValue, rowLines, toRecord } from '../../src/base/db/dump'
import { readTags } from '../../src/base/db/dump-write'
import { sha256Hex } from '../../src/base/lib/hash'
import { checkDue } from '../../src/funnels/domains/jobs'
import { columnName } from '../../src/insight/clickhouse/mirror'
import { performSchedule } from '../../src/insight/data-export/perform-schedule'
import { ContentDigest } from '../../src/moving/project-move/digest'
import { digestLine, projectHeaderLine } from '../../src/moving/project-move/file'
import { importProjectFile } from '../../src/moving/project-move/import'
import { isMoved, plansOf, type TablePlan } from '../../src/moving/project-move/plan'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { DnsStandIn } from '../support/dns'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import { tempFolder } from '../support/process'
import { moreInRelease } from '../support/release'
import { opened, postSessions } from '../support/telemetry'

const temp = tempFolder()
afterAll(() => temp.remove())

const EVIL = 'prj_00000000000000000000000666'
type Record = { [column: string]: RawValue }
interface Line {
  table: string
  row: Record
}

const DRIVERS: [name: string, missing: string | null][] = [
  ['a file', null],
  ['PostgreSQL', postgresMissing()],
]

for (const [name, missing] of DRIVERS)
  describe.skipIf(missing !== null)(missing === null ? name : `${name} (skipped: ${missing})`, () => {
    let s: Stage
    let plans: TablePlan[]
    let dns: DnsStandIn
    let project: Record
    let victim: { project: string; subscriber: string; sessions: RawValue }
    let server: Awaited<ReturnType<typeof startPostgres>> | undefined

    beforeAll(async () => {
      if (name === 'PostgreSQL') server = await startPostgres()
      dns = await DnsStandIn.start()
      s = await stage({ env: { SVC_DNS: dns.address, ...(server && { SVC_DATABASE_URL: server.url }) } })
      await s.receipt('svc_ada', s.buy(MONTHLY))
      await postSessions(s, 'svc_ada', [opened(s)])
      plans = plansOf(s.ctx.tables).filter(isMoved)
      const own = `= '${s.project.id}'`
      const [subscriber] = await listed('subscribers', `project_id ${own}`)
      const [sessions] = await listed('session_projects', `project_id ${own}`)
      const [row = {}] = await listed('projects', `id ${own}`)
      project = { ...row, id: EVIL, slug: 'evil', name: 'Evil' }
      victim = { project: s.project.id, subscriber: String(subscriber?.id), sessions: sessions?.number ?? null }
    })
    afterAll(async () => {
      await s.close()
      dns.close()
      await server?.stop()
    })

    const listed = (table: string, where?: string): Promise<Record[]> =>
      s.ctx.storage.snapshot(async (reader) => {
        const found: Record[] = []
        for await (const { columns, rows } of reader.pages(table, where))
          found.push(...rows.map((row) => toRecord(columns, row) as Record))
        return found
      })

    /** A row that the table takes, of the file's own project. */
    function rowOf({ table, rows, json }: TablePlan): Record {
      const definition = Object.values(s.ctx.tables).find((one) => getTableName(one as Table) === table) as Table
      const columns = Object.values(getTableColumns(definition))
      const row = Object.fromEntries(
        columns.map((column): [string, RawValue] => {
          const named = columnName(column)
          if (json.has(named)) return [named, '[]']
          if (named === 'id') return [named, `${table.slice(0, 3)}_new`]
          return [named, column.dataType === 'string' ? 'x' : 1]
        }),
      )
      if (rows.by !== undefined) row[rows.by] = EVIL
      if (table === 'jobs') Object.assign(row, { name: 'purchases.sync', state: 'WAITING', payload: jobOf(EVIL, null) })
      return { ...row, ...(table === 'projects' && project), ...('artefact_key' in row && { artefact_key: null }) }
    }

    const jobOf = (projectId: string, subscriberId: string | null): string =>
      JSON.stringify({ projectId, subscriberId })

    /** Writes a file with all check sums right, as an attacker would. */
    async function fileOf(lines: Line[], announced: Line[] = lines): Promise<string> {
      const numbers: { [table: string]: [number, number] } = {}
      const counts: { [table: string]: number } = {}
      for (const plan of plans) if (plan.rows.serial !== undefined) numbers[plan.table] = [1, 1]
      for (const { table } of announced) counts[table] = (counts[table] ?? 0) + 1
      const digest = new ContentDigest(plans, numbers)
      const pages = lines.map(({ table, row }) => ({
        table,
        page: { columns: Object.keys(row), rows: [Object.values(row)] },
      }))
      for (const { table, page } of pages.slice(0, announced.length)) digest.take(table, page)
      const migrations = await s.ctx.storage.snapshot(readTags)
      const header = projectHeaderLine({
        ...{ version: '1', createdAt: '2026-11-01T00:00:00.000Z', migrations, counts, numbers, members: [] },
        project: { id: EVIL, slug: 'evil', name: 'Evil', configVersion: Number(project.config_version) },
        key: { kind: 'MASTER_KEY' },
      })
      const body = pages.map(({ table, page }) => rowLines(table, page)).join('')
      const all = header + body + digestLine(digest.end())
      const path = join(temp.path, 'hostile.svc.gz')
      const footer = footerLine({ rows: all.trimEnd().split('\n').length - 1, sha256: sha256Hex(all) })
      writeFileSync(path, gzipSync(all + footer))
      return path
    }

    const bring = async (path: string, isReplacing = false) =>
      importProjectFile(s.ctx, path, { passphrase: null, isReplacing, signal: AbortSignal.any([]), onRows: () => {} })

    const outcome = async (lines: Line[], announced?: Line[]): Promise<string> =>
      bring(await fileOf(lines, announced)).then(
        () => 'imported',
        (error) => String(error),
      )

    const evil = (): Line => ({ table: 'projects', row: project })
    const sizes = (): Promise<number[]> =>
      s.ctx.storage.snapshot((reader) => Promise.all(plans.map(({ table }) => reader.count(table))))

    /** Rows of another project: by their own column, by their parent, or by the condition of the table. */
    function strangersOf(plan: TablePlan): Record[] {
      const row = rowOf(plan)
      const { by, through } = plan.rows
      if (by !== undefined) return [{ ...row, [by]: victim.project }]
      if (plan.table === 'session_packs') return [{ ...row, project: victim.sessions }]
      if (through?.parent === 'subscribers') return [{ ...row, [through.column]: victim.subscriber }]
      if (through) return [{ ...row, [through.column]: 'x' }]
      if (plan.table === 'simulator_keys') return [{ ...row, id: `${victim.project}:NEW`, material: '{}' }]
      if (plan.table === 'revisions') return [{ ...row, name: `events-pruned:${victim.project}` }]
      return [
        { ...row, payload: jobOf(victim.project, null) },
        { ...row, payload: jobOf(EVIL, victim.subscriber) },
        { ...row, name: 'cron.anything', payload: JSON.stringify({ projectId: EVIL }) },
        { ...row, name: 'refund-shield.answer', payload: JSON.stringify({ projectId: EVIL, responseId: 'rfs_x' }) },
        { ...row, name: 'deliveries.replay', payload: JSON.stringify({ replayId: 'rpl_x' }) },
      ]
    }

    test('a row of another project in any table refuses the whole file, whatever the file announces', async () => {
      const before = await sizes()
      for (const plan of plans)
        for (const row of strangersOf(plan)) {
          const hostile = { table: plan.table, row }
          for (const announced of [[evil()], [evil(), hostile]])
            expect([plan.table, await outcome([evil(), hostile], announced)]).toEqual([
              plan.table,
              expect.stringMatching(/belongs to another project|is a job (that does not move|with a wrong payload)/),
            ])
        }
      expect(await sizes()).toEqual(before)
    })

    test('an id of another project in any column or member that names rows refuses the whole file', async () => {
      const before = await sizes()
      const free = /^(app_user_id|reference_id|attributes|metadata|default_value)$/
      const every = name === 'PostgreSQL' ? moreInRelease(5, 1) : 1 // The same rules; only the SQL differs.
      let tried = 0
      for (const plan of plans) {
        const row = rowOf(plan)
        for (const column of Object.keys(row).filter((named) => !free.test(named) && named !== plan.rows.by)) {
          const isJson = plan.json.has(column)
          if (!isJson && !/_id$|^merged_into$/.test(column)) continue
          if (['jobs', 'import_jobs'].includes(plan.table) && /^(payload|files)$/.test(column)) continue // Judged above, and below.
          if (plan.table === 'funnel_answers' && column === 'value') continue // What a visitor wrote names no row.
          if (plan.table === 'custom_domains' && isJson) continue // Nothing of it is kept.
          const value = isJson ? JSON.stringify([{ any: [{ subscriberId: victim.subscriber }] }]) : victim.subscriber
          if (tried++ % every > 0) continue
          const said = await outcome([evil(), { table: plan.table, row: { ...row, [column]: value } }])
          expect([plan.table, column, said]).toEqual([
            ...[plan.table, column],
            expect.stringMatching(/belongs to another project/),
          ])
        }
      }
      expect(tried).toBeGreaterThan(100)
      expect(await sizes()).toEqual(before)
    })

    test('numbers and files that are not its own, and rows that are not announced, refuse it', async () => {
      const plan = (table: string) => plans.find((one) => one.table === table) as TablePlan
      const before = await sizes()
      const event = { table: 'events', row: { ...rowOf(plan('events')), position: 2 } }
      expect(await outcome([evil(), event])).toContain('has a number outside')
      const files = JSON.stringify([{ key: 'imports/imp_other/0' }])
      const job = { table: 'import_jobs', row: { ...rowOf(plan('import_jobs')), files } }
      expect(await outcome([evil(), job])).toContain('names a stored file that is not its own')
      const request = {
        table: 'data_requests',
        row: { ...rowOf(plan('data_requests')), artefact_key: 'dsar/dsr_x.zip' },
      }
      expect(await outcome([evil(), request])).toContain('names a stored file that is not its own')
      const path = { table: 'import_jobs', row: { ...rowOf(plan('import_jobs')), id: 'imp_other/files' } }
      expect(await outcome([evil(), path])).toContain('has an id that svc never gives')
      const access = { table: 'access', row: rowOf(plan('access')) }
      expect(await outcome([evil(), access], [evil()])).toContain('number of rows that it announces in access')
      expect(await sizes()).toEqual(before)
    })

    test('an imported schedule is trusted by no one: folders are off, addresses are judged again', async () => {
      const plan = (table: string) => plans.find((one) => one.table === table) as TablePlan
      const folder = join(temp.path, 'outside')
      const schedule = { ...rowOf(plan('export_schedules')), format: 'CSV', sealed_credentials: null, endpoint: null }
      const run = { ...rowOf(plan('compare_runs')), sealed_key: null }
      const nightly = { ...rowOf(plan('compare_schedules')), is_enabled: 0, rate: 0 }
      const lines = [
        evil(),
        { table: 'export_schedules', row: { ...schedule, id: 'exs_folder', target: folder, is_trusted: 1 } },
        {
          table: 'export_schedules',
          row: {
            ...schedule,
            id: 'exs_bucket',
            target: 's3://buck-et/x',
            is_trusted: 1,
            endpoint: 'http://127.0.0.1:4999',
          },
        },
        { table: 'compare_runs', row: { ...run, is_trusted: 1 } },
        { table: 'compare_schedules', row: { ...nightly, is_trusted: 1 } },
      ]
      expect(await bring(await fileOf(lines))).toMatchObject({ rows: lines.length })
      const { exportSchedules: e, compareRuns, compareSchedules } = s.ctx.tables
      const schedules = await s.ctx.db.select().from(e).orderBy(e.id)
      expect(schedules.map(({ id, isTrusted, isEnabled }) => [id, isTrusted, isEnabled])).toEqual([
        ['exs_bucket', false, true],
        ['exs_folder', false, false],
      ])
      expect((await s.ctx.db.select().from(compareRuns))[0]).toMatchObject({ isTrusted: false, rate: 1 })
      expect((await s.ctx.db.select().from(compareSchedules))[0]).toMatchObject({ isTrusted: false, rate: 1 })
      // Also when somebody of the project enables it again.
      await s.ctx.write(async (tx) => void (await tx.db.update(e).set({ isEnabled: true })))
      const perform = (scheduleId: string) =>
        performSchedule(s.ctx, { projectId: EVIL, scheduleId }, () => false).catch(String)
      expect(await perform('exs_folder')).toContain('the command line of this server has not named this folder')
      expect(await perform('exs_bucket')).toContain('endpoint')
      expect(existsSync(folder)).toBe(false)
    })

    test('an imported custom domain proves nothing: this server asks for a token of its own', async () => {
      const plan = plans.find((one) => one.table === 'custom_domains') as TablePlan
      const hostname = 'victim.example.com'
      const life = { cycle_at: 1, verified_at: 1, missing_since: null, checked_at: 1, next_check_at: 9e12 }
      const seen = { seen_texts: '["svc-verify=stolen"]', address: null, certificate: null, wallets: null }
      const stolen = {
        status: 'VERIFIED',
        failure: null,
        token: 'stolen',
        root_funnel_id: null,
        redirect_to: 'https://evil.example/',
      }
      const row = { ...rowOf(plan), hostname, ...stolen, ...life, ...seen }
      const { projects: p } = s.ctx.tables
      await s.ctx.write(async (tx) => void (await tx.db.update(p).set({ suspendedAt: 1 }).where(eq(p.id, EVIL))))
      const file = await fileOf([evil(), { table: 'custom_domains', row }])
      expect(await bring(file, true)).toMatchObject({ rows: 2 })
      const domainOf = async () => {
        const { customDomains: d } = s.ctx.tables
        return (await s.ctx.db.select().from(d)).find((one) => one.hostname === hostname)
      }
      expect(await domainOf()).toMatchObject({ status: 'PENDING', token: '', verifiedAt: null, seenTexts: null })
      await s.ctx.state.customHosts.refresh()
      expect(s.ctx.state.customHosts.at(`https://${hostname}/`)).toBeNull()
      dns.names.set(`_svc.${hostname}`, { TXT: ['svc-verify=stolen', 'svc-verify='] })
      await checkDue(s.ctx)
      const checked = await domainOf()
      expect(checked).toMatchObject({ status: 'PENDING', seenTexts: ['svc-verify=stolen', 'svc-verify='] })
      expect(checked?.token).toMatch(/^\w{32}$/)
      expect(checked?.token).not.toBe('stolen')
    })
  })
