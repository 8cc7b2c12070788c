import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { createApp } from '../../src/app'
import type { ConsoleFile } from '../../src/docs/console/files'
import { type TestContext, testContext } from '../support/context'
import { tempFolder } from '../support/process'
import { exchange, jsonOf } from '../support/socket'

const PAGE = '<!doctype html><title>svc</title>'
const SCRIPT = 'export const word = "a long enough text ".repeat(99)'
const FONT = new Uint8Array([119, 79, 70, 50])
const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'

const { path: folder, remove } = tempFolder()
afterAll(remove)

/** Writes a file as the build does and returns its path. */
function written(name: string, content: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const packed = (name: string, text: string, type: string): ConsoleFile => ({
  type,
  etag: `"${type.length}"`,
  gzip: written(`${name}.gz`, gzipSync(text)),
  brotli: written(`${name}.br`, brotliCompressSync(text)),
})

const FILES = new Map<string, ConsoleFile>([
  ['index.html', packed('index.html', PAGE, 'text/html; charset=utf-8')],
  ['main-1.js', packed('main-1.js', SCRIPT, 'text/javascript; charset=utf-8')],
  ['geist-1.woff2', { type: 'font/woff2', etag: '"font"', plain: written('geist-1.woff2', FONT) }],
])

let ctx: TestContext
let app: ReturnType<typeof createApp>
let url: string
beforeAll(async () => {
  ctx = await testContext()
  ctx.state.consoleFiles = () => FILES
  app = createApp(ctx).listen({ hostname: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${app.server?.port}`
}, 600_000)
afterAll(async () => {
  await app.server?.stop(true)
  await ctx.close()
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(url + path, { method, headers: { accept: BROWSER, ...headers }, redirect: 'manual', decompress: false })

/** Sends a path exactly as it is written here. */
const raw = (path: string, method = 'GET') =>
  exchange(url, `${method} ${path} HTTP/1.1\r\nHost: svc\r\nAccept: ${BROWSER}\r\n\r\n`)

const SCREENS = [
  '/',
  '/sign-in',
  '/p/demo/overview',
  '/p/demo/subscribers/sub_1?do=grant',
  '/p/x/%00',
  '/p/x/%ff',
  '/p',
]

describe('a screen', () => {
  for (const path of SCREENS)
    test(`${path} is the page, with a policy that nothing foreign passes`, async () => {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(await answer.text()).toBe(PAGE)
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';")
      for (const part of ["base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
        expect(policy).toContain(part)
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(answer.headers.get('referrer-policy')).toBe('same-origin')
      expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(answer.headers.get('permissions-policy')).toContain('camera=()')
      expectSecured(answer)
    })

  test('of 8,000 characters is the page, and one of 100,000 is refused without harm', async () => {
    expect((await get(`/p/${'a'.repeat(8000)}`)).status).toBe(200)
    // The connection may be closed before the answer is read, because the rest of the line is never taken.
    expect([431, null]).toContain((await raw(`/p/${'a'.repeat(100_000)}`)).status)
    expect((await get('/')).status).toBe(200)
  })

  test('is no answer to another method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await get('/', {}, method)
      expect([method, answer.status, await codeOf(answer)]).toEqual([method, 404, 'NOT_FOUND'])
      expectSecured(answer)
    }
  })

  test('is no answer to a program that wants JSON', async () => {
    const answer = await get('/v2/config', { accept: 'application/json' })
    expect([answer.status, await codeOf(answer)]).toEqual([404, 'NOT_FOUND'])
  })

  test('is no answer to a program that takes any type, where no screen is', async () => {
    for (const accept of ['*/*', 'application/json, text/plain, */*', ''])
      for (const path of ['/v2/config', '/api2', '/pp/demo', '/projects2', '/graphql', '/Sign-In', '/sign-in.bak'])
        for (const method of ['GET', 'HEAD']) {
          const answer = await get(path, { accept }, method)
          expect([path, accept, method, answer.status]).toEqual([path, accept, method, 404])
          if (method === 'GET') expect(await codeOf(answer)).toBe('NOT_FOUND')
        }
  })

  test('is an answer to a program that takes any type', async () => {
    for (const path of ['/', '/sign-in', '/setup/stp_1', '/p/demo/overview', '/platform/jobs'])
      expect([path, await (await get(path, { accept: '*/*' })).text()]).toEqual([path, PAGE])
  })

  test('is no answer to a program that names no type', async () => {
    const { status, text } = await exchange(url, 'GET / HTTP/1.1\r\nHost: svc\r\n\r\n')
    expect([status, text.includes('NOT_FOUND')]).toEqual([404, true])
  })

  test('is an answer to a browser at an address that does not exist: the console says so', async () => {
    expect(await (await get('/nothing/here')).text()).toBe(PAGE)
  })

  test('is no answer to a file that is looked for by habit', async () => {
    for (const path of ['/favicon.ico', '/.env', '/robots.txt', '/.git/config', '/wp-login.php', '/index.html'])
      expect([path, (await get(path)).status]).toEqual([path, 404])
  })
})

describe('a file', () => {
  test('is kept for good, and its type is never guessed', async () => {
    for (const [name, type] of [
      ['main-1.js', 'text/javascript; charset=utf-8'],
      ['geist-1.woff2', 'font/woff2'],
    ] as const) {
      const answer = await get(`/_console/${name}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expectSecured(answer)
    }
  })

  const BAD = [
    'main-0.js',
    '',
    'index.html',
    'main-1.js/',
    'main-1.js.gz',
    'main-1.js%00',
    'MAIN-1.JS',
    '..%2findex.html',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '..%5c..%5csvc.db',
    './/main-1.js',
    `${'a'.repeat(8000)}.js`,
    '__proto__',
    'constructor',
  ]
  for (const name of BAD)
    test(`/_console/${name.slice(0, 40)} is 404 and is not kept`, async () => {
      const answer = await get(`/_console/${name}`)
      expect([answer.status, await codeOf(answer)]).toEqual([404, 'NOT_FOUND'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expectSecured(answer)
    })

  test('outside of the console is never read', async () => {
    for (const path of [
      '/_console/../../../etc/passwd',
      '/../../etc/passwd',
      '/_console/..%2f../package.json',
      '/%2e%2e/x',
    ]) {
      const { status, text } = await raw(path)
      expect([path, text.includes('root:'), text.includes('"dependencies"')]).toEqual([path, false, false])
      expect([200, 404]).toContain(status ?? 0)
    }
  })
})

test('HEAD is GET without its body', async () => {
  for (const path of ['/', '/_console/main-1.js', '/_console/geist-1.woff2']) {
    const [whole, head] = [await get(path), await get(path, {}, 'HEAD')]
    const bytes = (await whole.arrayBuffer()).byteLength
    expect([path, head.status, (await head.arrayBuffer()).byteLength]).toEqual([path, 200, 0])
    expect(Number(head.headers.get('content-length'))).toBe(bytes)
    for (const name of ['etag', 'cache-control', 'content-type', 'content-security-policy', 'content-encoding'])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)])
  }
  expect((await get('/_console/main-0.js', {}, 'HEAD')).status).toBe(404)
})

