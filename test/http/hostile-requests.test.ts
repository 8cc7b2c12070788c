import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createApp } from '../../src/app'
import { type Stage, stage } from '../support/cast'
import { arrive, join, PLATFORM_DOMAIN } from '../support/crew'
import { cookieOf, faultOf, hostileOf, nameOf } from '../support/hostile-run'
import { browserOf } from '../support/staff'

/** About three for each operation; before a release a hundred thousand are sent to the executable. */
const REQUESTS = 1000
const SEED = Number(process.env.SVC_LAW_SEED ?? 20_261_129)

let s: Stage
beforeAll(async () => {
  s = await stage({
    env: {
      SVC_RATE_USER: '0',
      SVC_RATE_KEY: '0',
      SVC_RATE_IP: '0',
      SVC_RATE_NEW: '0',
      SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN,
    },
  })
})
afterAll(() => s.close())

test(`wrong requests on every operation get the envelope and no 5xx, seed ${SEED}`, async () => {
  const { origin } = browserOf(s)
  const people = [
    await join(s, 'olive', 'OWNER'),
    await join(s, 'devon', 'DEVELOPER'),
    await arrive(s, 'ada', { isAdmin: true }),
  ]
  const dashboard = people.map(({ browser }) => ({ cookie: cookieOf(browser), origin }))
  const { secretKey, publicKey, id } = s.project
  const api = [secretKey, secretKey, publicKey].map((key) => ({ authorization: `Bearer ${key}` }))
  const known = { projectId: [id], subscriberId: ['svc_a', 'svc_b'], identifier: ['pro', 'coins'], key: ['flag'] }
  const next = hostileOf(createApp(s.ctx), s.ctx, { api, dashboard: [...dashboard, ...dashboard, {}] }, known, SEED)
  const faults: string[] = []
  for (let count = 0; count < REQUESTS; count++) {
    const hostile = next()
    const fault = await faultOf(hostile, (path, init) => s.app.handle(new Request(`${origin}${path}`, init)))
    if (fault) faults.push(`${fault} <- ${nameOf(hostile)}`)
  }
  expect(faults).toEqual([])
})
