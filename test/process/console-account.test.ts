import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { codeAt } from '../support/authenticator-app'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, type Visit } from '../support/console'
import { cookieOf, invite, lookAt, postTo, toastSaying } from '../support/console-people'
import { hasWord, wordsOf } from '../support/console-texts'
import { fewerThanInRelease, LOOKS } from '../support/release'
import { soon } from '../support/soon'

const SLOW = 600_000
const PASSWORD = 'correct horse battery'
const HALF_MINUTE = 30_000
const DAY = 86_400_000

const ACCOUNT = {
  'account-profile': '/account',
  'account-security': '/account/security',
  'account-sessions': '/account/sessions',
  'account-tokens': '/account/tokens',
  'account-notifications': '/account/notifications',
  'account-notices': '/account/notices',
}

const PLATFORM = {
  'platform-figures': '/platform',
  'platform-projects': '/platform/projects',
  'platform-users': '/platform/users',
  'platform-grants': '/platform/support-grants',
  'platform-jobs': '/platform/jobs',
  'platform-outbox': '/platform/outbox',
  'platform-certificates': '/platform/certificates',
  'platform-audit': '/platform/audit-log',
}

/** The main screens, as seen by the owner of a project. */
const MAIN = ['overview', 'subscribers', 'revenue', 'charts', 'catalogue', 'growth', 'connections', 'settings']
  .map((entry) => `/p/demo/${entry}`)
  .concat('/projects', '/account', '/account/security', '/account/notifications')

/** Names in the data of these tests that are also words of the console. */
const DATA = new Set(['Owner', 'Person', 'Demo', 'Pro'])

interface MadeToken {
  scopes: string[]
  createdAt: string
  expiresAt: string
}

