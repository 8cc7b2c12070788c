import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { DEFAULT_PLANS } from '../../src/base/config-cloud'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, type Visit, violationsOf } from '../support/console'
import { invite, lookAt, toastSaying } from '../support/console-people'
import { DETAILS } from '../support/plan-billing'
import { soon } from '../support/soon'

const SLOW = 600_000
const BILLING = '/p/demo/settings/billing'

const LOOKS = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
] as const

const dialogOf = (page: Page) => page.getByRole('dialog')
const bandOf = (page: Page) => page.getByRole('note')

describe.skipIf(!hasChromium)('the billing of a project that the test store charges', () => {
  let stage: ConsoleStage

  beforeAll(async () => {
    stage = await consoleStage([], { SVC_CLOUD: '1' })
  }, SLOW)
  afterAll(() => stage?.close(), SLOW)

  const at = (path: string) => `/dashboard/projects/${stage.projectId}/billing${path}`
  const billing = async () => (await stage.call('GET', at(''))).data as Record<string, unknown>
  const details = async () => ((await stage.call('GET', at('/details'))).data as { details: unknown }).details
  const cards = async () => ((await stage.call('GET', at('/payment-methods'))).data as { items: object[] }).items
  const simulate = (...args: string[]) => stage.svc('simulate', 'billing', ...args, '--project', 'demo')

  /** Axe and the width of the screen, in both looks; then what is open over it. */
  const expectSound = (name: string, screens: Record<string, string>) => {
    for (const { theme, width } of LOOKS)
      test(
        `${name}, in ${theme} at ${width}`,
        async () => {
          const visit = await stage.open({ theme, width })
          for (const { path, found, excess, heading } of await lookAt(visit, screens, `${theme}-${width}`))
            expect([path, found, excess, heading]).toEqual([path, [], 0, 'Plan and billing'])
          expect(visit.complaints).toEqual([])
          await visit.close()
        },
        SLOW,
      )
  }

  expectSound('without a plan', { 'billing-free': BILLING, 'billing-details-first': `${BILLING}?do=plan` })

  test(
    'a plan asks for name and address first; a faulty one is said at its field',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, BILLING)
      await page.getByText('Nothing is paid for').waitFor()
      await page.getByText('None is announced').waitFor()
      await page.getByRole('button', { name: 'Choose a plan' }).click()
      const dialog = dialogOf(page)
      await dialog.getByText('Invoices need a name and an address').waitFor()
      await dialog.getByLabel('Name or firm').fill(DETAILS.name)
      await dialog.getByLabel('Street and number').fill(DETAILS.address.line1)
      await dialog.getByRole('button', { name: 'Save details' }).click()
      await dialog.locator('[aria-invalid]').first().waitFor()
      expect(await details()).toBeNull()
      await dialog.getByLabel('City').fill(DETAILS.address.city)
      await dialog.getByLabel('Country').selectOption({ label: 'Ireland' })
      await dialog.getByRole('button', { name: 'Save details' }).click()
      await dialog.getByText('Due now').waitFor()
      expect(await details()).toEqual({
        ...{ name: DETAILS.name, taxId: null },
        address: { line1: DETAILS.address.line1, city: DETAILS.address.city, country: 'IE' },
      })
      await close()
    },
    SLOW,
  )

  test(
    'a declined card leaves the plan as it was, and what confirms the payment is shown; then the plan is paid',
    async () => {
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${BILLING}?do=plan`)
      const dialog = dialogOf(page)
      await dialog.locator('dd', { hasText: '$29.00' }).first().waitFor()
      await dialog.getByLabel('Card').selectOption('pm_card_visa_chargeDeclined')
      await dialog.getByRole('button', { name: 'Choose Indie' }).click()
      const command = (await dialog.getByText('svc simulate billing confirm').textContent()) ?? ''
      expect(await billing()).toMatchObject({ tier: 'FREE', state: 'FREE' })
      const secret = /--secret (\S+)/.exec(command)?.[1] ?? ''
      await simulate('confirm', '--secret', secret, '--card', 'visa')
      await dialog.getByRole('button', { name: 'Ask the provider' }).click()
      await toastSaying(page, 'The payment provider was asked')
      await page.locator('main').getByText('Active', { exact: true }).waitFor()
      await page.getByText('$29.00 a month').waitFor()
      expect(await billing()).toMatchObject({ tier: 'INDIE', state: 'ACTIVE' })
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )

  expectSound('with a plan', { 'billing-active': BILLING, 'billing-change': `${BILLING}?do=plan` })

  test(
    'an invoice opens to its lines and to what was used in its month',
    async () => {
      const visit = await stage.open({ theme: 'dark', width: 390 })
      const { page, close } = visit
      await goTo(page, BILLING)
      await page
        .getByRole('link', { name: /^INV|^[A-Z0-9-]+$/ })
        .first()
        .click()
      const sheet = dialogOf(page)
      await sheet.getByText('INDIE, one month').waitFor()
      await soon(async () => expect(await sheet.locator('tfoot').textContent()).toContain('$29.00'))
      expect(await violationsOf(page)).toEqual([])
      await sheet.getByRole('link', { name: 'The days of' }).click()
      await page.waitForURL('**/settings/usage?month=**')
      await close()
    },
    SLOW,
  )

  test(
    'the last card is refused in words; another one is added, chosen and the old one removed',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, BILLING)
      const dialog = dialogOf(page)
      // The store keeps the card that was declined.
      await page.getByRole('button', { name: 'Remove Visa …0002' }).click()
      await dialog.getByRole('button', { name: 'Remove the card' }).click()
      await toastSaying(page, 'Visa …0002 was removed')
      await page.getByRole('button', { name: 'Remove Visa …4242' }).click()
      await dialog.getByRole('button', { name: 'Remove the card' }).click()
      await dialog.getByText('BILLING_CARD_IN_USE').waitFor()
      expect(await cards()).toHaveLength(1)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Add a card' }).click()
      const command = (await dialog.getByText('svc simulate billing confirm').textContent()) ?? ''
      await simulate('confirm', '--secret', /--secret (\S+)/.exec(command)?.[1] ?? '', '--card', 'master')
      await dialog.getByRole('button', { name: 'Ask the provider' }).click()
      await page.getByText('Mastercard …4444').first().waitFor()
      await page.getByRole('button', { name: 'Charge this card Visa …4242' }).click()
      await toastSaying(page, 'Visa …4242 is charged from now on')
      await page.getByRole('button', { name: 'Remove Mastercard …4444' }).click()
      await dialog.getByRole('button', { name: 'Remove the card' }).click()
      await toastSaying(page, 'Mastercard …4444 was removed')
      expect(await cards()).toMatchObject([{ brand: 'visa', isDefault: true }])
      await close()
    },
    SLOW,
  )

  test(
    'a cancelled plan says its last day and takes no other plan; it can be kept',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, BILLING)
      await page.getByRole('button', { name: 'Cancel the plan' }).click()
      const dialog = dialogOf(page)
      await dialog.getByText('After it the project has the Free plan').waitFor()
      await dialog.getByRole('button', { name: 'Cancel the plan' }).click()
      await page.getByText('Nothing more is charged for it').waitFor()
      await page.getByText('None is announced').waitFor()
      expect((await billing()).cancelAt).not.toBeNull()
      await page.getByRole('button', { name: 'Change plan' }).click({ force: true })
      await toastSaying(page, 'The plan is cancelled. Keep it')
      await soon(async () => expect(await dialog.count()).toBe(0))
      await close()
    },
    SLOW,
  )

  expectSound('with a plan that was cancelled', { 'billing-cancelled': BILLING })

  test(
    'a plan that was cancelled is kept, and a larger one costs the difference at once',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, BILLING)
      await page.getByRole('button', { name: 'Keep the plan' }).click()
      await toastSaying(page, 'The plan goes on')
      expect((await billing()).cancelAt).toBeNull()
      await page.getByRole('button', { name: 'Change plan' }).click()
      const dialog = dialogOf(page)
      await dialog.getByLabel('Plan').selectOption('STUDIO')
      await dialog.locator('dd', { hasText: '$199.00' }).waitFor()
      await dialog.getByRole('button', { name: 'Choose Studio' }).click()
      await toastSaying(page, 'Asked the payment provider for Studio')
      await page.getByText('$199.00 a month').waitFor()
      expect(await billing()).toMatchObject({ tier: 'STUDIO', state: 'ACTIVE' })
      await close()
    },
    SLOW,
  )

  test('a payment fails', async () => void (await simulate('fail')), SLOW)

  expectSound('with a payment that failed', { 'billing-past-due': BILLING })

  test(
    'a payment that failed is told without a day that the provider has not given; it is paid with another card',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, BILLING)
      await bandOf(page).getByText('A payment failed').waitFor()
      expect(await bandOf(page).textContent()).not.toMatch(/\d/)
      await bandOf(page).getByRole('button', { name: 'Pay now' }).click()
      const dialog = dialogOf(page)
      await dialog.getByLabel('Card').selectOption('pm_card_visa')
      await dialog.getByRole('button', { name: 'Pay now' }).click()
      await page.locator('main').getByText('Active', { exact: true }).waitFor()
      await soon(async () => expect(await bandOf(page).count()).toBe(0))
      expect(await billing()).toMatchObject({ tier: 'STUDIO', state: 'ACTIVE' })
      await close()
    },
    SLOW,
  )

  test(
    'a pause says since when, and what goes on',
    async () => {
      await simulate('fail')
      await simulate('advance', '22d')
      expect(await billing()).toMatchObject({ state: 'PAUSED', tier: 'FREE' })
      const visit: Visit = await stage.open({ theme: 'dark', width: 390 })
      const [look] = await lookAt(visit, { 'billing-paused': BILLING }, 'dark-390')
      expect([look?.found, look?.excess]).toEqual([[], 0])
      const band = bandOf(visit.page)
      await band.getByText('The plan is paused since').waitFor()
      await band.getByText('Apps, receipts, notifications of stores', { exact: false }).waitFor()
      await band.getByRole('button', { name: 'Pay now' }).click()
      const dialog = dialogOf(visit.page)
      await dialog.getByText('Choose the plan that you had').waitFor()
      await visit.close()
    },
    SLOW,
  )

  test(
    'who is no administrator reads the plan, and neither cards nor invoices; the button says the role',
    async () => {
      const cookie = await invite(stage, 'developer@example.com', 'DEVELOPER', 'Developer')
      const { page, complaints, close } = await stage.open({ cookie })
      await goTo(page, BILLING)
      await bandOf(page).getByText('The plan is paused since').waitFor()
      for (const name of ['Cards', 'Invoices', 'Details for invoices'])
        await soon(async () => expect(await page.getByRole('heading', { name }).count()).toBe(0))
      await page.getByRole('button', { name: 'Change plan' }).click({ force: true })
      await toastSaying(page, 'It needs Admin')
      await soon(async () => expect(await dialogOf(page).count()).toBe(0))
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )

  test(
    'more invoices than a page are shown on demand',
    async () => {
      const { state } = await billing()
      if (state === 'FREE') {
        await stage.call('PUT', at('/details'), DETAILS)
        await stage.call('POST', at('/upgrade'), { tier: 'INDIE', paymentMethodId: 'pm_card_visa' })
      } else await simulate('recover')
      for (const half of ['850d', '850d']) await simulate('advance', half)
      const { page, complaints, close } = await stage.open()
      await goTo(page, BILLING)
      const table = page.getByRole('table', { name: 'Invoices' })
      const rows = table.locator('tbody tr')
      await rows.first().waitFor()
      await soon(async () => expect(await rows.count()).toBe(50))
      await page.getByRole('button', { name: 'Show more' }).click()
      await rows.nth(54).waitFor()
      const names = await rows.allInnerTexts()
      expect(new Set(names).size).toBe(names.length)
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )
})

/** In place of the provider's script: it shows what it got, declines once, and then takes the card. */
const PROVIDER_SCRIPT = `let tries=0
window.Stripe=(key)=>({
elements:({clientSecret})=>({create:()=>{
const heard={}
return {on:(name,run)=>{heard[name]=run},mount:(place)=>{document.querySelector(place).textContent=key+' '+clientSecret;heard.ready()}}
}}),
confirmSetup:async()=>tries++===0?{error:{message:'Your card was declined.'}}:{}
})`

describe.skipIf(!hasChromium)('the card form of the real provider', () => {
  let stage: ConsoleStage

  beforeAll(async () => {
    const plans = DEFAULT_PLANS.map((plan) => (plan.monthly ? { ...plan, priceId: `price_${plan.tier}` } : plan))
    stage = await consoleStage([], {
      ...{ SVC_CLOUD: '1', SVC_BILLING_SECRET_KEY: 'sk_test_1', SVC_BILLING_PUBLISHABLE_KEY: 'pk_test_1' },
      ...{ SVC_BILLING_WEBHOOK_SECRET: 'whsec_1', SVC_BILLING_PLANS: JSON.stringify(plans) },
    })
  }, SLOW)
  afterAll(() => stage?.close(), SLOW)

  test(
    'is a document of its own: the console itself loads nothing of others, and the secret is in no address',
    async () => {
      const { page, complaints, close } = await stage.open({ theme: 'dark', width: 390 })
      const loadedBy: string[] = []
      const addresses: string[] = []
      page.on('request', (request) => {
        addresses.push(request.url())
        if (request.url().startsWith('https://js.stripe.com/')) loadedBy.push(new URL(request.frame().url()).pathname)
      })
      await page.route('https://js.stripe.com/**', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: PROVIDER_SCRIPT }),
      )
      await page.route('**/billing/payment-methods', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 200, json: { data: { setupClientSecret: 'seti_1_secret_1' } } })
          : route.continue(),
      )
      await goTo(page, BILLING)
      await page.getByRole('button', { name: 'Add a card' }).click()
      const form = page.frameLocator('iframe[title="Card form of the payment provider"]')
      await form.getByText('pk_test_1 seti_1_secret_1').waitFor()
      await form.getByRole('button', { name: 'Confirm' }).click()
      await form.getByText('Your card was declined.').waitFor()
      await form.getByRole('button', { name: 'Confirm' }).click()
      await toastSaying(page, 'The payment provider was asked')
      await soon(async () => expect(await dialogOf(page).count()).toBe(0))
      expect(loadedBy).toEqual(['/billing/card-form'])
      expect(addresses.filter((address) => address.includes('secret_1'))).toEqual([])
      expect(
        complaints.filter((complaint) => !complaint.startsWith('left the origin: https://js.stripe.com/')),
      ).toEqual([])
      await close()
    },
    SLOW,
  )

  test(
    'is shown by no other page, and has a policy of its own',
    async () => {
      const answer = await fetch(`${stage.url}/billing/card-form`)
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("frame-ancestors 'self'")
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self' https://js.stripe.com;")
      expect(await answer.text()).not.toContain('sk_test_1')
    },
    SLOW,
  )
})

describe.skipIf(!hasChromium)('a server of its own', () => {
  let stage: ConsoleStage

  beforeAll(async () => {
    stage = await consoleStage([])
  }, SLOW)
  afterAll(() => stage?.close(), SLOW)

  test(
    'has no screen for billing and no entry for it, and asks for nothing',
    async () => {
      const { page, complaints, close } = await stage.open()
      const asked: string[] = []
      page.on('request', (request) => void (request.url().includes('/billing') && asked.push(request.url())))
      await goTo(page, '/p/demo/settings')
      await soon(async () => expect(await page.getByRole('link', { name: 'Usage' }).count()).toBe(1))
      await soon(async () => expect(await page.getByRole('link', { name: 'Plan and billing' }).count()).toBe(0))
      await page.goto(BILLING)
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
      expect(asked.filter((url) => !url.endsWith(BILLING))).toEqual([])
      expect((await fetch(`${stage.url}/billing/card-form`)).status).toBe(503)
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )
})
