import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { VERSION } from '../../src/base/version'
import { type Arena, closeArena, openArena, SMALL, seedOne, warm } from './arena'
import { isExecutableFresh, serveCommand } from './children'
import { checkClient } from './client'
import { benchConfig } from './config'
import { benchConsole } from './console'
import { benchCurrencies } from './currencies'
import { benchEntitlements } from './entitlements'
import { benchEvaluation } from './evaluation'
import { benchExports } from './exports'
import { benchFair } from './fair'
import { benchFaults } from './faults'
import { benchFeed } from './feed'
import { benchFigures } from './figures'
import { benchFormerSdk } from './former-sdk'
import { benchFunnelPage } from './funnel-page'
import { benchFunnels } from './funnels'
import { benchImports } from './imports'
import { benchNotifications } from './notifications'
import { benchOperators } from './operators'
import { benchOverview } from './overview'
import { benchPostgres } from './postgres'
import { benchReceipts } from './receipts'
import { benchRelink } from './relink'
import { benchRemote } from './remote'
import { isMet, type Row, ratioOf, toMarkdown } from './report'
import { benchResults } from './results'
import { benchReturning } from './returning'
import { benchSoak } from './soak'
import { benchStart, memoryAfterLoad } from './start'
import { benchStreams } from './streams'
import { benchSweep } from './sweep'
import { benchTelemetry } from './telemetry'
import { makeTemplate } from './template'
import { benchUsage } from './usage'
import { benchWebhooks } from './webhooks'

/** In this order, because the sweep needs the purchases as they were seeded, and the other loads renew them. */
const LOADS = {
  sweep: benchSweep,
  evaluation: benchEvaluation,
  config: benchConfig,
  entitlements: benchEntitlements,
  'former-sdk': benchFormerSdk,
  receipts: benchReceipts,
  returning: benchReturning,
  notifications: benchNotifications,
  currencies: benchCurrencies,
  feed: benchFeed,
} as const
const NAMES = [
  ...Object.keys(LOADS),
  'postgres',
  'remote',
  'growth',
  'start',
  'results',
  'operators',
  'funnels',
  'funnel-page',
  'streams',
  'telemetry',
  'usage',
  'exports',
  'imports',
  'relink',
  'overview',
  'figures',
  'console',
  'trouble',
  'fair',
  'webhooks',
  'soak',
]

const HELP = `bun run bench [name...] [--quick] [--json FILE] [--minutes N] [--limit N]

Names: ${NAMES.join(', ')}; without one, all but results, operators, funnels, funnel-page, telemetry, usage, exports, imports, relink, overview, figures, console, fair, webhooks and the soak. growth = the loads against a large database too.
Measures dist/svc when nothing in src is newer, else the sources. The databases are in TMPDIR's file system.
--quick   50,000 subscribers instead of 1,000,000, and short rounds
--minutes how long the soak takes, 10 unless given
--limit   ends it after N minutes, 10 unless given, and prints what was measured by then
--json    writes the figures of every round to a file`

const FULL = { largeSize: 1_000_000, rounds: 5, seconds: 1.5, streams: 10_000 }
const QUICK = { largeSize: 50_000, rounds: 3, seconds: 0.5, streams: 2000 }
const MOST_MS = 10 * 60_000

interface Options {
  names: string[]
  isQuick: boolean
  /** Duration of the soak. */
  minutes: number
}

