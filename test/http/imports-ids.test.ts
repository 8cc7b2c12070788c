import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { importSteps } from '../../src/moving/imports/steps'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { type ImportStage, importStage } from '../support/import-stage'
import { holdingsOf } from '../support/imports'

// Ids that a spreadsheet has ruined, words for nothing, and one purchase under several people.

let s: Stage
let i: ImportStage
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  i = importStage(s)
  s.ctx.state.importSteps = importSteps
})
afterEach(() => s.close())

const COLUMNS = ['subscriberExternalId', 'store', 'productIdentifier', 'purchaseDate', 'expiresDate']
const HEADER = [...COLUMNS, 'originalTransactionId', 'storeTransactionId', 'deviceKey', 'offerId', 'updatedAt'].join()

/** A row of the canonical columns, with what differs. */
const row = (given: Record<string, string> = {}): string => {
  const plain = {
    ...{ subscriberExternalId: 'ann', store: 'ios_store', productIdentifier: MONTHLY.productId },
    ...{ purchaseDate: '2026-11-10', expiresDate: '2026-12-10', originalTransactionId: '2000000900000001' },
    ...{ storeTransactionId: '2000000900000001', deviceKey: '', offerId: '', updatedAt: '' },
    ...given,
  }
  return Object.values(plain).join()
}

const file = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n')

async function tried(content: string) {
  const { id } = await i.make(content)
  expect((await i.act(id, 'dry-run')).status).toBe(202)
  return i.worked(id)
}

async function committed(content: string) {
  const { id } = await tried(content)
  expect((await i.act(id, 'commit')).status).toBe(202)
  return i.worked(id)
}

const access = async (label: string): Promise<boolean> => 'pro' in ((await holdingsOf(s, label))?.access ?? {})

describe('an id that a spreadsheet has ruined', () => {
  const cases: [column: string, text: string, says: RegExp][] = [
    ['storeTransactionId', '2.00000E+15', /shortened this id/],
    ['originalTransactionId', '2E+15', /shortened this id/],
    ['originalTransactionId', '2000000900000001.0', /number with decimals/],
    ['subscriberExternalId', '1.23E+05', /shortened this id/],
    ['subscriberExternalId', '42.0', /number with decimals/],
    ['deviceKey', '1.23E+05', /shortened this id/],
    ['productIdentifier', '#NAME?', /error of a spreadsheet/],
    ['offerId', '#REF!', /error of a spreadsheet/],
    ['purchaseDate', '46336.5', /number of a day/],
    ['expiresDate', '1.8E+12', /shortened this date/],
  ]
  test.each(cases)('is a fault with line and column: %s %s', async (column, text, says) => {
    const job = await tried(file(row(), row({ [column]: text })))
    expect(job.counters).toMatchObject({ rows: 2, valid: 1, invalid: 1, warnings: 0 })
    expect(job.errors).toMatchObject([{ line: 3, column, severity: 'ERROR' }])
    expect(job.errors[0].message).toMatch(says)
    expect((await i.report(job.id)).body).toContain(`history.csv,3,${column},`)
  })

  test('gives nothing to anybody', async () => {
    const ruined = { originalTransactionId: '2.00000E+15', storeTransactionId: '2.00000E+15' }
    const people = ['ann', 'ben', 'cyd']
    const job = await committed(file(...people.map((subscriberExternalId) => row({ subscriberExternalId, ...ruined }))))
    expect(job.counters).toMatchObject({ invalid: 3, purchasesNew: 0, subscribersNew: 0 })
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toEqual([])
  })
})

