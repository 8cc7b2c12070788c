import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyAudit } from '../../src/projects/audit/audit'
import { type Stage, stage } from '../support/cast'
import { tempFolder } from '../support/process'
import { type Ran, svc } from '../support/simulate'

// Amounts of 64 bits in what the commands read and print. The text is compared, because `JSON.parse` would round them.

const MAX = '9223372036854775807'
const ODD = '9007199254740993'

const temp = tempFolder()
let s: Stage
let project: string
let count = 0

beforeAll(async () => {
  s = await stage()
})
afterAll(async () => {
  await s.close()
  temp.remove()
})

beforeEach(async () => {
  const { json } = await svc(s.ctx, ['project', 'create', '--name', `Sleep ${++count}`, '--json'])
  project = json.projectId
  expect((await apply('100')).code).toBe(0)
})

const fileOf = (amount: string, more = '') => `version: 1
virtualCurrencies:
  gems: { name: Gems }
products:
  gems_500:
    type: CONSUMABLE
    displayName: Gems
    storeIds: { ios: com.x.gems }${more}
    grants: [{ currency: gems, amount: ${amount}, on: PURCHASE }]
`

function applyText(text: string, ...more: string[]): Promise<Ran> {
  const path = join(temp.path, `${++count}.yaml`)
  writeFileSync(path, text)
  return svc(s.ctx, ['apply', '-f', path, '--project', project, '--yes', ...more])
}

const apply = (amount: string, ...more: string[]): Promise<Ran> => applyText(fileOf(amount), ...more)

const exported = async (...more: string[]): Promise<string> =>
  (await svc(s.ctx, ['export', '--project', project, ...more])).out.join('\n')

const hashChainIsWhole = async (): Promise<boolean> => (await verifyAudit(s.ctx, project)).ok

describe('a grant in a project file', () => {
  for (const amount of [ODD, MAX])
    test(`of ${amount} is saved and exported with its digits`, async () => {
      expect((await apply(amount)).code).toBe(0)
      expect(await exported()).toContain(`amount: ${amount}\n`)
      expect(await exported('--json')).toContain(`"amount": ${amount},`)
      expect((await apply(amount)).out.join()).toContain('no changes')
      expect((await applyText(await exported('--json'))).out.join()).toContain('no changes')
      expect((await applyText(await exported())).out.join()).toContain('no changes')
      expect(await hashChainIsWhole()).toBe(true)
    })

  test('differs from the next integer, in the diff for people and in the one for programs', async () => {
    await apply(ODD)
    expect((await apply('9007199254740992', '--dry-run')).out.join('\n')).toContain(
      `    grants[0].amount: ${ODD} -> 9007199254740992`,
    )
    const { out } = await apply('9007199254740992', '--dry-run', '--json')
    expect(out.join()).toContain(`"path":"grants[0].amount","before":${ODD},"after":9007199254740992}`)
    expect(await exported()).toContain(`amount: ${ODD}\n`)
  })

  test('may be written with an exponent or a plus', async () => {
    for (const [text, amount] of [
      ['1e18', '1000000000000000000'],
      [`+${ODD}`, ODD],
      [`${ODD}.0`, ODD],
      ['9.223372036854775807e18', MAX],
    ] as const) {
      expect((await apply(text)).code).toBe(0)
      expect(await exported()).toContain(`amount: ${amount}\n`)
    }
  })

  for (const text of [
    '9223372036854775808',
    '1e19',
    '0',
    '-1',
    `-${ODD}`,
    '1.5',
    `'${ODD}'`,
    '9'.repeat(10_000),
    '1e400',
  ])
    test(`of ${text.slice(0, 30)} (${text.length} characters) is refused, and nothing changes`, async () => {
      const { code, err } = await apply(text)
      expect([code, err.join()]).toEqual([1, expect.stringContaining('products.gems_500.grants[0].amount: This ')])
      expect(await exported()).toContain('amount: 100\n')
    })

  const elsewhere: [name: string, text: string][] = [
    ['metadata', fileOf('100', `\n    metadata: { amount: ${ODD} }`)],
    ['metadata named grants', fileOf('100', `\n    metadata: { grants: [{ amount: ${ODD} }] }`)],
    ['metadata through an anchor', `${fileOf(`&far ${ODD}`)}    metadata: { x: *far }\n`],
  ]
  for (const [name, text] of elsewhere)
    test(`does not let others pass 2^53: ${name}`, async () => {
      expect((await applyText(text)).code).toBe(1)
      expect(await exported()).toContain('amount: 100\n')
    })
})

test('a simulated purchase prints the digits of a balance', async () => {
  const buy = ['simulate', 'purchase', '--device', 'ada', '--product', 'coins_100', '--project', s.project.id, '--json']
  expect((await svc(s.ctx, buy)).out.join()).toContain('"virtualCurrencyBalances":{"coins":100}')
  const raw = `{"amount":${ODD},"idempotencyKey":"k"}`
  const path = '/v1/virtual-currencies/ada/coins/transactions'
  expect((await s.call('POST', path, { raw, key: s.project.secretKey })).status).toBe(200)
  expect((await svc(s.ctx, buy)).out.join()).toContain('"virtualCurrencyBalances":{"coins":9007199254741193}')
})