/** Seeds and runs the chosen benchmarks, and adds what each has measured to `rows` as soon as it ends. */
async function runAll(rows: Row[], folder: string, { names, isQuick, minutes }: Options): Promise<void> {
  const { largeSize, streams, ...effort } = isQuick ? QUICK : FULL
  const isChosen = (name: string): boolean => names.length === 0 || names.includes(name)
  const isGrowth = isChosen('growth')
  const loads = Object.entries(LOADS).filter(([name]) => isChosen(name) || (isGrowth && names.length === 1))
  mkdirSync(join(folder, 'template'))
  const template = await makeTemplate(join(folder, 'template'))
  for (const size of isGrowth ? [SMALL, largeSize] : [SMALL]) seedOne(folder, template, size, say)
  const command = serveCommand()
  if (isChosen('start')) rows.push(...(await benchStart(command, folder)))
  const { rounds } = effort
  if (isChosen('postgres')) rows.push(...(await benchPostgres({ folder, template, ...effort, say })))
  if (isChosen('remote')) rows.push(...(await benchRemote({ folder, template, ...effort, say })))
  if (names.includes('results')) {
    const plan = { folder, template, command, exposed: largeSize, ...effort, say }
    rows.push(...(await benchResults(plan)))
  }
  if (names.includes('operators'))
    rows.push(...(await benchOperators({ folder, template, subscribers: largeSize, say })))
  if (names.includes('funnels')) rows.push(...(await benchFunnels({ folder, template, command, ...effort, say })))
  if (names.includes('funnel-page')) rows.push(...(await benchFunnelPage({ folder, template, command, rounds, say })))
  if (isChosen('streams')) rows.push(...(await benchStreams({ folder, template, command, streams, rounds, say })))
  if (names.includes('telemetry'))
    rows.push(...(await benchTelemetry({ folder, template, command, ...effort, isLarge: !isQuick, say })))
  if (names.includes('usage')) rows.push(...(await benchUsage({ folder, template, ...effort, say })))
  if (names.includes('exports'))
    rows.push(...(await benchExports({ folder, template, subscribers: largeSize, rounds, say })))
  if (names.includes('imports')) rows.push(...(await benchImports({ folder, template, rows: largeSize, rounds, say })))
  if (names.includes('relink'))
    rows.push(...(await benchRelink({ folder, template, command, ...relinkSize(isQuick), say })))
  if (names.includes('overview'))
    rows.push(...(await benchOverview({ folder, template, command, subscribers: largeSize, ...effort, say })))
  if (names.includes('figures'))
    rows.push(...(await benchFigures({ folder, purchases: largeSize, calls: isQuick ? 6 : 20, say })))
  if (names.includes('console'))
    rows.push(...(await benchConsole({ folder, template, command, subscribers: largeSize, rounds, say })))
  if (names.includes('fair')) rows.push(...(await benchFair({ folder, template, command, ...effort, say })))
  if (isChosen('trouble')) rows.push(...(await benchFaults({ folder, template, command, say })))
  if (names.includes('webhooks')) rows.push(...(await benchWebhooks({ folder, command, isQuick, say })))
  if (names.includes('soak')) rows.push(...(await benchSoak({ folder, template, command, minutes, say })))
  if (loads.length === 0) return
  const arena = await openArena({ folder, template, command, largeSize: isGrowth ? largeSize : null, ...effort, say })
  try {
    await runLoads(rows, arena, loads)
    rows.push(...(await memoryAfterLoad(arena)))
  } finally {
    await closeArena(arena)
  }
}

const relinkSize = (isQuick: boolean) =>
  isQuick ? { purchases: 10_000, seconds: 3 } : { purchases: 100_000, seconds: 8 }

async function runLoads(rows: Row[], arena: Arena, loads: [string, (arena: Arena) => Promise<Row[]>][]): Promise<void> {
  rows.push(...(await checkClient(arena.yardstick, arena.rounds, arena.seconds / 2)))
  for (const [name, bench] of loads) {
    warm(arena)
    say(name)
    rows.push(...(await bench(arena)))
  }
}

const say = (line: string): void => void process.stderr.write(`${(performance.now() / 1000).toFixed(1)} s  ${line}\n`)

function toJson(rows: readonly Row[], options: Options): string {
  const machine = { processor: cpus()[0]?.model, processors: cpus().length, bun: Bun.version }
  const target = isExecutableFresh() ? 'executable' : 'sources'
  const measured = rows.map((row) => ({ ...row, ratio: ratioOf(row), isMet: isMet(row) }))
  const report = { version: VERSION, at: new Date().toISOString(), target, ...options, machine, rows: measured }
  return `${JSON.stringify(report, null, 2)}\n`
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      quick: { type: 'boolean' },
      minutes: { type: 'string' },
      limit: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const unknown = positionals.filter((name) => !NAMES.includes(name))
  if (values.help || unknown.length > 0) return explain(unknown)
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const minutes = Number(values.minutes ?? 10)
  const isFigures = positionals.includes('figures') // Ten million transactions are seeded.
  const usualMs = (isFigures ? 6 : 1) * MOST_MS + minutes * 60_000 * Number(positionals.includes('soak'))
  const mostMs = values.limit === undefined ? usualMs : Number(values.limit) * 60_000
  const options = { names: positionals, isQuick: values.quick ?? false, minutes }
  const rows: Row[] = []
  const tell = () => {
    process.stdout.write(`${toMarkdown(rows)}\n`)
    if (values.json !== undefined) writeFileSync(values.json, toJson(rows, options))
  }
  const end = (why: string) => {
    tell()
    say(`${why}: what is not in the table was not measured`)
    process.exit(1)
  }
  setTimeout(() => end(`ended after its ${mostMs / 60_000} minutes`), mostMs).unref()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(`ended by ${signal}`))
  say(`measuring ${serveCommand().join(' ')}`)
  await runAll(rows, folder, options).catch((error: unknown) => end(Bun.inspect(error)))
  tell()
  process.exit(0)
}

function explain(unknown: readonly string[]): void {
  const fault = unknown.length === 0 ? '' : `There is no benchmark ${unknown.join(', ')}.\n\n`
  process.stderr.write(`${fault}${HELP}\n`)
  process.exitCode = unknown.length === 0 ? 0 : 2
}

await main()
