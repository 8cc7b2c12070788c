import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Tokens } from 'marked'
import { parse as parseYaml } from 'yaml'
import { readConfig } from '../src/base/config'
import { VARIABLES } from '../src/base/config-variables'
import { systemClock } from '../src/base/lib/clock'
import { packSdk } from '../src/build-sdk'
import { runCommandLine } from '../src/cli/main'
import { anchorOf, tokensOf } from '../src/docs/guide/markdown'
import { GUIDE } from '../src/docs/guide/page'
import { PROGRAM } from '../src/program'
import { locateProblems, parseProjectFile } from '../src/projects/project-file/parse'
import { BLOCKS, blocksOf, DOCUMENTS, linesOf, SPANS, toRequest, wordsOf } from './support/doc-blocks'
import { schemaFaults } from './support/file-schema'
import { RECIPES } from './support/recipes'
import { SECTIONS } from './support/sections'

// Every block of code of the README and of the guide is run or parsed here; those of recipes in `recipes.test.ts`.

const ROOT = resolve(import.meta.dir, '..')

test('the README has at most 8 KB', () => {
  expect(statSync('README.md').size).toBeLessThanOrEqual(8192)
})

test('every block is in a language that is checked here', () => {
  const CHECKED = [
    ...['sh', 'json', 'yaml', 'ts', 'caddy', 'nginx', 'docker', 'compose', 'env'],
    // Those of apps are checked in `app-pages.test.ts`.
    ...['js', 'swift', 'kotlin', 'dart'],
  ]
  const others = BLOCKS.filter(({ language, about }) => about === null && !CHECKED.includes(language))
  expect(others.map(({ where }) => where)).toEqual([])
  const recipes = BLOCKS.filter(({ about }) => about !== null)
  expect([...new Set(recipes.map(({ where }) => where.split(' ')[0]))]).toEqual([RECIPES])
  for (const language of CHECKED) expect([language, blocksOf(language).length > 0]).toEqual([language, true])
})

test('every link of the files leads to a file and a heading that are there', () => {
  const broken = DOCUMENTS.flatMap(({ file, markdown }) =>
    tokensOf(markdown)
      .filter((token): token is Tokens.Link => token.type === 'link')
      .map(({ href }) => href)
      .filter((href) => !href.startsWith('/docs') && !isThere(file, href))
      .map((href) => `${file}: ${href}`),
  )
  expect(broken).toEqual([])
})

function isThere(file: string, href: string): boolean {
  const [path = '', anchor] = href.split('#')
  const target = path === '' ? file : join(dirname(file), path)
  if (!existsSync(target)) return false
  if (anchor === undefined) return true
  const tokens = tokensOf(readFileSync(target, 'utf8'))
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading')
  return headings.some(({ text }) => anchorOf(text) === anchor)
}

test('settings of the service are those that the server reads', () => {
  for (const { where, text } of blocksOf('env')) {
    const settings = text
      .trim()
      .split('\n')
      .map((line) => line.split('='))
    expect([where, readConfig(Object.fromEntries(settings)).tls.mode]).not.toEqual([where, 'off'])
  }
})

test('a proxy is led to the port of the server, and holds no stream back', () => {
  const proxies = [...blocksOf('caddy'), ...blocksOf('nginx')]
  expect(proxies.map(({ where }) => where)).toHaveLength(3)
  for (const { where, language, text } of proxies) {
    const wanted = language === 'nginx' ? 'proxy_buffering off;' : 'flush_interval -1'
    expect([where, text.includes('127.0.0.1:3000'), text.includes(wanted)]).toEqual([where, true, true])
    expect([where, text.split('{').length]).toEqual([where, text.split('}').length])
  }
})

test('a container is run as its Dockerfile says', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  const [block, ...more] = blocksOf('docker')
  expect(more).toEqual([])
  for (const part of ['/var/lib/svc', '3000']) {
    expect(dockerfile).toContain(part)
    expect(block?.text).toContain(part)
  }
  const page = readFileSync('src/docs/guide/pages/server.md', 'utf8')
  expect(dockerfile).toContain('--uid 10001')
  expect(page).toContain('chown 10001')
})

