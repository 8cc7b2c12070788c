import { type Browser, chromium } from 'playwright-core'

const path = process.env.SVC_TEST_CHROMIUM_BIN ?? Bun.which('chromium-headless-shell') ?? Bun.which('chromium')

export const hasChromium = Boolean(path) && !process.env.SVC_TEST_SKIP?.split(',').includes('chromium')

/** The last compiler costs pages that live for seconds more than it saves. */
const FEWER_COMPILERS = '--js-flags=--no-opt'

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: path ?? '', args: ['--no-sandbox', FEWER_COMPILERS], timeout: 0 })
