import { type Browser, chromium } from 'playwright-core'

const path = process.env.SVC_TEST_CHROMIUM_BIN ?? Bun.which('chromium-headless-shell') ?? Bun.which('chromium')

export const hasChromium = Boolean(path) && !process.env.SVC_TEST_SKIP?.split(',').includes('chromium')

/** Only the interpreter: the compilers cost pages that live for seconds more than they save. */
const NO_COMPILERS = '--js-flags=--no-opt --no-maglev --no-sparkplug'

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: path ?? '', args: ['--no-sandbox', NO_COMPILERS], timeout: 0 })
