import { MIRRORED } from '../../src/insight/clickhouse/mirror'
import { createTriggers, dropTriggers } from '../../src/insight/clickhouse/triggers'
import { MONTHLY, stage } from '../support/cast'

// `bun test/bench/clickhouse-receipts.ts [receipts]`: what it costs a receipt that changes are noted for ClickHouse. Rounds with
// and without take turns, and nothing is copied meanwhile. No ClickHouse is needed. Times are those of the processor, so that
// other programs of the machine count less.

const RECEIPTS = Number(process.argv[2] ?? 50)
const ROUNDS = 40

const s = await stage({ env: { SVC_RATE_USER: '0' } })
let device = 0

async function round(): Promise<number> {
  const bought = Array.from({ length: RECEIPTS }, () => s.buy(MONTHLY))
  const begun = process.cpuUsage()
  for (const one of bought) {
    const { status } = await s.receipt(`svc_${++device}`, one)
    if (status !== 200) throw new Error(`receipt: ${status}`)
  }
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000 / RECEIPTS
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const quarter = (number: number): string => (ratios[Math.floor((ratios.length * number) / 4)] ?? 0).toFixed(2)

await round() // The first are slower.
const [without, withNotes, ratios]: [number[], number[], number[]] = [[], [], []]
for (let number = 0; number < ROUNDS; number++) {
  const times: number[] = []
  for (const isNoted of number % 2 === 0 ? [false, true] : [true, false]) {
    if (isNoted) await createTriggers(s.ctx, MIRRORED)
    else await dropTriggers(s.ctx)
    times[Number(isNoted)] = await round()
  }
  const [plain = 0, noted = 0] = times
  without.push(plain)
  withNotes.push(noted)
  ratios.push(noted / plain)
}
const changes = await s.ctx.db.$count(s.ctx.tables.analyticsChanges)
console.log(`a receipt: ${median(without).toFixed(2)} ms without, ${median(withNotes).toFixed(2)} ms with notes`)
console.log(`ratio ${median(ratios).toFixed(3)}, the middle half from ${quarter(1)} to ${quarter(3)}`)
console.log(`${(changes / ROUNDS / RECEIPTS).toFixed(1)} changes noted for each`)
await s.close()
