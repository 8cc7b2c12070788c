import { createClient } from '@libsql/client'
import { countRequests } from '../support/counted-server'
import { hasSqld, startSqld } from '../support/sqld'
import { Batches } from './batch'
import { Chains } from './chains'
import { type Child, serveCommand, startServer, startYardstick } from './children'
import { benchReads, everyone, fillFrom, type Plan } from './elsewhere'
import { alternate, type Measured, pieceRound, type Round, runRound } from './measure'
import { toPost } from './receipts'
import { loadRow, type Row, toFigure } from './report'
import { bearer, once, toRequest } from './requests'
import { deviceOf, LEDGER_STEP, labelOf } from './seed'

const WHERE = 'libSQL server'

/** The hot routes on a libSQL server on this machine, beside the empty route and beside commits of one row. */
export async function benchRemote(plan: Plan): Promise<Row[]> {
  if (!hasSqld()) plan.say('no rows for a libSQL server: the package of its binary is not installed')
  if (!hasSqld()) return []
  const sqld = await startSqld()
  const counted = countRequests(sqld.url)
  const folder = fillFrom(plan, WHERE, sqld.url)
  const [server, watched, yardstick] = [
    await startServer(serveCommand(), folder, { SVC_DATABASE_URL: sqld.url }),
    await startServer(serveCommand(), folder, { SVC_DATABASE_URL: counted.url }),
    await startYardstick('elysia'),
  ]
  try {
    const calls = callsOf(plan)
    for (const [name, next] of Object.entries(calls)) {
      await runRound(watched, { next: once([next()]) }) // Reads the project.
      const count = await counted.during(() => runRound(watched, { next: once([next()]) }))
      plan.say(`${name}: ${count} requests to the libSQL server`)
    }
    return [...(await benchReads(plan, WHERE, server, yardstick, null)), ...(await benchWrites(plan, sqld.url, server))]
  } finally {
    await Promise.all([server.stop(), watched.stop(), yardstick.stop(), counted.stop()])
    await sqld.kill()
  }
}

function callsOf({ template }: Plan) {
  const holders = everyone.filter((index) => index % LEDGER_STEP === 0)
  const chains = new Chains(template.keys)
  let turn = 0
  return {
    receipt: () => toPost({ template }, deviceOf(turn++ % everyone.length), chains.sign(chains.buy())),
    booking: () => {
      const label = labelOf(holders[turn++ % holders.length] ?? 1)
      const path = `/v1/virtual-currencies/${label}/coins/transactions`
      return toRequest('POST', path, bearer(template.project.secretKey), { amount: 1, idempotencyKey: `r-${turn}` })
    },
  }
}

async function benchWrites(plan: Plan, url: string, server: Child): Promise<Row[]> {
  const { rounds, seconds } = plan
  const calls = callsOf(plan)
  const receipts = new Batches(server, seconds)
  const commits = await commitsOn(url)
  const all = await alternate<'commits' | 'receipts' | 'bookings'>(rounds, {
    commits: () => commits.round(seconds * 1000),
    receipts: () => receipts.send(receipts.fill(calls.receipt)),
    bookings: () => runRound(server, { next: calls.booking, durationMs: seconds * 1000 }),
  })
  commits.close()
  const row = (what: string, measured: Measured) =>
    loadRow(`${WHERE}: ${what} (yardstick: commits of one row)`, measured, toFigure(all.commits), null)
  return [
    row('POST /v1/receipts/ios, new transaction', all.receipts),
    row('POST /v1/virtual-currencies, new key', all.bookings),
  ]
}

/** Inserts of one row, each its own transaction in one request, one after the other as the server takes them. */
async function commitsOn(url: string) {
  const client = createClient({ url })
  await client.execute('CREATE TABLE yardstick (id integer PRIMARY KEY, value text NOT NULL)')
  const insert = { sql: 'INSERT INTO yardstick (value) VALUES (?)', args: ['x'.repeat(200)] }
  return {
    async round(durationMs: number): Promise<Round> {
      const startedAt = performance.now()
      let count = 0
      while (performance.now() - startedAt < durationMs) {
        await client.batch([insert], 'write')
        count++
      }
      return pieceRound(count, performance.now() - startedAt)
    },
    close: () => client.close(),
  }
}
