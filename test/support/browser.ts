import { type Browser, chromium } from 'playwright-core'

export const chromiumPath = process.env.SVC_TEST_CHROMIUM_BIN ?? Bun.which('chromium')
export const hasChromium = Boolean(chromiumPath) && !process.env.SVC_TEST_SKIP?.split(',').includes('chromium')

/** Debian's starter asks for a graphics processor. Where there is none, a program would imitate it, at several times the cost. */
const DRAWN_BY_PROCESSOR = ['--disable-gpu', '--disable-gpu-rasterization', '--disable-software-rasterizer']

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', ...DRAWN_BY_PROCESSOR],
    timeout: 0,
  })
