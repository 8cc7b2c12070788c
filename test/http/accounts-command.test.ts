import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import { audited, BEHIND_PROXY, enableTwoFactor, makeUser, signedIn } from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { TEST_KEY } from '../support/context'
import { svc } from '../support/simulate'
import { PASSWORD, refusal, Visitor } from '../support/visitor'

const UNAUTHORIZED = [401, 'UNAUTHORIZED']
const NEW = 'a brand new password'

let s: Stage
beforeAll(async () => {
  s = await stage({ env: BEHIND_PROXY })
})
afterAll(() => s.close())

/** Runs `svc user …` with something piped in. */
async function withInput(input: string, ...args: string[]) {
  const { database, dataDir } = s.ctx.config
  const ran = { code: -1, out: [] as string[], err: [] as string[] }
  ran.code = await runCommandLine(['user', ...args], {
    out: (line) => void ran.out.push(line),
    err: (line) => void ran.err.push(line),
    isTerminal: false,
    env: {
      SVC_DATA_DIR: dataDir,
      SVC_MASTER_KEY: TEST_KEY,
      ...(database.kind === 'postgres' ? { SVC_DATABASE_URL: database.url } : {}),
    },
    clock: s.ctx.clock,
    confirm: async () => false,
    input: async () => input,
    progress: () => {},
    program: PROGRAM,
    stopped: new Promise(() => {}),
  })
  return ran
}

const user = (...args: string[]) => svc(s.ctx, ['user', ...args, '--json'])

const tokenOf = (link: string): string => link.split('/').at(-1) ?? ''

test('the set-up link works until there is a user', async () => {
  const { json } = await user('setup-link')
  expect(json.setupLink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup\/[0-9A-Za-z]{43}$/)
  const ada = new Visitor(s)
  const body = { email: 'first@example.com', password: PASSWORD, name: 'First', setupToken: tokenOf(json.setupLink) }
  expect((await ada.post('/api/auth/sign-up', body)).status).toBe(200)
  const refused = await user('setup-link')
  expect([refused.code, JSON.parse(refused.out[0] ?? '').error.code]).toEqual([1, 'CONFLICT'])
})

describe('a user', () => {
  test('is created with a password from the input', async () => {
    const ran = await withInput(
      `${PASSWORD}\nsecond line`,
      'create',
      '--email',
      'Piped@example.com',
      '--password-stdin',
    )
    expect([ran.code, ran.err]).toEqual([0, []])
    expect(ran.out.join('\n')).not.toContain('link')
    const signed = await new Visitor(s).signIn('piped@example.com')
    expect(signed.body.data.user).toMatchObject({ email: 'Piped@example.com', emailVerified: true })
    expect((await audited(s)).filter(([action]) => action === 'user.create').at(-1)).toEqual([
      'user.create',
      'CLI',
      null,
    ])
  })

  test('is created with a link to choose the password', async () => {
    const { json } = await user('create', '--email', 'linked@example.com', '--name', 'Lin')
    expect(json).toMatchObject({ email: 'linked@example.com', name: 'Lin', hasPassword: false, emailVerified: true })
    const body = { token: tokenOf(json.passwordLink), password: NEW }
    expect((await new Visitor(s).post('/api/auth/password-reset/confirm', body)).status).toBe(200)
    expect((await new Visitor(s).signIn('linked@example.com', NEW)).body.data.next).toBeNull()
  })

  test('who forgot the password gets a link, or a password; with the second all sessions end', async () => {
    await makeUser(s, 'forgot@example.com')
    const visitor = await signedIn(s, 'forgot@example.com')
    const { json } = await user('reset-password', 'FORGOT@example.com')
    expect((await visitor.get('/dashboard/me')).status).toBe(200)
    expect((await withInput(NEW, 'reset-password', json.id, '--password-stdin')).code).toBe(0)
    expect(refusal(await visitor.get('/dashboard/me'))).toEqual(UNAUTHORIZED)
    expect((await new Visitor(s).signIn('forgot@example.com', NEW)).body.data.next).toBeNull()
    const late = { token: tokenOf(json.passwordLink), password: PASSWORD }
    expect(refusal(await new Visitor(s).post('/api/auth/password-reset/confirm', late))).toEqual(UNAUTHORIZED)
  })

  test('who lost the second factor signs in without it', async () => {
    await makeUser(s, 'lost@example.com')
    await enableTwoFactor(s, await signedIn(s, 'lost@example.com'))
    expect((await new Visitor(s).signIn('lost@example.com')).body.data.next).toBe('TWO_FACTOR')
    expect((await user('disable-two-factor', 'lost@example.com')).json.twoFactorEnabled).toBe(false)
    expect((await new Visitor(s).signIn('lost@example.com')).body.data.next).toBeNull()
    const again = await user('disable-two-factor', 'lost@example.com')
    expect([again.code, JSON.parse(again.out[0] ?? '').error.code]).toEqual([1, 'CONFLICT'])
  })

  test('is deleted, and the sessions end', async () => {
    await makeUser(s, 'gone@example.com')
    const visitor = await signedIn(s, 'gone@example.com')
    expect((await user('delete', 'gone@example.com', '--yes')).json).toMatchObject({ deleted: true })
    expect(refusal(await visitor.get('/dashboard/me'))).toEqual(UNAUTHORIZED)
    const { users } = (await user('list')).json
    expect(users.map(({ email }: { email: string }) => email)).not.toContain('gone@example.com')
    const first = users.find(({ email }: { email: string }) => email === 'first@example.com')
    expect(first).toMatchObject({ name: 'First', twoFactorEnabled: false, hasPassword: true })
  })
})

