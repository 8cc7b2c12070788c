import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { HOUR } from '../../src/base/lib/clock'
import { examine } from '../../src/cli/doctor'
import { refundShieldCommand } from '../../src/intake/refund-shield/command'
import { PROGRAM } from '../../src/program'
import { MONTHLY } from '../support/cast'
import { runBeside } from '../support/command'
import { TEST_KEY } from '../support/context'
import { countAsPaid, type IosApiStage, iosApiStage, saveKey, saveShield, sold } from '../support/ios-api'
import { notify } from '../support/notify'

let s: IosApiStage
beforeEach(async () => {
  s = await iosApiStage()
})
afterEach(() => s.close())

const run = (...args: string[]) => runBeside(s, refundShieldCommand, ...args)

/** One request that is answered and declined, and one that waits. */
async function askTwice() {
  const month = await sold(s, 'svc_ada', MONTHLY)
  await notify(s, ['CONSUMPTION_REQUEST', null], month)
  s.ctx.clock.advance(HOUR)
  await s.work()
  await notify(s, ['REFUND_DECLINED', null], month)
  await notify(s, ['CONSUMPTION_REQUEST', null], await sold(s, 'svc_bo', MONTHLY))
  await countAsPaid(s)
}

test('svc refund-shield list shows the newest first, with what they came to', async () => {
  await askTwice()
  const { code, out } = await run('list', '--project', 'project-1')
  expect(code).toBe(0)
  const [head, first, second] = out.split('\n')
  expect([head, first, second].map((line) => line?.split(/\s+/)[3])).toEqual(['status', 'PENDING', 'SENT'])
  expect(second).toContain('REFUND_DECLINED')
  expect(out).toContain('2 requests: 1 answered; 1 refunds declined, 0 approved; 9.99 USD kept.')
})

test('svc refund-shield list --json filters by status and counts all', async () => {
  await askTwice()
  const { out } = await run('list', '--project', 'project-1', '--status', 'sent', '--json')
  const { metrics, items } = JSON.parse(out)
  expect(metrics).toEqual({ requests: 2, sent: 1, declined: 1, approved: 0, savedMicros: 9_990_000 })
  expect(items).toMatchObject([{ status: 'SENT', outcome: 'REFUND_DECLINED', sentAt: '2026-11-20T09:00:00.000Z' }])
  expect((await run('list', '--project', 'project-2')).out).toStartWith('0 requests')
})

test('svc refund-shield refuses what it cannot mean', async () => {
  const wrong = [[], ['show'], ['list', 'x'], ['list', '--status', 'x'], ['list', '--limit', '0'], ['list']]
  for (const args of wrong) expect((await run(...args)).code).toBe(2)
  expect((await run('list', '--project', 'none')).code).toBe(1)
})

test('svc doctor says why a shield that is on answers nothing', async () => {
  const { database, dataDir } = s.ctx.config
  const env = {
    SVC_DATA_DIR: dataDir,
    SVC_MASTER_KEY: TEST_KEY,
    ...(database.kind === 'postgres' ? { SVC_DATABASE_URL: database.url } : {}),
  }
  const output = async () =>
    (await examine(PROGRAM, env, {}, s.ctx.clock))
      .filter(({ message }) => message.includes('refund shield'))
      .map(({ name }) => name)
  const { storeSettings: t } = s.ctx.tables
  await s.ctx.db.delete(t).where(eq(t.projectId, s.other.id))
  expect(await output()).toEqual([])
  await saveKey(s, null)
  await saveShield(s, { customerConsented: false })
  expect(await output()).toEqual(['project project-1', 'project project-1'])
  await saveShield(s, { enabled: false })
  expect(await output()).toEqual([])
})
