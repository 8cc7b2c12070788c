import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { csvResponse, toCsvLine } from '../../src/base/http/csv'
import { LongTurns } from '../../src/base/http/long-turns'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { identify } from '../support/facts'
import { staff } from '../support/staff'

let s: Stage
beforeAll(async () => {
  s = await stage()
  staff(s)
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await s.receipt('svc_ada', s.buy(COINS))
  await identify(s, 'svc_ada', 'ada')
  const attributes = { $email: 'ada@example.com' }
  await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': 'svc_ada' } })
})
afterAll(() => s.close())

/** The answer itself: the body of an export is no JSON. */
async function download(path: string, role = 'CUSTOMER_SUPPORT', projectId = s.project.id): Promise<Response> {
  const headers = { cookie: `svc_session=${role}` }
  return s.app.handle(new Request(`http://localhost/dashboard/projects/${projectId}${path}`, { headers }))
}

const linesOf = async (path: string): Promise<string[]> => {
  const text = await (await download(path)).text()
  expect(text.endsWith('\r\n')).toBe(true)
  return text.slice(0, -2).split('\r\n')
}

const audits = async () => {
  const { auditLog } = s.ctx.tables
  const rows = s.ctx.db.select().from(auditLog).where(eq(auditLog.projectId, s.project.id))
  return rows.orderBy(auditLog.position)
}

describe('an export', () => {
  test('is a CSV file with a header row', async () => {
    const answer = await download('/subscriptions/export.csv')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="subscriptions.csv"')
    const [header, row, ...more] = (await answer.text()).split('\r\n')
    expect(header).toStartWith('appUserId,email,product,amount,currency,usd,id,subscriberId,productId,')
    expect(header).not.toMatch(/micros/i)
    expect(row).toStartWith('ada,ada@example.com,pro_monthly,9.99,USD,9.99,pur_')
    expect(row).toContain(',com.x.pro.monthly,')
    expect(more).toEqual([''])
  })

  test('of transactions has one line for each, and only those of the filters', async () => {
    expect(await linesOf('/transactions/export.csv')).toHaveLength(3)
    const [header, line, ...more] = await linesOf('/transactions/export.csv?kind=CREDIT_PURCHASE')
    expect(header).toStartWith('appUserId,email,product,amount,currency,usd,id,purchaseId,subscriberId,')
    expect(header).not.toMatch(/micros/i)
    expect(line).toStartWith('ada,ada@example.com,coins_100,0.99,USD,0.99,txn_')
    expect(line).toContain(',CREDIT_PURCHASE,IOS_STORE,SANDBOX,')
    expect(more).toEqual([])
    expect(await linesOf('/transactions/export.csv?environment=PRODUCTION')).toHaveLength(1)
  })

  test('writes one audit row that names who and which filters, and nothing of the data', async () => {
    const before = (await audits()).length
    await (await download('/subscriptions/export.csv?status=ACTIVE', 'GROWTH')).text()
    const rows = await audits()
    expect(rows).toHaveLength(before + 1)
    expect(rows.at(-1)).toMatchObject({
      action: 'subscriptions.export',
      actor: { kind: 'USER', id: 'usr_growth' },
      target: { type: 'export', id: 'subscriptions' },
      after: { filters: { status: 'ACTIVE' } },
    })
  })

  test('that is refused writes none and sends nothing', async () => {
    const before = (await audits()).length
    expect((await download('/subscriptions/export.csv', 'STRANGER')).status).toBe(404)
    expect((await download('/subscriptions/export.csv', 'OWNER', s.other.id)).status).toBe(404)
    expect((await download('/subscriptions/export.csv?status=no')).status).toBe(400)
    expect((await download('/transactions/export.csv?limit=5')).status).toBe(400)
    expect((await download('/transactions/export.csv?from=never')).status).toBe(400)
    expect(await audits()).toHaveLength(before)
  })

  test('of many rows has each of them once', async () => {
    const { transactions: t } = s.ctx.tables
    const [row] = await s.ctx.db.select().from(t).limit(1)
    if (!row) throw new Error('there is no transaction')
    const copies = Array.from({ length: 1203 }, (_, index) => ({
      ...row,
      id: `txn_copy_${index}`,
      revenueKey: `copy:${index}`,
    }))
    await s.ctx.write(async (tx) => {
      for (let start = 0; start < copies.length; start += 200)
        await tx.db.insert(t).values(copies.slice(start, start + 200))
    })
    const ids = (await linesOf('/transactions/export.csv')).slice(1).map((line) => line.split(',')[6])
    expect(new Set(ids).size).toBe(1205)
    expect(ids).toHaveLength(1205)
    await s.ctx.write((tx) => tx.db.delete(t).where(sql`${t.id} like 'txn_copy_%'`))
  })
})

