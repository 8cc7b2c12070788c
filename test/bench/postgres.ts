import { tmpdir } from 'node:os'
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres-server'
import { Batches } from './batch'
import { Chains } from './chains'
import { type Child, serveCommand, startServer, startYardstick } from './children'
import { benchReads, everyone, fillFrom, type Plan } from './elsewhere'
import { alternate, type Measured, runRound } from './measure'
import { toPost } from './receipts'
import { AT_LEAST_HALF, loadRow, type Row, toFigure } from './report'
import { bearer, once, toRequest } from './requests'
import { deviceOf, LEDGER_STEP, labelOf } from './seed'
import { type Recording, Replay, record } from './statements'

/** As after an installation: a commit is on the disk before it returns. */
const SETTINGS = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'autovacuum=on', 'shared_buffers=512MB']

/** The hot routes on PostgreSQL, beside the empty route and beside their own statements, prepared and alone. */
export async function benchPostgres(plan: Plan): Promise<Row[]> {
  const missing = postgresMissing()
  if (missing !== null) plan.say(`no rows for PostgreSQL: ${missing}`)
  if (missing !== null) return []
  const postgres = await startPostgres(SETTINGS, tmpdir())
  try {
    const folder = fillFrom(plan, 'PostgreSQL', postgres.url)
    const [server, yardstick] = [
      await startServer(serveCommand(), folder, { SVC_DATABASE_URL: postgres.url }),
      await startYardstick('elysia'),
    ]
    try {
      return [
        ...(await benchReads(plan, 'PostgreSQL', server, yardstick, AT_LEAST_HALF)),
        ...(await benchWrites(plan, postgres, server)),
      ]
    } finally {
      await Promise.all([server.stop(), yardstick.stop()])
    }
  } finally {
    await postgres.stop()
  }
}

const subscriberId = (index: number): string => `sub_${String(index).padStart(25, '0')}0`
const namesOf = (index: number): string[] => [subscriberId(index), deviceOf(index), labelOf(index)]

async function benchWrites(plan: Plan, postgres: PostgresServer, server: Child): Promise<Row[]> {
  const { template, rounds, seconds, say } = plan
  const holders = everyone.filter((index) => index % LEDGER_STEP === 0)
  const chains = new Chains(template.keys)
  const receiptOf = (index: number) => toPost({ template }, deviceOf(index), chains.sign(chains.buy()))
  const bookingOf = (index: number, key: string) => {
    const path = `/v1/virtual-currencies/${labelOf(index)}/coins/transactions`
    return toRequest('POST', path, bearer(template.project.secretKey), { amount: 1, idempotencyKey: key })
  }
  const replay = async (
    what: string,
    indices: readonly number[],
    first: (index: number) => Uint8Array,
    firstNumber: number,
  ) => {
    const [index = 1] = indices
    const send = () => runRound(server, { next: once([first(index)]) })
    const recording: Recording = {
      statements: await record(postgres.url, postgres.log, send),
      subscriber: namesOf(index),
    }
    say(`${what}: ${recording.statements.length} statements with begin and commit`)
    return new Replay(postgres.url, recording, indices.slice(1).map(namesOf), seconds, firstNumber)
  }
  const receiptsAlone = await replay('a receipt', everyone, receiptOf, 1e9)
  const bookingsAlone = await replay('a booking', holders, (index) => bookingOf(index, 'bench-first'), 2e9)
  const receipts = new Batches(server, seconds)
  let turn = 0
  const next = (indices: readonly number[]): number => indices[turn++ % indices.length] ?? 1
  const all = await alternate<'receiptsAlone' | 'receipts' | 'bookingsAlone' | 'bookings'>(rounds, {
    receiptsAlone: () => receiptsAlone.round(),
    receipts: () => receipts.send(receipts.fill(() => receiptOf(next(everyone)))),
    bookingsAlone: () => bookingsAlone.round(),
    bookings: () =>
      runRound(server, { next: () => bookingOf(next(holders), `pg-${turn}`), durationMs: seconds * 1000 }),
  })
  await Promise.all([receiptsAlone.close(), bookingsAlone.close()])
  const row = (what: string, measured: Measured, alone: Measured) =>
    loadRow(`PostgreSQL: ${what} (yardstick: its statements and commit)`, measured, toFigure(alone), AT_LEAST_HALF)
  return [
    row('POST /v1/receipts/ios, new transaction', all.receipts, all.receiptsAlone),
    row('POST /v1/virtual-currencies, new key', all.bookings, all.bookingsAlone),
  ]
}