test('the file for several containers fits the image, and names variables that exist', () => {
  const image = readFileSync('Dockerfile', 'utf8')
  const [block, ...more] = blocksOf('compose')
  expect(more).toEqual([])
  const { services, volumes } = parseYaml((block?.text ?? '').replace('# SVC_DATABASE_URL', 'SVC_DATABASE_URL'))
  expect(services.svc).toMatchObject({ build: '.', ports: ['127.0.0.1:3000:3000'] })
  expect(image).toContain('EXPOSE 3000')
  expect(image).toContain(`VOLUME ${services.svc.volumes[0].split(':')[1]}\n`)
  for (const name of Object.keys(services.svc.environment)) expect(Object.keys(VARIABLES)).toContain(name)
  const { username, hostname, pathname } = new URL(services.svc.environment.SVC_DATABASE_URL.replace(/\$\{\w+\}/, 'x'))
  const { POSTGRES_USER, POSTGRES_DB } = services[hostname].environment
  expect([username, pathname]).toEqual([POSTGRES_USER, `/${POSTGRES_DB}`])
  const named = ['svc', 'postgres'].flatMap((name): string[] => services[name].volumes)
  expect(named.map((volume) => volume.split(':')[0] ?? '')).toEqual(Object.keys(volumes))
})

test('JSON is JSON', () => {
  for (const { where, text } of blocksOf('json')) expect(() => JSON.parse(text), where).not.toThrow()
})

test('every project file, whole or in part, is read without a problem', () => {
  for (const { where, text } of blocksOf('yaml')) {
    const whole = /^version:/m.test(text) ? text : `version: 1\n${text}`
    const sources = { env: (name: string) => SECRETS[name] ?? null, file: (path: string) => FILES_BESIDE[path] ?? null }
    const parsed = parseProjectFile(SECTIONS, whole, sources)
    if ('unreadable' in parsed) throw new Error(`${where}: ${JSON.stringify(parsed.unreadable)}`)
    expect([where, locateProblems(parsed, parsed.problems)]).toEqual([where, []])
    expect([where, schemaFaults(whole)]).toEqual([where, []])
  }
})

test('the file of the demo fits the schema', () => {
  expect(schemaFaults(readFileSync('src/cli/demo.yaml', 'utf8'))).toEqual([])
})

const FILES_BESIDE: Record<string, string> = { './beta-testers.txt': 'ada\nbo\n' }

const SECRETS: Record<string, string> = {
  IAP_KEY: privateKey(),
  PAYMENT_SECRET_KEY: 'sk_test_51Nv0FGQ9RKHgCVdK',
  PAYMENT_WEBHOOK_SECRET: 'whsec_Nv0FGQ9RKHgCVdK',
}

function privateKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
}

describe('TypeScript', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('the types of every block hold', () => {
    // What a reader brings along.
    const given = 'declare const secretKey: string, publicKey: string, deviceKey: string\n'
    for (const [index, { text }] of blocksOf('ts').entries()) writeFileSync(join(folder, `${index}.ts`), given + text)
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { compilerOptions: object }
    const options = { ...compilerOptions, lib: ['ESNext', 'DOM'], types: [], exactOptionalPropertyTypes: false }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
    const ran = Bun.spawnSync([process.execPath, '--bun', tsc, '--noEmit', '-p', folder], { cwd: ROOT })
    expect(ran.stdout.toString()).toBe('')
    expect(ran.exitCode).toBe(0)
  })
})

