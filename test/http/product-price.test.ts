import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { applyFile } from '../../src/projects/project-file/apply'
import { loadCurrent } from '../../src/projects/project-file/load'
import { parseProjectFile } from '../../src/projects/project-file/parse'
import { writeYaml } from '../../src/projects/project-file/write-yaml'
import { type Stage, stage } from '../support/cast'
import { schemaFaults } from '../support/file-schema'
import { changes, dataOf, refused } from '../support/operator'
import { SECTIONS } from '../support/sections'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls

beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE))
afterAll(() => s.close())

const body = (identifier: string, more = {}) => ({
  identifier,
  type: 'NON_CONSUMABLE',
  displayName: 'Course',
  ...more,
})
const EURO = { amountMicros: 12_990_000, currency: 'EUR' }

test('a product has the price that it was given, loses it, and has none without one', async () => {
  const made = await dataOf(dev.post('/products', body('priced', { price: EURO })))
  expect(made.price).toEqual(EURO)
  expect((await dataOf(dev.get(`/products/${made.id}`))).price).toEqual(EURO)
  const { items } = await dataOf(dev.get('/products?limit=200'))
  expect(items.find(({ identifier }: { identifier: string }) => identifier === 'priced').price).toEqual(EURO)
  const path = `/products/${made.id}`
  await changes(s, () => dev.patch(path, { displayName: 'Other' }), ['product.update'])
  expect((await dataOf(dev.get(path))).price).toEqual(EURO)
  await changes(s, () => dev.patch(path, { price: null }), ['product.update'])
  expect((await dataOf(dev.get(path))).price).toBeNull()
  expect((await dataOf(dev.post('/products', body('priceless')))).price).toBeNull()
})

test.each([
  ['nothing', { amountMicros: 0, currency: 'EUR' }],
  ['a negative amount', { amountMicros: -1, currency: 'EUR' }],
  ['half a millionth', { amountMicros: 0.5, currency: 'EUR' }],
  ['more than a thousand million', { amountMicros: 1e15 + 1, currency: 'EUR' }],
  ['a currency that is none', { amountMicros: 1, currency: 'QQQ' }],
  ['a currency in small letters', { amountMicros: 1, currency: 'eur' }],
  ['no currency', { amountMicros: 1 }],
  ['a text', '12.99'],
  ['a further member', { ...EURO, tax: 1 }],
])('%s is no price of a product, and nothing is saved', async (_name, price) => {
  await refused(s, () => dev.post('/products', body('refused', { price })), 400, 'VALIDATION_ERROR')
})

const parsed = (text: string) => {
  const file = parseProjectFile(SECTIONS, `version: 1\n${text}`, { env: () => null, file: () => null })
  if ('unreadable' in file) throw new Error(JSON.stringify(file.unreadable))
  return file
}

const inFile = (price: string) => `products: { filed: { type: CONSUMABLE, displayName: Coins, price: ${price} } }`

test('the project file sets the price of a product, and an export has it', async () => {
  const text = inFile('{ amountMicros: 4990000, currency: JPY }')
  expect(schemaFaults(`version: 1\n${text}`)).toEqual([])
  expect((await applyFile(s.ctx, s.project.id, parsed(text), { prune: false })).problems).toEqual([])
  const exported = writeYaml(await loadCurrent(s.ctx, s.project.id, SECTIONS), { withIds: false })
  expect(exported).toContain('price:\n      amountMicros: 4990000\n      currency: JPY')
  const items = (await dataOf(dev.get('/products?limit=200'))).items
  const filed = items.find(({ identifier }: { identifier: string }) => identifier === 'filed')
  expect(filed.price).toEqual({ amountMicros: 4_990_000, currency: 'JPY' })
})

test.each(['{ amountMicros: 0, currency: EUR }', '{ amountMicros: 1, currency: QQQ }', '{ currency: EUR }', '12.99'])(
  'the project file refuses the price %s',
  async (price) => {
    const { problems } = await applyFile(s.ctx, s.project.id, parsed(inFile(price)), { prune: false })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.path.slice(0, 3)).toEqual(['products', 'filed', 'price'])
  },
)