/** Every text on a screen that a person sees or hears. */
const writtenOn = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const found = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) found.push(node.data.trim())
      else for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.push(node.getAttribute(name)?.trim())
    }
    return [...new Set(found.filter(Boolean))]
  })()`)

describe.skipIf(!hasChromium)('the own account and the platform', () => {
  let stage: ConsoleStage
  let owner: Visit
  let person: string
  /** The session of the owner that passed the second factor. */
  let admin = ''

  beforeAll(async () => {
    stage = await consoleStage([], { SVC_ADMIN_EMAIL_DOMAINS: 'example.com' })
    person = await invite(stage, 'person@example.org', 'GROWTH', 'Person')
    owner = await stage.open()
  }, SLOW)

  afterAll(async () => {
    await stage?.close()
  }, SLOW)

  const looksRight = async (visit: Visit, screens: Record<string, string>, suffix: string) => {
    for (const { path, found, excess, heading } of await lookAt(visit, screens, suffix)) {
      expect([path, found]).toEqual([path, []])
      expect([path, excess]).toEqual([path, 0])
      expect(heading).not.toBe('')
    }
    expect(visit.complaints).toEqual([])
  }

  for (const { theme, width } of LOOKS)
    test(
      `every screen of the account in ${theme} at ${width}`,
      async () => {
        const visit = await stage.open({ theme, width })
        await looksRight(visit, ACCOUNT, `${theme}-${width}`)
        await visit.close()
      },
      SLOW,
    )

  test(
    'language and theme apply at once and stay',
    async () => {
      const { page } = owner
      await goTo(page, '/account')
      await page.getByRole('button', { name: 'Dark' }).click()
      await page.locator('html[data-theme=dark]').waitFor()
      await page.getByLabel('Language').selectOption('de')
      await page.getByRole('heading', { name: 'Vorlieben' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Vorlieben' }).waitFor()
      expect((await stage.call('GET', '/dashboard/me/preferences')).data).toMatchObject({ locale: 'de', theme: 'DARK' })
      await stage.call('PATCH', '/dashboard/me/preferences', { locale: 'en', theme: 'SYSTEM' })
    },
    SLOW,
  )

  for (const locale of fewerThanInRelease(1, ['tr', 'de', 'ja']))
    test(
      `no English is left on the main screens in ${locale}`,
      async () => {
        const [english, own] = await Promise.all([wordsOf('en'), wordsOf(locale)])
        const left: string[] = []
        await stage.call('PATCH', '/dashboard/me/preferences', { locale })
        const visit = await stage.open()
        // A browser that comes for the first time learns the language with the account, and keeps it.
        await goTo(visit.page, '/account')
        await visit.page.locator(`html[lang=${locale}]`).waitFor()
        for (const path of MAIN) {
          await goTo(visit.page, path)
          for (const text of await writtenOn(visit.page))
            if (english.has(text) && !own.has(text) && hasWord(text) && !DATA.has(text)) left.push(`${path}: ${text}`)
        }
        await visit.close()
        await stage.call('PATCH', '/dashboard/me/preferences', { locale: 'en' })
        expect(left).toEqual([])
        expect(visit.complaints).toEqual([])
      },
      SLOW,
    )

  test(
    'a token is shown once and deleted',
    async () => {
      const { page } = owner
      await goTo(page, '/account/tokens?do=create')
      await page.getByLabel('Name').fill('Deploy')
      await page.getByRole('radio', { name: 'Chosen capabilities' }).check()
      await page.getByRole('checkbox', { name: 'flags:write' }).check()
      await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
      const token = (await page.locator('pre', { hasText: 'svc_pat_' }).textContent()) ?? ''
      const me = await fetch(`${stage.url}/dashboard/me`, { headers: { authorization: `Bearer ${token}` } })
      expect(me.status).toBe(200)
      const listed = (await stage.call('GET', '/dashboard/me/tokens')).data as { items: MadeToken[] }
      const [made = { scopes: [], createdAt: '', expiresAt: '' }] = listed.items
      expect(made.scopes).toEqual(['flags:write'])
      expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBeWithin(90 * DAY, 91 * DAY)
      // On plain http the browser has no clipboard of its own for pages.
      await page.evaluate(`
        Object.defineProperty(navigator, 'clipboard', { value: undefined })
        document.addEventListener('copy', () => { window.copied = String(getSelection()) })
      `)
      await page.locator('dialog').getByRole('button', { name: 'Copy' }).first().click()
      await page.getByRole('status').getByText('Copied').waitFor()
      await soon(async () => expect(await page.evaluate('window.copied')).toBe(token))
      await page.getByRole('button', { name: 'I stored it' }).click()
      expect(await page.locator('main').textContent()).not.toContain(token)
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await toastSaying(page, ': deleted')
      expect((await stage.call('GET', '/dashboard/me/tokens')).data).toMatchObject({ items: [] })
    },
    SLOW,
  )

  test(
    'another session is ended, and a test notice is read',
    async () => {
      const { page } = owner
      const other = cookieOf(
        await postTo(stage.url, '/api/auth/sign-in', { email: 'owner@example.com', password: PASSWORD }),
      )
      await goTo(page, '/account/sessions')
      await page.getByRole('button', { name: 'End', exact: true }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
      await toastSaying(page, 'The session ended')
      const headers = { cookie: `svc_session=${other}` }
      expect((await fetch(`${stage.url}/dashboard/me`, { headers })).status).toBe(401)
      await goTo(page, '/account/notifications')
      await page.getByRole('button', { name: 'Send a test' }).click()
      await toastSaying(page, 'A test notice is in the list')
      await page.setViewportSize({ width: 390, height: 900 })
      await page
        .getByRole('banner')
        .getByRole('link', { name: /^Notices \d/ })
        .waitFor()
      await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
      await soon(async () => expect(await page.getByRole('link', { name: /^Notices \d/ }).count()).toBe(1))
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.getByRole('link', { name: /^Notices \d/ }).click()
      await page.getByRole('heading', { name: 'Notices' }).waitFor()
      await page.getByRole('button', { name: 'Mark all as read' }).click()
      await page.getByRole('button', { name: 'Mark as read' }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Notices', exact: true }).waitFor()
      expect((await stage.call('GET', '/dashboard/notifications/unread-count')).data).toEqual({ count: 0 })
    },
    SLOW,
  )

  test(
    'a passkey that the browser did not make: why, and the name stays',
    async () => {
      const { page } = owner
      await goTo(page, '/account/security?do=passkey')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name of the device').fill('Laptop')
      for (const [name, words] of [
        ['NotAllowedError', 'its question was closed'],
        ['InvalidStateError', 'has a passkey of your account already'],
      ]) {
        await page.evaluate(
          `navigator.credentials.create = () => Promise.reject(new DOMException('The operation', '${name}'))`,
        )
        await dialog.getByRole('button', { name: 'Add passkey' }).click()
        await dialog.getByText(words ?? '').waitFor()
      }
      await soon(async () => expect(await dialog.getByLabel('Name of the device').inputValue()).toBe('Laptop'))
    },
    SLOW,
  )

  test(
    'production and sandbox share the width of the sidebar, in every language',
    async () => {
      const visit = await stage.open()
      for (const locale of ['de', 'ja', 'tr', 'en']) {
        await stage.call('PATCH', '/dashboard/me/preferences', { locale })
        await goTo(visit.page, '/p/demo/overview')
        await visit.page.locator(`html[lang=${locale}]`).waitFor()
        const [own, place, ...parts] = (await visit.page.evaluate(`(() => {
          const group = document.querySelector('aside [role=group]')
          return [group, group.parentElement, ...group.children].map((one) => one.getBoundingClientRect().width)
        })()`)) as number[]
        const sum = parts.reduce((all, one) => all + one, 0)
        expect([locale, own, parts.length]).toEqual([locale, place, 2])
        expect((own ?? 0) - sum).toBeLessThan(8)
        expect(Math.abs((parts[0] ?? 0) - (parts[1] ?? 0))).toBeLessThan(20)
      }
      await visit.close()
    },
    SLOW,
  )

  test(
    'a wrong password is refused with its code; the platform says that it needs two factors',
    async () => {
      const { page } = owner
      await goTo(page, '/account/security')
      await page.getByLabel('Current password').fill('wrong wrong wrong')
      await page.getByLabel('New password').fill('another horse battery')
      await page.getByRole('button', { name: 'Change password' }).click()
      const alert = page.getByRole('alert')
      await alert.waitFor()
      await soon(async () => expect(await alert.textContent()).toMatch(/req_/))
      await goTo(page, '/platform')
      await page.getByText('ADMIN_2FA_REQUIRED', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Go to security' }).click()
      await page.waitForURL(/\/account\/security$/)
    },
    SLOW,
  )

  test(
    'two-factor is switched on with the QR code, and the next sign-in passes it',
    async () => {
      const { page } = owner
      await goTo(page, '/account/security?do=enable')
      await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD)
      await page.getByRole('dialog').getByRole('button', { name: 'Next' }).click()
      await page.getByRole('img', { name: /QR code/ }).waitFor()
      const key = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
      const uri = `otpauth://totp/svc?secret=${key}`
      await page.getByLabel('Code', { exact: true }).fill(codeAt(uri, Date.now()))
      await page.getByRole('dialog').getByRole('button', { name: 'Switch on two-factor' }).click()
      const stored = page.getByRole('button', { name: 'I stored it' })
      await stored.waitFor()
      expect((await page.getByRole('dialog').locator('pre').textContent())?.split('\n').length).toBeGreaterThan(5)
      await stored.click()
      await page.getByText('Two-factor is on').first().waitFor()
      const first = await postTo(stage.url, '/api/auth/sign-in', { email: 'owner@example.com', password: PASSWORD })
      const challenge = cookieOf(first, 'svc_challenge')
      // A step of the codes works once, so the code of the next one is sent.
      const code = codeAt(uri, Date.now() + HALF_MINUTE)
      const passed = await postTo(stage.url, '/api/auth/two-factor', { code }, `svc_challenge=${challenge}`)
      admin = cookieOf(passed)
      expect(admin).not.toBe('')
    },
    SLOW,
  )

  for (const { theme, width } of LOOKS)
    test(
      `every screen of the platform in ${theme} at ${width}`,
      async () => {
        const visit = await stage.open({ theme, width, cookie: admin })
        const project = { 'platform-project': `/platform/projects/${stage.projectId}` }
        await looksRight(visit, { ...PLATFORM, ...project }, `${theme}-${width}`)
        await visit.close()
      },
      SLOW,
    )

  test(
    'a project is suspended with a reason, opened again, and read for support',
    async () => {
      const visit = await stage.open({ cookie: admin })
      const { page } = visit
      await goTo(page, '/platform/projects?q=demo')
      await page.getByRole('link', { name: 'Demo' }).click()
      await page.getByRole('button', { name: 'Suspend' }).click()
      const dialog = page.getByRole('dialog')
      await soon(async () => expect(await dialog.getByRole('button', { name: 'Suspend' }).isDisabled()).toBe(true))
      await dialog.getByLabel('Reason').fill('Unpaid')
      await dialog.getByRole('button', { name: 'Suspend' }).click()
      await page.getByRole('button', { name: 'Open again' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Open again' }).click()
      await page.getByRole('button', { name: 'Read for support' }).click()
      await page.getByRole('dialog').getByLabel('Reason').fill('A question of the owner')
      await page.getByRole('dialog').getByRole('button', { name: 'Read for support' }).click()
      await toastSaying(page, 'You can read Demo now')
      await page.waitForURL(/\/p\/prj_[^/]+\/overview/)
      await goTo(page, '/p/demo/settings/support')
      await page.getByText('A question of the owner').waitFor()
      await goTo(page, '/p/demo/settings/audit-log')
      await page.getByRole('button', { name: 'project.unsuspend' }).waitFor()
      await page.getByRole('button', { name: 'project.suspend' }).waitFor()
      await visit.close()
    },
    SLOW,
  )

  test(
    'somebody is signed out by an administrator; their address is not one of the platform',
    async () => {
      const other = await stage.open({ cookie: person })
      await goTo(other.page, '/platform')
      await other.page.getByText('ADMIN_EMAIL_DOMAIN', { exact: true }).waitFor()
      const visit = await stage.open({ cookie: admin })
      await goTo(visit.page, '/platform/users?q=person')
      await visit.page.locator('[data-row]').getByRole('button', { name: 'Sign out' }).click()
      await visit.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
      await toastSaying(visit.page, 'is signed out')
      const me = await fetch(`${stage.url}/dashboard/me`, { headers: { cookie: `svc_session=${person}` } })
      expect(me.status).toBe(401)
      await visit.close()
      await other.close()
    },
    SLOW,
  )

  test(
    'an account that still owns projects is not deleted, and the projects are named',
    async () => {
      const visit = await stage.open({ cookie: admin })
      const { page } = visit
      await goTo(page, '/account?do=delete')
      await page.getByLabel('Type owner@example.com to confirm').fill('owner@example.com')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
      await page.getByText('OWNS_PROJECTS').waitFor()
      await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Demo' }).waitFor()
      await visit.close()
    },
    SLOW,
  )
})
