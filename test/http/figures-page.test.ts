import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Tokens } from 'marked'
import { tokensOf } from '../../src/docs/guide/markdown'
import { VALUE_NAMES } from '../../src/insight/figures/model'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import { refund, renew } from '../support/facts'
import { notify } from '../support/notify'
import { type StaffCalls, staff } from '../support/staff'

// The worked example of the page on figures, lived at the test store: its rows and cells are those of the page.

const PAGE = 'src/docs/guide/pages/figures.md'
const AT = (day: string) => Date.parse(`${day}T10:00:00.000Z`)
const CHARTS = [
  ...['new-trials', 'pending-trials', 'converted-trials', 'active-trials', 'active-subscriptions'],
  ...['new-paid-subscriptions', 'churned-subscriptions', 'mrr', 'gross-revenue', 'refunds', 'proceeds'],
  ...['renewals', 'active-subscribers', 'paying-subscribers'],
]

type Table = string[][]

let s: Stage
let member: StaffCalls
beforeAll(async () => {
  s = await stage({ now: AT('2026-11-02') })
  member = staff(s).as('CUSTOMER_SUPPORT')
})
afterAll(() => s.close())

const shown = (name: string, value: number): string =>
  `${name} ${/gross|refunds|commission|mrr[A-Z]|dueMicros/.test(name) ? (value / 1e6).toFixed(2) : value}`

const dayOf = (at: number): string => new Date(at).toISOString().slice(5, 10)

/** The entries after a position, as the page shows them. */
async function newRows(after: number): Promise<{ rows: Table; last: number }> {
  const { figureEntries: f } = s.ctx.tables
  const all = await s.ctx.db.select().from(f).orderBy(f.position)
  const fresh = all.filter(({ position }) => position > after)
  const rows = fresh.map((row) => [
    dayOf(row.at),
    row.kind,
    VALUE_NAMES.filter((name) => row[name] !== 0)
      .map((name) => shown(name, row[name]))
      .concat(row.pendingUntil === null ? [] : [`pending until ${dayOf(row.pendingUntil)}`])
      .join(', '),
  ])
  return { rows, last: all.at(-1)?.position ?? 0 }
}

/** The two months of each chart; dollars with two digits. */
async function readCells(): Promise<Map<string, string[]>> {
  const cells = new Map<string, string[]>()
  for (const id of CHARTS) {
    const query = 'from=2026-11-01&to=2027-01-01&grain=month&environment=SANDBOX'
    const { status, body } = await member.get(`/charts/${id}?${query}`)
    expect([id, status]).toEqual([id, 200])
    const texts = body.data.series.map(({ values }: { values: { value: number } }) =>
      body.data.unit === 'USD' ? (values.value / 1e6).toFixed(2) : String(values.value),
    )
    cells.set(id, texts)
  }
  return cells
}

/** The tables below each heading of the third level of the example. */
function pageTables(): Map<string, Table[]> {
  const [, example = ''] = readFileSync(PAGE, 'utf8').split('\n## An example\n')
  const tables = new Map<string, Table[]>()
  let heading = ''
  for (const token of tokensOf(example.split('\n## ')[0] ?? '')) {
    if (token.type === 'heading') heading = (token as Tokens.Heading).text
    if (token.type !== 'table') continue
    const rows = (token as Tokens.Table).rows.map((row) => row.map(({ text }) => text.replaceAll('`', '')))
    tables.set(heading, [...(tables.get(heading) ?? []), rows])
  }
  return tables
}

test('the example of the page has the rows and the cells that the product has', async () => {
  let current = s.buy(MONTHLY, { withTrial: true })
  const renewed = () => {
    current = renew(s, current, MONTHLY)
    return notify(s, ['DID_RENEW', null], current)
  }
  const steps: [heading: string, day: string, act: () => Promise<Answer>][] = [
    ['2 November: the trial begins', '2026-11-02', () => s.receipt('svc_ada', current)],
    ['9 November: it converts', '2026-11-09', renewed],
    ['9 December: it renews', '2026-12-09', renewed],
    ['14 December: the renewal is refunded', '2026-12-14', () => notify(s, ['REFUND', null], refund(s, current))],
  ]
  const found: [string, Table[]][] = []
  let [last, before] = [0, await readCells()]
  const trialDays = async () => {
    const query = 'from=2026-11-01&to=2026-12-01&grain=day&environment=SANDBOX'
    const { body } = await member.get(`/charts/active-trials?${query}`)
    return body.data.series.map(({ values }: { values: { value: number } }) => values.value)
  }
  for (const [heading, day, act] of steps) {
    s.ctx.clock.set(AT(day))
    expect((await act()).status).toBe(200)
    const { rows, last: next } = await newRows(last)
    await rollUp(s.ctx)
    const now = await readCells()
    const changed = [...now].filter(([id, texts]) => texts.join() !== before.get(id)?.join())
    found.push([heading, [rows, changed.map(([id, texts]) => [id, ...texts])]])
    ;[last, before] = [next, now]
    // From the 2nd to the 8th, as soon as the trial begins.
    expect([heading, (await trialDays()).join('')]).toEqual([heading, `0${'1'.repeat(7)}${'0'.repeat(22)}`])
  }
  expect([...pageTables()]).toEqual(found)
})