const failures: [name: string, args: string[], exit: number, code: string][] = [
  ['an action that is none', ['paint'], 2, 'VALIDATION_ERROR'],
  ['no action', [], 2, 'VALIDATION_ERROR'],
  ['a user too many', ['list', 'ada@example.com'], 2, 'VALIDATION_ERROR'],
  ['no user', ['reset-password'], 2, 'VALIDATION_ERROR'],
  ['no address', ['create'], 2, 'VALIDATION_ERROR'],
  ['an address that is none', ['create', '--email', 'ada'], 1, 'VALIDATION_ERROR'],
  ['an address that is taken', ['create', '--email', 'FIRST@example.com'], 1, 'CONFLICT'],
  ['a project that is none', ['create', '--email', 'a@example.com', '--owner-of', 'nope'], 1, 'NOT_FOUND'],
  ['no password on the input', ['create', '--email', 'a@example.com', '--password-stdin'], 2, 'VALIDATION_ERROR'],
  ['an unknown user', ['delete', 'nobody@example.com', '--yes'], 1, 'NOT_FOUND'],
  ['an unknown id', ['disable-two-factor', 'usr_nobody'], 1, 'NOT_FOUND'],
  ['a question that nobody can answer', ['delete', 'first@example.com'], 2, 'VALIDATION_ERROR'],
]
test.each(failures)('%s is refused, with --json in the failure envelope', async (_name, args, exit, code) => {
  const before = await s.ctx.db.select().from(s.ctx.tables.users)
  const plain = await svc(s.ctx, ['user', ...args])
  const json = await svc(s.ctx, ['user', ...args, '--json'])
  expect([plain.code, plain.out]).toEqual([exit, []])
  expect([json.code, json.err]).toEqual([exit, plain.err])
  expect(JSON.parse(json.out.join('')).error.code).toBe(code)
  expect(await s.ctx.db.select().from(s.ctx.tables.users)).toEqual(before)
})

describe('a server that starts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-setup-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Starts `svc serve` on a database of its own, and stops it when it is ready. */
  async function serve(...args: string[]): Promise<string[]> {
    const out: string[] = []
    const code = await runCommandLine(['serve', '--port', '0', '--data', folder, ...args], {
      out: (line) => void out.push(line),
      err: () => {},
      isTerminal: false,
      env: { SVC_INTERNAL_PORT: '0', SVC_LOG_LEVEL: 'off', SVC_FX_URL: 'off' },
      clock: s.ctx.clock,
      confirm: async () => false,
      progress: () => {},
      program: PROGRAM,
      stopped: Promise.resolve(),
    })
    expect(code).toBe(0)
    return out
  }

  test('prints the set-up link while there is no user', async () => {
    const [text = ''] = await serve()
    const [, url = '', link = ''] =
      /^listening on (\S+)\nnobody has an account yet; make the first one at (\S+)$/.exec(text) ?? []
    expect(link).toMatch(/\/setup\/[0-9A-Za-z]{43}$/)
    expect(link).toStartWith(`${url}/setup/`)
    const ready = JSON.parse((await serve('--json'))[0] ?? '')
    expect(ready.setupLink).toStartWith(`${ready.url}/setup/`)
    expect(ready.setupLink.split('/').at(-1)).not.toBe(link.split('/').at(-1))
    const env = { SVC_DATA_DIR: folder, SVC_DATABASE_URL: `file:${join(folder, 'svc.db')}` }
    expect((await svc(s.ctx, ['user', 'create', '--email', 'ada@example.com', '--json'], env)).code).toBe(0)
    expect(Object.keys(JSON.parse((await serve('--json'))[0] ?? ''))).toEqual(['url'])
    expect((await serve())[0]).toMatch(/^listening on \S+$/)
  })
})

test('a short password on the input is refused', async () => {
  const ran = await withInput('short', 'create', '--email', 'short@example.com', '--password-stdin')
  expect([ran.code, ran.out]).toEqual([1, []])
  expect(ran.err.join(' ')).toContain('10 to 128')
})
