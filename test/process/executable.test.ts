import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { readMaps, traced } from '../../src/trace'
import { HttpVisitor, told } from '../support/http-visitor'
import { childEnv } from '../support/process'
import { startReceiver } from '../support/receiver'

const SOURCE = join(import.meta.dir, '..', '..')
const BUILT = join(SOURCE, 'dist', 'svc')
const MOST_BYTES = 165_000_000

/**
 * A copy of the executable in its own folder, so that no node_modules is above it or above the folder in which it runs.
 */
const home = mkdtempSync(join(tmpdir(), 'svc-executable-'))
const executable = join(home, 'bin', 'svc')
const empty = join(home, 'empty')

beforeAll(() => {
  if (!isFresh()) build()
  mkdirSync(empty)
  mkdirSync(dirname(executable))
  copyFileSync(BUILT, executable)
}, 600_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Whether the executable is newer than all its sources. */
function isFresh(): boolean {
  if (!existsSync(BUILT)) return false
  const built = statSync(BUILT).mtimeMs
  const parts = ['src', 'migrations'].flatMap((folder) =>
    readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  return [...parts, 'package.json', 'bun.lock'].every((part) => statSync(join(SOURCE, part)).mtimeMs <= built)
}

function build(): void {
  const ran = Bun.spawnSync([process.execPath, 'run', 'build'], { cwd: SOURCE })
  if (ran.exitCode !== 0) throw new Error(ran.stderr.toString())
}

function run(...args: string[]) {
  const ran = Bun.spawnSync([executable, ...args], { cwd: empty, env: childEnv() })
  return { code: ran.exitCode, out: ran.stdout.toString(), err: ran.stderr.toString() }
}

async function withServer(work: (url: string) => Promise<void>, cwd = empty, more = {}): Promise<number> {
  const env = { ...childEnv(), SVC_INTERNAL_PORT: '0', ...more }
  const server = Bun.spawn([executable, 'serve', '--port', '0'], { cwd, env, stdout: 'pipe', stderr: 'inherit' })
  try {
    await work(await readyUrl(server.stdout))
  } finally {
    server.kill('SIGTERM')
  }
  return server.exited
}

async function readyUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const part of stdout) {
    text += Buffer.from(part).toString()
    const [, url] = /^listening on (http:\/\/127\.0\.0\.1:\d+)\n/.exec(text) ?? []
    if (url) return url
  }
  throw new Error(`The server ended without its ready line: ${text}`)
}

test('no node_modules is in reach', () => {
  for (let folder = empty; folder !== dirname(folder); folder = dirname(folder))
    expect([folder, existsSync(join(folder, 'node_modules'))]).toEqual([folder, false])
})

test('the executable stays below its size', () => {
  expect(statSync(executable).size).toBeLessThan(MOST_BYTES)
})

test('the source maps lie beside the executable and lead from a stack in any of its parts into the source', () => {
  const maps = readMaps(`${BUILT}.map`)
  for (const file of ['svc', 'project-part.js', 'command-part.js']) {
    const line = traced(`    at readConfig (/$bunfs/root/${file}:3:1)`, maps)
    expect([file, line]).toEqual([file, expect.stringMatching(/^ {4}at readConfig \(.*\.[jt]s:\d+:\d+\)$/)])
    expect(line).not.toContain('$bunfs')
  }
})

test('--help lists the commands and leaves nothing behind', () => {
  const { code, out, err } = run('--help')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const command of ['serve', 'migrate', 'openapi']) expect(out).toContain(`\n  ${command} `)
  expect(readdirSync(empty)).toEqual([])
})

test('openapi prints the whole document, to a slow reader too, and opens nothing', async () => {
  const { code, out } = run('openapi')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ openapi: '3.1.0' })
  const piped = Bun.spawnSync(['sh', '-c', `${executable} openapi | { sleep 0.3; cat; }`], {
    cwd: empty,
    env: childEnv(),
  })
  expect(piped.stdout.toString()).toBe(out)
  expect(readdirSync(empty)).toEqual([])
})

test('a faulty configuration ends it with 2 and one sentence per fault', () => {
  const { code, out, err } = run('serve', '--port', 'x')
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('--port is "x"')
})

test('serve answers from its own files and ends with 0 on SIGTERM', async () => {
  const code = await withServer(async (url) => {
    const get = (path: string) => fetch(`${url}${path}`)
    expect(await (await get('/health')).json()).toMatchObject({ status: 'ok' })
    expect(await (await get('/health/ready')).json()).toMatchObject({ checks: { database: 'ok', migrations: 'ok' } })
    expect(await (await get('/openapi.json')).json()).toEqual(JSON.parse(run('openapi').out))
    expect((await get('/v1/me')).status).toBe(401)

    const page = await (await get('/docs')).text()
    expect(page).not.toMatch(/https?:|\/\/[a-z]/)
    const links = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, link = '']) => link)
    expect(links.filter((link) => /\.(js|css)$/.test(link))).toHaveLength(3)
    for (const link of links) {
      const answer = await get(link)
      expect([link, answer.status]).toEqual([link, 200])
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(50)
    }
    await expectPacked(url, links.find((link) => link.endsWith('.js')) ?? '')
  })
  expect(code).toBe(0)
}, 600_000)

