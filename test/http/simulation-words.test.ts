import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { access, everything, money, rowOf } from '../support/facts'
import { dataOf } from '../support/operator'
import { accessId } from '../support/relink'
import { type CliStage, cliStage, type Ran, svc } from '../support/simulate'
import { staff } from '../support/staff'

let s: CliStage
beforeAll(async () => {
  s = await cliStage()
  const coach = { identifier: 'coach_monthly', type: 'SUBSCRIPTION', displayName: 'Coach', period: 'P1M' }
  await dataOf(
    staff(s)
      .as('DEVELOPER')
      .post('/products', { ...coach, accessIds: [await accessId(s, 'coach')] }),
  )
})
afterAll(() => s.close())

const run = (...args: string[]): Promise<Ran> =>
  svc(s.ctx, args.includes('--project') ? args : [...args, '--project', s.project.id])

const wrong: [args: string[], code: number, sentence: string][] = [
  [['dance', '--device', 'a'], 2, 'simulate takes purchase, renew'],
  [['purchase', '--product', 'pro_monthly'], 2, '--device'],
  [['purchase', '--device', 'a'], 2, '--product'],
  [['purchase', '--device', 'a', '--product', 'no_such'], 1, 'no product "no_such"'],
  [['purchase', '--device', 'a', '--product', 'pro_monthly', '--store', 'amazon'], 2, '--store is ios'],
  [['purchase', '--device', 'a', '--product', 'pro_monthly', '--store', 'payment', '--print'], 1, 'leave --print out'],
  [['purchase', '--device', 'a', '--product', 'pro_monthly', '--price', '9,99'], 2, '--price'],
  [['purchase', '--device', 'a', '--product', 'pro_monthly', '--currency', 'usd'], 2, '--currency'],
  [['purchase', '--device', 'ios:1', '--product', 'pro_monthly'], 1, '--device'],
  [['renew', '--device', 'nobody'], 1, 'has sold nobody nothing of the kind'],
  [['renew', 'now', '--device', 'ada'], 2, 'takes no "now"'],
  [['upgrade', '--device', 'ada'], 2, '--to'],
  [['upgrade', '--device', 'ada', '--to', 'no_such'], 1, 'no product "no_such"'],
  [['extend', '--device', 'ada'], 2, 'number of days'],
  [['extend', '0', '--device', 'ada'], 2, 'number of days'],
  [['advance'], 2, 'takes a time'],
  [['advance', '40'], 2, 'takes a time'],
  [['advance', '99999d'], 2, 'at most'],
  [['advance', '-1d'], 2, ''],
  [['trouble'], 2, 'or --off alone'],
  [['trouble', '--off', '--reorder'], 2, 'or --off alone'],
  [['trouble', '--drop', '2'], 2, '--drop'],
  [['trouble', '--duplicate', '0'], 2, '--duplicate'],
  [['trouble', '--delay', 'soon'], 2, '--delay'],
  [['status', '--project', 'no-such'], 1, 'no project'],
  [['purchase', '--device', 'a', '--product', 'pro_monthly', '--with', 'lifetime'], 1, 'leave --with out'],
  [['add-item', '--device', 'ada'], 2, '--to'],
  [['schedule', '--device', 'ada'], 2, '--to'],
  [['remove-item', '--device', 'ada'], 2, '--item'],
  [['seats', '--device', 'ada'], 2, 'number of seats'],
  [['seats', '0', '--device', 'ada'], 2, 'number of seats'],
  [['credit', '--device', 'ada'], 2, 'an amount'],
  [['renew', '2', '--device', 'ada'], 2, 'takes no "2"'],
  [['renew', '--device', 'ada', '--commitment'], 2, 'takes no --commitment; purchase does'],
  [['purchase', '--device', 'a', '--product', 'pro_monthly', '--commitment'], 1, 'leave --commitment out'],
  [
    ['purchase', '--device', 'a', '--store', 'android', '--product', 'pro_monthly', '--with', 'lifetime'],
    1,
    'one-time products, or subscriptions of one period',
  ],
  [
    ['purchase', '--device', 'a', '--store', 'android', '--product', 'pro_monthly', '--with', 'pro_monthly'],
    1,
    'different ids',
  ],
  [['renew', '--device', 'ada', '--print'], 2, 'renew takes no --print; purchase does'],
  [['cancel', '--device', 'ada', '--partial', '3'], 2, 'cancel takes no --partial; refund does'],
  [['revoke', '--device', 'ada', '--prorated'], 2, 'revoke takes no --prorated; refund and upgrade do'],
  [['expire', '--device', 'ada', '--item', 'pro_monthly'], 2, 'takes no --item'],
  [['restore', '--device', 'ada', '--with', 'pro_monthly'], 2, 'takes no --with'],
  [['advance', '40d', '--drop', '0.2'], 2, 'takes no --drop; trouble and billing trouble do'],
  [['refund', '--device', 'ada', '--price', '3.00'], 2, 'takes no --price'],
]