test('a part of a file is not answered: the whole is, and says so', async () => {
  for (const range of ['bytes=0-3', 'bytes=-5', 'bytes=9-2', 'bytes=0-,0-,0-,0-', 'x']) {
    const answer = await get('/_console/main-1.js', { range })
    expect([range, answer.status, answer.headers.get('content-range')]).toEqual([range, 200, null])
    expect(await textOf(answer)).toBe(SCRIPT)
  }
})

describe('an entity tag', () => {
  test('that the browser has is 304, also in a list, and when a proxy has changed its strength', async () => {
    const etag = (await get('/')).headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[^"]+"$/)
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const answer = await get('/', { 'if-none-match': known })
      expect([known, answer.status, await answer.text()]).toEqual([known, 304, ''])
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(answer.headers.get('etag')).toBe(etag)
      expectSecured(answer)
    }
  })

  test('that is another is answered in full', async () => {
    for (const known of ['"other"', 'W/"other"', '', ',,,', '"'.repeat(5000)])
      expect((await get('/', { 'if-none-match': known })).status).toBe(200)
  })
})

describe('Accept-Encoding', () => {
  const CASES: [accepted: string, encoding: string | null][] = [
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['br ; q=0.000 , gzip ; q=1', 'gzip'],
    ['br;q=0.001', 'br'],
    ['gzip;q=0', null],
    ['identity', null],
    ['*;q=0', null],
    ['x-br, gzipped', null],
    ['', null],
    [`${'br;q=0,'.repeat(800)}gzip`, 'gzip'],
    [' ;'.repeat(3000), null],
  ]
  for (const [accepted, encoding] of CASES)
    test(`${accepted.slice(0, 30) || '(none)'} gives ${encoding ?? 'the plain text'}`, async () => {
      const answer = await get('/_console/main-1.js', { 'accept-encoding': accepted })
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding])
      expect(answer.headers.get('vary')).toBe('accept-encoding')
      expect(await textOf(answer)).toBe(SCRIPT)
    })

  test('never packs a font a second time', async () => {
    const answer = await get('/_console/geist-1.woff2', { 'accept-encoding': 'br, gzip' })
    expect([answer.headers.get('content-encoding'), new Uint8Array(await answer.arrayBuffer())]).toEqual([null, FONT])
  })
})

