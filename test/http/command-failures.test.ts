import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '../../src/base/cli/command'
import { ERRORS } from '../../src/base/error-codes'
import { DAY } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { identify } from '../support/facts'
import { type Ran, svc } from '../support/simulate'

let s: Stage
const folder = mkdtempSync(join(tmpdir(), 'svc-failures-'))
const BROKEN_FILE = join(folder, 'broken.yaml')

beforeAll(async () => {
  s = await stage()
  writeFileSync(BROKEN_FILE, 'version: 2\nproject: { slug: sleep-app }\naccess: 5')
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await s.close()
})

/** Runs a command line that must fail, once without and once with `--json`. */
async function fail(args: readonly string[], env: Record<string, string> = {}) {
  const told = await svc(s.ctx, args, env)
  const json = await svc(s.ctx, [...args, '--json'], env)
  expect([args, told.out]).toEqual([args, []])
  expect([args, json.code, json.err]).toEqual([args, told.code, told.err])
  return { code: told.code, err: told.err, envelope: envelopeOf(json) }
}

/** The failure envelope is all that stands on stdout, in one line. */
function envelopeOf({ out }: Ran): { code: string; message: string; details?: Record<string, unknown> } {
  expect(out).toHaveLength(1)
  const body = JSON.parse(out[0] ?? '')
  expect(Object.keys(body)).toEqual(['error'])
  expect(Object.keys(ERRORS)).toContain(body.error.code)
  expect(Object.keys(body.error).filter((key) => !['code', 'message', 'details'].includes(key))).toEqual([])
  return body.error
}

const inProject = (...args: string[]) => [...args, '--project', s.project.id]
const UNKNOWN_ID = 'x_01m5w36wm0edqrb018tr4sjm6r'

const failures: [name: string, args: () => string[], exit: number, code: string][] = [
  ['an unknown command', () => ['bogus'], 2, 'VALIDATION_ERROR'],
  ['an option before the command', () => ['--bogus'], 2, 'VALIDATION_ERROR'],
  ['an unknown option', () => ['project', 'list', '--bogus'], 2, 'VALIDATION_ERROR'],
  ['a word too many', () => ['serve', 'now'], 2, 'VALIDATION_ERROR'],
  ['an action that is none', () => ['key', 'paint'], 2, 'VALIDATION_ERROR'],
  ['an option that is missing', () => ['project', 'create'], 2, 'VALIDATION_ERROR'],
  ['a question that nobody can answer', () => ['refund', 'pur_1'], 2, 'VALIDATION_ERROR'],
  ['several projects and no name', () => ['key', 'list'], 2, 'VALIDATION_ERROR'],
  ['an unknown project', () => ['key', 'list', '--project', 'nope'], 1, 'NOT_FOUND'],
  ['an unknown key', () => ['key', 'revoke', UNKNOWN_ID], 1, 'NOT_FOUND'],
  ['an unknown store event', () => ['store-events', 'replay', UNKNOWN_ID], 1, 'NOT_FOUND'],
  ['an unknown flag', () => inProject('flag', 'toggle', 'nope', 'on'), 1, 'NOT_FOUND'],
  ['an unknown experiment', () => inProject('experiment', 'start', 'nope'), 1, 'NOT_FOUND'],
  ['an unknown purchase', () => inProject('schedule', 'undo', `pur_${'0'.repeat(26)}`), 1, 'NOT_FOUND'],
  ['an unknown subscriber', () => inProject('grant', '--subscriber', 'nobody', '--access', 'pro'), 1, 'NOT_FOUND'],
  ['an unknown access', () => inProject('grant', '--subscriber', 'svc_ada', '--access', 'x'), 1, 'UNKNOWN_REFERENCES'],
  ['an unknown product', () => inProject('simulate', 'purchase', '--device', 'a', '--product', 'x'), 1, 'NOT_FOUND'],
  ['a turn that is not possible', () => inProject('simulate', 'renew', '--device', 'svc_none'), 1, 'CONFLICT'],
  ['a store without credentials', () => inProject('store-events', 'test'), 1, 'STORE_KEY_MISSING'],
  ['a slug that is taken', () => ['project', 'create', '--name', 'X', '--slug', 'sleep-app-1'], 1, 'CONFLICT'],
  ['a project file that is not there', () => ['apply', '-f', '/nowhere.yaml', '--yes'], 1, 'NOT_FOUND'],
  ['a project file with problems', () => ['apply', '-f', BROKEN_FILE, '--yes'], 1, 'VALIDATION_ERROR'],
  ['a place that cannot be written', () => inProject('export', '-o', '/nowhere/x'), 1, 'HTTP_ERROR'],
  ['a backup that is not there', () => ['restore', '/nowhere.gz'], 1, 'NOT_FOUND'],
  ['a file that is no backup', () => ['restore', BROKEN_FILE], 1, 'HTTP_ERROR'],
  ['a backup that is there already', () => ['backup', BROKEN_FILE], 1, 'CONFLICT'],
]

