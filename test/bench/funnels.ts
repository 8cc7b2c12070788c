import { join } from 'node:path'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { systemClock } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { readPages } from '../../src/core/funnel/pages'
import { createContext } from '../../src/create-context'
import { writeFunnels } from '../../src/funnels/publication/service'
import { TEST_KEY } from '../support/context'
import { startServer } from './children'
import { alternate, type Measured, median, runRound } from './measure'
import { loadRow, type Row } from './report'
import { once, toRequest } from './requests'
import { seed } from './seed'
import type { Template } from './template'
import { Committer } from './yardsticks'

const SLUG = 'bench'
const SECRET = `svc_fst_${'b'.repeat(43)}`
const COMMITS = 2000
/** More than a round sends; each session is answered and led on once. */
const SESSIONS_A_SECOND = 6000
/** What the whole way of a visitor must reach, in sessions a second. */
const AIM = { of: 'result', is: 'at least', value: 1000 } as const

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  rounds: number
  seconds: number
  say: (line: string) => void
}

/** Sessions of a funnel a second: created, answered and led on, beside as many synced commits. */
export async function benchFunnels({ folder: root, template, command, rounds, seconds, say }: Plan): Promise<Row[]> {
  const folder = join(root, 'funnels')
  seed(template, folder, 1000, say, ['subscribers'])
  const sessions = Math.ceil(SESSIONS_A_SECOND * seconds * (rounds + 1))
  await writeStage(folder, template.project.id, sessions)
  say(`${sessions.toLocaleString('en')} sessions of a funnel`)
  // The calls of one address are limited, so each request has an address of its own.
  const server = await startServer(command, folder, { SVC_TRUSTED_PROXIES: '1' })
  const committer = new Committer(root)
  try {
    const commits: number[] = []
    const slug = await slugOf(folder, template.project.id)
    const [answers, steps] = [once(ofSessions('answers', sessions)), once(ofSessions('advance', sessions))]
    const load = (next: () => Uint8Array | null, wanted: string) => () =>
      runRound(server, { next, durationMs: seconds * 1000, wanted: [wanted] })
    const measured = await alternate<'created' | 'answered' | 'led'>(rounds, {
      created: () => {
        commits.push(committer.time(COMMITS))
        return load(creations(slug), '201')()
      },
      answered: load(answers, '200'),
      led: load(steps, '200'),
    })
    return toRows(measured, 1000 / median(commits.slice(1)))
  } finally {
    committer.close()
    await server.stop()
  }
}

let addresses = 0
const nextAddress = (): string => {
  const count = ++addresses
  return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
}

const creations = (project: string) => (): Uint8Array =>
  toRequest('POST', `/public/funnels/${SLUG}/sessions?project=${project}`, { 'x-forwarded-for': nextAddress() }, {})

const sessionId = (index: number): string => `fse_bench${String(index).padStart(8, '0')}`

function ofSessions(command: 'answers' | 'advance', count: number): Uint8Array[] {
  const body = command === 'answers' ? { page_id: 'ask', answers: { goal: 'sleep' } } : { page_id: 'ask' }
  return Array.from({ length: count }, (_, index) =>
    toRequest(
      'POST',
      `/public/funnel-sessions/${sessionId(index + 1)}/${command}`,
      { 'x-forwarded-for': nextAddress(), 'x-svc-funnel-session': SECRET },
      body,
    ),
  )
}

export async function withContext<Result>(folder: string, work: (ctx: Context) => Promise<Result>): Promise<Result> {
  const ctx = await createContext(readConfig({ SVC_DATA_DIR: folder, SVC_MASTER_KEY: TEST_KEY }), {
    clock: systemClock,
  })
  try {
    return await work(ctx)
  } finally {
    await ctx.close()
  }
}

const slugOf = (folder: string, projectId: string): Promise<string> =>
  withContext(folder, async (ctx) => (await ctx.state.projects.get(projectId)).slug)

const option = (id: string) => ({ id, label: { en: id } })
const PAGES = [
  {
    ...{ id: 'ask', type: 'question', title: { en: 'What is your goal?' }, next: { default: 'end' } },
    fields: [{ id: 'goal', kind: 'single', options: [option('sleep'), option('focus')] }],
  },
  { id: 'end', type: 'info', title: { en: 'Good choice: {{answer.goal|you}}' } },
]

/** A published funnel, and sessions of it on their first page, copied inside the database. */
async function writeStage(folder: string, projectId: string, sessions: number): Promise<void> {
  await withContext(folder, async (ctx) => {
    const { pages } = readPages(PAGES)
    const draft = { pages, theme: {}, settings: {}, defaultLocale: 'en', locales: ['en'] }
    const funnel = { id: 'fnl_bench', slug: SLUG, name: 'Bench', draft, isPublished: true }
    await ctx.write(async (tx) => {
      await writeFunnels(tx, projectId, { created: [funnel], updated: [], deletedIds: [] }, null)
      await tx.db.insert(tx.tables.funnelSessions).values(firstSession(projectId, tx.clock.now()))
    })
  })
  const database = new Database(join(folder, 'svc.db'))
  const columns = database.prepare("SELECT name FROM pragma_table_info('funnel_sessions')").all() as { name: string }[]
  const others = columns.flatMap(({ name }) => (name === 'id' ? [] : [name])).join(', ')
  database.exec(`
    INSERT INTO funnel_sessions (id, ${others})
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sessions})
      SELECT printf('fse_bench%08d', i), ${others} FROM funnel_sessions, n WHERE id = 'fse_first';
    PRAGMA wal_checkpoint(TRUNCATE)`)
  database.close()
}

const firstSession = (projectId: string, now: number) => ({
  ...{ id: 'fse_first', projectId, funnelId: 'fnl_bench', versionNo: 1, state: 'IN_PROGRESS' as const },
  ...{ path: ['ask'], locale: 'en', secretHash: sha256Hex(SECRET), utm: {}, query: {}, referrer: null },
  ...{ country: null, device: 'mobile', visitorId: null, placement: null, experimentId: null, variantId: null },
  ...{ subscriberId: null, startedAt: now, activeAt: now, paidAt: null, completedAt: null },
  ...{ leaseFence: 0, leaseHolder: null, leaseUntil: null },
})

type Results = Record<'created' | 'answered' | 'led', Measured>

function toRows({ created, answered, led }: Results, commitsPerSecond: number): Row[] {
  const commit = { value: commitsPerSecond, unit: 'req/s' as const }
  const row = (what: string, measured: Measured) => loadRow(`${what} (yardstick: a commit)`, measured, commit, null)
  const whole = 1 / [created, answered, led].reduce((sum, { perSecond }) => sum + 1 / perSecond, 0)
  const slowest = Math.max(created.p99Ms, answered.p99Ms, led.p99Ms)
  return [
    row('POST /public/funnels/:slug/sessions', created),
    row('POST /public/funnel-sessions/:id/answers', answered),
    row('POST /public/funnel-sessions/:id/advance', led),
    {
      what: 'sessions of a funnel: created, answered and led on (yardstick: three commits)',
      result: { value: whole, unit: 'req/s', p99Ms: slowest },
      yardstick: { value: commitsPerSecond / 3, unit: 'req/s' },
      aim: AIM,
    },
  ]
}
