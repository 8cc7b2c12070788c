import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildSdk } from '../../src/build-sdk'
import { casesOf, packageOf } from '../../src/docs/client/package'
import { clientTypes } from '../../src/moving/project-file/client-types'

const ROOT = join(import.meta.dir, '../..')
let app = ''

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'svc-app-'))
  const files = await buildSdk()
  write(join(app, 'node_modules/@svc/client'), packageOf(files))
  write(join(app, 'cases'), casesOf(files))
  for (const name of ['react', '@types/react', 'csstype']) {
    mkdirSync(dirname(join(app, 'node_modules', name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(app, 'node_modules', name))
  }
})
afterAll(() => rmSync(app, { recursive: true, force: true }))

/** Runs a script in the folder of the app. */
function run(command: string[], script: string, name: string): string {
  writeFileSync(join(app, name), script)
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command, name], { cwd: app })
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
  return stdout.toString().trim()
}

const FILES = "fs.readdirSync('cases').filter((name) => name.endsWith('.json') && name !== 'bucketing.json')"
const REPORT = `
  let count = 0
  const faults = []
  for (const name of ${FILES}) {
    const outcomes = await runCases(configure, JSON.parse(fs.readFileSync('cases/' + name, 'utf8')))
    count += outcomes.length
    faults.push(...outcomes.filter(({ fault }) => fault))
  }
  process.stdout.write(JSON.stringify({ faults, isMany: count > 100 }))
`
const MODULE = `
  import fs from 'node:fs'
  import { configure } from '@svc/client/node'
  import { runCases } from '@svc/client/cases'
  ${REPORT}`
const REQUIRED = `
  const fs = require('node:fs')
  const { configure } = require('@svc/client/node')
  const { runCases } = require('@svc/client/cases')
  void (async () => { ${REPORT} })()`
const ALL_PASS = JSON.stringify({ faults: [], isMany: true })

describe('the cases of the package', () => {
  test('pass in Node as a module', () => expect(run(['node'], MODULE, 'a.mjs')).toBe(ALL_PASS))
  test('pass in Node as CommonJS', () => expect(run(['node'], REQUIRED, 'a.cjs')).toBe(ALL_PASS))
  test('pass in Bun', () => expect(run([process.execPath], MODULE, 'b.mjs')).toBe(ALL_PASS))

  test('pass in a context that has nothing but the language', () => {
    const script = `
      const fs = require('node:fs')
      const vm = require('node:vm')
      const modules = {}
      const context = vm.createContext({ crypto, setTimeout, clearTimeout })
      const load = (name) => {
        if (!modules[name]) {
          const module = modules[name] = { exports: {} }
          const text = fs.readFileSync('node_modules/@svc/client/' + name, 'utf8')
          const run = vm.runInContext('(function (module, exports, require) {' + text + '\\n})', context)
          run(module, module.exports, (path) => load(path.slice(2)))
        }
        return modules[name].exports
      }
      const { configure } = load('node.cjs')
      const { runCases } = load('cases.cjs')
      void (async () => { ${REPORT} })()`
    expect(run(['node'], script, 'c.cjs')).toBe(ALL_PASS)
  })
})

test('every entry can be imported and required', () => {
  const names = ['core', 'react', 'react-native', 'node', 'checkout']
  const imports = names.map((name, at) => `import * as m${at} from '@svc/client/${name}'`).join('\n')
  const requires = names.map((name, at) => `const r${at} = require('@svc/client/${name}')`).join('\n')
  const say = (letter: string) =>
    `process.stdout.write(JSON.stringify([${names.map((_, at) => `Object.keys(${letter}${at}).sort()`)}]))`
  const [core, react, native, node, checkout] = JSON.parse(run(['node'], `${imports}\n${say('m')}`, 'd.mjs'))
  expect(JSON.parse(run(['node'], `${requires}\n${say('r')}`, 'd.cjs'))).toEqual([core, react, native, node, checkout])
  expect(core).toContain('configure')
  expect(native).toEqual(core)
  expect(node).toEqual(['SvcError', 'configure'])
  expect(checkout).toEqual(['billingPortal', 'checkout'])
  expect(react).toEqual(
    [
      'SvcProvider',
      'useBalances',
      'useEntitlements',
      'useExperiment',
      'useFlag',
      'useOfferings',
      'usePlacement',
    ].sort(),
  )
})

test('the package has no entry without a name', () => {
  const { exitCode, stderr } = Bun.spawnSync(['node', '-e', "require('@svc/client')"], { cwd: app })
  expect(exitCode).toBe(1)
  expect(stderr.toString()).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
})

