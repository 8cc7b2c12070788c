import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { codeAt } from '../support/authenticator-app'
import { hasChromium } from '../support/browser'
import { shoot, type Visit, violationsOf } from '../support/console'
import { type EntryStage, entryStage, examine, mailedPath, tabTo, unexpected } from '../support/console-entry'
import { soon } from '../support/soon'

const TIME = 300_000
const PASSWORD = 'correct horse battery'
const OWNER = 'owner@example.com'
const BEN = 'ben@example.com'

let s: EntryStage
let owner = ''
let otpauthUrl = ''
let backupCodes: string[] = []
const visits: Visit[] = []

beforeAll(async () => {
  if (hasChromium) s = await entryStage()
}, TIME)
afterAll(() => s?.close(), TIME)
afterEach(async () => {
  for (const visit of visits.splice(0)) await visit.close()
})

async function open(options: Parameters<EntryStage['open']>[0] = {}): Promise<Visit> {
  const visit = await s.open(options)
  visits.push(visit)
  return visit
}

const asOwner = (options: Parameters<EntryStage['open']>[0] = {}) => open({ cookie: owner, ...options })

const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { name })
const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name })
/** The field of the palette. */
const palette = (page: Page): Locator => page.getByRole('combobox', { name: 'Search or jump' })
const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true })

const cookieOf = async ({ context }: Visit): Promise<string> =>
  (await context.cookies()).find(({ name }) => name === 'svc_session')?.value ?? ''

/** The answer of the API to the person of a page. */
const asked = (page: Page, path: string): Promise<{ status: number; data: never }> =>
  page.evaluate(async (url) => {
    const answer = await fetch(url)
    const body = (await answer.json()) as { data: never }
    return { status: answer.status, data: body.data }
  }, path)

/** Runs in the page, which has no screen for it here: makes a passkey and saves it. Its value is the status. */
const MAKE_PASSKEY = `(async () => {
  const post = (path, body) =>
    fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const { data } = await (await post('/dashboard/me/passkeys/options', {})).json()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data)
  const credential = await navigator.credentials.create({ publicKey })
  return (await post('/dashboard/me/passkeys', { name: 'test', credential: credential.toJSON() })).status
})()`

/** Presses keys until they lead to an address: of a sequence, the second must come soon after the first. */
async function pressUntil(page: Page, keys: string[], url: string): Promise<void> {
  for (let tries = 1; tries <= 10; tries += 1) {
    for (const key of keys) await page.keyboard.press(key)
    const isThere = await page.waitForURL(url, { timeout: 5000 }).then(
      () => true,
      () => false,
    )
    if (isThere) return
  }
  throw new Error(`${keys.join(' ')} does not lead to ${url}`)
}

async function giveCredentials(page: Page, email: string, password = PASSWORD): Promise<void> {
  await field(page, 'Mail address').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Sign in').first().click()
}

