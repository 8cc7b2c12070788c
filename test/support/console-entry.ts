import { type Browser, chromium } from 'playwright-core'
import { chromiumPath, commandIn, type OpenOptions, openVisit, type Visit } from './console'
import { type ServerProcess, startServerProcess, tempFolder } from './process'

/** A server that nobody has signed up at, and a browser. */
export interface EntryStage {
  url: string
  server: ServerProcess
  /** The path of a set-up link. */
  setupPath: string
  svc: (...args: string[]) => Promise<string>
  open: (options?: OpenOptions) => Promise<Visit>
  /** Ends the server, and starts it again on the same address and data. */
  restart: (whileAway: () => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

export async function entryStage(env: Record<string, string> = {}): Promise<EntryStage> {
  const folder = tempFolder()
  const settings = { SVC_SIMULATOR: 'on', ...env }
  let server = await startServerProcess(folder.path, settings)
  const { url } = server
  const svc = commandIn(folder.path)
  const { setupLink } = JSON.parse(await svc('user', 'setup-link', '--json')) as { setupLink: string }
  const chrome: Browser = await chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox'],
    timeout: 0,
  })
  return {
    url,
    server,
    setupPath: new URL(setupLink).pathname,
    svc,
    open: (options = {}) => openVisit(chrome, url, { cookie: null, ...options }),
    async restart(whileAway) {
      await server.kill('SIGTERM')
      await whileAway()
      server = await startServerProcess(folder.path, { ...settings, SVC_PORT: new URL(url).port })
    },
    async close() {
      await chrome.close()
      await server.kill('SIGTERM')
      folder.remove()
    },
  }
}
