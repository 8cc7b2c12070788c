import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemClock } from '../../src/base/lib/clock'
import { examine } from '../../src/cli/doctor'
import { PROGRAM } from '../../src/program'
import { type BucketServer, bucketServer, refusal } from '../support/bucket'
import { type Stage, stage } from '../support/cast'
import { TEST_KEY } from '../support/context'

let server: BucketServer
let s: Stage
let env: Record<string, string>
beforeEach(async () => {
  server = bucketServer('AK')
  env = {
    SVC_STORAGE_URL: 's3://kept/svc',
    AWS_ENDPOINT_URL: server.url,
    AWS_ACCESS_KEY_ID: 'AK',
    AWS_SECRET_ACCESS_KEY: 'very-secret',
  }
  s = await stage({ env })
})
afterEach(() => s.close())

const ready = async () => (await s.call('GET', '/health/ready', { key: null })) as { status: number; body: Ready }
interface Ready {
  status: string
  checks: Record<string, string>
}

test('a bucket that does not work is degraded, and requests are answered all the same', async () => {
  expect((await ready()).body.checks.storage).toBe('ok')
  server.fault = () => refusal(503, 'SlowDown')
  s.ctx.clock.advance(31_000)
  const answer = await ready()
  expect([answer.status, answer.body.status, answer.body.checks.storage]).toEqual([200, 'degraded', 'degraded'])
  server.fault = () => null
  s.ctx.clock.advance(31_000)
  expect((await ready()).body.checks.storage).toBe('ok')
})

test('monitoring does not ask the bucket each time', async () => {
  for (let i = 0; i < 20; i++) await ready()
  expect(server.calls.length).toBe(1)
})

test('a folder is not named', async () => {
  const other = await stage()
  const { body } = await other.call('GET', '/health/ready', { key: null })
  expect(Object.keys(body.checks)).not.toContain('storage')
  await other.close()
})

test('svc doctor names a bucket that does not work, and never its secret', async () => {
  const { dataDir, database } = s.ctx.config
  const url = database.kind === 'postgres' ? { SVC_DATABASE_URL: database.url } : {}
  const check = async () => {
    const checks = await examine(
      PROGRAM,
      { ...env, ...url, SVC_DATA_DIR: dataDir, SVC_MASTER_KEY: TEST_KEY },
      {},
      systemClock,
    )
    return checks.find(({ name }) => name === 'file storage')
  }
  expect(await check()).toMatchObject({ status: 'ok' })
  server.fault = () => refusal(403, 'AccessDenied')
  const failed = await check()
  expect(failed).toMatchObject({ status: 'fail', message: expect.stringContaining('AccessDenied') })
  expect(JSON.stringify(failed)).not.toContain('very-secret')
  expect(server.calls.every(({ method }) => method === 'GET')).toBe(true)
})
