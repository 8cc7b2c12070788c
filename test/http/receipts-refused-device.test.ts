import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { type Answer, MONTHLY } from '../support/cast'
import { access, addedSince, balances, everything, identify, rowOf } from '../support/facts'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
})
afterEach(() => s.close())

/** A purchase of Ada, who has a label, and how another device submits the same receipt. */
interface Sold {
  productId: string
  submit(device: string): Promise<Answer>
}

async function soldOnIos(): Promise<Sold> {
  const payload = s.buy(MONTHLY)
  await s.receipt('svc_ada', payload)
  return { productId: 'pro_monthly', submit: (device) => s.receipt(device, payload) }
}

async function soldOnAndroid(): Promise<Sold> {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  await s.token('svc_ada', token, 'pro')
  return { productId: 'pro_monthly', submit: (device) => s.token(device, token, 'pro') }
}

const restored = (store: string, receipt: string, productId: string) => (device: string) =>
  s.post(`/v1/subscribers/${device}/restore`, { receipts: [{ store, receipt, productId }] })

async function restoredFromIos(): Promise<Sold> {
  const payload = s.buy(MONTHLY)
  await s.receipt('svc_ada', payload)
  return { productId: 'pro_monthly', submit: restored('IOS_STORE', s.sign(payload), payload.productId) }
}

async function restoredFromAndroid(): Promise<Sold> {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  await s.token('svc_ada', token, 'pro')
  return { productId: 'pro_monthly', submit: restored('ANDROID_STORE', token, 'pro') }
}

const ways: [name: string, sell: () => Promise<Sold>][] = [
  ['an iOS receipt', soldOnIos],
  ['an Android receipt', soldOnAndroid],
  ['a restore of an iOS receipt', restoredFromIos],
  ['a restore of an Android receipt', restoredFromAndroid],
]

for (const [name, sell] of ways)
  describe(`a device whose first call is ${name} of somebody else`, () => {
    let sold: Sold
    beforeEach(async () => {
      sold = await sell()
      await identify(s, 'svc_ada', 'ada')
    })

    const expectInUse = async (device: string) => {
      const { status, body } = await sold.submit(device)
      expect([status, body.error?.code]).toEqual([409, 'RECEIPT_IN_USE'])
    }

    test('exists afterwards, holds nothing, and has neither events nor attributes', async () => {
      const before = await everything(s)
      await expectInUse('svc_new')
      expect(await addedSince(s, before)).toEqual(['subscribers'])
      const row = await rowOf(s, 'svc_new')
      expect(row).toMatchObject({ appUserId: null, attributes: {}, mergedInto: null, isSynthetic: false })
      expect(await s.events(row.id)).toEqual([])
      expect([await access(s, 'svc_new'), await balances(s, 'svc_new')]).toEqual([{}, {}])
      expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    })

    test('is found by a transfer, which gives it the purchase', async () => {
      await expectInUse('svc_new')
      const body = { fromAppUserId: 'ada', toAppUserId: 'svc_new' }
      const { status } = await s.post('/v1/subscribers/transfer', body, { key: s.project.secretKey })
      expect(status).toBe(200)
      expect(Object.keys(await access(s, 'svc_new'))).toEqual(['pro'])
      expect((await sold.submit('svc_new')).status).toBe(200)
    })

    test('is one, however often and however many times at once it calls', async () => {
      const before = await everything(s)
      await Promise.all(Array.from({ length: 4 }, () => expectInUse('svc_new')))
      await expectInUse('svc_new')
      expect(await addedSince(s, before)).toEqual(['subscribers'])
      await Promise.all(['svc_b', 'svc_c'].map(expectInUse))
      expect(await addedSince(s, before)).toEqual(['subscribers', 'subscribers', 'subscribers'])
    })
  })

test('a device that is known already is not changed by the refusal', async () => {
  const sold = await soldOnIos()
  await identify(s, 'svc_ada', 'ada')
  await identify(s, 'svc_bo', 'bo')
  const before = await everything(s)
  expect((await sold.submit('svc_bo')).body.error.code).toBe('RECEIPT_IN_USE')
  expect(await everything(s)).toEqual(before)
})

const refusals: [name: string, submit: () => Promise<Answer>, code: string][] = [
  [
    'an invalid receipt',
    () => s.post('/v1/receipts/ios', { receipt: 'x', appUserId: 'svc_new', productId: 'pro_monthly' }),
    'RECEIPT_INVALID',
  ],
  [
    'an unknown product',
    () => s.receipt('svc_new', s.buy(MONTHLY), { productId: 'nothing' }),
    'RECEIPT_PRODUCT_UNKNOWN',
  ],
  ['an unknown token', () => s.token('svc_new', 'made-up', 'pro'), 'RECEIPT_INVALID'],
]
for (const [name, submit, code] of refusals)
  test(`${name} leaves no device behind`, async () => {
    const before = await everything(s)
    expect((await submit()).body.error.code).toBe(code)
    expect(await everything(s)).toEqual(before)
  })
