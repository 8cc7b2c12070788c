import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY, SECOND } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { tokenCommand } from '../../src/operators/access-tokens/command'
import { auditedActions } from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { arrive, join, type Person } from '../support/crew'
import { machineEnv, runWith } from '../support/remote-command'
import { refusal, Visitor } from '../support/visitor'

let s: Stage
let ada: Person
let bo: Person
beforeAll(async () => {
  s = await stage()
  ada = await join(s, 'ada', 'OWNER')
  bo = await arrive(s, 'bo')
  s.ctx.clock.advance(SECOND) // Ids of two processes have an order only between milliseconds.
})
afterAll(() => s.close())

const run = (...args: string[]) => runBeside(s, tokenCommand, ...args)
const made = async (...args: string[]) => JSON.parse((await run('create', ...args, '--json')).out)
const by = (token: string, method: string, path: string, body?: unknown) =>
  new Visitor(s).call(method, path, body, { origin: null, headers: { authorization: `Bearer ${token}` } })
const tokens = async () => JSON.parse((await run('list', '--json')).out).tokens as { id: string }[]
const FLAG = { key: 'dark', env: 'PROD', type: 'BOOLEAN', defaultValue: false, rules: [] }
const flags = () => `/dashboard/projects/${s.project.id}/feature-flags`

test('a token is made for a person, by address or id, with 90 days, and is printed once', async () => {
  const before = await auditedActions(s)
  const { token, ...view } = await made('ADA@example.com', '--name', 'CI')
  expect(view).toEqual({
    userId: ada.id,
    email: 'ada@example.com',
    id: expect.stringMatching(/^pat_/),
    name: 'CI',
    prefix: token.slice(0, 12),
    scopes: null,
    expiresAt: toIso(s.ctx.clock.now() + 90 * DAY),
    lastUsedAt: null,
    createdAt: toIso(s.ctx.clock.now()),
    updatedAt: toIso(s.ctx.clock.now()),
  })
  expect((await by(token, 'GET', '/dashboard/me')).body.data.id).toBe(ada.id)
  expect((await auditedActions(s)).slice(before.length)).toEqual(['token.create'])

  const lines = await run('create', bo.id)
  const printed = /^token +(svc_pat_\w{43})$/m.exec(lines.out)?.[1] ?? ''
  expect((await by(printed, 'GET', '/dashboard/me')).body.data.id).toBe(bo.id)
  for (const text of [(await run('list')).out, JSON.stringify(await tokens())])
    for (const secret of [token, printed]) expect(text).not.toContain(secret)
  expect(JSON.parse((await run('list', 'ada@example.com', '--json')).out)).toEqual({ tokens: [view] })
  expect((await run('list', bo.id)).out).toContain('bo@example.com')
})

test('its scopes and its days hold', async () => {
  const read = await made(ada.id, '--scopes', 'read', '--days', '2')
  expect([read.scopes, read.expiresAt]).toEqual([['read'], toIso(s.ctx.clock.now() + 2 * DAY)])
  expect((await by(read.token, 'GET', flags())).status).toBe(200)
  expect(refusal(await by(read.token, 'POST', flags(), FLAG))).toEqual([403, 'CAPABILITY_REQUIRED'])
  const flagger = await made(ada.id, '--scopes', 'flags:write,read,flags:write', '--days', 'never')
  expect([flagger.scopes, flagger.expiresAt]).toEqual([['read', 'flags:write'], null])
  expect((await by(flagger.token, 'POST', flags(), FLAG)).status).toBe(201)
  s.ctx.clock.advance(2 * DAY)
  expect(refusal(await by(read.token, 'GET', flags()))).toEqual([401, 'UNAUTHORIZED'])
  expect((await by(flagger.token, 'GET', flags())).status).toBe(200)
})

test('a token that is revoked opens nothing more', async () => {
  const [one, other] = [await made(ada.id), await made(ada.id)]
  expect(await run('revoke', one.id, '--json')).toMatchObject({ code: 0, out: `{"id":"${one.id}","deleted":true}` })
  expect(refusal(await by(one.token, 'GET', '/dashboard/me'))).toEqual([401, 'UNAUTHORIZED'])
  expect((await by(other.token, 'GET', '/dashboard/me')).status).toBe(200)
  expect(await run('revoke', one.id)).toMatchObject({ code: 1, err: expect.stringContaining('no token') })
})

test.each<[string, string[], number, RegExp]>([
  ['nobody', ['create'], 2, /name the user/],
  ['an unknown person', ['create', 'nobody@example.com'], 1, /no user "nobody@example.com"/],
  ['two people', ['create', 'ada@example.com', 'bo@example.com'], 2, /takes one name/],
  ['an unknown scope', ['create', 'ada@example.com', '--scopes', 'everything'], 1, /--scopes.* one or several of read/],
  ['an empty scope', ['create', 'ada@example.com', '--scopes', ''], 1, /--scopes/],
  ['no days', ['create', 'ada@example.com', '--days', '0'], 2, /--days takes 1 to 3650/],
  ['half a day', ['create', 'ada@example.com', '--days', '0.5'], 2, /--days takes/],
  ['too many days', ['create', 'ada@example.com', '--days', '3651'], 2, /--days takes/],
  ['no name', ['create', 'ada@example.com', '--name', ''], 1, /--name/],
  ['a long name', ['create', 'ada@example.com', '--name', 'x'.repeat(101)], 1, /--name/],
  ['days of a list', ['list', '--days', '3'], 2, /belong to: svc token create/],
  ['a list of an unknown person', ['list', 'usr_x'], 1, /no user "usr_x"/],
  ['the removal of nothing', ['revoke'], 2, /by its pat_ id/],
  ['the removal of an unknown token', ['revoke', 'pat_x'], 1, /no token "pat_x"/],
  [
    'the removal of a token’s text',
    ['revoke', `svc_pat_${'a'.repeat(43)}`],
    2,
    /^[^_]*pat_ id; see: svc token list [^_]*$/,
  ],
  ['another action', ['renew', 'ada@example.com'], 2, /takes create, list or revoke/],
  ['a server', ['list', '--url', 'https://svc.example.com', '--token', 'svc_pat_x'], 2, /machine of the server only/],
])('%s is refused, and nothing is made', async (_name, args, code, message) => {
  const before = await tokens()
  const ran = await run(...args)
  expect([ran.code, ran.out, ran.err]).toEqual([code, '', expect.stringMatching(message)])
  expect(await tokens()).toEqual(before)
})

test('with a server in the environment only --data works on the machine', async () => {
  const env = { ...machineEnv(s), SVC_URL: 'https://svc.example.com', SVC_TOKEN: `svc_pat_${'a'.repeat(43)}` }
  const refused = await runWith(s, ['token', 'list', '--json'], { env })
  expect([refused.code, JSON.parse(refused.out).error.code, refused.err]).toEqual([
    2,
    'VALIDATION_ERROR',
    expect.stringMatching(/machine of the server only/),
  ])
  const listed = await runWith(s, ['token', 'list', '--json', '--data', s.ctx.config.dataDir], { env })
  expect([listed.code, JSON.parse(listed.out).tokens.length > 0]).toEqual([0, true])
})

test('a person has at most 20, however many are made at once', async () => {
  const cy = await arrive(s, 'cy')
  for (let count = 0; count < 18; count++) await made(cy.id)
  const ran = await Promise.all([1, 2, 3, 4].map(() => run('create', cy.email)))
  expect(ran.map(({ code }) => code).sort()).toEqual([0, 0, 1, 1])
  expect(JSON.parse((await run('list', cy.id, '--json')).out).tokens).toHaveLength(20)
})