describe('a table that is sent', () => {
  /** Pages without an end, and how many of them were read. */
  function endless() {
    const seen = { pages: 0, isEnded: false }
    async function* pages() {
      try {
        for (;;) yield [++seen.pages]
      } finally {
        seen.isEnded = true
      }
    }
    return { seen, pages: pages() }
  }

  const CALLER = { state: { longTurns: new LongTurns(async () => {}) }, projectId: 'prj' }
  const responseOf = (pages: AsyncGenerator<readonly number[]>) =>
    csvResponse(CALLER, { fileName: 'x.csv', header: ['n'], pages, toCells: (n) => [n] })

  test('is read no further than the client takes it', async () => {
    const { seen, pages } = endless()
    const reader = responseOf(pages).body?.getReader()
    for (let count = 0; count < 5; count++) await reader?.read()
    expect(seen.pages).toBeLessThanOrEqual(6)
    await reader?.cancel()
  })

  test('is not read any more when the client leaves', async () => {
    const { seen, pages } = endless()
    const reader = responseOf(pages).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(seen.isEnded || seen.pages === 0).toBe(true)
    const read = seen.pages
    await Promise.resolve()
    expect(seen.pages).toBe(read)
  })

  test('breaks off when a page cannot be read', async () => {
    async function* pages() {
      yield [1]
      throw new Error('the database is gone')
    }
    const error = spyOn(console, 'error').mockImplementation(() => {})
    await expect(responseOf(pages()).text()).rejects.toThrow('the database is gone')
    error.mockRestore()
  })
})

describe('a cell', () => {
  const CASES: [name: string, cell: Parameters<typeof toCsvLine>[0][number], text: string][] = [
    ['of plain text stays', 'pro', 'pro'],
    ['with a comma is quoted', 'a,b', '"a,b"'],
    ['with quotes doubles them', 'a"b', '"a""b"'],
    ['with a line end is quoted', 'a\r\nb', '"a\r\nb"'],
    ['that is nothing is empty', null, ''],
    ['that is a number stays, a negative one too', -5, '-5'],
    ['that is true or false is a word', false, 'false'],
    ['beginning with = gets an apostrophe', '=1+1', "'=1+1"],
    ['beginning with + gets an apostrophe', '+1', "'+1"],
    ['beginning with - gets an apostrophe', '-1', "'-1"],
    ['beginning with @ gets an apostrophe', '@SUM(A1)', "'@SUM(A1)"],
    ['beginning with a tab gets an apostrophe', '\t=1', "'\t=1"],
    ['beginning with a line end gets an apostrophe', '\n=1', `"'\n=1"`],
    ['beginning with a double width = gets an apostrophe', '\uff1d1+1', "'\uff1d1+1"],
    ['beginning with a double width @ gets an apostrophe', '\uff20SUM(A1)', "'\uff20SUM(A1)"],
    ['that is a formula with a comma gets both', '=A,B', `"'=A,B"`],
    ['with an equals sign inside stays', 'a=b', 'a=b'],
  ]
  for (const [name, cell, text] of CASES)
    test(name, () => {
      expect(toCsvLine([cell])).toBe(`${text}\r\n`)
    })
})
