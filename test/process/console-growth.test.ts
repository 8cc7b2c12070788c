import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, untilTrue } from '../support/console'
import { addMember } from '../support/console-members'
import { expectSoundScreens, until } from '../support/console-screens'
import { soon } from '../support/soon'

// Flags, audiences, experiments and placements as people use them in a browser.

const PATIENCE = 1_800_000

describe.skipIf(!hasChromium)('growth in the console', () => {
  let stage: ConsoleStage
  let colleague: string
  const growth = '/p/demo/growth'
  const P = () => `/dashboard/projects/${stage.projectId}`

  /** The payload of a successful call of the owner. */
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, data } = await stage.call(method, `${P()}${path}`, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`)
    return data as T
  }
  const items = async <T>(path: string) => (await call<{ items: T[] }>('GET', path)).items
  const flagOf = (key: string) => call<Flag>('GET', `/feature-flags/by-key/${key}`)

  beforeAll(async () => {
    stage = await consoleStage([['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99']])
    colleague = (await addMember(stage, 'colleague@example.com', 'ADMIN')).cookie
  }, PATIENCE)
  afterAll(() => stage?.close(), PATIENCE)

  test(
    'every screen is sound on a wide window and on a phone',
    async () => {
      const [experiment] = await items<Named>('/experiments')
      const [placement] = await items<Named>('/placements')
      const audience = (await items<Named & { isDefault: boolean }>('/audiences')).find(({ isDefault }) => !isDefault)
      const [person] = await items<Named>('/subscribers')
      await expectSoundScreens(stage, {
        flags: growth,
        'flag-new': `${growth}?do=new`,
        flag: `${growth}/flags/new_onboarding?as=${person?.id}`,
        'flag-json': `${growth}/flags/paywall`,
        'flag-rule': `${growth}/flags/new_onboarding?do=rule&in=PROD&rule=s0`,
        'flag-compare': `${growth}/flags/new_onboarding?do=compare&in=PROD&with=DEVELOPMENT`,
        experiments: `${growth}/experiments`,
        experiment: `${growth}/experiments/${experiment?.id}`,
        'experiment-stop': `${growth}/experiments/${experiment?.id}?do=stop`,
        'experiment-new': `${growth}/experiments/new`,
        placements: `${growth}/placements`,
        placement: `${growth}/placements/${placement?.id}`,
        domains: `${growth}/domains`,
        'domain-new': `${growth}/domains?do=add`,
        audiences: `${growth}/audiences`,
        audience: `${growth}/audiences/${audience?.id}`,
      })
    },
    PATIENCE,
  )

  test(
    'a rollout in production is reviewed, survives a reload, and is saved with the keyboard',
    async () => {
      const { page, complaints, close } = await stage.open()
      page.on('dialog', (dialog) => void dialog.accept())
      await goTo(page, `${growth}/flags/new_onboarding`)
      await page.getByLabel('Production, rule 1, per cent').fill('40')
      await page.getByText('1 change', { exact: true }).waitFor()
      await page.reload()
      await page.getByText('1 change', { exact: true }).waitFor()
      expect((await flagOf('new_onboarding')).environments.PROD?.rules[0]?.rolloutPercentage).toBe(0.5)
      await page.keyboard.press('Control+s')
      const review = page.getByRole('dialog', { name: 'This changes production' })
      await review.getByText('Turkey: true, 50 %').waitFor()
      await review.getByText('Turkey: true, 40 %').waitFor()
      await review.getByText('0 to 0 people').waitFor()
      await review.getByRole('button', { name: 'Save to production' }).click()
      await review.waitFor({ state: 'detached' })
      expect((await flagOf('new_onboarding')).environments.PROD?.rules[0]?.rolloutPercentage).toBe(0.4)
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByText('rollout: 0.4').waitFor()
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'the sheet of a rule stays while its JSON cannot be read',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, `${growth}/flags/new_onboarding`)
      await page.getByRole('button', { name: 'Who gets rule 1' }).first().click()
      const sheet = page.getByRole('dialog', { name: /^Who gets/ })
      await sheet.getByRole('button', { name: 'JSON' }).click()
      const rules = sheet.getByLabel('Rules', { exact: true })
      const before = await rules.inputValue()
      await rules.fill('{"country":')
      await sheet.getByRole('button', { name: 'Done' }).click()
      await rules.and(page.locator(':focus')).waitFor()
      await rules.fill(before)
      await sheet.getByRole('button', { name: 'Done' }).click()
      await sheet.waitFor({ state: 'detached' })
      await close()
    },
    PATIENCE,
  )

  test(
    'leaving with changes asks, and a switch in the list can be undone',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, `${growth}/flags/new_onboarding`)
      await page.getByLabel('Production, rule 1, per cent').fill('35')
      await page.getByRole('link', { name: 'Audiences' }).click()
      const question = page.getByRole('dialog', { name: 'Leave and lose the changes?' })
      await question.getByRole('button', { name: 'Stay' }).click()
      await page.getByText('1 change', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Flags' }).last().click()
      await question.getByRole('button', { name: 'Leave' }).click()
      const toggle = page.getByRole('switch', { name: 'new_onboarding, Production' })
      await toggle.click()
      await page.getByText('new_onboarding, Production is off').waitFor()
      expect((await flagOf('new_onboarding')).environments.PROD?.isEnabled).toBe(false)
      await page.getByRole('button', { name: 'Undo' }).click()
      await toggle.and(page.locator(':checked')).waitFor()
      await until(async () => (await flagOf('new_onboarding')).environments.PROD?.isEnabled === true)
      await close()
    },
    PATIENCE,
  )

  test(
    'two people edit one flag: the second sees who was faster, and what they wrote',
    async () => {
      const [mine, theirs] = [await stage.open(), await stage.open({ cookie: colleague })]
      const serve = (page: Page) => page.getByLabel('Development, Everybody else')
      const describe = (page: Page) => page.getByLabel('Description')
      for (const { page } of [mine, theirs]) await goTo(page, `${growth}/flags/new_onboarding`)
      await describe(mine.page).fill('Mine')
      await describe(theirs.page).fill('Of a colleague')
      await serve(theirs.page).selectOption('false')
      await theirs.page.getByRole('button', { name: 'Save' }).click()
      await until(async () => (await flagOf('new_onboarding')).description === 'Of a colleague')
      await mine.page.getByRole('button', { name: 'Save' }).click()
      const conflict = mine.page.getByRole('dialog', { name: 'Somebody changed this meanwhile' })
      await conflict.getByText('colleague@example.com').waitFor()
      await conflict.getByRole('cell', { name: 'Of a colleague' }).waitFor()
      await conflict.getByRole('cell', { name: 'Mine' }).waitFor()
      expect((await flagOf('new_onboarding')).description).toBe('Of a colleague')
      await conflict.getByRole('button', { name: 'Load the newest' }).click()
      await until(async () => (await describe(mine.page).inputValue()) === 'Of a colleague')
      await describe(mine.page).fill('Mine again')
      await call('PUT', '/feature-flags/by-key/new_onboarding', {
        ...withoutIds(await flagOf('new_onboarding')),
        description: 'By the API',
      })
      await mine.page.getByRole('button', { name: 'Save' }).click()
      await conflict.getByRole('button', { name: 'Overwrite' }).click()
      await until(async () => (await flagOf('new_onboarding')).description === 'Mine again')
      expect([...mine.complaints, ...theirs.complaints].filter((text) => !text.includes('409'))).toEqual([])
      await Promise.all([mine.close(), theirs.close()])
    },
    PATIENCE,
  )

  test(
    'what one person gets is evaluated by the draft, and agrees with the server for the saved flag',
    async () => {
      const person = (await items<Named & { deviceKey: string }>('/subscribers')).find(
        ({ deviceKey }) => deviceKey === 'mira',
      )
      const { flags } = await call<{ flags: { key: string; value: unknown }[] }>(
        'GET',
        `/subscribers/${person?.id}/evaluation`,
      )
      const saved = flags.find(({ key }) => key === 'paywall')?.value
      const { page, close } = await stage.open()
      await goTo(page, `${growth}/flags/paywall`)
      await page.getByLabel('Find a person').fill('mira')
      await page.getByRole('button', { name: 'mira', exact: true }).click()
      const answer = page.locator('[data-answer=PROD]')
      await answer.getByText(JSON.stringify(saved), { exact: true }).waitFor()
      await page.getByRole('switch', { name: /Production/ }).click()
      await answer.getByText('it is switched off here; apps get the default').waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
      await answer.getByText(JSON.stringify(saved), { exact: true }).waitFor()
      await close()
    },
    PATIENCE,
  )

  test(
    'an experiment goes from draft to decision',
    async () => {
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${growth}/experiments/new`)
      await page.getByLabel('Name', { exact: true }).last().fill('Short trial')
      await page.getByLabel('Key', { exact: true }).fill('short_trial')
      await page.getByRole('button', { name: 'Create the draft' }).click()
      await page.waitForURL(/experiments\/exp_/)
      const id = page.url().split('/').at(-1) ?? ''
      const now = () => call<Experiment>('GET', `/experiments/${id}`)
      expect(await now()).toMatchObject({ key: 'short_trial', status: 'DRAFT' })
      await press(page, 'Start', 'Start the experiment')
      await until(async () => (await now()).status === 'RUNNING')
      const { recommendation } = await call<Results>('GET', `/experiments/${id}/results`)
      await page.getByText(recommendation.sentence).waitFor()
      await page.getByText('Not decided yet').waitFor()
      await press(page, 'Pause', 'Pause the experiment')
      await until(async () => (await now()).status === 'PAUSED')
      await press(page, 'Resume', 'Resume the experiment')
      await until(async () => (await now()).status === 'RUNNING')
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      const decision = page.getByRole('dialog', { name: 'Stop the experiment' })
      await decision.getByLabel('Winner', { exact: true }).selectOption('treatment')
      await decision.getByText('the flag short_trial gives true to everybody').waitFor()
      await decision.getByRole('button', { name: 'Stop the experiment' }).click()
      await until(async () => (await now()).status === 'COMPLETED')
      expect(await now()).toMatchObject({ winnerVariantId: 'treatment' })
      // What was recorded stands above what the figures advise.
      await page.getByText(/ was chosen$/).waitFor()
      await page.getByText(/^by owner@example.com · /).waitFor()
      await page.getByText(/^The figures of then: /).waitFor()
      await soon(async () => expect(await page.getByText('Not decided yet').count()).toBe(0))
      expect((await flagOf('short_trial')).environments.PROD?.defaultValue).toBe(true)
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'rows of a placement are put in order with the mouse, with the keyboard alone, and from the menu',
    async () => {
      const [placement] = await items<Placement>('/placements')
      const audiences = await items<Named & { name: string }>('/audiences')
      const named = (name: string) => audiences.find((one) => one.name === name)?.id ?? null
      const target = { type: 'none' }
      const last = placement?.rows.at(-1)
      await call('PATCH', `/placements/${placement?.id}`, {
        rows: [{ audienceId: named('Turkey'), target }, { audienceId: named('All users'), target }, last],
      })
      const order = async () =>
        (await call<Placement>('GET', `/placements/${placement?.id}`)).rows.map(
          ({ audienceId }) => audiences.find(({ id }) => id === audienceId)?.name ?? null,
        )
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${growth}/placements/${placement?.id}`)
      const handle = (name: string) => page.getByRole('button', { name: `Move ${name}` })
      const said = (name: string, place: number) =>
        page.getByText(`${name} is at place ${place} of 3`).first().waitFor({ state: 'attached' })
      const save = page.getByRole('button', { name: /^Save/ })
      const saved = async (expected: string) => {
        await save.waitFor({ state: 'detached' })
        expect((await order()).join()).toBe(expected)
      }
      await drag(page, handle('Turkey'), handle('All users'), () => said('Turkey', 2))
      await save.click()
      await saved('All users,Turkey,')
      await handle('All users').focus()
      await page.keyboard.press('Space')
      await said('All users', 1)
      await page.keyboard.press('ArrowDown')
      await said('All users', 2)
      await page.keyboard.press('ArrowDown')
      await said('All users', 3)
      await page.keyboard.press('Escape')
      await page.getByText('It stays where it was').waitFor({ state: 'attached' })
      await save.waitFor({ state: 'detached' })
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      await page.getByText('2 changes', { exact: true }).waitFor()
      await page.keyboard.press('Control+s')
      await saved('Turkey,All users,')
      await soon(async () => expect(await handle('All users').and(page.locator(':focus')).count()).toBe(1))
      await page.getByRole('button', { name: 'Actions Row 2' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Move up' }).press('Enter')
      await page.keyboard.press('Control+s')
      await saved('All users,Turkey,')
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'rules are built with a count of people, and names that look like code are only text',
    async () => {
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${growth}/audiences/new`)
      await page.getByLabel('Name', { exact: true }).fill(HOSTILE)
      await page.getByRole('button', { name: 'Add a test' }).click()
      await page.getByLabel('Attribute').fill('svc.platform')
      await page.getByLabel('Operator').selectOption('$in')
      await page.getByLabel('Value', { exact: true }).fill('ios, android')
      const { matching } = await call<{ matching: number }>('POST', '/audiences/preview', {
        rules: { 'svc.platform': { $in: ['ios', 'android'] } },
      })
      await page.getByText(/of \d+ (person|people) now/).waitFor()
      expect(matching).toBeGreaterThanOrEqual(0)
      await page.getByRole('button', { name: 'Create' }).click()
      await page.waitForURL(/audiences\/aud_/)
      const made = (await items<Audience>('/audiences')).find(({ name }) => name === HOSTILE)
      expect(made?.rules).toEqual({ 'svc.platform': { $in: ['ios', 'android'] } })
      await page.getByRole('heading', { name: HOSTILE }).waitFor()
      const choose = (text: string) =>
        page.locator('input[type=file]').setInputFiles({
          ...{ name: 'beta.txt', mimeType: 'text/plain', buffer: Buffer.from(text) },
        })
      const memberCount = async () => (await call<Audience>('GET', `/audiences/${made?.id}`)).memberCount
      const replacing = page.getByRole('dialog', { name: 'Replace the list' })
      const replace = () => replacing.getByRole('button', { name: 'Replace the list' }).click()
      await choose('ada\nb\u0001o')
      await replace()
      await replacing
        .getByRole('alert')
        .getByText(/line 2/)
        .waitFor()
      expect(await memberCount()).toBe(0)
      complaints.length = 0 // The browser reports the refused call.
      await replacing.getByRole('button', { name: 'Cancel' }).click()
      await choose('ada\nbo\n\nada\n')
      await soon(async () =>
        expect(await replacing.getByRole('definition').allTextContents()).toEqual(['beta.txt', '3', '0']),
      )
      await replace()
      await page.getByText('The list has 2 ids now').waitFor()
      expect(await memberCount()).toBe(2)
      const unused = page.getByText(/The rules are empty, so this audience is everybody/)
      await soon(async () => expect(await unused.count()).toBe(0))
      await page.getByRole('button', { name: 'Remove the test of svc.platform' }).click()
      await unused.waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
      await unused.waitFor({ state: 'detached' })
      await press(page, 'Delete the list', 'Delete the list')
      await page.getByText('The list is deleted').waitFor()
      expect(await memberCount()).toBe(0)
      await goTo(page, `${growth}/audiences`)
      await page.getByRole('link', { name: HOSTILE }).waitFor()
      await soon(async () => expect(await page.locator('img').count()).toBe(0))
      expect(complaints).toEqual([])
      await goTo(page, `${growth}/audiences/new`)
      await page.getByLabel('Name', { exact: true }).fill('Broken')
      await page.getByRole('button', { name: 'JSON' }).click()
      await page.getByLabel('Rules', { exact: true }).fill('{"a": {"$like": "b"}}')
      await page.getByRole('button', { name: 'Create' }).click()
      const refusal = page.getByRole('region', { name: /not saved/ }).getByRole('alert')
      await refusal.getByText('VALIDATION_ERROR').waitFor()
      await refusal.getByText(/^req_/).waitFor()
      await close()
    },
    PATIENCE,
  )

  test(
    'decimals and a minus can be typed, and what is no number stops saving',
    async () => {
      const { page, complaints, close } = await stage.open()
      await call('PUT', '/feature-flags/by-key/decimals', {
        type: 'NUMBER',
        environments: { DEVELOPMENT: { defaultValue: 3, rules: [{ value: 1, rolloutPercentage: 0.5 }] } },
      })
      await goTo(page, `${growth}/flags/decimals`)
      const percent = page.getByLabel('Development, rule 1, per cent')
      const otherwise = page.getByLabel('Development, Everybody else')
      await percent.fill('')
      await percent.pressSequentially('0.05')
      await otherwise.fill('')
      await otherwise.pressSequentially('-')
      await page.getByText('1 change', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await otherwise.and(page.locator(':focus')).waitFor()
      expect((await flagOf('decimals')).environments.DEVELOPMENT?.rules[0]?.rolloutPercentage).toBe(0.5)
      await otherwise.pressSequentially('1.50')
      await page.keyboard.press('Control+s')
      await until(async () => (await flagOf('decimals')).environments.DEVELOPMENT?.defaultValue === -1.5)
      expect((await flagOf('decimals')).environments.DEVELOPMENT?.rules[0]?.rolloutPercentage).toBe(0.0005)
      await percent.focus()
      await soon(async () =>
        expect([await percent.inputValue(), await otherwise.inputValue()]).toEqual(['0.05', '-1.5']),
      )
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'a new flag is written everywhere or nowhere',
    async () => {
      const { page, complaints, close } = await stage.open()
      const environments = { DEVELOPMENT: { defaultValue: 'theirs' } }
      await call('PUT', '/feature-flags/by-key/only_here', { type: 'STRING', environments })
      await goTo(page, `${growth}?do=new`)
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('Key').fill('only_here')
      await sheet.getByRole('button', { name: 'Create' }).click()
      await sheet.getByText('There is a flag only_here already.').first().waitFor()
      expect((await flagOf('only_here')).environments).toMatchObject({ PROD: null, STAGING: null })
      await sheet.getByLabel('Key').fill('made_at_once')
      await sheet.getByLabel('Value', { exact: true }).selectOption('JSON')
      const json = sheet.getByRole('textbox', { name: 'Everybody gets' })
      await json.fill('{"a": 1')
      await sheet.getByRole('button', { name: 'Create' }).click()
      await json.and(page.locator(':focus')).waitFor()
      await json.fill('{"a": 1}')
      await sheet.getByRole('button', { name: 'Create' }).click()
      await page.waitForURL(/flags\/made_at_once/)
      const { PROD, STAGING, DEVELOPMENT } = (await flagOf('made_at_once')).environments
      expect([PROD, STAGING, DEVELOPMENT].map((one) => one?.defaultValue)).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }])
      expect([PROD, STAGING, DEVELOPMENT].map((one) => one?.isEnabled)).toEqual([false, false, true])
      const deletions: string[] = []
      page.on('request', (sent) => void (sent.method() === 'DELETE' && deletions.push(new URL(sent.url()).pathname)))
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      const confirmation = page.getByRole('dialog', { name: 'Delete: made_at_once' })
      await confirmation.getByText('It is deleted in 3 environments.').waitFor()
      await confirmation.getByRole('textbox').fill('made_at_once')
      await confirmation.getByRole('button', { name: 'Delete' }).click()
      await page.waitForURL(/growth$/)
      expect(deletions).toEqual([`${P()}/feature-flags/by-key/made_at_once`])
      expect((await items<Named & { key: string }>('/feature-flags')).map(({ key }) => key)).not.toContain(
        'made_at_once',
      )
      expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'hundreds of flags, read page after page, are one list',
    async () => {
      const body = { type: 'BOOLEAN', environments: { PROD: { defaultValue: false } } }
      const keys = Array.from({ length: 440 }, (_, index) => `many_${100 + index}`)
      for (const key of keys) await call('PUT', `/feature-flags/by-key/${key}`, body)
      const { page, complaints, close } = await stage.open()
      await goTo(page, growth)
      await page.getByRole('link', { name: 'many_100', exact: true }).waitFor()
      await page.getByLabel('Search', { exact: true }).fill('many_539')
      await page.getByRole('link', { name: 'many_539', exact: true }).waitFor()
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'a role that may not write sees why, and nothing is offered',
    async () => {
      const { cookie } = await addMember(stage, 'support@example.com', 'CUSTOMER_SUPPORT')
      const { page, close } = await stage.open({ cookie })
      await goTo(page, growth)
      const create = page.getByRole('button', { name: 'New flag' })
      await soon(async () => expect(await create.isDisabled()).toBe(true))
      await soon(async () => expect(await create.getAttribute('title')).toContain('needs Growth'))
      await soon(async () => expect(await page.getByRole('switch').first().isDisabled()).toBe(true))
      await goTo(page, `${growth}/flags/new_onboarding`)
      await soon(async () => expect(await page.getByLabel('Production, rule 1, per cent').isDisabled()).toBe(true))
      await close()
    },
    PATIENCE,
  )
})

