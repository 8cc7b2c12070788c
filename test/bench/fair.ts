import { join } from 'node:path'
import { readConfig } from '../../src/base/config'
import { DAY, systemClock } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { createContext } from '../../src/create-context'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import { simulatorKeys } from '../../src/stores/test-keys/service'
import { type CastProject, makeProject } from '../support/cast'
import { TEST_KEY } from '../support/context'
import { Chains } from './chains'
import { type Child, startServer, untilQuiet } from './children'
import { HostileCallers } from './fair-callers'
import { alternate, type Measured, median, type Round, runRound } from './measure'
import { addEntries } from './overview'
import { atLeast, loadRow, type Row, toFigure } from './report'
import { bearer, inCircles, once, toRequest } from './requests'
import { seed } from './seed'
import { settleFigures } from './settled-figures'
import type { Template } from './template'

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  rounds: number
  seconds: number
  say: (line: string) => void
}

/** Of the project whose callers are hostile. */
const SUBSCRIBERS = 20_000
const HOSTILE = 20
const OWN_MEMBERS = 200
const RECEIPTS_AT_MOST = 4000
const OWN_CHARTS = ['revenue', 'mrr', 'active-subscriptions', 'transactions']
const AIM = 0.8

/** Another project's receipts, configurations and charts, alone and beside twenty hostile callers of a large project. */
export async function benchFair(plan: Plan): Promise<Row[]> {
  const folder = join(plan.folder, 'fair')
  seed(plan.template, folder, SUBSCRIBERS, plan.say)
  addEntries(join(folder, 'svc.db'), plan.say)
  const bench = { ...plan, ...(await prepare(folder, plan.template.project.id)) }
  const server = await startServer(plan.command, folder)
  try {
    await untilQuiet(server) // A first start on rows that were seeded looks through all of them.
    return await measure(bench, server)
  } finally {
    await server.stop()
  }
}

interface Bench extends Plan, Prepared {}

/** The other project, and who calls. */
interface Prepared {
  other: CastProject
  chains: Chains
  /** Of the members of the large project. */
  hostileTokens: string[]
  /** Of the members of the other project, so many that none of them calls too often. */
  ownTokens: string[]
}

export async function prepare(folder: string, hostileProject: string): Promise<Prepared> {
  const config = readConfig({ SVC_DATA_DIR: folder, SVC_MASTER_KEY: TEST_KEY })
  const ctx = await createContext(config, { clock: systemClock })
  const made = Object.assign(ctx, { lines: [], clock: systemClock }) as unknown as Parameters<typeof makeProject>[0]
  const other = await makeProject(made, 2, {})
  const chains = new Chains(await simulatorKeys(ctx, other.id), 'fair')
  await settleFigures(ctx)
  const hostileTokens = Array.from({ length: HOSTILE }, (_, index) => tokenOf(index))
  for (const [index, token] of hostileTokens.entries()) await addMember(ctx, index, token, hostileProject)
  const ownTokens = Array.from({ length: OWN_MEMBERS }, (_, index) => tokenOf(HOSTILE + index))
  for (const [index, token] of ownTokens.entries()) await addMember(ctx, HOSTILE + index, token, other.id)
  await rollUp(ctx)
  await ctx.close()
  return { other, chains, hostileTokens, ownTokens }
}

const tokenOf = (index: number): string => `svc_pat_${index}`.padEnd(48, 'a')

async function addMember(
  ctx: Awaited<ReturnType<typeof createContext>>,
  index: number,
  token: string,
  projectId: string,
): Promise<void> {
  const stamps = { createdAt: Date.now(), updatedAt: Date.now() }
  const [id, email] = [`usr_fair${index}`, `fair${index}@example.com`]
  await ctx.write(async ({ db, tables: { users, memberships, accessTokens } }) => {
    const person = { id, email, emailKey: email, name: 'Fair', emailVerifiedAt: Date.now() }
    await db.insert(users).values({ ...person, ...stamps })
    await db.insert(memberships).values({ id: `mem_fair${index}`, projectId, userId: id, role: 'OWNER', ...stamps })
    const held = { id: `pat_fair${index}`, userId: id, name: 'fair', prefix: 'svc_pat_', createdAt: Date.now() }
    await db.insert(accessTokens).values({ ...held, tokenHash: sha256Hex(token) })
  })
}