describe('what makes no sense is refused in a sentence, and nothing is written', () => {
  for (const [args, code, sentence] of wrong)
    test(`svc simulate ${args.join(' ')}`, async () => {
      const before = await everything(s)
      const ran = await run('simulate', ...args)
      expect([ran.code, ran.out, ran.err]).toEqual([code, [], [expect.stringContaining(sentence)]])
      expect(await everything(s)).toEqual(before)
    })
})

test('an app posts itself what --print printed, and the test store notified nobody', async () => {
  for (const store of ['ios', 'android']) {
    const { out } = await run(
      'simulate',
      'purchase',
      '--device',
      'pia',
      '--product',
      'coins_100',
      '--store',
      store,
      '--print',
    )
    expect((await s.get('/v1/me/access', 'pia')).status).toBe(200)
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toEqual([])
    const posted = await s.post(`/v1/receipts/${store}`, JSON.parse(out.join('')))
    expect([store, posted.status]).toEqual([store, 200])
    await s.ctx.db.delete(s.ctx.tables.purchases)
  }
})

test('troubles that are set one after the other hold together until --off', async () => {
  const trouble = async (...args: string[]) => (await run('simulate', 'trouble', ...args, '--json')).json
  const none = { duplicates: 0, isReordered: false, delayMs: 0, dropRate: 0, isStoreDown: false }
  expect(await trouble('--drop', '0.2')).toEqual({ ...none, dropRate: 0.2 })
  expect(await trouble('--reorder', '--delay', '10m')).toEqual({
    ...none,
    ...{ dropRate: 0.2, isReordered: true, delayMs: 600_000 },
  })
  const all = { duplicates: 1, isReordered: true, delayMs: 600_000, dropRate: 0.5, isStoreDown: false }
  expect(await trouble('--drop', '0.5', '--duplicate', '1')).toEqual(all)
  expect((await run('simulate', 'trouble', '--store-down')).out).toEqual([
    'trouble      each message 1 more time, backwards, 10 minutes late, 50 % lost, the stores do not answer',
  ])
  expect((await run('simulate', 'status', '--json')).json.trouble).toEqual({ ...all, isStoreDown: true })
  expect(await trouble('--off')).toEqual(none)
  expect((await run('simulate', 'status', '--json')).json.trouble).toEqual(none)
})

test('the demo’s people read lines, and scripts read JSON', async () => {
  const bought = await run('simulate', 'purchase', '--device', 'quin', '--product', 'pro_monthly')
  expect(bought.out.join('\n')).toMatch(
    /^transaction {2}9999\d{16}\nsubscriber {3}sub_\w+\nstore told {3}SUBSCRIBED\/INITIAL_BUY\naccess {7}pro until 20/,
  )
  const kept = await run('simulate', 'purchase', '--device', 'sam', '--product', 'lifetime')
  expect(kept.out.join('\n')).toContain('access       pro for ever')
  expect((await run('simulate', 'advance', '40d')).out.join('\n')).toMatch(
    /renew {2}quin {2}ios {2}pro_monthly\n.*clock shows 20/,
  )
  expect((await run('simulate', 'advance', '1h')).out[0]).toBe('Nothing was due.')
  expect((await run('simulate', 'trouble', '--drop', '0.5', '--reorder')).out).toEqual([
    'trouble      backwards, 50 % lost',
  ])
  expect((await run('simulate', 'status')).out.join('\n')).toContain('trouble      backwards, 50 % lost')
  expect((await run('simulate', 'trouble', '--off', '--json')).json).toMatchObject({ dropRate: 0, isReordered: false })
  expect((await run('simulate', 'deliver')).out).toEqual(['delivered    nothing'])
  const { json } = await run('simulate', 'renew', '--device', 'quin', '--json')
  expect(json).toMatchObject({
    store: 'ios',
    told: ['DID_RENEW'],
    delivered: ['DID_RENEW'],
    failed: [],
    access: { pro: {} },
  })
})