describe.skipIf(!hasChromium)('the way into the console', () => {
  test('what is served: policy, caches, compression, and 404 where nothing is', async () => {
    const page = await fetch(`${s.url}/p/any/overview`)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
    const html = await page.text()
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=|https?:\/\/(?!www\.w3\.org)/)
    const etag = page.headers.get('etag') ?? ''
    expect((await fetch(`${s.url}/`, { headers: { 'if-none-match': etag } })).status).toBe(304)

    const script = /src="(\/_console\/main-[^"]+)"/.exec(html)?.[1] ?? ''
    for (const [accepted, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await fetch(s.url + script, { headers: { 'accept-encoding': accepted }, decompress: false })
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('vary')).toBe('accept-encoding')
    }
    for (const path of ['/_console/main-00000000.js', '/_console/', '/_console/index.html', '/_console/../main.ts'])
      expect((await fetch(s.url + path)).status).toBe(404)
    for (const path of [
      '/v1/nothing',
      '/dashboard/nothing',
      '/admin/nothing',
      '/api/auth/nothing',
      '/webhooks/nothing',
    ]) {
      const answer = await fetch(s.url + path, { headers: { accept: 'text/html' } })
      expect([path, answer.status >= 401 && answer.status <= 404]).toEqual([path, true])
      expect(answer.headers.get('content-type')).toContain('application/json')
    }
  })

  test(
    'before the first account the sign-in names the way to it',
    async () => {
      const visit = await open()
      const { page } = visit
      await page.goto('/sign-in')
      await page.getByText('Nobody has an account here yet').waitFor()
      await page.getByText('svc user setup-link').waitFor()
      await examine(page, 'sign-in')
      await page.goto('/setup/nothing')
      await heading(page, 'Set up this server').waitFor()
      await examine(page, 'setup')
      await field(page, 'Your name').fill('Nobody')
      await field(page, 'Mail address').fill('nobody@example.com')
      await field(page, 'Password').fill('short')
      await button(page, 'Create an account').click()
      await page.getByText('VALIDATION_ERROR').waitFor()
      await field(page, 'Password').fill(PASSWORD)
      await button(page, 'Create an account').click()
      await page.getByText('This set-up link is not valid any more').waitFor()
      await page.getByText('FORBIDDEN').waitFor()
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )

  test(
    'a newcomer comes from the set-up link to a purchase in the browser',
    async () => {
      // One command starts the server, which prints the link.
      const commands = ['svc serve']
      const { setupLink } = JSON.parse(await s.svc('user', 'setup-link', '--json')) as { setupLink: string }
      const visit = await open()
      const { page } = visit
      let clicks = 0
      const click = async (target: Locator) => {
        await target.click()
        clicks += 1
      }
      await page.goto(new URL(setupLink).pathname)
      await field(page, 'Your name').fill('Owner')
      await field(page, 'Mail address').fill(OWNER)
      await field(page, 'Password').fill(PASSWORD)
      await click(button(page, 'Create an account'))
      await page.getByText('Protect your account').waitFor()
      await click(button(page, 'Skip'))
      await field(page, 'Name of the app').fill('Sleep App')
      await click(button(page, 'Create the project'))
      await heading(page, 'The secret key of your project').waitFor()
      await soon(async () => expect(await page.getByText(/^svc_sec_/).count()).toBe(1))
      await click(button(page, 'I stored it'))
      await heading(page, 'Waiting for the first call').waitFor()
      const command = (await page.locator('pre').first().textContent()) ?? ''
      const [, url = '', key = ''] = /"(http[^"]+)"[\s\S]*Bearer (\S+)"/.exec(command) ?? []
      const called = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
      expect(called.status).toBe(200)
      await heading(page, 'Waiting for the first purchase').waitFor()

      await click(button(page, 'Add an example product and buy it'))
      await heading(page, 'The first purchase is here').waitFor()
      await page.getByText('entitlement.granted').first().waitFor()
      await examine(page, 'first-purchase')
      const { data } = await asked(page, '/dashboard/projects')
      const [{ id }] = (data as { items: [{ id: string }] }).items
      const people = await asked(page, `/dashboard/projects/${id}/subscribers`)
      expect(JSON.stringify(people.data)).toContain('svc_first_device')
      const audit = await asked(page, `/dashboard/projects/${id}/audit-log?action=test_store.purchase`)
      expect((audit.data as { items: unknown[] }).items).toHaveLength(1)
      await click(button(page, 'Go to the overview'))
      await heading(page, 'Overview').first().waitFor()
      expect({ commands: commands.length, clicks }).toEqual({ commands: 1, clicks: 6 })
      expect(unexpected(visit)).toEqual([])
      owner = await cookieOf(visit)
    },
    TIME,
  )

  test(
    'the first screen fetches at most 150 KB of script',
    async () => {
      const { page, complaints } = await asOwner()
      const scripts = new Set<string>()
      page.on('response', (answer) => {
        if (/\.js$/.test(new URL(answer.url()).pathname)) scripts.add(answer.url())
      })
      await page.goto('/p/sleep-app/overview')
      await heading(page, 'Overview').first().waitFor()
      await page.waitForLoadState('load')
      const sizes = await Promise.all(
        [...scripts].map(async (url) => {
          const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' }, decompress: false })
          return (await answer.arrayBuffer()).byteLength
        }),
      )
      const total = sizes.reduce((sum, size) => sum + size, 0)
      expect(total).toBeGreaterThan(50_000)
      expect(total).toBeLessThanOrEqual(150 * 1024)
      expect(complaints).toEqual([])
    },
    TIME,
  )

  test(
    'two factors are turned on from the offer, with the backup codes shown once',
    async () => {
      const visit = await asOwner()
      const { page } = visit
      const answer = page.waitForResponse((one) => one.url().endsWith('/two-factor/enable'))
      await page.goto('/welcome')
      await page.getByText('Protect your account').waitFor()
      await examine(page, 'welcome')
      await button(page, 'Turn on two-factor sign-in').click()
      const { data } = (await (await answer).json()) as { data: { otpauthUrl: string; backupCodes: string[] } }
      otpauthUrl = data.otpauthUrl
      backupCodes = data.backupCodes
      await page.getByRole('img', { name: 'QR code of the key' }).waitFor()
      await examine(page, 'two-factor-offer')
      await field(page, 'Code of your app').fill(codeAt(otpauthUrl, Date.now()))
      await button(page, 'Turn it on').click()
      await heading(page, 'Store your backup codes').waitFor()
      await soon(async () => expect(await page.locator('pre').textContent()).toBe(backupCodes.join('\n')))
      await button(page, 'I stored it').click()
      await page.waitForURL('**/p/sleep-app/overview')
      expect(((await asked(page, '/dashboard/me')).data as { twoFactorEnabled: boolean }).twoFactorEnabled).toBe(true)
      expect(unexpected(visit)).toEqual([])
      // The confirmation gives the session a new cookie.
      owner = await cookieOf(visit)
    },
    TIME,
  )

  test(
    'signing in by keyboard only, with a wrong password, a wrong code, and a backup code',
    async () => {
      const visit = await open()
      const { page } = visit
      await page.goto('/p/sleep-app/overview?env=sandbox')
      await page.waitForURL('**/sign-in?next=*')
      const type = async (name: string, text: string) => {
        await tabTo(page, field(page, name))
        await page.keyboard.press('Control+a')
        await page.keyboard.type(text)
      }
      await heading(page, 'Sign in to svc').waitFor()
      await type('Mail address', OWNER)
      await type('Password', 'not the password')
      await page.keyboard.press('Enter')
      await page.getByText('The mail address or the password is wrong').waitFor()
      await page.getByText('UNAUTHORIZED').waitFor()
      await soon(async () => expect(await page.getByText(/^Request/).count()).toBe(1))
      await soon(async () => expect(await field(page, 'Mail address').inputValue()).toBe(OWNER))
      await type('Password', PASSWORD)
      await page.keyboard.press('Enter')
      await heading(page, 'Second step').waitFor()
      await examine(page, 'two-factor')
      await type('Code of your app', '000000')
      await page.keyboard.press('Enter')
      await page.getByText('The code is wrong').waitFor()
      await tabTo(page, button(page, 'Use a backup code instead'))
      await page.keyboard.press('Enter')
      await type('Backup code', backupCodes[0] ?? '')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/p/sleep-app/overview?env=sandbox')
      await page.goto('/sign-out')
      await heading(page, 'You are signed out').waitFor()
      expect((await page.request.get('/dashboard/me')).status()).toBe(401)
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )

  test(
    'mails: an address is confirmed, a password is chosen anew, and used links say so',
    async () => {
      const visit = await open()
      const { page } = visit
      await page.goto('/sign-up')
      await field(page, 'Your name').fill('<img src=x onerror=alert(1)> مرحبا 🛌')
      await field(page, 'Mail address').fill(BEN)
      await field(page, 'Password').fill(PASSWORD)
      await button(page, 'Create an account').click()
      await heading(page, 'Look into your mailbox').waitFor()
      await examine(page, 'check-mail')
      await page.goto('/sign-in')
      await giveCredentials(page, BEN)
      await heading(page, 'Confirm your mail address').waitFor()
      const link = await mailedPath(s, BEN, 'verify-email')
      await page.goto(link)
      await examine(page, 'verify')
      await button(page, 'Confirm the address').click()
      await heading(page, 'Your address is confirmed').waitFor()
      await page.goto(link)
      await button(page, 'Confirm the address').click()
      await page.getByText('This link is not valid any more').waitFor()

      await page.goto('/reset-password')
      await field(page, 'Mail address').fill(BEN)
      await button(page, 'Send the link').click()
      await page.getByText('If there is an account with this address').waitFor()
      await page.goto(await mailedPath(s, BEN, 'reset-password'))
      await examine(page, 'reset')
      await field(page, 'New password').fill('another horse battery')
      await button(page, 'Save the password').click()
      await heading(page, 'Your password is changed').waitFor()
      // Only a path of this console is gone to, whatever the link says.
      for (const next of ['//evil.example/x', 'https://evil.example/', '/\\evil.example', '/sign-out']) {
        await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
        await giveCredentials(page, BEN, 'another horse battery')
        await page.waitForURL('**/projects')
        expect(new URL(page.url()).origin).toBe(s.url)
      }
      await page.getByText('You are in no project yet').waitFor()
      await soon(async () => expect(await page.locator('img').count()).toBe(0))
      await examine(page, 'no-projects')
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )

  test(
    'an invitation is joined by whom it is for, and by nobody else',
    async () => {
      const host = await asOwner()
      await host.page.goto('/projects')
      const { data } = await asked(host.page, '/dashboard/projects')
      const [{ id }] = (data as { items: [{ id: string }] }).items
      const invite = (email: string) =>
        host.page.request.post(`/dashboard/projects/${id}/invitations`, {
          data: { email, role: 'GROWTH' },
          headers: { origin: s.url },
        })
      expect((await invite('mia@example.com')).status()).toBe(201)
      const path = await mailedPath(s, 'mia@example.com', 'join')
      await host.page.goto(path)
      await host.page.getByText('The invitation is for mia@example.com').waitFor()

      const visit = await open()
      const { page } = visit
      await page.goto(path)
      await heading(page, 'Join Sleep App').waitFor()
      await examine(page, 'join')
      await button(page, 'Create an account').click()
      await field(page, 'Your name').fill('Mia')
      await soon(async () => expect(await field(page, 'Mail address').inputValue()).toBe('mia@example.com'))
      await field(page, 'Password').fill(PASSWORD)
      await button(page, 'Create an account').click()
      await button(page, 'Join Sleep App').click()
      await page.waitForURL('**/projects')
      await page.getByText('growth manager').waitFor()
      await page.goto(path)
      await page.getByText('This invitation was accepted already').waitFor()
      await page.goto('/join/nothing')
      await heading(page, 'This invitation does not exist').waitFor()
      // A growth manager may not buy at the test store.
      const refused = await page.request.post(`/dashboard/projects/${id}/test-store/purchases`, {
        data: { device: 'mia', product: 'pro_monthly' },
        headers: { origin: s.url },
      })
      expect(refused.status()).toBe(403)
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )

  test(
    'a passkey signs in without a password',
    async () => {
      const visit = await open({ url: s.url.replace('127.0.0.1', 'localhost') })
      const { page, context } = visit
      const session = await context.newCDPSession(page)
      await session.send('WebAuthn.enable')
      await session.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      })
      await page.goto('/sign-in')
      await giveCredentials(page, BEN, 'another horse battery')
      await page.waitForURL('**/projects')
      const made = await page.evaluate(MAKE_PASSKEY)
      expect(made).toBe(201)
      await page.goto('/sign-out')
      await heading(page, 'You are signed out').waitFor()
      await page.goto('/sign-in?next=%2Fprojects')
      await button(page, 'Sign in with a passkey').click()
      await page.waitForURL('**/projects')
      expect(((await asked(page, '/dashboard/me')).data as { email: string }).email).toBe(BEN)
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )
})

