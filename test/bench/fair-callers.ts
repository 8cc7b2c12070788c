import { setPriority } from 'node:os'
import { DAY } from '../../src/base/lib/clock'

/** What a hostile caller repeats. */
type Attack = (caller: Caller) => Promise<number>

interface Caller {
  /** Below the project. */
  call(method: string, path: string, init?: RequestInit): Promise<Response>
  number: number
}

const PAUSE_MS = 100
const WARM_MS = 1500

/** Whose callers they are. */
interface Order {
  url: string
  projectId: string
  tokens: readonly string[]
}

/** They have a process of their own, which comes after the server and the one that measures. */
const NICENESS = 10

/** Callers of one project, each of whom repeats what costs most. A refusal makes them wait only a moment. */
export class HostileCallers {
  private child: Bun.Subprocess<'pipe', 'pipe', 'inherit'> | null = null
  private readonly statuses = new Map<string, number>()

  constructor(private readonly order: Order) {}

  /** They are at work when it resolves. */
  async start(): Promise<void> {
    this.child = Bun.spawn([process.execPath, import.meta.path], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
    this.child.stdin.write(`${JSON.stringify(this.order)}\n`)
    this.child.stdin.flush()
    await Bun.sleep(WARM_MS)
  }

  async stop(): Promise<void> {
    const { child } = this
    if (!child) return
    child.stdin.end()
    const found = JSON.parse(await new Response(child.stdout).text()) as [string, number][]
    for (const [name, count] of found) this.statuses.set(name, (this.statuses.get(name) ?? 0) + count)
    await child.exited
  }

  /** What they were answered. */
  describe(): string {
    const all = [...this.statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return all.map(([name, count]) => `${name} ${count}`).join(', ')
  }
}

/** One caller, until the signal. */
async function repeat(
  { url, projectId }: Order,
  token: string,
  number: number,
  signal: AbortSignal,
): Promise<string[]> {
  const call: Caller['call'] = (method, path, init = {}) =>
    fetch(`${url}/dashboard/projects/${projectId}${path}`, {
      method,
      signal,
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    })
  const [name, attack] = ATTACKS[number % ATTACKS.length] ?? ['none', async () => 0]
  const answered: string[] = []
  while (!signal.aborted) {
    const status = await attack({ call, number }).catch(() => 0)
    if (signal.aborted) break
    answered.push(`${name} ${status}`)
    if (status >= 400 || status === 0) await Bun.sleep(PAUSE_MS)
  }
  return answered
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

/** The process of the callers: works until its standard input ends, and prints what they were answered. */
async function main(): Promise<void> {
  setPriority(NICENESS)
  const ending = new AbortController()
  const running: Promise<string[]>[] = []
  for await (const line of console) {
    if (line === '') continue
    const order = JSON.parse(line) as Order
    running.push(...order.tokens.map((token, number) => repeat(order, token, number, ending.signal)))
  }
  ending.abort()
  const counts = new Map<string, number>()
  for (const name of (await Promise.all(running)).flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  await Bun.write(Bun.stdout, JSON.stringify([...counts]))
  process.exit(0)
}

if (import.meta.main) await main()
