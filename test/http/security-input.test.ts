import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { arrive, join, type Person, PLATFORM_DOMAIN } from '../support/crew'
import { OPERATOR_ROUTES, type OperatorRoute, P } from '../support/operator-routes'
import { ORIGIN } from '../support/visitor'

let s: Stage
let owner: Person
let admin: Person
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0', SVC_RATE_IP: '0', SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN } })
  owner = await join(s, 'ada', 'OWNER')
  admin = await arrive(s, 'root', { isAdmin: true })
})
afterAll(() => s.close())

const named = (routes: readonly OperatorRoute[]) =>
  routes.map((route): [name: string, route: OperatorRoute] => [`${route.method} ${route.path}`, route])

const callerOf = ({ path }: OperatorRoute): Person => (path.startsWith('/admin') ? admin : owner)
const isOfProject = ({ path }: OperatorRoute): boolean => path.startsWith(P)

/** The last parameter of the path is the given text, and all others are names that exist. */
function pathOf({ path }: OperatorRoute, text: string): string {
  const inProject = path.replace(':projectId', s.project.id)
  return inProject.replace(/:\w+/, () => text).replace(/:\w+/g, 'pro')
}

/** These take the bytes of a file, whatever its type is called; a CSV may be any text. */
const TAKES_FILE = /\/imports(\/:id\/parts)?$|\/assets\/(image|video|lottie)$|\/faces$/

/** Some rates are counted by the minute. */
function waitForRate({ who, path }: OperatorRoute): void {
  if (who === 'page' || who === 'challenge' || path.includes('/imports')) s.ctx.clock.advance(MINUTE)
}

const DAMAGED = ['%00', 'a%00b', '%ff', '%C0%80', '%ED%A0%80', 'x'.repeat(5000), '%F0%9F%98%80', "'%20or%201=1", '%25']

const withParameter = OPERATOR_ROUTES.filter(({ path }) => path.replace(':projectId', '').includes('/:')).filter(
  (route) => isOfProject(route) || route.who.startsWith('me') || route.who === 'admin',
)

test.each(named(withParameter))('%s knows no object with a damaged name', async (_name, route) => {
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
  for (const text of DAMAGED) {
    waitForRate(route)
    const { status, body } = await callerOf(route).browser.call(
      route.method,
      pathOf(route, text),
      hasBody ? {} : undefined,
    )
    const isRefused =
      status === 404 || status === 400 || (status === 503 && body.error.code === 'FEATURE_NOT_CONFIGURED')
    expect([text.slice(0, 20), status, isRefused]).toEqual([text.slice(0, 20), status, true])
  }
})

const DEEP = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
const BODIES = {
  ['__proto__']: '{"__proto__":{"name":"x","isAdmin":true}}',
  constructor: '{"constructor":{"prototype":{"role":"OWNER"}}}',
  'deep nesting': DEEP,
  'a deep member': `{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  'a long list': `{"name":[${'1,'.repeat(50_000)}1]}`,
  'a list': '[]',
  'an unknown member': '{"unknownMember":1}',
  'no UTF-8 text': '{"name":"\\ud800"}',
  'a NUL': '{"name":"a\\u0000b"}',
}

const withBody = OPERATOR_ROUTES.filter(
  (route) =>
    route.method !== 'GET' &&
    route.method !== 'DELETE' &&
    (isOfProject(route) || /^(me|admin|page|challenge)/.test(route.who)),
)

/** A deployment that bills nobody says so before it reads the body. */
const isRefused = ({ path }: (typeof OPERATOR_ROUTES)[number], status: number): boolean =>
  (status >= 400 && status < 500) || (path.includes('/billing/') && status === 503)

/** A list of ids is a text: it is wrong, or of an audience that is not there. */
const refusalsOfText = ({ who, path }: (typeof OPERATOR_ROUTES)[number]): number[] => {
  if (who === 'challenge') return [401]
  return path.endsWith('/audiences/:id/members') ? [400, 404] : [400]
}

test.each(named(withBody))('%s refuses bodies that are meant to break it', async (_name, route) => {
  for (const [name, raw] of Object.entries(BODIES)) {
    const { browser } = callerOf(route)
    const cookie = `svc_session=${browser.cookies.get('svc_session')}`
    const call = (type: string) =>
      s.call(route.method, pathOf(route, 'pro'), {
        key: null,
        raw,
        headers: { cookie, origin: ORIGIN, 'content-type': type },
      })
    waitForRate(route)
    const { status } = await call('application/json')
    expect([name, isRefused(route, status), status]).toEqual([name, true, status])
    if (TAKES_FILE.test(route.path)) continue
    waitForRate(route)
    const asText = await call('text/plain')
    expect([name, refusalsOfText(route).includes(asText.status), asText.status]).toEqual([name, true, asText.status])
  }
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
})

const withLists = OPERATOR_ROUTES.filter(
  ({ method, path, who }) => method === 'GET' && !path.includes('oauth') && who !== 'open',
)

/** A cursor that no server has written. */
const CURSORS = [
  'x',
  'W10',
  Buffer.from('["000000000000",1]').toString('base64url'),
  '%00',
  '%ff',
  'e30',
  'bnVsbA',
  'A'.repeat(900),
]

test.each(named(withLists))('%s answers no fault to a damaged query', async (_name, route) => {
  const queries = [
    ...CURSORS.map((cursor) => `cursor=${cursor}`),
    'limit=0',
    'limit=201',
    'limit=1e3',
    'limit=',
    'limit=1&limit=2',
    'q=%ff',
    'from=x',
    '__proto__=1',
    'constructor[prototype]=1',
  ]
  for (const query of queries) {
    const { status } = await callerOf(route).browser.get(`${pathOf(route, 'pro')}?${query}`)
    expect([query.slice(0, 30), status < 500 || status === 503]).toEqual([query.slice(0, 30), true])
  }
})
