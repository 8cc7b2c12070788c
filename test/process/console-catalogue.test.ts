import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, shoot, violationsOf } from '../support/console'
import { addMember } from '../support/console-members'
import { expectSoundScreens, tabTo, until } from '../support/console-screens'
import { tempFolder } from '../support/process'
import { soon } from '../support/soon'

// Products, access levels, offerings and currencies as people use them in a browser.

const PATIENCE = 1_800_000
/** An id of a store, and what it is as an identifier. */
const [HOSTILE_ID, HOSTILE_NAME] = ['<img src=x onerror=evil(1)>', '_img_src_x_onerror_evil_1__']
const HOSTILE = '<img src=x onerror=alert(1)> مرحبا 🦊'

interface Named {
  id: string
  identifier: string
}

describe.skipIf(!hasChromium)('the catalogue in the console', () => {
  let stage: ConsoleStage
  const catalogue = '/p/demo/catalogue'

  /** The payload of a successful call of the owner. */
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, data } = await stage.call(method, `/dashboard/projects/${stage.projectId}${path}`, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`)
    return data as T
  }
  const items = async <T = Named>(path: string) => (await call<{ items: T[] }>('GET', path)).items
  const productOf = async (identifier: string) => {
    const found = (await items('/products')).find((product) => product.identifier === identifier)
    return call<Named & Record<string, unknown>>('GET', `/products/${found?.id}`)
  }

  /** Purchases of before, of a month each. */
  const importHistory = async (rows: string[]) => {
    const folder = tempFolder()
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const lines = rows.map((row) => `${row},${at(-3)},${at(28)}`)
    const head = 'subscriberExternalId,store,productIdentifier,originalTransactionId,purchaseDate,expiresDate'
    await Bun.write(`${folder.path}/history.csv`, [head, ...lines, ''].join('\n'))
    await stage.svc('import', `${folder.path}/history.csv`, '--project', 'demo', '--commit')
    folder.remove()
  }

  beforeAll(async () => {
    stage = await consoleStage([])
  }, PATIENCE)
  afterAll(() => stage?.close(), PATIENCE)

  test(
    'every screen is sound on a wide window and on a phone',
    async () => {
      const [access] = await items('/access')
      const [offering] = await items('/offerings')
      const [currency] = await items('/virtual-currencies')
      const product = await productOf('coins_100')
      await expectSoundScreens(stage, {
        products: catalogue,
        product: `${catalogue}/products/${product.id}`,
        'product-new': `${catalogue}/products/new`,
        waiting: `${catalogue}/waiting`,
        access: `${catalogue}/access`,
        'access-edit': `${catalogue}/access?do=edit&id=${access?.id}`,
        offerings: `${catalogue}/offerings`,
        offering: `${catalogue}/offerings/${offering?.id}`,
        currencies: `${catalogue}/currencies`,
        'currency-edit': `${catalogue}/currencies?do=edit&id=${currency?.id}`,
      })
    },
    PATIENCE,
  )

  test(
    'an offering is made, and its preview is what a device gets',
    async () => {
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${catalogue}/offerings/new`)
      await page.getByLabel('Identifier').fill('summer')
      for (const place of [1, 2]) {
        await page.getByRole('button', { name: 'Add a package' }).click()
        await page.getByRole('article', { name: new RegExp(`^Package ${place}`) }).waitFor()
      }
      await page.getByLabel('Promoted').last().check()
      await page.getByLabel('Metadata').fill('{"headline": "Sleep better"}')
      await page.getByRole('button', { name: 'Actions Package 2' }).click()
      await page.getByRole('menuitem', { name: 'Move up' }).click()
      await page.locator('[data-device]').getByText('Sleep better').waitFor()
      await page.getByRole('button', { name: 'Create' }).click()
      await page.waitForURL(/offerings\/off_/)
      await page.getByRole('button', { name: 'JSON' }).click()
      const text = await page.locator('figure pre').filter({ hasText: '"packages"' }).textContent()
      const { secret } = await call<{ secret: string }>('POST', '/api-keys', { label: 'Test', kind: 'secret' })
      const answer = await fetch(`${stage.url}/v1/offerings/summer`, { headers: { authorization: `Bearer ${secret}` } })
      const { data } = (await answer.json()) as { data: { packages: { isPromoted: boolean }[] } }
      expect(JSON.parse(text ?? '')).toEqual(data)
      expect(data.packages.map(({ isPromoted }) => isPromoted)).toEqual([true, false])
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'an offering is made, put in order and found again with the keyboard alone',
    async () => {
      const { page, complaints, close } = await stage.open()
      const press = async (role: 'button' | 'link' | 'checkbox', name: string | RegExp, key: string) => {
        await tabTo(page, page.getByRole(role, { name, exact: true }).first())
        await page.keyboard.press(key)
      }
      await goTo(page, `${catalogue}/offerings`)
      await press('link', 'New offering', 'Enter')
      await page.getByRole('heading', { level: 1, name: 'New offering' }).waitFor()
      for (const place of [1, 2]) {
        await press('button', 'Add a package', 'Enter')
        await page.getByRole('article', { name: new RegExp(`^Package ${place}`) }).waitFor()
      }
      await press('checkbox', 'Promoted', 'Space')
      const promoted = await page.getByLabel('Package name').first().inputValue()
      const handle = page.getByRole('button', { name: `Move ${promoted}` })
      await tabTo(page, handle)
      for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key)
      await page.getByText(`${promoted} is at place 2 of 2`).first().waitFor({ state: 'attached' })
      await handle.and(page.locator(':focus')).waitFor()
      await tabTo(page, page.getByLabel('Identifier', { exact: true }))
      await page.keyboard.type('autumn')
      await page.keyboard.press('Control+s')
      await page.waitForURL(/offerings\/off_/)
      const made = (await items<Named & { packages: object[] }>('/offerings')).find(
        ({ identifier }) => identifier === 'autumn',
      )
      expect(made?.packages).toMatchObject([{ isPromoted: false }, { isPromoted: true, identifier: promoted }])
      await press('link', 'Offerings', 'Enter')
      await press('link', 'autumn', 'Enter')
      await page.getByRole('heading', { level: 1, name: 'autumn' }).waitFor()
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'a product is made with access and a grant, changed, and refused where its identifier is taken',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, `${catalogue}/products/new`)
      await page.getByLabel('Identifier').fill('pro_monthly')
      await page.getByLabel('Name', { exact: true }).fill(HOSTILE)
      await page.getByRole('checkbox', { name: /Pro/ }).check()
      await page.getByRole('button', { name: 'Create' }).click()
      const refusal = page.getByRole('alert')
      await refusal.getByText('IDENTIFIER_TAKEN').waitFor()
      await refusal.getByText(/^req_/).waitFor()
      await page.getByLabel('Identifier').fill('pro_weekly')
      await page.getByRole('button', { name: 'Add a grant' }).click()
      await page.getByLabel('Amount').fill('25')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.waitForURL(/products\/prd_/)
      const [pro] = await items('/access')
      const made = await productOf('pro_weekly')
      expect(made).toMatchObject({ displayName: HOSTILE, accessIds: [pro?.id], period: 'P1M' })
      expect(made.grants).toMatchObject([{ amount: 25, grantOn: 'PURCHASE' }])
      await page.getByRole('switch', { name: 'On sale' }).click()
      await page.keyboard.press('Control+s')
      await until(async () => (await productOf('pro_weekly')).isActive === false)
      await goTo(page, `${catalogue}?state=inactive`)
      await page.getByText(HOSTILE).waitFor()
      await soon(async () => expect(await page.locator('img').count()).toBe(0))
      await soon(async () => expect(await page.getByRole('link', { name: 'pro_monthly' }).count()).toBe(0))
      await close()
    },
    PATIENCE,
  )

  test(
    'the default mark moves with a way back, and a currency is archived with one',
    async () => {
      await call('POST', '/offerings', { identifier: 'winter' })
      const { page, complaints, close } = await stage.open()
      const marked = async () =>
        (await items<Named & { isDefault: boolean }>('/offerings')).find(({ isDefault }) => isDefault)?.identifier
      await goTo(page, `${catalogue}/offerings`)
      await page.getByRole('button', { name: 'Actions winter' }).click()
      await page.getByRole('menuitem', { name: 'Make it the default' }).click()
      await page.getByText('winter is the default').waitFor()
      expect(await marked()).toBe('winter')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('default is the default').waitFor()
      expect(await marked()).toBe('default')
      await call('POST', '/virtual-currencies', { code: 'gems', name: 'Gems' })
      const gems = async () =>
        (await items<{ code: string; archivedAt: string | null }>('/virtual-currencies')).find(
          ({ code }) => code === 'gems',
        )
      await goTo(page, `${catalogue}/currencies`)
      await page.getByRole('link', { name: 'gems' }).click()
      await page.getByRole('button', { name: 'Archive' }).click()
      await page.getByText('gems is archived').waitFor()
      expect((await gems())?.archivedAt).toBeString()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('gems is back').waitFor()
      expect((await gems())?.archivedAt).toBeNull()
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'an access level that was changed meanwhile shows both values',
    async () => {
      const [pro] = await items('/access')
      const { page, close } = await stage.open()
      await goTo(page, `${catalogue}/access?do=edit&id=${pro?.id}`)
      const sheet = page.getByRole('dialog', { name: 'pro', exact: true })
      await sheet.getByLabel('Name', { exact: true }).fill('Pro of mine')
      await call('PATCH', `/access/${pro?.id}`, { displayName: 'Pro of theirs' })
      await sheet.getByRole('button', { name: 'Save' }).click()
      const conflict = page.getByRole('dialog', { name: 'Somebody changed this meanwhile' })
      await conflict.getByRole('cell', { name: 'Pro of theirs' }).waitFor()
      await conflict.getByRole('cell', { name: 'Pro of mine' }).waitFor()
      await conflict.getByRole('button', { name: 'Overwrite' }).click()
      await sheet.waitFor({ state: 'detached' })
      expect(await call<object>('GET', `/access/${pro?.id}`)).toMatchObject({ displayName: 'Pro of mine' })
      await close()
    },
    PATIENCE,
  )

  test(
    'a role that may not write sees why, and the import says which store is not connected',
    async () => {
      const { cookie: growth } = await addMember(stage, 'growth@example.com', 'GROWTH')
      const theirs = await stage.open({ cookie: growth })
      await goTo(theirs.page, catalogue)
      const create = theirs.page.getByRole('button', { name: 'New product' })
      await soon(async () => expect(await create.isDisabled()).toBe(true))
      await soon(async () => expect(await create.getAttribute('title')).toContain('needs Developer'))
      await theirs.close()
      const { page, close } = await stage.open()
      await goTo(page, `${catalogue}?do=import&store=android`)
      const sheet = page.getByRole('dialog', { name: 'Import from a store' })
      await sheet.getByText('STORE_NOT_CONFIGURED').waitFor()
      await sheet.getByRole('link', { name: 'Connect Google Play' }).waitFor()
      await close()
    },
    PATIENCE,
  )

  test(
    'purchases that wait for a product are seen with their people, and the products are created',
    async () => {
      const { page, complaints, close } = await stage.open()
      const later = 'com.example.later'
      await importHistory([
        `pia,ios_store,${later},700001`,
        `pia,ios_store,${HOSTILE_ID},700002`,
        `quin,ios_store,${later},700003`,
      ])
      await goTo(page, catalogue)
      await page.getByText('3 purchases wait for a product').waitFor()
      await shoot(page, 'catalogue-waiting-notice-light-1280')
      await page.getByRole('link', { name: 'Look at them' }).click()
      await page.getByRole('heading', { level: 1, name: 'Waiting purchases' }).waitFor()
      const row = page.getByRole('row', { name: new RegExp(later) })
      await row.getByText('Not in the catalogue').waitFor()
      const figures = (await row.getByRole('cell').allTextContents()).filter((text) => /^\$?\d/.test(text))
      expect(figures.slice(0, 3)).toEqual(['2', '2', '$0.00 + ?2 charges are not known in dollars'])
      expect(await violationsOf(page)).toEqual([])
      await shoot(page, 'catalogue-waiting-light-1280')
      await page.getByRole('link', { name: later }).click()
      const rows = page.getByRole('dialog', { name: later })
      await rows.getByRole('link', { name: 'quin' }).waitFor()
      await soon(async () => expect(await rows.getByRole('link', { name: 'pia' }).count()).toBe(1))
      await page.keyboard.press('Escape')
      await page
        .getByRole('row', { name: new RegExp(later) })
        .getByRole('link', { name: 'Create product' })
        .click()
      await page.getByRole('heading', { level: 1, name: 'New product' }).waitFor()
      await soon(async () => expect(await page.getByLabel('Identifier').inputValue()).toBe(later))
      await soon(async () => expect(await page.getByLabel('App Store').inputValue()).toBe(later))
      await soon(async () => expect(await page.getByLabel('Period').inputValue()).toBe('P1M'))
      await page.getByRole('checkbox', { name: /Pro/ }).check()
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText('2 earlier purchases get their product now').waitFor()
      await page.waitForURL(/products\/prd_/)
      await goTo(page, `${catalogue}/waiting`)
      await page.getByRole('button', { name: 'Create products' }).click()
      const sheet = page.getByRole('dialog', { name: 'Create products' })
      await sheet.getByText('1 product would be created').waitFor()
      await sheet.getByRole('checkbox', { name: /Pro/ }).check()
      await shoot(page, 'catalogue-create-products-light-1280')
      expect((await items('/products')).some(({ identifier }) => identifier.includes('evil'))).toBe(false)
      await sheet.getByRole('button', { name: 'Create products' }).click()
      await page.getByText('1 created, 0 were there already').waitFor()
      await page.getByText('Purchases without a product will be here').waitFor()
      const [pro] = await items('/access')
      expect(await items<{ displayName: string }>('/products')).toContainEqual(
        expect.objectContaining({ displayName: HOSTILE_ID, identifier: HOSTILE_NAME, accessIds: [pro?.id] }),
      )
      await soon(async () => expect(await page.locator('img').count()).toBe(0))
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )
})