async function measure(bench: Bench, server: Child): Promise<Row[]> {
  const { rounds, template, hostileTokens, say } = bench
  const hostile = new HostileCallers({ url: server.url, projectId: template.project.id, tokens: hostileTokens })
  const loads = loadsOf(bench, server)
  const beside = async (name: keyof typeof loads) => {
    await hostile.start()
    try {
      return await loads[name]()
    } finally {
      await hostile.stop()
    }
  }
  const found = await alternate(rounds, {
    'config alone': loads.config,
    'config beside': () => beside('config'),
    'receipts alone': loads.receipts,
    'receipts beside': () => beside('receipts'),
    'charts alone': loads.charts,
    'charts beside': () => beside('charts'),
  })
  say(`hostile callers: ${hostile.describe()}`)
  return (['config', 'receipts', 'charts'] as const).flatMap((name) =>
    rowsOf(name, found[`${name} beside`], found[`${name} alone`]),
  )
}

const CONNECTIONS = 8

function loadsOf({ other, chains, ownTokens, seconds }: Bench, server: Child) {
  const durationMs = seconds * 1000
  const config = toRequest('GET', '/v1/config?subscriberId=fair', bearer(other.publicKey))
  const window = `from=${dayBefore(90)}&to=${dayBefore(0)}&environment=SANDBOX`
  const charts = ownTokens.map((token, index) =>
    toRequest(
      'GET',
      `/dashboard/projects/${other.id}/charts/${OWN_CHARTS[index % OWN_CHARTS.length]}?${window}`,
      bearer(token),
    ),
  )
  let device = 0
  const receipt = () => ({
    receipt: chains.sign(chains.buy()),
    appUserId: `fair-${++device}`,
    productId: 'pro_monthly',
  })
  const receipts = () =>
    Array.from({ length: RECEIPTS_AT_MOST * seconds }, () =>
      toRequest('POST', '/v1/receipts/ios', bearer(other.publicKey), receipt()),
    )
  return {
    config: () => runRound(server, { next: inCircles([config]), durationMs }, CONNECTIONS),
    receipts: () => runRound(server, { next: once(receipts()), durationMs }, CONNECTIONS),
    charts: () => runRound(server, { next: inCircles(charts), durationMs }, 1),
  }
}

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)

/**
 * On a machine with other work, and with the callers themselves, the main thread often waits for a processor: that is
 * no work for others. So the answers are also compared by the time that it ran.
 */
function rowsOf(name: string, beside: Measured, alone: Measured): Row[] {
  const what = `${name} of a project beside ${HOSTILE} hostile callers of another (yardstick: alone)`
  const rows: Row[] = [loadRow(what, beside, toFigure(alone), null)]
  for (const [part, of, unit, aim] of PARTS) {
    const [own, yardstick] = [of(beside), of(alone)]
    if (own === null || yardstick === null) continue
    rows.push({ what: `${what}, ${part}`, result: { value: own, unit }, yardstick: { value: yardstick, unit }, aim })
  }
  return rows
}

const mainOf = (pick: (round: Round, main: { ran: number; waited: number }) => number) => (measured: Measured) => {
  const values = measured.rounds.flatMap((round) => (round.main ? [pick(round, round.main)] : []))
  return values.length === 0 ? null : median(values)
}

const PARTS: [part: string, of: (measured: Measured) => number | null, unit: Row['result']['unit'], aim: Row['aim']][] =
  [
    ['for each second of the main thread', mainOf(({ perSecond }, { ran }) => perSecond / ran), 'req/s', atLeast(AIM)],
    ['p99', ({ p99Ms }) => p99Ms, 'ms', null],
    ['main thread that runs', mainOf((_, { ran }) => ran), 'cores', null],
    ['main thread that waits for a processor', mainOf((_, { waited }) => waited), 'cores', null],
    ['all threads of the server', ({ cores }) => cores, 'cores', null],
  ]