test('one product of several is refunded alone: its money and its access, and the other renews', async () => {
  const device = ['--device', 'rae', '--store', 'android']
  const bought = await s.simulate(
    'purchase',
    ...device,
    '--product',
    'pro_monthly',
    '--with',
    'coach_monthly',
    '--price',
    '4.99',
  )
  expect(Object.keys(bought.access).sort()).toEqual(['coach', 'pro'])
  const { id } = await rowOf(s, 'rae')
  const paid: [string, number] = ['INITIAL', 4_990_000]
  expect(await money(s, id)).toEqual([paid, paid])
  for (const [item, why] of [
    ['pro_yearly', 'no product pro_yearly, or not any more. It has: pro_monthly, coach_monthly.'],
    ['no_such', 'no product "no_such"'],
  ] as const)
    expect((await s.refused('refund', ...device, '--item', item))[1]).toContain(why)
  const refunded = await s.simulate('refund', ...device, '--item', 'coach_monthly')
  expect([Object.keys(refunded.access), refunded.told]).toEqual([['pro'], ['SUBSCRIPTION_ITEMS_CHANGED']])
  expect(await money(s, id)).toEqual([paid, paid, ['REFUND', -4_990_000]])
  expect((await s.refused('refund', ...device, '--item', 'pro_monthly'))[1]).toContain('leave --item out')
  expect((await s.refused('refund', ...device, '--item', 'coach_monthly'))[1]).toContain(
    'coach_monthly, or not any more. It has: pro_monthly.',
  )
  await s.simulate('advance', '31d')
  expect((await money(s, id)).map(([kind]) => kind)).toEqual(['INITIAL', 'INITIAL', 'REFUND', 'RENEWAL'])
})

const kindsOf = async (device: string) => (await money(s, (await rowOf(s, device)).id)).map(([kind]) => kind)
const sumOf = async (device: string) =>
  (await money(s, (await rowOf(s, device)).id)).reduce((sum, [, micros]) => sum + (micros ?? 0), 0)

describe('at the payment provider', () => {
  const deviceOf = (name: string) => ['--device', name, '--store', 'payment']
  const names = ({ access }: { access: object }) => Object.keys(access).sort()

  test('a checkout sells several products, one of them is refunded alone, and one is removed', async () => {
    const device = deviceOf('tea')
    const bought = await s.simulate('purchase', ...device, '--product', 'pro_monthly', '--with', 'coach_monthly')
    expect([names(bought), await sumOf('tea')]).toEqual([['coach', 'pro'], 19_980_000])
    expect((await s.refused('refund', ...device, '--item', 'lifetime'))[1]).toContain('Nothing was charged for')
    const refunded = await s.simulate('refund', ...device, '--item', 'coach_monthly')
    expect([names(refunded), await sumOf('tea')]).toEqual([['pro'], 9_990_000])
    expect((await s.refused('refund', ...device, '--item', 'coach_monthly'))[1]).toContain('given back already')
    expect(names(await s.simulate('remove-item', ...device, '--item', 'coach_monthly'))).toEqual(['pro'])
    expect((await s.refused('remove-item', ...device, '--item', 'pro_monthly'))[1]).toContain('no other product')
    await s.simulate('advance', '31d')
    expect(await kindsOf('tea')).toEqual(['INITIAL', 'INITIAL', 'REFUND', 'RENEWAL'])
  })

  test('a cart of one-time products is one purchase of each', async () => {
    const device = deviceOf('tom')
    const bought = await s.simulate('purchase', ...device, '--product', 'coins_100', '--with', 'lifetime')
    expect([names(bought), (await kindsOf('tom')).sort()]).toEqual([
      ['pro'],
      ['CREDIT_PURCHASE', 'NON_RENEWING_PURCHASE'],
    ])
  })

  test('seats and a product that joins are adjustments, and the next period is charged for all', async () => {
    const device = deviceOf('tim')
    await s.simulate('purchase', ...device, '--product', 'pro_monthly')
    await s.simulate('seats', '3', ...device)
    expect((await s.refused('seats', '3', ...device))[1]).toContain('that many seats already')
    const joined = await s.simulate('add-item', ...device, '--to', 'coach_monthly', '--price', '5.00')
    expect(names(joined)).toEqual(['coach', 'pro'])
    expect((await s.refused('add-item', ...device, '--to', 'coach_monthly'))[1]).toContain('that product already')
    expect((await s.refused('add-item', ...device, '--to', 'pro_yearly'))[1]).toContain('one period')
    const before = await kindsOf('tim')
    expect(before.filter((kind) => kind !== 'INITIAL').every((kind) => kind === 'ADJUSTMENT')).toBe(true)
    const paid = await sumOf('tim')
    await s.simulate('renew', ...device)
    expect((await sumOf('tim')) - paid).toBe(3 * 9_990_000 + 5_000_000)
  })

  test('a balance pays for the next period, which is one, and a schedule changes the product of the one after it', async () => {
    const device = deviceOf('tip')
    await s.simulate('purchase', ...device, '--product', 'pro_monthly')
    await s.simulate('credit', '9.99', ...device)
    await s.simulate('advance', '31d')
    expect([await kindsOf('tip'), await sumOf('tip')]).toEqual([['INITIAL', 'RENEWAL'], 9_990_000])
    await s.simulate('schedule', ...device, '--to', 'pro_yearly', '--price', '79.99')
    expect((await s.refused('schedule', ...device, '--to', 'pro_yearly'))[1]).toContain('scheduled already')
    await s.simulate('advance', '32d')
    const held = (await s.simulate('cancel', ...device)).access
    expect([held.pro?.productIdentifier, await sumOf('tip')]).toEqual(['pro_yearly', 9_990_000 + 79_990_000])
  })
})

