import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { createApp } from '../../src/app'
import { VARIABLES } from '../../src/base/config-variables'
import { ERRORS } from '../../src/base/error-codes'
import { buildOpenApi } from '../../src/docs/api/openapi'
import { CONTENTS } from '../../src/docs/guide/contents'
import { PROGRAM } from '../../src/program'
import { type TestContext, testContext } from '../support/context'

const GUIDE = '/docs/guide/'
const REFERENCE = [
  'reference/ids',
  'reference/events',
  'reference/errors',
  'reference/cli',
  'reference/configuration',
  'reference/rules',
  'reference/source',
]
const PAGES = [...CONTENTS.flatMap(({ pages }) => pages), ...REFERENCE]

let ctx: TestContext
let app: ReturnType<typeof createApp>

beforeAll(async () => {
  ctx = await testContext()
  app = createApp({ ...ctx, commands: () => PROGRAM.commands })
})

afterAll(() => ctx.close())

const call = (path: string, accept = 'text/html,*/*;q=0.8'): Promise<Response> =>
  app.handle(new Request(`http://localhost${path}`, { headers: { accept } }))

const read = async (path: string): Promise<string> => (await call(path)).text()

const found = (html: string): string[] =>
  [...(html.split('<ol class="found">')[1] ?? '').matchAll(/<li><a href="\/docs\/guide\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  )

test('every written page is in the contents, once', () => {
  const files = readdirSync('src/docs/guide/pages').map((name) => name.replace(/\.md$/, ''))
  expect(CONTENTS.flatMap(({ pages }) => pages).sort()).toEqual(files.sort())
})

describe('pages', () => {
  for (const path of ['/docs/guide', GUIDE, ...PAGES.map((slug) => GUIDE + slug)])
    test(`${path} is served, with nothing of others and no script`, async () => {
      const answer = await call(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      const html = await answer.text()
      expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
      expect(html.match(/<h1>/g)).toHaveLength(1)
      expect(html).toContain('<a class="skip" href="#content">')
      for (const landmark of ['<header', '<aside', '<nav', '<main id="content"']) expect(html).toContain(landmark)
    })

  test('ids are unique on each page', async () => {
    for (const slug of ['', ...PAGES]) {
      const ids = [...(await read(GUIDE + slug)).matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)
      expect([slug, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([slug, []])
    }
  })

  test('the page that is shown is marked in the navigation', async () => {
    const current = /<a href="([^"]+)" aria-current="page">/.exec(await read(`${GUIDE}web`))
    expect(current?.[1]).toBe(`${GUIDE}web`)
  })

  test('a page leads to the one before and the one after', async () => {
    const html = await read(`${GUIDE}project`)
    expect(html).toContain(`rel="prev" href="${GUIDE}start"`)
    expect(html).toContain(`rel="next" href="${GUIDE}edit"`)
    expect(await read(`${GUIDE}start`)).not.toContain('rel="prev"')
  })
})

test('every link of the guide leads to a page and an anchor that are there', async () => {
  const broken: string[] = []
  for (const slug of ['', ...PAGES]) {
    const html = await read(GUIDE + slug)
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const { pathname, hash } = new URL(href, `http://localhost${GUIDE}${slug}`)
      const answer = await call(pathname)
      const isThere = answer.status === 200 && (hash === '' || (await answer.text()).includes(` id="${hash.slice(1)}"`))
      if (!isThere) broken.push(`${slug}: ${href}`)
    }
  }
  expect(broken).toEqual([])
})

test('what the pages load is there and may be kept for good', async () => {
  const html = await read(GUIDE)
  const links = [...html.matchAll(/<link [^>]*href="(\/[^"]+)"/g)].map(([, href = '']) => href)
  expect(links).toHaveLength(3)
  for (const link of links) {
    const answer = await call(link)
    expect([link, answer.status]).toEqual([link, 200])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  }
  const styles = links.find((link) => link.endsWith('.css')) ?? ''
  const fonts = [...(await read(styles)).matchAll(/url\(([^)]+)\)/g)].map(([, name = '']) => `${GUIDE}files/${name}`)
  expect(fonts.sort()).toEqual(links.filter((link) => link.endsWith('.woff2')).sort())
})

test('the licence of the fonts is told', async () => {
  expect(await read(`${GUIDE}files/LICENSE.txt`)).toContain('SIL Open Font License')
})

describe('an address without a page', () => {
  for (const path of [`${GUIDE}nope`, `${GUIDE}reference/nope`, `${GUIDE}a/b/c`, `${GUIDE}start/`]) {
    test(`${path} is 404 in words for a browser`, async () => {
      const answer = await call(path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
      expect(answer.headers.get('content-security-policy')).toStartWith("default-src 'none'")
      expect(await answer.text()).toContain('<h1>This page is not there</h1>')
    })

    test(`${path} is 404 in the envelope for others`, async () => {
      const answer = await call(path, 'application/json')
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }])
    })
  }

  test('a file that is not there is 404 for everybody', async () => {
    expect((await call(`${GUIDE}files/nope.css`)).status).toBe(404)
    expect((await call(`${GUIDE}files/..%2f..%2fpackage.json`)).status).toBe(404)
  })
})

