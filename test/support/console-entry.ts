import { expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { launchBrowser } from './browser'
import { commandIn, excessOf, type OpenOptions, openVisit, shoot, UNLIMITED, type Visit, violationsOf } from './console'
import { startServerProcess, tempFolder } from './process'
import { type ProxyServer, startProxy } from './proxy'
import { LOOKS } from './release'
import { type MailServer, mailServer, partsOf } from './smtp'

/** A server that nobody has signed up at, the mail that it sends, a proxy before it, and a browser. */
export interface EntryStage {
  url: string
  mail: MailServer
  /** What `proxyUrl` goes through: the server can seem to be away. */
  proxy: ProxyServer
  proxyUrl: string
  svc: (...args: string[]) => Promise<string>
  /** Ends the server. */
  stop: () => Promise<void>
  /** Starts it again over the same data, behind the same proxy; `url` is not served any more. */
  startAgain: () => Promise<void>
  /** A person at the console, at one of the addresses of the server. */
  open: (options?: OpenOptions & { url?: string }) => Promise<Visit>
  close: () => Promise<void>
}

export async function entryStage(): Promise<EntryStage> {
  const folder = tempFolder()
  const mail = await mailServer()
  const env = {
    ...{ SVC_SIMULATOR: 'on', SVC_OPEN_SIGNUP: '1', SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@example.com' },
    ...{ ...UNLIMITED, SVC_TRUSTED_PROXIES: '1' },
  }
  let visits = 0
  let server = await startServerProcess(folder.path, env)
  const { url: address } = server
  const proxy = await startProxy(portOf(address))
  const chrome = await launchBrowser()
  return {
    url: address,
    mail,
    proxy,
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    svc: commandIn(folder.path),
    // Everybody has an address: one address may try to sign in 20 times in a minute only.
    open: ({ url = address, ...options } = {}) =>
      openVisit(chrome, url, { cookie: null, address: `192.0.2.${++visits}`, ...options }),
    async stop() {
      await proxy.leave()
      await server.kill('SIGTERM')
    },
    async startAgain() {
      server = await startServerProcess(folder.path, env)
      proxy.aimAt(portOf(server.url))
      await proxy.comeBack()
    },
    async close() {
      await chrome.close()
      await proxy.leave()
      await server.kill('SIGTERM')
      await mail.close()
      folder.remove()
    },
  }
}

const portOf = (url: string): number => Number(new URL(url).port)

/** The path of the newest link of a kind that was mailed to an address. */
export async function mailedPath({ mail }: EntryStage, address: string, kind: string): Promise<string> {
  for (;;) {
    const links = mail.received
      .filter(({ to }) => to.includes(address))
      .map((one) => new RegExp(`https?://[^\\s"<]+(/${kind}/[^\\s"<]+)`).exec(partsOf(one).text)?.[1])
    const newest = links.findLast((link) => link !== undefined)
    if (newest) return newest
    await Bun.sleep(50)
  }
}

/** Axe finds nothing (`LOOKS`), and nothing overflows, on a phone and at the width of an enlarged page either. */
export async function examine(page: Page, name: string): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  for (const { theme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 900 })
    expect(await violationsOf(page)).toEqual([])
    expect(await excessOf(page)).toBeLessThanOrEqual(0)
    await shoot(page, `entry-${name}-${theme}-${width}`)
  }
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await excessOf(page)).toBeLessThanOrEqual(0)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** What the browser complained about, without the refusals that a story is about. */
export const unexpected = (visit: Visit): string[] =>
  visit.complaints.filter((text) => !/status of 4\d\d|ERR_(CONNECTION|EMPTY|FAILED|SOCKET)/.test(text))

/** What the check asks of an element: the types of tests know no browser. */
interface InPage {
  matches(selector: string): boolean
}

export const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => (element as unknown as InPage).matches(':focus'))

/** Presses Tab until an element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < 40; pressed += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not reach it')
}
