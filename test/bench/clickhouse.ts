import { lte } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { VALUE_NAMES } from '../../src/insight/figures/model'
import { stage } from '../support/cast'
import { startClickhouse } from '../support/clickhouse/server'
import { staff } from '../support/staff'

// `bun test/bench/clickhouse.ts [entries]`: rows copied in a second, and a chart of 36 months beside the file. The engine of
// ClickHouse runs on the same machine, behind the bridge of the tests.

const ENTRIES = Number(process.argv[2] ?? 200_000)
const RUNS = 9
const STORES = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const

const server = await startClickhouse()
const s = await stage({ env: { SVC_ANALYTICS_URL: await server.create() } })
const now = s.ctx.clock.now()
const zero = Object.fromEntries(VALUE_NAMES.map((name) => [name, 0])) as Record<(typeof VALUE_NAMES)[number], number>
for (let from = 0; from < ENTRIES; from += 500)
  await s.ctx.write((tx) =>
    tx.db.insert(tx.tables.figureEntries).values(
      Array.from({ length: 500 }, (_, index) => {
        const number = from + index
        const at = now - 1095 * DAY + Math.floor((number / ENTRIES) * 1090 * DAY)
        return {
          ...{ projectId: s.project.id, environment: 'PRODUCTION' as const, purchaseId: `pur_${number % 50_000}` },
          ...{ transactionId: null, kind: 'LINE' as const, key: `${number}`, at, knownAt: at, pendingUntil: null },
          ...{ store: STORES[number % 3] ?? 'PAYMENT', storeProductId: 'x', product: `p${number % 20}` },
          ...{ country: number % 7 === 0 ? null : 'TR', platform: 'ios', ...zero, gross: 9_990_000, charges: 1 },
        }
      }),
    ),
  )
const CHANGED = Math.min(20_000, ENTRIES)
const { figureEntries } = s.ctx.tables
let most = 0
for (const [what, count] of [
  ['copied', ENTRIES],
  ['changed', CHANGED],
] as const) {
  if (what === 'changed')
    await s.ctx.write(({ db }) =>
      db.update(figureEntries).set({ charges: 2 }).where(lte(figureEntries.position, CHANGED)),
    )
  const before = process.memoryUsage.rss()
  const begun = performance.now()
  await s.ctx.state.analytics?.copyAll(async () => {
    most = Math.max(most, process.memoryUsage.rss() - before)
  })
  const seconds = (performance.now() - begun) / 1000
  console.log(`${what} ${count} entries in ${seconds.toFixed(1)} s: ${Math.round(count / seconds)} rows/s`)
}
console.log(`at most ${Math.round(most / 1024 / 1024)} MB more memory while rows are copied`)

const member = staff(s).as('CUSTOMER_SUPPORT')
const mirror = s.ctx.state.analytics
for (const query of ['', '&groupBy=store', '&groupBy=product']) {
  const path = `/charts/revenue?from=2023-11-25&to=2026-11-20&grain=month${query}`
  const answers: string[] = []
  const times: string[] = []
  for (const state of [mirror, null]) {
    s.ctx.state.analytics = state
    const all: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const start = performance.now()
      const { body } = await member.get(path)
      all.push(performance.now() - start)
      if (run === 0) answers.push(JSON.stringify(body))
    }
    times.push(`${(all.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0).toFixed(0)} ms`)
  }
  const [copied, own] = times
  console.log(`revenue of 36 months${query}: ClickHouse ${copied}, file ${own}; equal: ${answers[0] === answers[1]}`)
}
s.ctx.state.analytics = mirror
await s.close()
await server.stop()
