import { createApp } from '../../src/app'
import { readConfig } from '../../src/base/config'
import { migrate } from '../../src/base/db/migrate'
import { createContext } from '../../src/create-context'
import { makeProject, type Stage } from './cast'
import type { TestContext } from './context'
import { arrive, join, PLATFORM_DOMAIN } from './crew'
import { cookieOf, type Hostile, hostileOf } from './hostile-run'

/** The environment of a server that gets them. */
export const HOSTILE_ENV = {
  ...{ SVC_RATE_USER: '0', SVC_RATE_KEY: '0', SVC_RATE_IP: '0', SVC_RATE_NEW: '0' },
  SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN,
}

const ORIGIN = 'http://origin'

/** A database with a project and people of each kind, and an endless list of wrong requests about it. */
export async function prepareHostile(path: string, url: () => string, seed: number): Promise<() => Hostile> {
  const config = readConfig({ SVC_DATA_DIR: path, ...HOSTILE_ENV })
  const ctx = (await createContext(config)) as TestContext
  await migrate(ctx.storage)
  const project = await makeProject(ctx, 1, {})
  const s = { ctx, project } as Stage // People need no more of a stage.
  const people = [
    await join(s, 'olive', 'OWNER'),
    await join(s, 'devon', 'DEVELOPER'),
    await arrive(s, 'ada', { isAdmin: true }),
  ]
  const { id, secretKey, publicKey } = project
  const known = { projectId: [id], subscriberId: ['svc_a', 'svc_b'], identifier: ['pro', 'coins'], key: ['flag'] }
  const api = [secretKey, secretKey, publicKey].map((key) => ({ authorization: `Bearer ${key}` }))
  const dashboard = people.map(({ browser }) => ({ cookie: cookieOf(browser), origin: ORIGIN }))
  const next = hostileOf(createApp(ctx), ctx, { api, dashboard: [...dashboard, ...dashboard, {}] }, known, seed)
  await ctx.close()
  return () => {
    const hostile = next()
    const headers = hostile.headers.origin === ORIGIN ? { ...hostile.headers, origin: url() } : hostile.headers
    return { ...hostile, headers }
  }
}