describe('shell', () => {
  const lines = blocksOf('sh').flatMap(({ where, text }) => linesOf(text).map((line) => ({ where, line })))
  const those = (program: RegExp) => lines.filter(({ line }) => program.test(line))

  test('every block is understood by the shell', () => {
    for (const { where, text } of blocksOf('sh')) {
      const ran = Bun.spawnSync(['bash', '-n'], { stdin: Buffer.from(text) })
      expect([where, ran.stderr.toString(), ran.exitCode]).toEqual([where, '', 0])
    }
  })

  test('every line calls a program whose lines are checked here', () => {
    const known = /^((sudo -u svc )?svc|curl|bun|(sudo )?\.\/install\.sh|npm install|SVC_\w+=\S+ (SVC_\w+=\S+ )*bun) ?/
    expect(lines.filter(({ line }) => !known.test(line) && line !== ON_PATH)).toEqual([])
  })

  test('the README puts svc on the PATH before it uses it, and so does the guide', () => {
    for (const file of ['README.md', 'src/docs/guide/pages/project.md']) {
      const own = lines.filter(({ where }) => where.startsWith(file)).map(({ line }) => line)
      const [build, path, first] = [/^\.\/install\.sh build/, ON_PATH, /^svc /].map((wanted) =>
        own.findIndex((line) => (typeof wanted === 'string' ? line === wanted : wanted.test(line))),
      )
      expect([file, build, path, first]).toEqual([file, expect.any(Number), (build ?? 0) + 1, (build ?? 0) + 2])
      expect(build).toBeGreaterThanOrEqual(0)
    }
  })

  const commands = [...those(/^(sudo -u svc )?svc /), ...SPANS.filter(isCommand).map(spanLine)].map(
    ({ where, line }) => ({ where, line: line.replace(/^sudo -u svc /, '') }),
  )
  const isOfClient = ({ line }: { line: string }) => line.startsWith('svc sdk ')

  test('svc sdk, which reads no configuration, writes the client', async () => {
    await packSdk(join(ROOT, 'dist', 'sdk'))
    const folder = mkdtempSync(join(tmpdir(), 'svc-docs-sdk-'))
    const own = commands.filter(isOfClient)
    expect(own.length).toBeGreaterThan(1)
    for (const { where, line } of own)
      expect(await parse(wordsOf(line.replace(/--out \S+/, `--out ${folder}`))), where).toContain(`files in ${folder}`)
    rmSync(folder, { recursive: true })
  })

  for (const { where, line } of commands.filter((one) => !isOfClient(one)))
    test(`${where}: ${line.replace(/\s+#\s.*/, '')} is taken by the command line`, async () => {
      const told = await parse(wordsOf(line))
      // Whoever comes as far as the configuration has passed the parser of the command.
      expect(told).toContain(BROKEN)
    })

  test('bun runs scripts and tests that are there', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    for (const { where, line } of those(/^(SVC_\S+ )*bun /)) {
      const [, word, script] = /bun (run|test)(?: ([\w:]+))?/.exec(line) ?? []
      const isKnown = word === 'test' || (word === 'run' && script !== undefined && script in scripts)
      expect([where, line, isKnown]).toEqual([where, line, true])
    }
  })

  test('install.sh has the words that are used', () => {
    const help = readFileSync('install.sh', 'utf8').split("'TEXT'")[1]?.split('\nTEXT\n')[0] ?? ''
    for (const { where, line } of those(/^(sudo )?\.\/install\.sh/)) {
      const [, words = ''] = /install\.sh([^#]*)/.exec(line) ?? []
      for (const word of words.split(' ').filter(Boolean))
        expect([where, help.includes(` ${word} `)]).toEqual([where, true])
    }
  })

  test('npm installs packages of this repository', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: object }
    for (const { line } of those(/^npm /))
      for (const name of line.split(' ').slice(2)) expect(Object.keys(devDependencies)).toContain(name)
  })
})

/** What puts the executable that was built where the shell looks for it. */
const ON_PATH = 'export PATH="$PWD/dist:$PATH"'

const spanLine = ({ where, text }: { where: string; text: string }) => ({ where, line: text })

/** A whole command; a name alone, or one with a gap to fill in, is none. */
const isCommand = ({ text }: { text: string }): boolean => /^svc [a-z-]+ /.test(text) && !/[…]|COMMAND/.test(text)

const BROKEN = 'SVC_PORT is "broken"; it must be a whole number from 0 to 65535.'

/** Runs a command line until it reads its configuration, which is broken; gives what it says then. */
async function parse(words: readonly string[]): Promise<string> {
  const told: string[] = []
  const nothing = () => {}
  await runCommandLine(words.map(toLocal), {
    out: (line) => void told.push(line),
    err: (line) => void told.push(line),
    isTerminal: true,
    env: { SVC_PORT: 'broken' },
    confirm: async () => false,
    progress: nothing,
    clock: systemClock,
    program: PROGRAM,
    stopped: new Promise(nothing),
  })
  return told.join('\n')
}

/** `svc apply` reads its file before anything else: the one of the demo stands in for it. */
const toLocal = (word: string): string => (/^(svc|names)\.yaml$/.test(word) ? 'src/cli/demo.yaml' : word)