const HOSTILE = '<img src=x onerror=alert(1)> مرحبا 🦊'

interface Named {
  id: string
}

interface Rule {
  rolloutPercentage?: number
}

interface FlagIn {
  id?: string
  revision?: number
  isEnabled: boolean
  defaultValue: unknown
  rules: Rule[]
}

interface Flag {
  type: string
  description: string | null
  environments: Record<string, FlagIn | null>
}

interface Experiment {
  key: string
  status: string
  winnerVariantId: string | null
}

interface Results {
  recommendation: { sentence: string }
}

interface Placement extends Named {
  rows: { audienceId: string | null; target: unknown }[]
}

interface Audience extends Named {
  name: string
  rules: unknown
  memberCount: number
}

/** A flag as it is written, from how it is read. */
const withoutIds = ({ type, description, environments }: Flag) => ({
  type,
  description,
  environments: Object.fromEntries(
    Object.entries(environments).map(([env, one]) => {
      if (!one) return [env, null]
      const { isEnabled, defaultValue, rules } = one
      return [env, { isEnabled, defaultValue, rules }]
    }),
  ),
})

/** A button, and the confirmation that it opens. */
async function press(page: Page, name: string, confirmation: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: confirmation })
  await dialog.getByRole('button', { name: confirmation }).click()
  await dialog.waitFor({ state: 'detached' })
}

type Locator = ReturnType<Page['locator']>

/** Whether a click reaches what it is for: for a moment after a drag, the library keeps clicks from everything. */
const TAKES_CLICKS = `(() => {
  const probe = document.body.appendChild(document.createElement('button'))
  let isReached = false
  probe.addEventListener('click', () => { isReached = true })
  probe.click()
  probe.remove()
  return isReached
})()`

/** `arrived` waits until the screen has followed the pointer. */
async function drag(page: Page, from: Locator, to: Locator, arrived: () => Promise<void>): Promise<void> {
  const [a, b] = [await from.boundingBox(), await to.boundingBox()]
  if (!a || !b) throw new Error('a handle is not on the screen')
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2)
  await page.mouse.down()
  await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2 + 4, { steps: 12 })
  await arrived()
  await page.mouse.up()
  await untilTrue(page, TAKES_CLICKS)
}
