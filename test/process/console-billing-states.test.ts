import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo } from '../support/console'
import { invite, lookAt, toastSaying } from '../support/console-people'
import { DETAILS } from '../support/plan-billing'

const SLOW = 600_000
const BILLING = '/p/demo/settings/billing'
const LIGHT = { theme: 'light', width: 1280 } as const
const DARK = { theme: 'dark', width: 390 } as const

const dialogOf = (page: Page) => page.getByRole('dialog')
const bandOf = (page: Page) => page.getByRole('note')
const factOf = (page: Page, name: string) => page.locator('dl > div', { hasText: name })

/** The states of a plan that last for weeks: one project goes through them in this order. */
describe.skipIf(!hasChromium)('the billing of a project', () => {
  let stage: ConsoleStage
  let heir: string

  beforeAll(async () => {
    stage = await consoleStage([], { SVC_CLOUD: '1' })
    await sent('PUT', '/billing/details', DETAILS)
    await sent('POST', '/billing/upgrade', { tier: 'STUDIO', paymentMethodId: 'pm_card_visa' })
    await sent('POST', '/billing/upgrade', { tier: 'INDIE' })
  }, SLOW)
  afterAll(() => stage?.close(), SLOW)

  const at = (path: string) => `/dashboard/projects/${stage.projectId}${path}`
  async function sent(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const { status, data } = await stage.call(method, at(path), body)
    expect([path, status]).toEqual([path, 200])
    return data as Record<string, unknown>
  }
  const billing = () => sent('GET', '/billing')
  const simulate = (...args: string[]) => stage.svc('simulate', 'billing', ...args, '--project', 'demo')

  /** Opens the screen in a look, and expects that axe and the width are content. */
  async function visitIn(look: typeof LIGHT | typeof DARK, name: string, cookie?: string) {
    const visit = await stage.open({ ...look, ...(cookie !== undefined && { cookie }) })
    const [looked] = await lookAt(visit, { [name]: BILLING }, `${look.theme}-${look.width}`)
    expect([looked?.found, looked?.excess, looked?.heading]).toEqual([[], 0, 'Plan and billing'])
    return visit
  }

  test(
    'with a lower plan to come names it and what it costs; the present one can be kept',
    async () => {
      expect(await billing()).toMatchObject({ tier: 'STUDIO', pendingTier: 'INDIE' })
      const { page, complaints, close } = await visitIn(DARK, 'billing-lower-to-come')
      await factOf(page, 'Plan from the next period on').getByText('Indie').waitFor()
      await factOf(page, 'Next invoice').getByText('$29.00').waitFor()
      expect(await bandOf(page).count()).toBe(0)
      await page.getByRole('button', { name: 'Change plan' }).click()
      await dialogOf(page).getByRole('button', { name: 'Choose Studio' }).click()
      await toastSaying(page, 'Asked the payment provider for Studio')
      await factOf(page, 'Next invoice').getByText('$199.00').waitFor()
      expect(await factOf(page, 'Plan from the next period on').count()).toBe(0)
      expect(await billing()).toMatchObject({ tier: 'STUDIO', pendingTier: null })
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )

  test(
    'that was not paid for 60 days is closed, and a plan is bought again, with a payment that the bank wants confirmed',
    async () => {
      await simulate('fail')
      for (const days of ['22d', '31d', '23d', '8d']) await simulate('advance', days)
      expect(await billing()).toMatchObject({ state: 'DELETED', tier: 'FREE' })
      const { page, complaints, close } = await visitIn(LIGHT, 'billing-closed')
      await bandOf(page).getByText('Billing is closed').waitFor()
      await bandOf(page).getByText('You can choose a plan again').waitFor()
      expect(await bandOf(page).getByRole('button').count()).toBe(0)
      await page.getByRole('button', { name: 'Choose a plan' }).click()
      const dialog = dialogOf(page)
      await dialog.getByLabel('Plan').selectOption('INDIE')
      await dialog.getByLabel('Card').selectOption('pm_card_authenticationRequired')
      await dialog.getByRole('button', { name: 'Choose Indie' }).click()
      await dialog.getByText('The payment has to be confirmed').waitFor()
      expect(await billing()).toMatchObject({ tier: 'FREE' })
      await simulate('authenticate')
      await dialog.getByRole('button', { name: 'Ask the provider' }).click()
      await page.locator('main').getByText('Active', { exact: true }).waitFor()
      expect(await bandOf(page).count()).toBe(0)
      expect(await billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )

  test(
    'that was transferred asks the new owner for a card until a day, and shows none of the former owner',
    async () => {
      heir = await invite(stage, 'heir@example.com', 'ADMIN', 'Heir')
      const { items } = (await sent('GET', '/members')) as { items: { userId: string; email: string }[] }
      const userId = items.find(({ email }) => email === 'heir@example.com')?.userId
      await sent('POST', '/transfer', { userId })
      await simulate('advance', '1d')
      const { cardNeededBy } = await billing()
      expect(typeof cardNeededBy).toBe('string')
      const { page, complaints, close } = await visitIn(DARK, 'billing-card-needed', heir)
      await bandOf(page).getByText('Add a card of your own until').waitFor()
      await bandOf(page).getByText('the card of the former owner is still charged', { exact: false }).waitFor()
      await page.getByText('No card', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Add a card' }).click()
      const command = (await dialogOf(page).getByText('svc simulate billing confirm').textContent()) ?? ''
      await simulate('confirm', '--secret', /--secret (\S+)/.exec(command)?.[1] ?? '', '--card', 'master')
      await simulate('advance', '1d')
      await dialogOf(page).getByRole('button', { name: 'Ask the provider' }).click()
      await page.getByText('Mastercard …4444').first().waitFor()
      await goTo(page, BILLING)
      await page.getByText('Mastercard …4444').first().waitFor()
      expect(await bandOf(page).count()).toBe(0)
      expect(await billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE', cardNeededBy: null })
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )

  test(
    'over its limits in two months says that the analysis is locked, and what is not',
    async () => {
      const visit = await stage.open({ ...LIGHT, cookie: heir })
      // Two months of use would have to pass. When it is locked is the business of the server and its tests.
      await visit.page.route(/\/billing(\?|$)/, async (route) => {
        if (route.request().resourceType() === 'document') return route.continue()
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { data: { ...(await answer.json()).data, locked: true } } })
      })
      const [looked] = await lookAt(visit, { 'billing-locked': BILLING }, 'light-1280')
      expect([looked?.found, looked?.excess]).toEqual([[], 0])
      await bandOf(visit.page).getByText('The analysis is locked').waitFor()
      await bandOf(visit.page).getByText('refunds, grants and exports are not locked', { exact: false }).waitFor()
      expect(await visit.page.getByRole('button', { name: 'Change plan' }).isEnabled()).toBe(true)
      expect(visit.complaints).toEqual([])
      await visit.close()
    },
    SLOW,
  )
})
