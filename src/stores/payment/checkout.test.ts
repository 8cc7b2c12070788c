import { describe, expect, test } from 'bun:test'
import {
  type CheckoutOrder,
  checkoutIdempotencyKey,
  checkoutParams,
  portalParams,
  toCheckoutView,
  toSessionView,
  withoutSecrets,
} from './checkout'

const owner = { subscriberId: 'sub_1', deviceKey: 'svc_1', presentedContext: { placementId: 'home' } }
const order: CheckoutOrder = {
  owner,
  productType: 'SUBSCRIPTION',
  priceId: 'price_1',
  customerId: null,
  successUrl: 'https://app.example.com/thanks',
  cancelUrl: 'https://app.example.com/',
}
const METADATA = {
  svc_subscriber_id: 'sub_1',
  svc_device_key: 'svc_1',
  svc_presented_context: '{"placementId":"home"}',
}

describe('parameters of a checkout', () => {
  test('a subscription says on session and subscription whose it is', () => {
    expect(checkoutParams(order)).toEqual({
      mode: 'subscription',
      line_items: [{ price: 'price_1', quantity: 1 }],
      success_url: 'https://app.example.com/thanks',
      cancel_url: 'https://app.example.com/',
      metadata: METADATA,
      subscription_data: { metadata: METADATA },
    })
  })

  for (const productType of ['CONSUMABLE', 'NON_CONSUMABLE'] as const)
    test(`${productType} is a payment, which names its price and makes a customer`, () => {
      const params = checkoutParams({ ...order, productType })
      expect(params).toMatchObject({
        mode: 'payment',
        customer_creation: 'always',
        payment_intent_data: { metadata: { ...METADATA, svc_price_id: 'price_1' } },
      })
      expect(params).not.toHaveProperty('subscription_data')
    })

  test('a customer on record is reused', () => {
    for (const productType of ['SUBSCRIPTION', 'CONSUMABLE'] as const) {
      const params = checkoutParams({ ...order, productType, customerId: 'cus_1' })
      expect(params.customer).toBe('cus_1')
      expect(params).not.toHaveProperty('customer_creation')
    }
  })

  test('of the portal are the customer and the way back', () => {
    const params = portalParams('cus_1', 'https://app.example.com/')
    expect(params).toEqual({ customer: 'cus_1', return_url: 'https://app.example.com/' })
  })
})

describe('the idempotency key', () => {
  test('is the SHA-256 of project, subscriber and key', () => {
    const digest = new Bun.CryptoHasher('sha256').update('prj_1:sub_1:once').digest('hex')
    expect(checkoutIdempotencyKey('prj_1', 'sub_1', 'once')).toBe(digest)
  })
  test('differs by each of them', () => {
    const keys = [
      checkoutIdempotencyKey('prj_1', 'sub_1', 'a'),
      checkoutIdempotencyKey('prj_2', 'sub_1', 'a'),
      checkoutIdempotencyKey('prj_1', 'sub_2', 'a'),
      checkoutIdempotencyKey('prj_1', 'sub_1', 'b'),
    ]
    expect(new Set(keys).size).toBe(4)
  })
})

describe('a session on its way out', () => {
  const session = {
    id: 'cs_1',
    object: 'checkout.session',
    url: 'https://checkout.example/c/cs_1',
    client_secret: 'cs_1_secret_x',
    amount_total: 999,
    customer: null,
    metadata: { color: 'blue' },
    payment_intent: { id: 'pi_1', client_secret: 'pi_1_secret_x', charges: [{ id: 'ch_1', client_secret: 'y' }] },
    invoice: { confirmation_secret: { client_secret: 'z', type: 'payment_intent' } },
  }

  test('keeps every member but the secrets, at any depth', () => {
    expect(toCheckoutView(session)).toEqual({
      id: 'cs_1',
      object: 'checkout.session',
      url: 'https://checkout.example/c/cs_1',
      sessionId: 'cs_1',
      amount_total: 999,
      customer: null,
      metadata: { color: 'blue' },
      payment_intent: { id: 'pi_1', charges: [{ id: 'ch_1' }] },
      invoice: {},
    })
  })

  test('holds no secret in any text', () => expect(JSON.stringify(withoutSecrets(session))).not.toContain('secret'))
  test('of the portal has no second id', () => expect(toSessionView(session)).not.toHaveProperty('sessionId'))
  test('leaves the one that came in as it was', () => {
    const before = structuredClone(session)
    toCheckoutView(session)
    expect(session).toEqual(before)
  })

  const useless: [name: string, answer: object][] = [
    ['that is paid or has expired', { ...session, url: null }],
    ['without an address', { id: 'cs_1' }],
    ['without an id', { url: 'https://checkout.example' }],
    ['that is none', {}],
  ]
  for (const [name, answer] of useless)
    test(`one ${name} is not handed out`, () => {
      expect([toSessionView(answer), toCheckoutView(answer)]).toEqual([null, null])
    })
})