test('at Google Play a product joins, leaves with the period, and comes in the place of another one', async () => {
  const device = ['--device', 'uma', '--store', 'android']
  await s.simulate('purchase', ...device, '--product', 'pro_monthly')
  const joined = await s.simulate('add-item', ...device, '--to', 'coach_monthly', '--price', '4.99')
  expect(Object.keys(joined.access).sort()).toEqual(['coach', 'pro'])
  expect((await s.refused('add-item', ...device, '--to', 'coach_monthly'))[1]).toContain('that product already')
  expect((await s.refused('add-item', ...device, '--to', 'lifetime'))[1]).toContain('no subscription')
  const left = await s.simulate('remove-item', ...device, '--item', 'coach_monthly')
  expect(Object.keys(left.access).sort()).toEqual(['coach', 'pro'])
  await s.simulate('advance', '31d')
  expect(Object.keys((await s.simulate('cancel', ...device)).access)).toEqual(['pro'])
  await s.simulate('uncancel', ...device)
  expect((await s.simulate('schedule', ...device, '--to', 'coach_monthly', '--price', '4.99')).access).toMatchObject({
    pro: {},
  })
  await s.simulate('advance', '32d')
  expect(Object.keys((await s.simulate('cancel', ...device)).access)).toEqual(['coach'])
  for (const words of [
    ['seats', '2'],
    ['credit', '5.00'],
  ])
    expect((await s.refused(...words, ...device))[0]).toBe(1)
})

for (const [store, product] of [
  ['ios', 'pro_yearly'],
  ['android', 'pro_monthly'],
] as const)
  test(`a year that is paid in months is charged each month at ${store}, and counts as much each month`, async () => {
    const name = `vic_${store}`
    const device = ['--device', name, '--store', store]
    const mrr = async () =>
      (await s.ctx.db.select().from(s.ctx.tables.figureEntries)).reduce((sum, { mrrNew }) => sum + mrrNew, 0)
    const before = await mrr()
    await s.simulate('purchase', ...device, '--product', product, '--price', '6.99', '--commitment')
    expect((await mrr()) - before).toBe(6_990_000)
    await s.simulate('advance', '31d')
    const { id } = await rowOf(s, name)
    expect(await money(s, id)).toEqual([
      ['INITIAL', 6_990_000],
      ['RENEWAL', 6_990_000],
    ])
  })

test('a member of the team refunds one product at the test store; what the store tells of it counts once', async () => {
  const device = ['--device', 'sol', '--store', 'android']
  await s.simulate('purchase', ...device, '--product', 'pro_monthly', '--with', 'coach_monthly')
  const { id } = await rowOf(s, 'sol')
  const { purchases: p } = s.ctx.tables
  const rows = await s.ctx.db.select().from(p).where(eq(p.subscriberId, id))
  const coach = rows.find(({ lineKey }) => lineKey === 'coach_monthly')
  const { purchase, purchaseIds } = await dataOf(staff(s).as('OWNER').post(`/subscriptions/${coach?.id}/refund`, {}))
  expect([purchase.status, purchaseIds]).toEqual(['REFUNDED', [coach?.id]])
  await s.simulate('deliver')
  expect((await money(s, id)).map(([kind]) => kind)).toEqual(['INITIAL', 'INITIAL', 'REFUND'])
  expect(Object.keys(await access(s, 'sol'))).toEqual(['pro'])
})