/** The script comes gzipped to whoever takes it so, and as it was published to everybody else. */
async function expectPacked(url: string, path: string): Promise<void> {
  const published = readFileSync(join(SOURCE, 'node_modules', 'swagger-ui-dist', 'swagger-ui-bundle.js'))
  const get = (encoding: string) =>
    fetch(`${url}${path}`, { headers: { 'accept-encoding': encoding }, decompress: false })
  const packed = await get('br, gzip')
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(Bun.gunzipSync(await packed.arrayBuffer()).length).toBe(published.length)
  for (const encoding of ['identity', 'gzip;q=0', 'br']) {
    const plain = await get(encoding)
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(published.equals(await plain.bytes())).toBe(true)
  }
}

test('serve shows the guide, its fonts and its own commands', async () => {
  await withServer(async (url) => {
    const get = (path: string) => fetch(`${url}${path}`)
    const index = await (await get('/docs/guide/')).text()
    const links = [...index.matchAll(/href="(\/[^"#]+)"/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(20)
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200])
    const commands = await (await get('/docs/guide/reference/cli')).text()
    for (const [, name] of run('--help').out.matchAll(/^ {2}(\S+) {2}/gm))
      expect(commands).toContain(`<h2 id="${name}">`)
  })
}, 600_000)

test('a second start finds the data of the first', async () => {
  const code = await withServer(async (url) => expect((await fetch(`${url}/health/ready`)).status).toBe(200))
  expect(code).toBe(0)
  expect(readdirSync(empty)).toEqual(['data'])
}, 600_000)

const CATALOG = `version: 1
project: { slug: sleep-app, name: Sleep App }
access: { pro: { displayName: Pro } }
products:
  pro_monthly: { type: SUBSCRIPTION, displayName: Pro, period: P1M, storeIds: { ios: com.example.pro }, access: [pro] }
stores: { ios: { bundleId: com.example.sleep } }
`

test('from an empty folder to a webhook that arrives signed', async () => {
  const folder = join(home, 'customer')
  mkdirSync(folder)
  const receiver = startReceiver()
  const local = { SVC_ALLOW_PRIVATE_TARGETS: '1' }
  // Not synchronous: the receiver in this process must answer meanwhile.
  const svc = async (...args: string[]) => {
    const env = { ...childEnv(), ...local }
    const child = Bun.spawn([executable, ...args], { cwd: folder, env, stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    expect([args, await child.exited, err]).toEqual([args, 0, ''])
    return out
  }
  const work = async (url: string) => {
    const ada = new HttpVisitor(url)
    const setupToken = (await svc('user', 'setup-link')).trim().split('/').at(-1)
    await told(ada.signUp('ada@example.com', { setupToken }))
    await told(ada.signIn('ada@example.com'))
    const { project, apiKey } = await told(ada.post('/dashboard/projects', { name: 'Sleep App' }))
    await Bun.write(join(folder, 'svc.yaml'), CATALOG)
    await svc('apply', '-f', 'svc.yaml', '--yes')

    const { secret } = JSON.parse(
      await svc('webhook', 'create', `${receiver.url}/hooks`, '--name', 'backend', '--json'),
    )
    expect(await svc('webhook', 'test', 'backend')).toBe('backend took the test event (status 200).\n')
    await svc('simulate', 'purchase', '--device', 'svc_ada', '--product', 'pro_monthly')
    while (receiver.received.length < 3) await Bun.sleep(10)
    const events = receiver.received.map(({ body, headers }) => new Webhook(secret).verify(body, headers))
    expect(events.map((event) => (event as { type: string }).type).toSorted()).toEqual([
      ...['entitlement.granted', 'purchase.initial', 'webhook.test'],
    ])

    const P = `/dashboard/projects/${project.id}`
    const logged = async () => (await told(ada.get(`${P}/webhook-deliveries?status=SUCCEEDED`))).items
    while ((await logged()).length < 3) await Bun.sleep(10)
    expect(await svc('webhook', 'deliveries', '--endpoint', 'backend', '--status', 'DEAD')).toBe(
      'There is no such delivery.\n',
    )
    expect(await svc('webhook', 'replay', 'backend', '--from', '2020-01-01T00:00:00Z')).toStartWith(
      '2 deliveries are queued',
    )
    while (receiver.received.length < 5) await Bun.sleep(10)

    const session = { subscriberId: 'svc_ada', events: [{ type: 'open', occurredAt: '2020-01-01T00:00:00Z' }] }
    const posted = (body: object) =>
      fetch(`${url}/v1/sdk/sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey.publicKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await posted(session)).status).toBe(422)
  }
  try {
    expect(await withServer(work, folder, local)).toBe(0)
    expect(receiver.received).toHaveLength(5)
  } finally {
    await receiver.close()
  }
}, 600_000)