describe('search', () => {
  const first = async (query: string): Promise<string | undefined> =>
    found(await read(`${GUIDE}?q=${encodeURIComponent(query)}`))[0]

  test('finds pages by their title', async () => expect(await first('sell web')).toBe('web'))
  test('finds parts by their heading', async () =>
    expect(await first('lost notifications')).toBe('stores#lost-notifications'))
  test('finds error codes', async () => expect(await first('rate_limited')).toBe('reference/errors#RATE_LIMITED'))
  test('finds variables', async () =>
    expect(await first('svc_log_level')).toBe('reference/configuration#SVC_LOG_LEVEL'))
  test('finds operators of rules', async () => expect(await first('$vgte')).toBe('reference/rules#$vgte'))
  test('finds commands', async () => expect(await first('svc backup')).toBe('reference/cli#backup'))

  test('an empty search is the contents', async () => {
    for (const query of ['', '%20%20']) expect(await read(`${GUIDE}?q=${query}`)).toBe(await read(GUIDE))
  })

  test('says when there is nothing', async () => {
    const answer = await call(`${GUIDE}?q=zebra`)
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect([found(html), html.includes('Nothing holds <q>zebra</q>')]).toEqual([[], true])
  })

  test('a search text is shown, never run', async () => {
    for (const query of ['"><script>alert(1)</script>', '<b>', "' onfocus='x", '&lt;img&gt;', '[(*+?\\', 'flag"><']) {
      const answer = await call(`${GUIDE}?q=${encodeURIComponent(query)}`)
      const html = await answer.text()
      expect([query, answer.status]).toEqual([query, 200])
      expect(html).not.toMatch(/<script|<b>|<img/)
      const shown = [...html.matchAll(/name="q" value="([^"]*)" maxlength="100"/g)].map(([, value]) => value)
      expect(shown).toEqual([Bun.escapeHTML(query), Bun.escapeHTML(query)])
    }
  })

  test('a search that is too long is cut', async () => {
    const answer = await call(`${GUIDE}?q=${'x'.repeat(5000)}`)
    const html = await answer.text()
    expect([answer.status, html.includes('x'.repeat(100)), html.includes('x'.repeat(101))]).toEqual([200, true, false])
  })
})

describe('pages that are made', () => {
  test('every error code is there with its status, message and keys', async () => {
    const html = await read(`${GUIDE}reference/errors`)
    for (const [code, row] of Object.entries<{
      status: readonly number[]
      message: string
      details?: readonly string[]
    }>(ERRORS)) {
      const line = html.split('<tr>').find((part) => part.includes(`id="${code}"`)) ?? ''
      expect(line).toContain(`<td>${row.status.join(', ')}</td><td>${Bun.escapeHTML(row.message)}</td>`)
      for (const key of row.details ?? []) expect(line).toContain(`>${key}</code>`)
    }
    expect(html.match(/<tr>/g)).toHaveLength(Object.keys(ERRORS).length + 1)
  })

  test('every command is there with its help and its example', async () => {
    const html = await read(`${GUIDE}reference/cli`)
    for (const { name, help } of PROGRAM.commands) {
      expect(html).toContain(`<h2 id="${name}">`)
      const [usage = '', example = ''] = help.trim().split('\n\nExample: ')
      expect(html).toContain(Bun.escapeHTML(usage))
      expect(example).toStartWith(`svc ${name}`)
      expect(html).toContain(Bun.escapeHTML(example))
    }
  })

  test('every variable is there with its default', async () => {
    const html = await read(`${GUIDE}reference/configuration`)
    const rows = html.split('<tr>').slice(2)
    expect(rows.map((row) => /id="([^"]+)"/.exec(row)?.[1])).toEqual(Object.keys(VARIABLES))
    expect(rows.find((row) => row.includes('id="SVC_RATE_KEY"'))).toContain('>500</code></td>')
    expect(rows.find((row) => row.includes('id="SVC_DATABASE_REPLICA"'))).toContain('<td>none</td>')
    expect(html).not.toContain('`')
  })
})

test('the description of the API holds none of it', () => {
  const paths = Object.keys((buildOpenApi(app) as { paths: object }).paths)
  expect(paths.filter((path) => path.includes('docs'))).toEqual([])
})