test('no screen hides a route of the API, and no route a screen', async () => {
  const firstOf = (path: string) => path.split('/')[1]?.split('?')[0] ?? ''
  const routes = new Set(app.routes.filter(({ method }) => method === 'GET').map(({ path }) => firstOf(path)))
  const screens = new Set(['', 'p', ...screenPaths().map(firstOf)])
  expect(routes.size).toBeGreaterThan(8)
  expect(screens.size).toBeGreaterThan(8)
  for (const first of routes) {
    const answer = await get(`/${first}/anything-at-all`)
    expect([first, answer.headers.get('content-security-policy')?.includes('trusted-types')]).not.toEqual([first, true])
  }
  for (const accept of [BROWSER, '*/*'])
    for (const first of screens)
      expect([first, await (await get(`/${first}`, { accept })).text()]).toEqual([first, PAGE])
})

test('a page is not given in an answer to a request with a wrong host', async () => {
  const { status } = await exchange(url, `GET / HTTP/1.1\r\nHost: a b\r\nAccept: ${BROWSER}\r\n\r\n`)
  expect(status).toBe(400)
})

test('without a built console, screens are 404 in the envelope', async () => {
  ctx.state.consoleFiles = () => new Map()
  try {
    const found = await raw('/p/demo/overview')
    expect([found.status, jsonOf(found)?.error?.code]).toEqual([404, 'NOT_FOUND'])
  } finally {
    ctx.state.consoleFiles = () => FILES
  }
})

/** The paths of the screens that are outside of a project, from the lists of their areas. */
function screenPaths(): string[] {
  const folder = 'src/console/screens'
  return ['account', 'platform', 'sign-in'].flatMap((area) => {
    expect(readdirSync(folder)).toContain(area)
    return [...readFileSync(`${folder}/${area}/routes.ts`, 'utf8').matchAll(/^ {2}\['(\/[^']*)'/gm)].map(
      ([, path = '']) => path,
    )
  })
}

test('screens and files are counted under one name each, so no id and no secret of a path is in the numbers', async () => {
  for (const path of ['/reset-password/rst_secret', '/p/sleep/subscribers/sub_1', '/p/sleep/subscribers/sub_2'])
    await get(path)
  await get('/_console/main-1.js')
  const text = await ctx.metrics.text()
  const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route))
  expect([routes.has('/:screen'), routes.has('/_console/:file')]).toEqual([true, true])
  expect([...routes].filter((route) => /secret|sub_|sleep|main/.test(route ?? ''))).toEqual([])
})

const expectSecured = ({ headers }: Response): void => {
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-request-id')).toMatch(/^req_/)
  expect(headers.get('server')).toBeNull()
  expect(headers.get('x-powered-by')).toBeNull()
}

async function codeOf(answer: Response): Promise<string | undefined> {
  const { error } = (await answer.json()) as { error?: { code: string } }
  return error?.code
}

async function textOf(answer: Response): Promise<string> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const encoding = answer.headers.get('content-encoding')
  const unpack = encoding === 'br' ? brotliDecompressSync : encoding === 'gzip' ? gunzipSync : Buffer.from
  return Buffer.from(unpack(bytes)).toString()
}
