import { readFileSync } from 'node:fs'
import postgres, { type Sql } from 'postgres'
import { pieceRound, type Round } from './measure'

/** A statement as the server's log shows it. */
interface Statement {
  text: string
  values: (string | null)[]
}

/** What one request sent to PostgreSQL. */
export interface Recording {
  statements: Statement[]
  /** The texts in it that name the subscriber of the request. */
  subscriber: readonly string[]
}

const CONNECTIONS = 10
const CONTROL = /^(begin|commit|rollback)/i
/** Ids that the request made: each repetition needs new ones. */
const OWN_ID = /\b(vtx|evt|pur|txn)_[0-9a-z]{26}\b/g
const NUMBER_STEP = 10_000
const NUMBERED = ['number', 'seq']

/** Records the statements of one request from the log of the server. */
export async function record(url: string, log: string, request: () => Promise<unknown>): Promise<Statement[]> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  const name = new URL(url).pathname.slice(1)
  const set = (value: string) => client.unsafe(`alter system set log_statement = '${value}'`)
  const apply = async () => {
    await client`select pg_reload_conf()`
    await Bun.sleep(300)
  }
  await set('all')
  await apply()
  const from = readFileSync(log, 'utf8').length
  await request()
  await Bun.sleep(300)
  const text = readFileSync(log, 'utf8').slice(from)
  await set('none')
  await apply()
  await client.end()
  return readLog(text, name)
}

const ENTRY = /\n(?=\d{4}-\d\d-\d\d )/
/** What a running server sends between requests. */
const BESIDE = /svc_changes', \$1|"revisions"|"jobs"|"scheduled_actions"|"simulator_/

function readLog(text: string, _name: string): Statement[] {
  const statements: Statement[] = []
  for (const entry of text.split(ENTRY)) {
    const [, statement] = /LOG: {2}(?:execute [^:]+|statement): (.*)/s.exec(entry) ?? []
    const [, parameters] = /DETAIL: {2}parameters: (.*)/s.exec(entry) ?? []
    const last = statements.at(-1)
    if (statement !== undefined) statements.push({ text: statement.trim(), values: [] })
    else if (parameters !== undefined && last) last.values = readValues(parameters)
  }
  return statements.filter((one) => !BESIDE.test(one.text))
}

const readValues = (text: string): (string | null)[] =>
  [...text.matchAll(/\$\d+ = (NULL|'((?:[^']|'')*)')/g)].map(([, all, value = '']) =>
    all === 'NULL' ? null : value.replaceAll("''", "'"),
  )

/** Executes the statements of a request again and again, prepared, with the values of other subscribers and new ids. */
export class Replay {
  private readonly client: Sql
  private turn = 0
  private size: number

  constructor(
    url: string,
    private readonly recording: Recording,
    /** The texts that name each subscriber, in the order of those in the recording. */
    private readonly subscribers: readonly (readonly string[])[],
    private readonly seconds: number,
    /** Of rows that are numbered; far above the numbers that the server under test gives, and that others give. */
    private readonly firstNumber: number,
  ) {
    this.client = postgres(url, { max: CONNECTIONS, onnotice: () => {} })
    for (const type of [16, 114, 3802]) this.client.options.serializers[type] = (value: unknown) => value
    this.size = 500 * seconds
  }

  async round(): Promise<Round> {
    const count = this.size
    let left = count
    const startedAt = performance.now()
    const work = async () => {
      while (left-- > 0) await this.once()
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    const round = pieceRound(count, performance.now() - startedAt)
    this.size = Math.ceil(round.perSecond * this.seconds)
    return round
  }

  close(): Promise<void> {
    return this.client.end()
  }

  private async once(): Promise<void> {
    const turn = this.turn++
    const renew = this.renewing(turn)
    const number = String(this.firstNumber + NUMBER_STEP * (1 + Math.floor(turn / this.subscribers.length)))
    const statements = this.recording.statements.map(({ text, values }) => ({
      text,
      values: numbered(text, values, number).map((value) => (value === null ? null : renew(value))),
    }))
    const start = statements.findIndex(({ text }) => CONTROL.test(text))
    for (const { text, values } of statements.slice(0, start)) await run(this.client, text, values)
    await this.client.begin(async (tx) => {
      for (const { text, values } of statements.slice(start))
        if (!CONTROL.test(text)) await run(tx as unknown as Sql, text, values)
    })
  }

  private renewing(turn: number): (value: string) => string {
    const own = this.subscribers[turn % this.subscribers.length] ?? []
    const ending = turn.toString(36).padStart(8, '0')
    return (value) => {
      let text = value.replace(OWN_ID, (id) => id.slice(0, -8) + ending)
      for (const [index, name] of this.recording.subscriber.entries()) text = text.replaceAll(name, own[index] ?? name)
      return text
        .replaceAll('3000000000000001', `5${String(turn).padStart(15, '0')}`)
        .replaceAll('bench-first', `y-${turn}`)
    }
  }
}

const run = (client: Sql, text: string, values: (string | null)[]) =>
  client.unsafe(text, values, { prepare: true, simple: false } as never)

/** The values with other numbers in the columns that count a subscriber's rows. */
function numbered(text: string, values: readonly (string | null)[], number: string): (string | null)[] {
  const [, list = '', row = ''] = /^insert into "\w+" \(([^)]+)\) values \(([^)]+)\)/.exec(text) ?? []
  const columns = list.split(', ').map((name) => name.slice(1, -1))
  const places = row.split(', ')
  const result = [...values]
  for (const name of NUMBERED) {
    const place = places[columns.indexOf(name)]
    if (place?.startsWith('$')) result[Number(place.slice(1)) - 1] = number
  }
  return result
}
