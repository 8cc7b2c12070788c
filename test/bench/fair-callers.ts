import { DAY } from '../../src/base/lib/clock'

/** What a hostile caller repeats. */
type Attack = (caller: Caller) => Promise<number>

interface Caller {
  /** Below the project. */
  call(method: string, path: string, init?: RequestInit): Promise<Response>
  number: number
}

const PAUSE_MS = 100
const WARM_MS = 1000

/** Callers of one project, each of whom repeats what costs most. A refusal makes them wait only a moment. */
export class HostileCallers {
  private ending = new AbortController()
  private running: Promise<void>[] = []
  private readonly statuses = new Map<string, number>()

  constructor(
    private readonly url: string,
    private readonly projectId: string,
    private readonly tokens: readonly string[],
    /** The names of attacks; all unless given. */
    private readonly named: readonly string[] = [],
  ) {}

  /** They are at work when it resolves. */
  async start(): Promise<void> {
    this.ending = new AbortController()
    this.running = this.tokens.map((token, number) => this.repeat(token, number))
    await Bun.sleep(WARM_MS)
  }

  async stop(): Promise<void> {
    this.ending.abort()
    await Promise.allSettled(this.running)
  }

  /** What they were answered. */
  describe(): string {
    const all = [...this.statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return all.map(([name, count]) => `${name} ${count}`).join(', ')
  }

  private async repeat(token: string, number: number): Promise<void> {
    const { signal } = this.ending
    const call: Caller['call'] = (method, path, init = {}) =>
      fetch(`${this.url}/dashboard/projects/${this.projectId}${path}`, {
        method,
        signal,
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      })
    const chosen = ATTACKS.filter(([name]) => this.named.length === 0 || this.named.includes(name))
    const [name, attack] = chosen[number % chosen.length] ?? ['none', async () => 0]
    while (!signal.aborted) {
      const status = await attack({ call, number }).catch(() => 0)
      if (signal.aborted) return
      this.note(`${name} ${status}`)
      if (status >= 400 || status === 0) await Bun.sleep(PAUSE_MS)
    }
  }

  private note(name: string): void {
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1)
  }
}

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)

/** Reads the answer to its end. */
async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer
  await response.arrayBuffer()
  return response.status
}

const read =
  (path: string): Attack =>
  ({ call }) =>
    statusOf(call('GET', path))

const YEAR = `from=${dayBefore(365)}&to=${dayBefore(0)}`
const JSON_TYPE = { 'content-type': 'application/json' }

const query: Attack = ({ call }) =>
  statusOf(
    call('POST', '/queries/execute', {
      headers: JSON_TYPE,
      body: JSON.stringify({
        sql: 'select count(*) from transactions a, transactions b, transactions c where a.id < b.id and b.id < c.id',
      }),
    }),
  )

/** As large as a file may be that is looked at. */
const FILE = `project:\n  name: Hostile\naccess:\n${Array.from({ length: 9000 }, (_, n) => `  - identifier: a${n}\n`).join('')}`

const plan: Attack = ({ call }) =>
  statusOf(call('POST', '/project-file/plan', { headers: JSON_TYPE, body: JSON.stringify({ file: FILE }) }))

const ROWS = ['subscriberExternalId,store,productIdentifier,purchaseDate,originalTransactionId']
  .concat(Array.from({ length: 40_000 }, (_, n) => `person_${n},ios_store,com.x.pro.monthly,2026-01-01,${n}`))
  .join('\n')

/** Uploads a file and has it tried. */
const importFile: Attack = async ({ call, number }) => {
  const answer = await call('POST', `/imports?fileName=h${number}.csv`, {
    headers: { 'content-type': 'text/csv' },
    body: ROWS,
  })
  const { data } = (await answer.json()) as { data?: { id: string } }
  if (!data) return answer.status
  return statusOf(call('POST', `/imports/${data.id}/dry-run`, { headers: JSON_TYPE, body: '{}' }))
}

/** Leaves before the answer. */
const leave: Attack = ({ call }) =>
  statusOf(call('GET', `/metrics/retention?${YEAR}&grain=week&groupBy=country`, { signal: AbortSignal.timeout(300) }))

const ATTACKS: readonly [name: string, attack: Attack][] = [
  ['retention', read(`/metrics/retention?${YEAR}&grain=day`)],
  ['chart of cohorts', read(`/charts/revenue-cohorts?${YEAR}&grain=week&groupBy=country`)],
  ['summary', read(`/metrics/summary?${YEAR}&grain=day`)],
  ['query', query],
  ['project file', plan],
  ['import', importFile],
  ['chart that is left', leave],
  ['CSV of transactions', read('/transactions/export.csv')],
  ['chart file', read(`/charts/predicted-ltv/export?${YEAR}&grain=week&groupBy=country`)],
  ['query', query],
]
