import { type Browser, chromium } from 'playwright-core'

const path = process.env.SVC_TEST_CHROMIUM_BIN ?? Bun.which('chromium-headless-shell') ?? Bun.which('chromium')

export const hasChromium = Boolean(path) && !process.env.SVC_TEST_SKIP?.split(',').includes('chromium')

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: path ?? '', args: ['--no-sandbox'], timeout: 0 })