describe('curl', () => {
  let stop = () => {}
  let ended: Promise<number>
  let demo: Demo

  beforeAll(async () => {
    let tell: (text: string) => void = () => {}
    const told = new Promise<string>((resolve) => (tell = resolve))
    ended = runCommandLine(['demo', '--port', '0'], {
      out: tell,
      err: tell,
      isTerminal: false,
      env: {},
      confirm: async () => false,
      progress: () => {},
      clock: systemClock,
      program: PROGRAM,
      stopped: new Promise((resolve) => (stop = () => resolve())),
    })
    demo = readDemo(await told)
  })

  afterAll(async () => {
    stop()
    await ended
  })

  /** Sends a line as it stands, but for the address and what differs from demo to demo. */
  async function send(line: string): Promise<Response> {
    const { url, publicKey, secretKey, receipt } = demo
    const words = wordsOf(line, {
      SVC: url,
      PUBLIC_KEY: publicKey,
      SECRET_KEY: secretKey,
      NOW: new Date().toISOString(),
    })
    const own = words.map((word) => word.replace('http://127.0.0.1:3000', url).replace(VARIANT, `"${demo.variant}"`))
    return fetch(toRequest(own, (name) => readFileSync(name === 'receipt.json' ? receipt : name, 'utf8')))
  }

  beforeAll(async () => {
    const { url, publicKey } = demo
    const headers = { authorization: `Bearer ${publicKey}` }
    const answer = await fetch(`${url}/v1/config?subscriberId=svc_demo_device`, { headers })
    const { data } = (await answer.json()) as { data: { experiments: Record<string, { variantId: string }> } }
    demo.variant = data.experiments.paywall_test?.variantId ?? ''
  })

  const calls = blocksOf('sh').flatMap(({ where, text }) =>
    linesOf(text)
      .filter((line) => line.startsWith('curl '))
      .map((line) => [where, line] as const),
  )

  test('there are calls', () => expect(calls.length).toBeGreaterThanOrEqual(8))

  for (const [where, line] of calls)
    test(`${where}: ${line.slice(0, 70)} is answered`, async () => {
      const answer = await send(line)
      const isTelemetry = /\/v1\/(sdk\/sessions|events) /.test(line) // These two answer without a body.
      const body = (isTelemetry ? {} : await answer.json()) as { error?: { message: string } }
      // The demo has no payment account: a request that is complete is refused for that alone.
      const expected = line.includes('/v1/checkout') ? [400, NO_ACCOUNT] : [isTelemetry ? 202 : 200, undefined]
      expect([answer.status, body.error?.message]).toEqual(expected)
    })

  test('the exposure and the event of the page on experiments are a conversion in the results', async () => {
    const lines = calls.filter(([where]) => where.includes('experiments.md')).map(([, line]) => line)
    for (const line of lines) await send(line)
    const { data } = (await (await send(lines.at(-1) ?? '')).json()) as { data: { variants: VariantCount[] } }
    const counts = data.variants.map(({ variantId, exposures, conversions }) => [variantId, exposures, conversions])
    const others = ['list', 'cards'].filter((id) => id !== demo.variant)
    expect(counts.sort()).toEqual([[demo.variant, 1, 1], ...others.map((id) => [id, 0, 0])].sort())
  })

  test('the demo says where it wrote the receipt, and its file is the body of the call', async () => {
    expect(demo.text).toContain(`The signed transaction is in ${demo.receipt}`)
    expect(Object.keys(JSON.parse(readFileSync(demo.receipt, 'utf8'))).sort()).toEqual([
      'appUserId',
      'productId',
      'receipt',
    ])
  })

  test('the first calls are answered in the form that is shown', async () => {
    const shown = blocksOf('json').map(({ text }) => shapeOf(JSON.parse(text)))
    const first = calls.filter(([where]) => /README|start/.test(where))
    const answers = await Promise.all(first.map(async ([, line]) => shapeOf(await (await send(line)).json())))
    for (const shape of shown) expect(answers).toContainEqual(shape)
  })
})

const VARIANT = '"list"'
const NO_ACCOUNT = 'No payment account is connected: save stores.payment of the project first'

interface VariantCount {
  variantId: string
  exposures: number
  conversions: number
}

interface Demo {
  text: string
  url: string
  publicKey: string
  secretKey: string
  receipt: string
  variant: string
}

function readDemo(welcome: string): Demo {
  const read = (pattern: RegExp): string => pattern.exec(welcome)?.[1] ?? ''
  return {
    text: welcome,
    url: read(/is ready: (\S+)/),
    publicKey: read(/public key {2}(\S+)/),
    secretKey: read(/secret key {2}(\S+)/),
    receipt: read(/-d @(\S+)/),
    variant: '',
  }
}

/** The keys of a value, all the way down. */
const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]))
    : typeof value

test('links to the running server name pages that the guide makes', () => {
  const made = DOCUMENTS.flatMap(({ markdown }) => [...markdown.matchAll(/\]\((\/docs[^)]*)\)/g)].map(([, to]) => to))
  const known = [
    '/docs',
    ...['ids', 'events', 'project-file', 'errors', 'cli', 'configuration', 'rules', 'source'].map(
      (name) => `${GUIDE}reference/${name}`,
    ),
  ]
  expect(made.filter((to = '') => !known.includes(to))).toEqual([])
})
