import { expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { commandIn, type OpenOptions, UNLIMITED, type Visit } from './console'
import { browser, openVisit, untilQuiet } from './console-browser'
import { faultsHere, isSeenIn, type Theme, WIDTHS } from './console-look'
import { startServerProcess, tempFolder } from './process'
import { type ProxyServer, startProxy } from './proxy'
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
  let server = await startServerProcess(folder.path, env)
  const { url: address } = server
  const proxy = await startProxy(portOf(address))
  const chrome = await browser()
  const opened: Visit[] = []
  return {
    url: address,
    mail,
    proxy,
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    svc: commandIn(folder.path),
    // Everybody has an address: one address may try to sign in 20 times in a minute only.
    async open({ url = address, ...options } = {}) {
      const visit = await openVisit(chrome, url, { cookie: null, address: `192.0.2.${opened.length + 1}`, ...options })
      opened.push(visit)
      return visit
    },
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
      for (const visit of opened) await visit.close()
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

/** The theme in which an ordinary run looks at the screens before a project. */
const ORDINARY: Theme = 'dark'

/** Axe finds nothing, and nothing overflows at any width: before a release light and dark, and dark in an ordinary run. */
export async function examine(page: Page, name: string): Promise<void> {
  await untilQuiet(page)
  for (const theme of ['light', 'dark'] as const) {
    if (!isSeenIn(theme, ORDINARY)) continue
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width: WIDTHS[theme], height: 900 })
    expect(await faultsHere(page, theme, `entry-${name}`)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** What the browser complained about, without the refusals that a story is about. */
export const unexpected = (visit: Visit): string[] =>
  visit.complaints.filter((text) => !/status of 4\d\d|ERR_(CONNECTION|EMPTY|FAILED|SOCKET)/.test(text))

/** Presses Tab until an element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < 40; pressed += 1) {
    if (await target.evaluate((element) => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not reach it')
}
