import { join } from 'node:path'
import Database from 'libsql'
import { DAY } from '../../src/base/lib/clock'
import type { CastProject } from '../support/cast'
import { type Child, startServer } from './children'
import { alternate, type Measured, median, type Round, runRound } from './measure'
import { loadRow, type Row, toFigure } from './report'
import { bearer, inCircles, toRequest } from './requests'
import { deviceOf, seed } from './seed'
import type { Template } from './template'
import { Committer } from './yardsticks'

const KEY = 'price_test'
/** One charge in this many was made in production. */
const BUYER_STEP = 10
const READERS = 10_000
const COMMITS = 2000
const COUNTS = 3
/** The tables that the report of an experiment needs, and those that the other requests need for a configuration. */
const TABLES = ['subscribers', 'transactions', 'experiment_assignments']

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  exposed: number
  rounds: number
  seconds: number
  say: (line: string) => void
}

/** Results over many exposures: how long they take, how much they slow other requests, and what an exposure costs. */
export async function benchResults(plan: Plan): Promise<Row[]> {
  const { exposed, template, command, rounds, seconds } = plan
  const folder = join(plan.folder, 'results')
  seed(template, folder, exposed, plan.say, TABLES)
  exposeAll(join(folder, 'svc.db'))
  plan.say(`${exposed.toLocaleString('en')} exposures`)
  const server = await startServer(command, folder)
  const committer = new Committer(plan.folder)
  try {
    const { project } = template
    const counting = new Counting(join(folder, 'svc.db'), server, project)
    const load = (next: () => Uint8Array) => () => runRound(server, { next, durationMs: seconds * 1000 })
    const read = load(inCircles(configReads(project, exposed)) as () => Uint8Array)
    const first = load(firstExposures(project))
    const commits: number[] = []
    const counts = await counting.times(COUNTS)
    const measured = await alternate(rounds, {
      alone: read,
      beside: () => counting.during(read),
      first: () => {
        commits.push(committer.time(COMMITS))
        return first()
      },
      repeated: load(inCircles(knownExposures(project, exposed)) as () => Uint8Array),
    })
    counting.close()
    return toRows(exposed, counts, measured, 1000 / median(commits.slice(1)))
  } finally {
    committer.close()
    await server.stop()
  }
}

/** Creates exposures for the copied subscribers, and moves the charges of some of them to production. */
function exposeAll(path: string): void {
  const database = new Database(path)
  const startedAt = Date.now() - 10 * DAY
  database.exec(`
    UPDATE experiments SET metrics = '["purchase"]', started_at = ${startedAt};
    UPDATE experiment_assignments SET exposed_at = ${startedAt} + rowid % 1000,
      variant_id = CASE CAST(substr(subscriber_id, 5, 25) AS INTEGER) % 2 WHEN 0 THEN 'a' ELSE 'b' END WHERE experiment_id = 'exp_0';
    UPDATE transactions SET environment = 'PRODUCTION' WHERE rowid % ${BUYER_STEP} = 0;
    PRAGMA wal_checkpoint(TRUNCATE)`)
  database.close()
}

const devices = (exposed: number): number[] =>
  Array.from({ length: READERS }, (_, index) => (index + 1) * Math.floor(exposed / READERS))

const configReads = ({ publicKey }: CastProject, exposed: number): Uint8Array[] =>
  devices(exposed).map((index) => toRequest('GET', `/v1/config?subscriberId=${deviceOf(index)}`, bearer(publicKey)))

const exposure = ({ publicKey }: CastProject, subscriberId: string, variantId: string): Uint8Array =>
  toRequest('POST', `/v1/experiments/${KEY}/expose`, bearer(publicKey), { subscriberId, variantId })

const knownExposures = (project: CastProject, exposed: number): Uint8Array[] =>
  devices(exposed).map((index) => exposure(project, deviceOf(index), index % 2 === 0 ? 'a' : 'b'))

function firstExposures(project: CastProject): () => Uint8Array {
  let count = 0
  return () => exposure(project, `bench-exposed-${++count}`, count % 2 === 0 ? 'a' : 'b')
}

/**
 * Requests results so that each answer is computed again: a change of the experiment makes the earlier answer invalid.
 */
class Counting {
  private readonly database: Database.Database
  private readonly headers: Record<string, string>

  constructor(
    path: string,
    private readonly server: Child,
    { secretKey }: CastProject,
  ) {
    this.database = new Database(path)
    this.database.exec('PRAGMA busy_timeout = 5000')
    this.headers = bearer(secretKey)
  }

  /** Milliseconds of each of several computations. */
  async times(count: number): Promise<number[]> {
    const times: number[] = []
    while (times.length < count) {
      const startedAt = performance.now()
      await this.count()
      times.push(performance.now() - startedAt)
    }
    return times
  }

  /** Computes again and again until the round is over. */
  async during(run: () => Promise<Round>): Promise<Round> {
    let isOver = false
    const counting = (async () => {
      while (!isOver) await this.count()
    })()
    const round = await run()
    isOver = true
    await counting
    return round
  }

  close(): void {
    this.database.close()
  }

  private async count(): Promise<void> {
    this.database.exec("UPDATE experiments SET updated_at = updated_at + 1 WHERE id = 'exp_0'")
    const answer = await fetch(`${this.server.url}/v1/experiments/${KEY}/results`, { headers: this.headers })
    if (answer.status !== 200) throw new Error(`results answered ${answer.status}: ${await answer.text()}`)
    await answer.text()
  }
}

type Results = Record<'alone' | 'beside' | 'first' | 'repeated', Measured>

function toRows(exposed: number, counts: number[], results: Results, commitsPerSecond: number): Row[] {
  const { alone, beside, first, repeated } = results
  const many = exposed.toLocaleString('en')
  const commit = { value: commitsPerSecond, unit: 'req/s' as const }
  return [
    {
      what: `GET /v1/experiments/:id/results, ${many} exposures, counted anew`,
      ...{ result: { value: median(counts), unit: 'ms' }, yardstick: null },
      aim: { of: 'result', is: 'at most', value: 8000 },
    },
    {
      what: 'GET /v1/config, p99 while results are counted (yardstick: while they are not)',
      result: { value: beside.p99Ms, unit: 'ms' },
      yardstick: { value: alone.p99Ms, unit: 'ms' },
      aim: { of: 'ratio', is: 'at most', value: 5 },
    },
    loadRow('GET /v1/config while results are counted', beside, toFigure(alone), null),
    loadRow('POST /v1/experiments/:id/expose, new device (yardstick: a commit)', first, commit, null),
    loadRow('POST /v1/experiments/:id/expose, told before (yardstick: a commit)', repeated, commit, null),
  ]
}
