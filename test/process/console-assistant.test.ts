import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, excessOf, goTo, shoot, type Visit, violationsOf } from '../support/console'
import { hasFocus } from '../support/console-entry'
import { invite } from '../support/console-people'
import { expectSoundScreens, until } from '../support/console-screens'
import { serveIntents } from '../support/intent-fixtures'
import { type ModelServer, startModel, USABLE } from '../support/model-server'
import { soon } from '../support/soon'

const SLOW = 600_000
const LIVES = [
  ['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99'],
  ['purchase', '--device', 'jonas', '--product', 'pro_yearly', '--price', '59.99'],
]

describe.skipIf(!hasChromium)('the assistant in the console', () => {
  let stage: ConsoleStage
  let model: ModelServer
  let helper: string
  let subscriberId: string
  let visit: Visit

  beforeAll(async () => {
    model = startModel()
    stage = await consoleStage(LIVES, { SVC_ALLOW_PRIVATE_TARGETS: '1' })
    helper = await invite(stage, 'helper@example.com', 'CUSTOMER_SUPPORT', 'Helper')
    const found = (await stage.call('GET', at('/subscribers'))).data as { items: { id: string }[] }
    subscriberId = found.items[0]?.id ?? ''
    const attributes = { $email: 'mira@example.org', $displayName: 'Mira Vance' }
    await stage.call('PATCH', at(`/subscribers/${subscriberId}/attributes`), { attributes })
    visit = await stage.open()
  }, SLOW)
  afterEach(() => void model.script(USABLE))
  afterAll(async () => {
    await stage?.close()
    await model?.stop()
  }, SLOW)

  const at = (path: string) => `/dashboard/projects/${stage.projectId}${path}`
  const panel = (page: Page) => page.locator('[data-assistant]')
  const question = (page: Page) => panel(page).getByLabel('Ask about this project')
  const log = (page: Page) => page.getByRole('log')
  const ask = async (page: Page, text: string) => {
    await question(page).fill(text)
    await question(page).press('Enter')
  }
  const useModel = () =>
    stage.call('PUT', at('/assistant/credentials'), { provider: 'compatible', model: 'small', baseUrl: model.url })
  const open = async (page: Page, path = '/p/demo/overview') => {
    await goTo(page, path)
    if ((await panel(page).count()) === 0) await page.keyboard.press('Control+j')
    await panel(page).waitFor()
  }
  const anew = async (page: Page) => {
    await panel(page).getByRole('button', { name: 'New question', exact: true }).click()
    await panel(page).getByText('What do you want to know?').waitFor()
  }

  test(
    'an owner without a model gets the form, and what its probe found',
    async () => {
      const { page } = visit
      await open(page)
      await panel(page).getByText('The assistant has no model yet').waitFor()
      const form = panel(page)
      await form.getByLabel('Provider').selectOption('compatible')
      await form.getByLabel('Name of the model').fill('small')
      await form.getByLabel('Address').fill(model.url)
      for (const [step, words] of [
        [{ status: 401 }, 'The provider does not accept the key'],
        [{ status: 404 }, 'The provider does not know this model.'],
        [{ text: 'ok' }, 'This model calls no tools.'],
      ] as const) {
        model.script(step)
        await form.getByRole('button', { name: 'Try and save' }).click()
        await form.getByText(words).last().waitFor()
      }
      await soon(async () => expect(await form.getByLabel('Name of the model').inputValue()).toBe('small'))
      model.script(USABLE)
      await form.getByRole('button', { name: 'Try and save' }).click()
      await question(page).waitFor()
      await soon(async () => expect(await hasFocus(question(page))).toBe(true))
    },
    SLOW,
  )

  test(
    'a question is answered in parts, with rows that open to what was read and lead to own screens alone',
    async () => {
      await useModel()
      const { page } = visit
      await open(page)
      await anew(page)
      model.script(
        { calls: [{ name: 'list_subscribers', arguments: { limit: 5 } }] },
        {
          text: `Most is [here](https://evil.example/x) ![p](https://evil.example/p.png) <img src=https://evil.example/y> ${subscriberId}`,
        },
      )
      await ask(page, 'Who is here?')
      await log(page).getByText('Most is').waitFor()
      const row = panel(page).getByRole('button', { name: /^Read: Subscribers/ })
      await soon(async () => expect(await row.textContent()).toContain('2 rows'))
      await row.click()
      await panel(page).locator('td').first().waitFor()
      const links = await panel(page)
        .locator('a[href]')
        .evaluateAll((all) =>
          all.map((one) => (one as unknown as { getAttribute(n: string): string }).getAttribute('href')),
        )
      expect(links.length).toBeGreaterThan(2)
      for (const href of links) expect(href).toStartWith('/p/demo/')
      expect(links).toContain(`/p/demo/subscribers/${subscriberId}`)
      await soon(async () => expect(await panel(page).locator('img, iframe, video').count()).toBe(0))
      expect(visit.complaints.filter((one) => one.includes('left the origin'))).toEqual([])
      await panel(page).getByRole('link', { name: 'Open Subscribers' }).click()
      await page.locator('h1', { hasText: 'People' }).waitFor()
      await log(page).getByText('Who is here?').waitFor()
    },
    SLOW,
  )

  test(
    'the author reads names, and the model marks',
    async () => {
      await useModel()
      const { page } = visit
      await open(page)
      await anew(page)
      const from = model.bytes.length
      model.script(
        { calls: [{ name: 'search_project', arguments: { q: 'person_1' } }] },
        { text: 'It is person_1, and nobody else.' },
      )
      await ask(page, 'Who is mira@example.org?')
      await log(page).getByText('It is mira@example.org, and nobody else.').waitFor()
      await panel(page).getByText('{"q":"mira@example.org"}').waitFor()
      await panel(page)
        .getByRole('button', { name: /^Read: Search/ })
        .click()
      await panel(page).locator('td').first().waitFor()
      expect(await panel(page).textContent()).not.toMatch(/person_\d/)
      expect(model.bytes.slice(from).join('')).not.toContain('mira@example.org')
      await page.reload()
      await log(page).getByText('It is mira@example.org, and nobody else.').waitFor()
      expect(await panel(page).textContent()).not.toMatch(/person_\d/)
      await panel(page)
        .getByRole('button', { name: /^Earlier questions/ })
        .click()
      await page.getByRole('menuitemradio', { name: 'Who is mira@example.org?' }).waitFor()
      await page.keyboard.press('Escape')
      await soon(async () => expect(await panel(page).count()).toBe(1))
    },
    SLOW,
  )

  test(
    'an answer goes on after a reload, and Stop ends it',
    async () => {
      await useModel()
      const { page } = visit
      await open(page)
      await anew(page)
      model.script({ hangs: true, text: 'Slowly but surely' })
      await ask(page, 'Take your time')
      await log(page).getByText('Slowly').waitFor()
      await page.reload()
      await log(page).getByText('Slowly').waitFor()
      await log(page).getByText('Take your time').waitFor()
      await panel(page).getByRole('button', { name: 'Stop', exact: true }).click()
      await log(page).getByText('You stopped this answer.').waitFor()
      await question(page).waitFor()
    },
    SLOW,
  )

  test(
    'trouble of the provider keeps the question, and can be tried again',
    async () => {
      await useModel()
      const { page } = visit
      await open(page)
      await anew(page)
      model.script({ status: 500 })
      await ask(page, 'Will it work?')
      await panel(page).getByRole('alert').waitFor()
      await log(page).getByText('Will it work?').waitFor()
      model.script({ text: 'Half of it', calls: [{ name: 'get_overview', arguments: {} }] }, { status: 500 })
      await panel(page).getByRole('button', { name: 'Try again' }).click()
      await log(page).getByText('Half of it').waitFor()
      await panel(page).getByRole('alert').waitFor()
      await page.reload()
      await log(page).getByText('This answer broke off.').waitFor()
      model.script({ text: 'It works.' })
      await panel(page).getByRole('button', { name: 'Ask again' }).click()
      await log(page).getByText('It works.').waitFor()
    },
    SLOW,
  )

  test(
    'a used-up month says when it goes on',
    async () => {
      await useModel()
      const { page } = visit
      await open(page)
      await anew(page)
      await page.route('**/assistant/threads/*/messages', (route) =>
        route.fulfill({
          status: 429,
          contentType: 'application/json',
          body: JSON.stringify({
            error: {
              ...{ code: 'ASSISTANT_QUOTA_EXCEEDED', message: 'used up' },
              details: { tier: 'free', exceeded: 'messages', resetAt: '2031-12-01T00:00:00.000Z' },
            },
          }),
        }),
      )
      await ask(page, 'One more?')
      await panel(page).getByText('It answers again from 1 Dec 2031').waitFor()
      await page.unroute('**/assistant/threads/*/messages')
    },
    SLOW,
  )

  test(
    'a thread can be deleted, and Escape closes the panel and gives the focus back',
    async () => {
      await useModel()
      const { page } = visit
      await open(page)
      await anew(page)
      model.script({ text: 'Fine.' })
      await ask(page, 'Delete me later')
      await log(page).getByText('Fine.').waitFor()
      await until(
        async () =>
          (await panel(page)
            .getByRole('button', { name: /Delete me later/ })
            .count()) === 1,
      )
      await panel(page)
        .getByRole('button', { name: /^Earlier questions/ })
        .click()
      await page.getByRole('menuitem', { name: 'Delete this thread' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete this thread' }).click()
      await panel(page).getByText('What do you want to know?').waitFor()
      await question(page).press('Escape')
      await panel(page).waitFor({ state: 'detached' })
      const button = page.getByRole('button', { name: 'Ask the assistant' })
      await button.click()
      await question(page).press('Escape')
      await soon(async () => expect(await hasFocus(button)).toBe(true))
    },
    SLOW,
  )

  test(
    'the screen beside it gets narrower, on a phone it is the page, and axe finds nothing',
    async () => {
      await useModel()
      for (const [theme, width] of [
        ['light', 1280],
        ['dark', 1280],
        ['light', 390],
      ] as const) {
        const { page, close, complaints } = await stage.open({ theme, width })
        await serveIntents(page)
        await open(page)
        if (width === 1280) {
          expect(Math.round((await panel(page).boundingBox())?.width ?? 0)).toBe(456)
          expect(Math.round((await page.locator('#main').boundingBox())?.width ?? 0)).toBe(1280 - 216 - 456)
        } else {
          expect((await panel(page).boundingBox())?.width).toBe(390)
          await soon(async () => expect(await page.locator('#main').isVisible()).toBe(false))
        }
        model.script({ calls: [{ name: 'list_subscribers', arguments: {} }] }, { text: 'Two people.' })
        await ask(page, 'How many?')
        await log(page).getByText('Two people.').waitFor()
        await panel(page)
          .getByRole('button', { name: /^Read: / })
          .click()
        await panel(page).locator('td').first().waitFor()
        expect([theme, width, await violationsOf(page), await excessOf(page)]).toEqual([theme, width, [], 0])
        await shoot(page, `assistant-${theme}-${width}`)
        await page.setViewportSize({ width: 320, height: 900 })
        expect(await excessOf(page)).toBeLessThanOrEqual(0)
        expect(complaints).toEqual([])
        await close()
      }
    },
    SLOW,
  )

  test(
    'somebody who is no owner is told who sets the model',
    async () => {
      await stage.call('DELETE', at('/assistant/credentials'))
      const { page, close } = await stage.open({ cookie: helper })
      await open(page)
      await ask(page, 'Hello?')
      await panel(page).getByText('An owner of this project can set one').waitFor()
      await soon(async () => expect(await panel(page).getByLabel('Key').count()).toBe(0))
      await goTo(page, '/p/demo/settings/assistant/model')
      await page.getByText('Only owners set the model and its key.').waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'the screen of the model',
    async () => {
      await expectSoundScreens(stage, { 'settings-assistant': '/p/demo/settings/assistant/model' })
    },
    SLOW,
  )

  test(
    'where it is switched off, neither a button nor a key opens it',
    async () => {
      await stage.call('PATCH', at(''), { settings: { assistant: 'off' } })
      const { page, close } = await stage.open()
      await goTo(page, '/p/demo/settings/assistant/model')
      await page.getByText('The assistant is switched off').waitFor()
      await soon(async () => expect(await page.getByRole('button', { name: 'Ask the assistant' }).count()).toBe(0))
      await page.keyboard.press('Control+j')
      await soon(async () => expect(await panel(page).count()).toBe(0))
      await stage.call('PATCH', at(''), { settings: { assistant: 'read' } })
      await close()
    },
    SLOW,
  )
})