describe('with --json a failure is the failure envelope on stdout, and its sentence stays on stderr', () => {
  beforeAll(async () => {
    await s.get('/v1/me', 'svc_ada')
    const made = await svc(s.ctx, ['project', 'create', '--name', 'X', '--slug', 'sleep-app-1'])
    expect(made.code).toBe(0)
  })

  for (const [name, args, exit, code] of failures)
    test(`${name}: ${exit} and ${code}`, async () => {
      const failed = await fail(args())
      expect([failed.code, failed.envelope.code]).toEqual([exit, code])
      if (name !== 'a project file with problems') expect(failed.err).toHaveLength(1)
      if (code !== 'VALIDATION_ERROR') expect(failed.err[0]).toContain(failed.envelope.message)
      expect(failed.envelope.message).not.toBe('')
    })

  test('a wrong configuration: 2, VALIDATION_ERROR, and every fault in the message', async () => {
    const { code, err, envelope } = await fail(['project', 'list'], { SVC_PORT: 'x', SVC_MODE: 'y' })
    expect([code, envelope.code, err.length]).toEqual([2, 'VALIDATION_ERROR', 2])
    for (const sentence of err) expect(envelope.message).toContain(sentence)
  })

  test('a database that does not answer: 1 and DATABASE_UNAVAILABLE, without its password', async () => {
    const env = { SVC_DATABASE_URL: 'postgres://svc:hunter2@127.0.0.1:1/svc' }
    const { code, envelope } = await fail(['project', 'list'], env)
    expect([code, envelope.code]).toEqual([1, 'DATABASE_UNAVAILABLE'])
    expect(JSON.stringify(envelope)).not.toContain('hunter2')
  })

  test('a refusal of a service keeps its details', async () => {
    const { envelope } = await fail(inProject('grant', '--subscriber', 'svc_ada', '--access', 'x'))
    expect(envelope.details).toEqual({ resource: 'access', ids: ['x'] })
  })

  test('a project file with problems lists them with their places', async () => {
    const { err, envelope } = await fail(['apply', '-f', BROKEN_FILE, '--yes'])
    expect(err).toHaveLength(2)
    expect(envelope.details).toMatchObject({
      fields: ['version', 'access'],
      problems: [{ path: 'version', line: 1, column: 1 }, { path: 'access' }],
    })
  })

  test('an error that nobody expected: 1 and INTERNAL_ERROR without its text', async () => {
    const secret = 'the inner text'
    const command: Command = { name: 'broken', summary: '', help: '', run: () => Promise.reject(new Error(secret)) }
    const told = { out: [] as string[], err: [] as string[] }
    const code = await runCommandLine(['broken', '--json'], {
      out: (line) => void told.out.push(line),
      err: (line) => void told.err.push(line),
      isTerminal: false,
      env: {},
      clock: s.ctx.clock,
      confirm: async () => false,
      progress: () => {},
      program: { ...PROGRAM, commands: [command] },
      stopped: new Promise(() => {}),
    })
    expect([code, JSON.parse(told.out.join(''))]).toEqual([
      1,
      { error: { code: 'INTERNAL_ERROR', message: 'Internal server error' } },
    ])
    expect(told.out.join('')).not.toContain(secret)
    expect(told.err).toHaveLength(1)
  })

  test('every command refuses an option that it does not know', async () => {
    for (const { name } of PROGRAM.commands) {
      const { code, envelope } = await fail([name, '--bogus'])
      expect([name, code, envelope.code]).toEqual([name, 2, 'VALIDATION_ERROR'])
    }
  })
})