describe('a word for nothing', () => {
  const words = ['NULL', 'nan', '#N/A', '\\N', 'None', '-', 'none', 'NaN']
  test.each(words)('is an empty id: %s', async (word) => {
    const ids = { originalTransactionId: word, storeTransactionId: word, deviceKey: word, offerId: word }
    const people = ['ann', 'ben'].map((subscriberExternalId) => row({ subscriberExternalId, ...ids }))
    const job = await committed(file(...people))
    expect(job.counters).toMatchObject({ valid: 2, invalid: 0, warnings: 0, subscribersNew: 2, purchasesNew: 2 })
    expect([await access('ann'), await access('ben')]).toEqual([true, true])
    const anchors = await s.ctx.db.select().from(s.ctx.tables.importAnchors)
    expect(anchors).toEqual([])
  })

  test('is nobody in the column of the person', async () => {
    const job = await tried(file(row({ subscriberExternalId: 'NULL' }), row({ subscriberExternalId: 'nullary' })))
    expect(job.errors).toMatchObject([
      { line: 2, column: 'subscriberExternalId', message: 'A required value is empty' },
    ])
  })
})

describe('one transaction under several people', () => {
  const shared = { originalTransactionId: '350001234567890000', storeTransactionId: '350001234567890000' }
  const two = file(
    row({ ...shared, subscriberExternalId: 'dan' }),
    row(),
    row({ ...shared, subscriberExternalId: 'eve' }),
  )

  test('is told with both lines by the dry run', async () => {
    const job = await tried(two)
    expect(job.counters).toMatchObject({ rows: 3, valid: 3, invalid: 0, warnings: 1 })
    expect(job.errors).toMatchObject([{ line: 4, column: 'storeTransactionId', severity: 'WARNING' }])
    expect(job.errors[0].message).toMatch(/^Line 2 gives the same purchase to another person/)
    expect((await i.report(job.id)).body).toContain('history.csv,4,storeTransactionId,')
    expect(JSON.stringify(job.errors)).not.toMatch(/dan|eve\b/)
  })

  test('has one owner, and is still told after the commit', async () => {
    const job = await committed(two)
    expect(job.counters).toMatchObject({ invalid: 0, warnings: 1, purchasesNew: 2 })
    expect(job.errors).toMatchObject([{ line: 4, severity: 'WARNING' }])
    expect([await access('dan'), await access('eve')].filter(Boolean)).toHaveLength(1)
  })

  test('is told of at most 500 rows, so that faults have their place', async () => {
    const many = Array.from({ length: 600 }, (_, n) => row({ ...shared, subscriberExternalId: `p${n}` }))
    const job = await tried(file(...many, row({ storeTransactionId: '2E+15' })))
    expect(job.counters).toMatchObject({ warnings: 599, invalid: 1 })
    const severities = job.errors.map(({ severity }: { severity: string }) => severity)
    expect([severities.length, severities.at(-1)]).toEqual([501, 'ERROR'])
    expect((await i.report(job.id)).body.trim().split('\n')).toHaveLength(601)
  })

  const fine: [name: string, rows: string[]][] = [
    ['the same person twice', [row(shared), row({ ...shared, updatedAt: '2026-11-11' })]],
    ['one person with another device', [row(shared), row({ ...shared, deviceKey: 'svc_ann' })]],
    [
      'no id at all',
      ['ann', 'ben'].map((subscriberExternalId) =>
        row({ subscriberExternalId, originalTransactionId: '', storeTransactionId: '' }),
      ),
    ],
  ]
  test.each(fine)('%s is no warning', async (_name, rows) => {
    expect((await tried(file(...rows))).counters).toMatchObject({ invalid: 0, warnings: 0 })
  })

  test('renewals of one subscription under two people are told too', async () => {
    const renewal = { storeTransactionId: '2000000900000002', subscriberExternalId: 'ben' }
    expect((await tried(file(row(), row(renewal)))).errors).toMatchObject([{ line: 3, severity: 'WARNING' }])
  })

  test('a shared family purchase belongs to each of its people', async () => {
    const columns = `${HEADER},ownershipType`
    const rows = ['ann', 'ben'].map((subscriberExternalId) => `${row({ subscriberExternalId })},FAMILY_SHARED`)
    expect((await tried([columns, ...rows, ''].join('\n'))).counters).toMatchObject({ invalid: 0, warnings: 0 })
  })
})