describe.skipIf(!hasChromium)('the frame around the screens', () => {
  test(
    'a session that ends before the first project: signing in in place there too',
    async () => {
      const visit = await open()
      const { page, context } = visit
      await page.goto('/sign-in?next=%2Fwelcome%3Fstep%3Dproject')
      await giveCredentials(page, BEN, 'another horse battery')
      await field(page, 'Name of the app').fill('Of Ben')
      await context.clearCookies()
      await button(page, 'Create the project').click()
      const dialog = page.getByRole('dialog', { name: 'Sign in again' })
      await dialog.getByLabel('Password').fill('another horse battery')
      await page.keyboard.press('Enter')
      await heading(page, 'The secret key of your project').waitFor()
      await button(page, 'I stored it').click()
      await page.waitForURL('**/p/of-ben/overview')
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )

  test(
    'an address without a screen, and a project of others, say so with every way on around them',
    async () => {
      const visit = await asOwner()
      const { page } = visit
      for (const path of ['/nothing', '/p/sleep-app/nothing', '/p/of-ben/overview']) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor()
        expect([path, await page.title()]).toEqual([path, 'There is nothing at this address · svc'])
        await page.getByRole('navigation', { name: 'Menu' }).waitFor()
      }
      expect(await violationsOf(page)).toEqual([])
      await page.goto('/p/sleep-app/settings')
      await button(page, /^Project: Sleep App/).click()
      const here = page.getByRole('menuitem', { name: 'Sleep App' })
      await here.waitFor()
      await soon(async () => expect(await here.getAttribute('aria-current')).toBe('page'))
      await soon(async () => expect(await page.locator('kbd').first().textContent()).toBe('Ctrl K'))
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )

  test(
    'a session that ends in a form: signing in in place, and what was typed is sent',
    async () => {
      const visit = await asOwner()
      const { page, context } = visit
      const hostile = '<img src=x onerror=alert(1)> مشروع 🛌'
      await page.goto('/projects?do=new')
      await field(page, 'Name of the app').waitFor()
      await examine(page, 'new-project')
      await field(page, 'Name of the app').fill(hostile)
      await field(page, 'Short name').fill('second')
      await context.clearCookies()
      await button(page, 'Create the project').click()
      const dialog = page.getByRole('dialog', { name: 'Sign in again' })
      await dialog.waitFor()
      expect(await violationsOf(page)).toEqual([])
      await shoot(page, 'entry-session-ended')
      await dialog.getByLabel('Password').fill('wrong password')
      await page.keyboard.press('Enter')
      await dialog.getByText('The mail address or the password is wrong').waitFor()
      await dialog.getByLabel('Password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Use a backup code instead' }).click()
      await dialog.getByLabel('Backup code').fill(backupCodes[1] ?? '')
      await page.keyboard.press('Enter')
      await heading(page, 'The secret key of your project').waitFor()
      await button(page, 'I stored it').click()
      await page.waitForURL('**/p/second/overview')
      await page.getByText(hostile).filter({ visible: true }).first().waitFor()
      await heading(page, 'Waiting for the first call').waitFor()
      await examine(page, 'first-run')
      await soon(async () => expect(await page.locator('img').count()).toBe(0))
      expect(unexpected(visit)).toEqual([])
      owner = await cookieOf(visit)
    },
    TIME,
  )

  test(
    'a project with products: several that a store sells together are bought in one order',
    async () => {
      const visit = await asOwner()
      const { page } = visit
      await page.goto('/projects')
      const { data } = await asked(page, '/dashboard/projects')
      const { id } = (data as { items: { id: string; slug: string }[] }).items.find(
        ({ slug }) => slug === 'second',
      ) ?? { id: '' }
      const make = async (kind: string, body: object) => {
        const answer = await page.request.post(`/dashboard/projects/${id}/${kind}`, {
          data: body,
          headers: { origin: s.url },
        })
        expect([kind, answer.status()]).toEqual([kind, 201])
        return ((await answer.json()) as { data: { id: string } }).data.id
      }
      const subscription = { type: 'SUBSCRIPTION', period: 'P1M' }
      for (const name of ['Basic', 'Extra']) {
        const accessIds = [await make('access', { identifier: name.toLowerCase(), displayName: name })]
        await make('products', {
          ...subscription,
          identifier: `${name.toLowerCase()}_monthly`,
          displayName: name,
          accessIds,
        })
      }
      await make('products', { type: 'NON_CONSUMABLE', identifier: 'once', displayName: 'Once', accessIds: [] })
      await page.goto('/p/second/overview')
      const choice = (name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name}`) })
      await choice('Basic').waitFor()
      const chosen = async () => [await choice('Basic').isChecked(), await choice('Extra').isChecked()]
      expect((await chosen()).filter(Boolean)).toHaveLength(1)
      await soon(async () => expect(await choice('Once').isDisabled()).toBe(true))
      for (const name of ['Basic', 'Extra']) if (!(await choice(name).isChecked())) await choice(name).check()
      await page.getByText(/--store android --with (basic|extra)_monthly/).waitFor()
      await examine(page, 'first-run-products')
      await button(page, 'Buy at the test store').click()
      await heading(page, 'The first purchase is here').waitFor()
      const bought = await asked(page, `/dashboard/projects/${id}/audit-log?action=test_store.purchase`)
      const rows = (bought.data as { items: { after: { store: string; with?: string[] } }[] }).items
      expect(rows.map(({ after }) => [after.store, after.with?.length])).toEqual([['android', 1]])
      const { data: people } = await asked(page, `/dashboard/projects/${id}/subscribers?access=extra`)
      expect(JSON.stringify(people)).toContain('svc_first_device')
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )

  test(
    'the palette finds screens, objects and ids by keyboard only',
    async () => {
      const visit = await asOwner()
      const { page } = visit
      await page.goto('/p/sleep-app/overview')
      await heading(page, 'Overview').first().waitFor()
      await page.keyboard.press('Control+k')
      const input = palette(page)
      await input.waitFor()
      await examine(page, 'palette')
      await page.keyboard.type('rev trans')
      await page.getByRole('option', { name: /Revenue › Transactions/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/p/sleep-app/revenue/transactions')
      await input.waitFor({ state: 'detached' })
      await page.keyboard.press('/')
      await input.waitFor()
      await page.keyboard.type('pro_mon')
      const product = page.getByRole('option', { name: /pro_monthly/ })
      await product.waitFor()
      await soon(async () => expect(await product.getAttribute('aria-selected')).toBe('true'))
      await soon(async () =>
        expect(await input.getAttribute('aria-activedescendant')).toBe(await product.getAttribute('id')),
      )
      await page.keyboard.press('Escape')
      await input.waitFor({ state: 'detached' })
      const { data } = await asked(page, '/dashboard/projects')
      const { id } = (data as { items: { id: string; slug: string }[] }).items.find(
        ({ slug }) => slug === 'sleep-app',
      ) ?? {
        id: '',
      }
      const people = await asked(page, `/dashboard/projects/${id}/subscribers`)
      const [person] = (people.data as { items: { id: string }[] }).items
      await page.keyboard.press('Control+k')
      await input.fill(person?.id ?? '')
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/p/sleep-app/subscribers/${person?.id}`)
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )

  test(
    'single keys go to screens and rows, never while typing, and can be switched off',
    async () => {
      const visit = await asOwner()
      const { page } = visit
      await page.goto('/projects')
      await page.locator('[data-row]').first().waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('k')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/p/*/overview')
      await page.goto('/p/sleep-app/overview')
      await heading(page, 'Overview').first().waitFor()
      await pressUntil(page, ['g', ','], '**/p/sleep-app/settings')
      await page.keyboard.press('?')
      const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await dialog.waitFor()
      await examine(page, 'shortcuts')
      await dialog.getByRole('switch').click()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('g')
      await page.keyboard.press('o')
      await page.keyboard.press('?')
      await page.keyboard.press('Control+k')
      await palette(page).waitFor()
      expect(page.url()).toContain('/settings')
      await page.keyboard.type('shortcuts')
      await page.keyboard.press('Enter')
      await dialog.getByRole('switch').click()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.goto('/projects?do=new')
      await field(page, 'Name of the app').focus()
      await page.keyboard.type('g s ? / t')
      await soon(async () => expect(await field(page, 'Name of the app').inputValue()).toBe('g s ? / t'))
      await soon(async () => expect(await page.getByRole('dialog').count()).toBe(1))
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )

  test(
    'while the server is away the screen stays, and goes on when it is back',
    async () => {
      const visit = await open({ cookie: owner, url: s.proxyUrl })
      const { page } = visit
      await page.goto('/projects?do=new')
      // The list behind the sheet is there before the server goes; roles are not seen through an open sheet.
      await page.locator('a').filter({ hasText: 'Sleep App' }).first().waitFor()
      await field(page, 'Name of the app').fill('Third app')
      await s.proxy.leave()
      await button(page, 'Create the project').click()
      await page.getByText('The server did not answer. Whether it was done is not known').first().waitFor()
      await page.getByText('The server does not answer. Trying again.').waitFor()
      await soon(async () => expect(await field(page, 'Name of the app').inputValue()).toBe('Third app'))
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Sleep App' }).waitFor()
      // A screen whose code was never fetched waits for the server instead of failing.
      await page.getByRole('link', { name: 'Sleep App' }).click()
      await s.proxy.comeBack()
      // A browser may remember that a script could not be fetched; then the screen offers to reload.
      const reload = button(page, 'Reload')
      await heading(page, 'Overview').or(reload).first().waitFor()
      const isOffered = await reload.isVisible()
      if (isOffered) await reload.click()
      await heading(page, 'Overview').first().waitFor()
      await page.getByText('Trying again').waitFor({ state: 'detached' })
      const isOfThePart = (text: string) => isOffered && text.includes('a part of the console cannot be fetched')
      expect(unexpected(visit).filter((text) => !isOfThePart(text))).toEqual([])
    },
    TIME,
  )

  test(
    'a newer console on the server: asks to reload, and a part that is gone says so',
    async () => {
      const visit = await asOwner()
      const { page } = visit
      await page.goto('/projects')
      await page.getByRole('link', { name: 'Sleep App' }).waitFor()
      const newer = (await (await fetch(`${s.url}/`)).text()).replace(/main-\w+\.js/, 'main-00000000.js')
      await page.route(`${s.url}/`, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: newer }))
      await page.route('**/_console/*.js', (route) => route.fulfill({ status: 404, body: '' }))
      await page.getByRole('link', { name: 'Sleep App' }).click()
      await page.getByText('This screen could not be fetched').waitFor()
      await page.getByText('A newer version of the console is there.').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await shoot(page, 'entry-newer')
      await page.unrouteAll()
      await button(page, 'Reload').first().click()
      await heading(page, 'Overview').first().waitFor()
    },
    TIME,
  )

  test(
    'a server that is started anew under a form: nothing typed is lost, and it can be sent',
    async () => {
      const visit = await open({ cookie: owner, url: s.proxyUrl })
      const { page } = visit
      await page.goto('/projects?do=new')
      await field(page, 'Name of the app').fill('After the restart')
      await s.stop()
      await button(page, 'Create the project').click()
      await page.getByText('The server does not answer. Trying again.').waitFor()
      await s.startAgain()
      await page.getByText('Trying again').waitFor({ state: 'detached' })
      await soon(async () => expect(await field(page, 'Name of the app').inputValue()).toBe('After the restart'))
      await button(page, 'Create the project').click()
      await heading(page, 'The secret key of your project').waitFor()
      await button(page, 'I stored it').click()
      await page.waitForURL('**/p/after-the-restart/overview')
      await heading(page, 'Waiting for the first call').waitFor()
      expect(unexpected(visit)).toEqual([])
    },
    TIME,
  )
})
