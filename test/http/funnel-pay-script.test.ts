import { describe, expect, test } from 'bun:test'
import { CHECKOUT_NOTICES } from '../../src/core/funnel/render/checkout-words'
import { PAY_SCRIPT } from '../../src/funnels/payments/script'

// The script of payment pages, run over a page of the parts that it reads. The provider is played.

interface Answer {
  status?: number
  data?: object
  error?: object
}

interface Call {
  path: string
  body: Record<string, unknown>
}

/** A payment page with a promotion code: what was applied by the page before, and what is in the field now. */
async function payWith({ applied, typed }: { applied: string; typed: string }, answers: readonly Answer[]) {
  const calls: Call[] = []
  const submitted: unknown[] = []
  const clicked: (() => void)[] = []
  const element = (more: object = {}) => ({ dataset: {}, hidden: false, disabled: false, textContent: '', ...more })
  const button = element({ addEventListener: (_name: string, run: () => void) => clicked.push(run) })
  const fault = element()
  const apply = element()
  const words = JSON.stringify(Object.fromEntries(CHECKOUT_NOTICES.map((name) => [name, `words of ${name}`])))
  const prices = JSON.stringify({ monthly: { mode: 'subscription', due: 500, currency: 'usd' } })
  const members: Record<string, object> = {
    ...{ session: { value: 'fse_1' }, token: { value: 'svc_fst_1' }, page: { value: 'pay' } },
    ...{ package: { value: 'monthly' }, email: { value: 'ada@example.com' } },
    promotion_code: { value: typed, dataset: { applied } },
  }
  const form = {
    elements: { namedItem: (name: string) => members[name] ?? null },
    addEventListener: () => {},
    reportValidity: () => true,
    requestSubmit: (by: unknown) => submitted.push(by),
  }
  const byId: Record<string, object> = {
    ...{ page: form, 'provider-pay': button, 'provider-fault': fault },
    provider: element({ dataset: { key: 'pk', account: '', prices, words, layout: 'card', wallet: 'with_email' } }),
  }
  const document = {
    getElementById: (id: string) => byId[id] ?? null,
    getElementsByName: () => [{ value: '9990000' }],
    querySelector: (selector: string) => (selector.includes('promotion') ? apply : null),
  }
  const left = [...answers]
  const fetch = async (url: string, { body }: { body?: string }) => {
    calls.push({ path: url.split('/').at(-1) ?? '', body: JSON.parse(body ?? '{}') })
    return { status: 200, json: async () => left.shift() ?? {} }
  }
  const elements = { create: () => ({ mount: () => {} }), update: () => {}, submit: async () => ({}) }
  const Stripe = () => ({ elements: () => elements, confirmPayment: async () => ({}), confirmSetup: async () => ({}) })
  const location = { origin: 'http://localhost', pathname: '/f/a/b', replace: () => {} }
  new Function('document', 'window', 'Stripe', 'fetch', 'location', PAY_SCRIPT)(
    ...[document, { Stripe }, Stripe, fetch, location],
  )
  for (const run of clicked) run()
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
  return { calls, submitted, told: fault.textContent, isOfApply: submitted.every((by) => by === apply) }
}

const BEGUN = { data: { client_secret: 'pi_1_secret_2', kind: 'payment', payment_id: 'fpy_1' } }

describe('the script of a payment page', () => {
  test('sends the code whose price the page has shown, and confirms the payment', async () => {
    const { calls, submitted, told } = await payWith({ applied: 'HALF', typed: ' HALF ' }, [BEGUN, { data: {} }])
    expect(calls.map(({ path }) => path)).toEqual(['payment-intent', 'confirm'])
    expect(calls[0]?.body).toEqual({
      ...{ package_identifier: 'monthly', page_id: 'pay', email: 'ada@example.com' },
      ...{ expected_amount_micros: 9_990_000, promotion_code: 'HALF' },
    })
    expect([submitted, told]).toEqual([[], ''])
  })

  test('sends none where none was typed', async () => {
    const { calls } = await payWith({ applied: '', typed: '  ' }, [BEGUN, { data: {} }])
    expect(calls[0]?.body).not.toHaveProperty('promotion_code')
  })

  test.each([
    ['a code that was typed and not looked up', { applied: '', typed: 'HALF' }],
    ['another code than the one of the price', { applied: 'HALF', typed: 'OTHER' }],
    ['a code that was taken away again', { applied: 'HALF', typed: '' }],
  ])('has %s looked up first, and begins no payment', async (_name, code) => {
    const { calls, submitted, isOfApply } = await payWith(code, [BEGUN])
    expect([calls, submitted.length, isOfApply]).toEqual([[], 1, true])
  })

  test.each([
    [{ code: 'VALIDATION_ERROR', details: { field: 'promotion_code' } }, 'words of promotion_code'],
    [{ code: 'VALIDATION_ERROR', details: { field: 'email' } }, 'words of email'],
    [{ code: 'VALIDATION_ERROR', details: { field: 'package_identifier' } }, 'words of package'],
    [{ code: 'VALIDATION_ERROR' }, 'words of package'],
    [{ code: 'PAYMENT_IN_FLIGHT' }, 'words of in_flight'],
    [{ code: 'INTERNAL_ERROR' }, 'words of unavailable'],
  ])('tells a refusal in the words of the page: %j', async (error, sentence) => {
    const { calls, told } = await payWith({ applied: 'HALF', typed: 'HALF' }, [{ error }])
    expect([calls.length, told]).toEqual([1, sentence])
  })
})
