import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestClock } from '../../test/support/context'
import type { Installation } from '../base/cli/command'
import { PROGRAM } from '../program'
import { runCommandLine } from './main'

let folder: string
let cwd: string
let installation: Installation
const startedIn = process.cwd()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-first-run-'))
  cwd = join(folder, 'cwd')
  installation = { settingsFile: join(folder, 'etc/svc.env'), dataDir: join(folder, 'var'), user: 'svc' }
  mkdirSync(cwd)
  mkdirSync(join(folder, 'etc'))
  process.chdir(cwd)
})
afterEach(() => {
  process.chdir(startedIn)
  rmSync(folder, { recursive: true })
})

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const ran = { code: -1, out: [] as string[], err: [] as string[] }
  ran.code = await runCommandLine(args, {
    out: (line) => void ran.out.push(line),
    err: (line) => void ran.err.push(line),
    isTerminal: false,
    env,
    clock: new TestClock(1_795_000_000_000),
    confirm: async () => false,
    progress: () => {},
    program: PROGRAM,
    installation,
    stopped: Promise.resolve(),
  })
  return ran
}

/** Writes the settings of an installation, as install.sh does. */
const install = (settings = '# nothing\n#SVC_PORT=3000\n') => writeFileSync(installation.settingsFile, settings)

const NOTICE = () =>
  `This works on the installation in ${installation.dataDir} (settings: ${installation.settingsFile}).`

/** A line for every command that needs a database which is there already. */
const NEEDS_DATABASE: Record<string, string[]> = {
  project: ['project', 'create', '--name', 'X'],
  key: ['key', 'list'],
  user: ['user', 'list'],
  member: ['member', 'list'],
  token: ['token', 'list'],
  audit: ['audit', 'proof'],
  outbox: ['outbox', 'list'],
  identity: ['identity', 'settings'],
  apply: ['apply', '-f', 'svc.yaml', '--yes'],
  export: ['export', '--project', 'x'],
  types: ['types', '--project', 'x'],
  flag: ['flag', 'list'],
  funnel: ['funnel', 'list'],
  asset: ['asset', 'list'],
  font: ['font', 'list'],
  experiment: ['experiment', 'list'],
  grant: ['grant', '--subscriber', 'a', '--access', 'pro'],
  refund: ['refund', 'pur_1', '--yes'],
  schedule: ['schedule', 'list'],
  domain: ['domain', 'list'],
  webhook: ['webhook', 'list'],
  simulate: ['simulate', 'status'],
  store: ['store', 'status'],
  'store-events': ['store-events', 'list'],
  'refund-shield': ['refund-shield', 'list'],
  listen: ['listen', '--forward-to', 'http://localhost:4242'],
  ask: ['ask', 'Why?'],
  mcp: ['mcp'],
  query: ['query', 'select 1'],
  usage: ['usage'],
  billing: ['billing', 'recount'],
  reconcile: ['reconcile'],
  purchases: ['purchases', 'relink'],
  analytics: ['analytics', 'status'],
  rates: ['rates', 'status'],
  'export-data': ['export-data'],
  dsar: ['dsar', 'list'],
  import: ['import', 'history.csv'],
  compare: ['compare', 'runs'],
  'sdk-door': ['sdk-door', 'status'],
  doctor: ['doctor'],
  tls: ['tls', 'status'],
  backup: ['backup', 'x.gz'],
}
const MAY_CREATE = ['serve', 'migrate', 'demo', 'restore']

describe('in a folder without a database', () => {
  test('the list of commands is complete', () => {
    const known = [...Object.keys(NEEDS_DATABASE), ...MAY_CREATE, 'openapi', 'schema', 'sdk'].sort()
    expect(PROGRAM.commands.map(({ name }) => name).sort()).toEqual(known)
  })

  for (const [name, args] of Object.entries(NEEDS_DATABASE))
    test(`svc ${name} says what to do and creates nothing`, async () => {
      writeFileSync('svc.yaml', 'version: 1\nproject: { slug: x, name: X }\n')
      const before = readdirSync(cwd)
      const { code, out, err } = await run(args)
      const told = [...out, ...err].join('\n')
      expect([code, told]).toEqual([1, expect.stringContaining(join(cwd, 'data', 'svc.db'))])
      for (const hint of ['svc migrate', '--data']) expect(told).toContain(hint)
      expect(readdirSync(cwd)).toEqual(before)
      const json = await run([...args, '--json'])
      const body = JSON.parse(json.out.join(''))
      if (name === 'doctor') expect(body.ok).toBe(false)
      else expect(body.error).toEqual({ code: 'DATABASE_UNAVAILABLE', message: err.join('\n') })
      expect([json.code, readdirSync(cwd)]).toEqual([1, before])
    })

  for (const args of [
    ['openapi'],
    ['schema'],
    ['--help'],
    ['--version'],
    ['project', '--help'],
    ['sdk', '--help'],
    ['openapi', '--json'],
  ])
    test(`svc ${args.join(' ')} needs none, and no installation`, async () => {
      install('SVC_PORT=broken')
      const { code, err } = await run(args)
      expect([code, err, readdirSync(cwd)]).toEqual([0, [], []])
    })

  test('svc migrate makes one, and then the others work', async () => {
    expect((await run(['migrate'])).code).toBe(0)
    expect(await run(['project', 'list', '--json'])).toEqual({ code: 0, out: ['{"projects":[]}'], err: [] })
    expect(existsSync(join(cwd, 'data', 'svc.db'))).toBe(true)
  })
})

