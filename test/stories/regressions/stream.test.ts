import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyCommand } from '../../../src/moving/project-file/apply-command'
import { ConfigWatch } from '../../../src/projects/project/config-watch'
import { type Stage, stage } from '../../support/cast'
import { runBeside } from '../../support/command'
import { configOf, configure } from '../../support/remote'
import { type HeldStream, openStream } from '../../support/stream'

let s: Stage
const held: HeldStream[] = []
beforeEach(async () => {
  s = await stage()
})
afterEach(async () => {
  for (const stream of held.splice(0)) await stream.leave()
  await s.close()
})

async function listen(query: string, options: Parameters<typeof openStream>[2] = {}): Promise<HeldStream> {
  const stream = await openStream(s, query, options)
  held.push(stream)
  return stream
}

/** Applies a project file as another process does. */
async function apply(content: object): Promise<void> {
  const file = join(s.ctx.config.dataDir, 'svc.yaml')
  writeFileSync(file, JSON.stringify({ version: 1, ...content }))
  const { code, err } = await runBeside(s, applyCommand, '-f', file, '--project', s.project.id, '--yes', '--prune')
  expect([code, err]).toEqual([0, ''])
}

const ENVS = ['PROD', 'STAGING', 'DEVELOPMENT'] as const

describe('a stream that serves no flags or never invalidates', () => {
  test('serves what config serves: each environment, each key, each mount', async () => {
    const flags = ENVS.map((env) => ({ key: 'where', env, type: 'STRING' as const, defaultValue: env }))
    await configure(s, { flags, experiments: [{ key: 'exp_one' }] })
    const web = { path: `/v1/web/${s.project.publicKey}/config/stream`, headers: { origin: 'https://app.example.com' } }
    const api = { path: '/v1/config/stream', headers: {} }
    const { publicKey, secretKey } = s.project
    for (const env of ENVS)
      for (const [{ path, headers }, key] of [
        [api, publicKey],
        [api, secretKey],
        [web, publicKey],
      ] as const) {
        const query = `${path}?subscriberId=svc_ada&env=${env}`
        const wanted = (await configOf(s, 'svc_ada', `&env=${env}`)).body.data
        expect(wanted.flags).toEqual({ where: env })
        const stream = await listen(query, { key, headers })
        expect(await stream.data('initial')).toEqual({ ...wanted, projectId: s.project.id })
      }
  })

  test('invalidates after every change that another process applies, and serves what config serves then', async () => {
    const watch = new ConfigWatch(s.ctx, (projectId) => s.ctx.state.projects.forget(projectId))
    await watch.check()
    const stream = await listen('subscriberId=svc_ada')
    expect((await stream.data('initial')).flags).toEqual({})
    const on = (value: number) => ({ type: 'NUMBER', environments: { PROD: { enabled: true, default: value } } })
    const variants = [
      { id: 'a', name: 'A', weight: 0.5, value: 1 },
      { id: 'b', name: 'B', weight: 0.5, value: 2 },
    ]
    const files = [
      { flags: { one: on(1) } },
      { flags: { one: on(2) } },
      { flags: { one: on(2), two: on(1) } },
      { flags: { one: on(2) }, audiences: { Testers: { rules: { plan: 'gold' } } } },
      { flags: { one: on(2) }, audiences: { Testers: { rules: { plan: 'silver' } } } },
      { flags: { one: on(2) }, experiments: { exp_one: { name: 'E', type: 'FLAG', variants } } },
      { flags: {}, audiences: {} },
    ]
    for (const file of files) {
      await apply(file)
      await watch.check()
      const invalidate = await stream.data('invalidate')
      expect(invalidate).toEqual({ ...(await configOf(s, 'svc_ada')).body.data, projectId: s.project.id })
    }
  })

  test('goes on invalidating for those who stay when others leave or are let go', async () => {
    const [stays, goes] = [await listen('subscriberId=svc_stays'), await listen('subscriberId=svc_goes')]
    for (const stream of [stays, goes]) await stream.data('initial')
    await goes.leave()
    const { subscribers } = s.ctx.tables
    await configure(s, { flags: [{ key: 'one' }] })
    expect((await stays.data('invalidate')).flags).toEqual({ one: false })
    // The stream of a subscriber whose row is missing is closed, and no other stream with it.
    const lost = await listen('subscriberId=svc_lost')
    await lost.data('initial')
    await s.ctx.write((tx) => tx.db.delete(subscribers))
    await configOf(s, 'svc_stays')
    await configure(s, { flags: [{ key: 'two' }] })
    expect((await stays.data('invalidate')).flags).toEqual({ one: false, two: false })
    expect(await lost.next()).toBeNull()
  })
})