test('a call before configure throws in the package too', () => {
  const script = `
    import { currentUser } from '@svc/client/core'
    try { currentUser() } catch (error) { process.stdout.write(error.kind + ': ' + error.message) }`
  expect(run(['node'], script, 'e.mjs')).toBe('InvalidArgument: call configure first')
})

const CONSUMER = `
import { configure, flag, type SvcError } from '@svc/client/core'
import { checkout } from '@svc/client/checkout'
import { configure as onServer } from '@svc/client/node'
import { configure as onPhone } from '@svc/client/react-native'
import { useFlag, useEntitlements } from '@svc/client/react'

export async function main(): Promise<boolean> {
  const client = await configure({ apiKey: 'svc_pub_x', baseUrl: 'https://svc.example', logLevel: 'debug' })
  const { value, isStale } = await client.entitlements({ maxAgeMs: 0 })
  const accent: string = flag('accent', 'red')
  // @ts-expect-error: a number is none
  const wrong: number = flag('accent', 'red')
  await checkout(client, { offeringIdentifier: 'a', packageIdentifier: 'b', successUrl: accent, cancelUrl: '' })
  const kind = ({} as SvcError).kind
  return isStale && kind === 'Timeout' && value.some(({ isActive }) => isActive) && wrong > 0
}
export const hooks = () => [useFlag('a', 1), useEntitlements().value?.[0]?.id, onServer, onPhone]
`

/** The faults of a program without the types of a browser, but those that the types of React themselves have then. */
function compile(files: string[], more: object): string[] {
  const options = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], types: [], ...more }
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
  const { stdout } = Bun.spawnSync([join(ROOT, 'node_modules/.bin/tsc'), '-p', app])
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.includes('@types/react'))
}

for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['preserve', 'bundler'],
])
  test(`a program compiles against the declarations with ${moduleResolution}`, () => {
    writeFileSync(join(app, 'consumer.mts'), CONSUMER)
    expect(compile(['consumer.mts'], { module, moduleResolution })).toEqual([])
  })

test('with the file of svc types, names that the project does not have do not compile', () => {
  const file = {
    access: { pro: {} },
    virtualCurrencies: { gems: {} },
    offerings: { default: {} },
    placements: { onboarding: {} },
    flags: { on: { type: 'BOOLEAN' }, theme: { type: 'JSON', environments: { PROD: { default: { accent: 'red' } } } } },
    experiments: { test: { variants: [{ id: 'a' }, { id: 'b' }] } },
  }
  writeFileSync(join(app, 'svc.d.ts'), clientTypes('shop', file))
  writeFileSync(
    join(app, 'typed.mts'),
    `
    import { balances, experiment, flag, isEntitled, offerings, placement } from '@svc/client/core'
    import { useFlag } from '@svc/client/react'
    export const on: boolean = flag('on', false)
    export const accent: string = flag('theme', { accent: 'blue' }).accent
    export const hooked: boolean = useFlag('on', true)
    export const variant: 'a' | 'b' | undefined = experiment('test')?.variantId
    export const all = async () => [
      await isEntitled('pro'), await placement('onboarding'), (await balances()).value.gems, (await offerings()).value.all.default,
    ]
    // @ts-expect-error: no such flag
    flag('off', false)
    // @ts-expect-error: another type
    flag('on', 'yes')
    // @ts-expect-error: no such experiment
    experiment('other')
    // @ts-expect-error: no such variant
    export const wrong: 'c' | undefined = experiment('test')?.variantId
    // @ts-expect-error: no such access level
    void isEntitled('gold')
    // @ts-expect-error: no such placement
    void placement('nowhere')
    // @ts-expect-error: no such flag
    useFlag('off', false)
    `,
  )
  expect(compile(['svc.d.ts', 'typed.mts'], { module: 'nodenext', moduleResolution: 'nodenext' })).toEqual([])
})

test('the runner tells which step was different', async () => {
  const script = `
    import { configure } from '@svc/client/node'
    import { runCases } from '@svc/client/cases'
    const steps = [{ call: 'offerings' }, { request: { method: 'GET', path: '/nothing' }, answer: { data: {} } }]
    process.stdout.write(JSON.stringify(await runCases(configure, { formatVersion: 1, rule: 'x', cases: [{ name: 'one', steps }] })))`
  expect(JSON.parse(run(['node'], script, 'f.mjs'))).toEqual([
    { name: 'one', fault: 'step 2: GET /offerings: request.path must be "/nothing", and is "/offerings"' },
  ])
})

test('the folder of cases explains each step', () => {
  expect(readdirSync(join(app, 'cases'))).toContain('README.md')
  expect(readdirSync(join(app, 'cases'))).toContain('run.js')
})