describe('a value that a service refuses is refused by the name of its option', () => {
  const LONG = 'x'.repeat(600)
  let purchase = ''
  beforeAll(async () => {
    await s.receipt('svc_cy', s.buy(MONTHLY))
    await identify(s, 'svc_cy', 'cy')
    const granted = await svc(s.ctx, inProject('grant', '--subscriber', 'cy', '--access', 'pro', '--json'))
    purchase = granted.json.id
  })
  const at = (ms: number) => toIso(s.ctx.clock.now() + ms)

  const values: [command: string, option: string, field: string, args: () => string[]][] = [
    ['schedule', '--at', 'dueAt', () => inProject('schedule', 'cancel', purchase, '--at', at(1000), '--revoke')],
    ['schedule', '--at', 'dueAt', () => inProject('schedule', 'cancel', purchase, '--at', at(1000 * DAY), '--revoke')],
    [
      'grant',
      '--until',
      'expiresAt',
      () => inProject('grant', '--subscriber', 'cy', '--access', 'pro', '--until', at(-1000)),
    ],
    ['grant', '--product', 'productId', () => inProject('grant', '--subscriber', 'cy', '--product', 'coins_100')],
    [
      'grant',
      '--reason',
      ' reason',
      () => inProject('grant', '--subscriber', 'cy', '--access', 'pro', '--reason', LONG),
    ],
    ['project', '--name', ' name', () => ['project', 'create', '--name', '']],
    ['project', '--slug', ' slug', () => ['project', 'create', '--name', 'X', '--slug', 'A B']],
    ['key', '--label', ' label', () => inProject('key', 'create', '--label', LONG)],
    ['key', '--rate', 'ratePerMinute', () => inProject('key', 'create', '--rate', '99999999')],
    [
      'key',
      '--origin',
      'allowedOrigins',
      () => inProject('key', 'create', ...Array(200).fill('--origin=https://a.example')),
    ],
    ['key', '--overlap', 'overlapHours', () => ['key', 'rotate', s.project.keyId, '--overlap', '9999999']],
    ['identity', '--jwks-url', 'identityJwksUrl', () => inProject('identity', 'settings', '--jwks-url', 'ftp://x')],
    ['identity', '--overlap', 'overlapHours', () => inProject('identity', 'secret', 'rotate', '--overlap', '9999999')],
    ['simulate', '--device', 'appUserId', () => inProject('simulate', 'renew', '--device', 'ios:1')],
  ]
  for (const [command, option, field, args] of values)
    test(`${command} ${option}, not ${field.trim()}`, async () => {
      const { code, err, envelope } = await fail(args())
      expect([code, envelope.code]).toEqual([1, 'VALIDATION_ERROR'])
      for (const sentence of [err.join('\n'), envelope.message]) {
        expect(sentence).toContain(option)
        expect(` ${sentence}`).not.toContain(field)
      }
    })

  test('also where the field stands in the middle of a sentence, and in the details', async () => {
    const bought = (await s.ctx.db.select().from(s.ctx.tables.purchases)).find(({ store }) => store === 'IOS_STORE')
    const { envelope } = await fail(inProject('schedule', 'cancel', bought?.id ?? '', '--at', at(DAY), '--revoke'))
    expect(envelope.message).not.toContain('revokeImmediately')
  })
})