describe('on a server where install.sh set svc up', () => {
  test('a command without --data works on that installation, and says so on stderr alone', async () => {
    install()
    expect(await run(['migrate'])).toMatchObject({ code: 0, err: [NOTICE()] })
    expect(readdirSync(installation.dataDir)).toContain('svc.db')
    const made = await run(['project', 'create', '--name', 'Sleep App', '--json'])
    expect([made.code, Object.keys(JSON.parse(made.out.join('')))]).toEqual([
      0,
      ['projectId', 'publicKey', 'secretKey'],
    ])
    expect(made.err).toEqual([NOTICE()])
    const listed = await run(['project', 'list'], {})
    expect([listed.code, listed.err]).toEqual([0, [NOTICE()]])
    expect(listed.out.join('\n')).toContain('sleep-app')
    expect(readdirSync(cwd)).toEqual([])
  })

  test('its settings are used, with relative paths in its folder; the environment wins', async () => {
    install('# comment\nSVC_DATA_DIR=deeper\nSVC_DATABASE_URL="file:other.db"\n; SVC_PORT=x\nSVC_MODE=\'production\'\n')
    expect((await run(['migrate'])).code).toBe(0)
    expect(readdirSync(installation.dataDir)).toEqual(expect.arrayContaining(['deeper', 'other.db']))
    expect(readdirSync(cwd)).toEqual([])
    install('SVC_PORT=broken\n')
    expect((await run(['project', 'list'])).err).toEqual([
      NOTICE(),
      'SVC_PORT is "broken"; it must be a whole number from 0 to 65535.',
    ])
    const { err } = await run(['project', 'list'], { SVC_PORT: '3000' })
    expect(err.join('\n')).toContain(join(installation.dataDir, 'svc.db'))
  })

  test('a database that is not there yet is not created; empty variables name no other', async () => {
    install()
    const { code, err } = await run(['project', 'list'], { SVC_DATA_DIR: '', SVC_DATABASE_URL: '' })
    expect(err[1]).toContain(join(installation.dataDir, 'svc.db'))
    expect([code, err.length, err[1]]).toEqual([1, 2, expect.stringContaining('svc migrate')])
    expect(existsSync(installation.dataDir)).toBe(false)
  })

  for (const [name, args, env] of [
    ['--data', ['--data', 'mine'], {}],
    ['SVC_DATA_DIR', [], { SVC_DATA_DIR: 'mine' }],
    ['SVC_DATABASE_URL', [], { SVC_DATABASE_URL: 'file:mine/svc.db', SVC_MASTER_KEY: 'off' }],
  ] as const)
    test(`${name} means another place, and nothing is said`, async () => {
      install('SVC_PORT=broken\n')
      expect(await run(['migrate', ...args], env)).toMatchObject({ code: 0, err: [] })
      expect(existsSync(join(cwd, 'mine', 'svc.db'))).toBe(true)
      expect(existsSync(installation.dataDir)).toBe(false)
    })

  // Root may read every file.
  test.skipIf(process.getuid?.() === 0)(
    'settings that this user may not read are refused with what to do',
    async () => {
      install()
      chmodSync(installation.settingsFile, 0)
      const { code, err } = await run(['project', 'list'])
      expect([code, err.length]).toEqual([1, 1])
      expect(err[0]).toContain('sudo -u svc svc')
    },
  )

  test('settings that cannot be read are refused with what to do', async () => {
    mkdirSync(installation.settingsFile) // Cannot be read as a file, by root either.
    const { code, out, err } = await run(['project', 'list', '--json'])
    expect([code, err.length]).toEqual([1, 1])
    for (const hint of [installation.settingsFile, 'sudo -u svc svc', '--data']) expect(err[0]).toContain(hint)
    expect(JSON.parse(out.join(''))).toEqual({ error: { code: 'FORBIDDEN', message: err[0] } })
  })
})

test('-v prints the version, help takes a command, and a name that is nearly one is answered with that one', async () => {
  const version = await run(['--version'])
  expect(await run(['-v'])).toEqual(version)
  expect(await run(['help', 'schema'])).toEqual(await run(['schema', '--help']))
  const unknown = async (name: string) => (await run([name])).err
  expect(await unknown('aply')).toEqual(['There is no command "aply"; did you mean apply? (see: svc --help)'])
  expect(await unknown('exprot')).toEqual(['There is no command "exprot"; did you mean export? (see: svc --help)'])
  expect(await unknown('statuz')).toEqual(['There is no command "statuz" (see: svc --help)'])
})
