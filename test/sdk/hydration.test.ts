import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasChromium, launchBrowser } from '../support/browser'

const ROOT = join(import.meta.dir, '../..')

const SHOP = `
  import { createElement } from 'react'
  import { useEntitlements, useExperiment, useFlag, useOfferings, usePlacement } from '../../src/sdk/react'

  export function Shop() {
    const accent = useFlag('accent', 'blue')
    const list = useFlag('list', [1])
    const variant = useExperiment('test')?.variantId ?? 'none'
    const { value, isLoading } = useEntitlements()
    const offerings = useOfferings()
    const placement = usePlacement('onboarding')
    const words = [accent, list.length, variant, (value ?? []).map(({ id }) => id), isLoading, !!offerings.value, !!placement.value]
    return createElement('p', { id: 'shop' }, words.join(' '))
  }
`

const PAGE = `
  import { createElement, StrictMode } from 'react'
  import { hydrateRoot } from 'react-dom/client'
  import { configure } from '../../src/sdk/core'
  import { SvcProvider } from '../../src/sdk/react'
  import { Shop } from './shop'

  const data = (path) => {
    const entitlements = { entitlements: { pro: { isActive: true, expiresDate: null, store: 'PAYMENT', productIdentifier: 'p' } } }
    const config = { flags: { accent: 'red', list: [1, 2] }, experiments: { test: { experimentId: 'exp_1', key: 'test', variantId: 'b', variantName: 'B', value: null } } }
    if (path.includes('/bootstrap')) return { entitlements, config, offerings: { offerings: [] }, balances: { balances: {} } }
    return { placement: null, funnel: null, experiment: null }
  }
  window.paths = []
  const fetch = async (url) => {
    const path = new URL(url).pathname
    window.paths.push(path.split('/').slice(4).join('/'))
    return new Response(JSON.stringify({ data: data(path) }))
  }
  const client = await configure({ apiKey: 'svc_pub_0123456789abcdefghijABCDEFGHIJkl', baseUrl: 'https://svc.example', fetch })
  const tree = createElement(StrictMode, null, createElement(SvcProvider, { client }, createElement(Shop)))
  hydrateRoot(document.getElementById('root'), tree, { onRecoverableError: (error) => console.error(error) })
`

describe.skipIf(!hasChromium)('a page that a server has rendered', () => {
  let browser: Browser
  let folder = ''
  let script = ''
  let html = ''

  beforeAll(async () => {
    mkdirSync(join(ROOT, 'dist'), { recursive: true })
    folder = mkdtempSync(join(ROOT, 'dist', 'hydration-'))
    writeFileSync(join(folder, 'shop.ts'), SHOP)
    writeFileSync(join(folder, 'page.ts'), PAGE)
    const define = { 'process.env.NODE_ENV': '"development"' }
    const built = await Bun.build({ entrypoints: [join(folder, 'page.ts')], target: 'browser', define })
    script = (await built.outputs[0]?.text()) ?? ''
    const { renderToString } = await import('react-dom/server')
    const { createElement } = await import('react')
    const { SvcProvider } = await import('../../src/sdk/react')
    const { Shop } = await import(join(folder, 'shop.ts'))
    html = renderToString(createElement(SvcProvider, { client: null }, createElement(Shop)))
    browser = await launchBrowser()
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await browser.close()
  })

  test('is hydrated in strict mode without a difference, and then shows what the client knows', async () => {
    const site = Bun.serve({
      port: 0,
      fetch: ({ url }) =>
        url.endsWith('.js')
          ? new Response(script, { headers: { 'content-type': 'text/javascript' } })
          : new Response(`<!doctype html><div id="root">${html}</div><script type="module" src="/page.js"></script>`, {
              headers: { 'content-type': 'text/html' },
            }),
    })
    const page = await browser.newPage()
    const told: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !message.text().includes('404')) told.push(message.text())
    })
    page.on('pageerror', (error) => void told.push(error.message))
    expect(html).toBe('<p id="shop">blue 1 none  true false false</p>')
    await page.goto(`http://localhost:${site.port}/`)
    await page.locator('#shop', { hasText: 'red 2 b pro false true true' }).waitFor()
    expect(told).toEqual([])
    expect(((await page.evaluate('window.paths')) as string[]).sort()).toEqual([
      'me/bootstrap',
      'placements/onboarding',
      'placements/onboarding',
    ])
    await site.stop(true)
  })
})
