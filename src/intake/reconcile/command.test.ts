import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type IosApiStage, iosApiStage, requestedPaths, storeSays } from '../../../test/support/app-store'
import { MONTHLY } from '../../../test/support/cast'
import { TEST_KEY } from '../../../test/support/context'
import { everything, rowOf } from '../../../test/support/facts'
import { DAY } from '../../base/lib/clock'
import { runCommandLine } from '../../cli/main'
import { PROGRAM } from '../../program'

let s: IosApiStage
beforeEach(async () => {
  s = await iosApiStage()
})
afterEach(() => s.close())

/** Runs the command on the database of the test stage. */
async function run(...args: string[]) {
  const { database, dataDir } = s.ctx.config
  const [out, err, drawn]: [string[], string[], (string | null)[]] = [[], [], []]
  const url = database.kind === 'postgres' ? database.url : `file:${join(dataDir, 'svc.db')}`
  const code = await runCommandLine(['reconcile', ...args], {
    out: (line) => void out.push(`${line}\n`),
    err: (line) => void err.push(`${line}\n`),
    isTerminal: false,
    env: {
      SVC_DATA_DIR: dataDir,
      SVC_DATABASE_URL: url,
      SVC_MASTER_KEY: TEST_KEY,
      SVC_IOS_API_URL: s.api.url,
      SVC_LOG_LEVEL: 'off',
    },
    clock: s.ctx.clock,
    confirm: async () => false,
    progress: (line) => void drawn.push(line),
    program: PROGRAM,
    stopped: new Promise(() => {}),
  })
  return { code, out: out.join(''), err: err.join(''), drawn }
}

/** Makes `count` purchases three days ago. The first `drifted` of them were cancelled without a notification. */
async function crowd(count: number, drifted: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const payload = s.buy(MONTHLY)
    await s.receipt(`svc_${index}`, payload)
    const kind =
      index < drifted ? (['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'] as const) : (['DID_RENEW', null] as const)
    storeSays(s, kind, payload)
    s.ctx.clock.advance(1)
  }
  s.ctx.clock.advance(3 * DAY)
}

describe('svc reconcile', () => {
  test('says what it asked about and what it put right', async () => {
    await crowd(3, 1)
    const { code, out, err, drawn } = await run()
    expect([code, err, drawn.pop()]).toEqual([0, '', null])
    for (const line of drawn) expect(line).toStartWith('Asking [') // None where it takes less than 100 ms.
    expect(out).toContain('Purchases asked about: 3. Put right: 1.\n')
    expect(out).toMatch(new RegExp(`${s.project.id} +IOS_STORE +SANDBOX +3 +1 +0 +0\\n`))
    expect(out).toMatch(/pur_\w{26} +IOS_STORE +ACTIVE, renews +\S+Z +ACTIVE +\S+Z\n/)
    expect(await run()).toMatchObject({ code: 0, out: 'Purchases asked about: 0. Put right: 0.\n' })
  })

  test('writes nothing in a dry run, and finds the same when it is meant', async () => {
    await crowd(3, 2)
    const before = await everything(s)
    const dry = await run('--dry-run', '--json')
    expect(await everything(s)).toEqual(before)
    const wet = await run('--json')
    const [expected, result] = [JSON.parse(dry.out), JSON.parse(wet.out)]
    expect(expected).toMatchObject({ dryRun: true, checked: 3, differing: 2, unanswered: 0 })
    expect({ ...result, dryRun: true }).toEqual(expected)
    const end = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(result.differences[0]).toEqual({
      projectId: s.project.id,
      store: 'IOS_STORE',
      purchaseId: expect.stringMatching(/^pur_/),
      before: { status: 'ACTIVE', productId: expect.stringMatching(/^prd_/), expiresAt: end, autoRenews: true },
      after: { status: 'ACTIVE', productId: expect.stringMatching(/^prd_/), expiresAt: end, autoRenews: false },
    })
    expect(await s.events((await rowOf(s, 'svc_0')).id)).toHaveLength(3)
    expect((await run('--dry-run')).out).toBe('Purchases asked about: 0. Differing: 0. Nothing was written.\n')
  })

  test('stops with exit code 1 where too many differ, and goes on by force', async () => {
    await crowd(110, 110)
    const overLimit = await run()
    expect(overLimit.code).toBe(1)
    expect(overLimit.err).toContain('Too many purchases differ')
    expect(overLimit.out).toMatch(/ 100 +100 +0 +0 +BRAKE\n/)
    expect(overLimit.out).toContain('and 50 more; --json lists them')
    const forced = await run('--force')
    expect([forced.code, forced.err]).toEqual([0, ''])
    expect(forced.out).toContain('Purchases asked about: 10. Put right: 10.')
  }, 600_000)

  test('ends with exit code 1 when a store does not answer', async () => {
    await crowd(6, 1)
    s.api.trouble = { status: 503 }
    const { code, err } = await run()
    expect([code, err]).toEqual([1, 'A store gave no usable answers; its purchases stay due, run this again later\n'])
  })

  test('asks only where it is told to', async () => {
    await crowd(2, 0)
    await run('--store', 'android')
    await run('--project', 'project-2')
    expect(requestedPaths(s)).toEqual([])
    await run('--project', 'project-1', '--store', 'ios')
    expect(requestedPaths(s)).toHaveLength(2)
  })

  const wrong: [args: string[], code: number, sentence: string][] = [
    [['--store', 'amazon'], 2, '--store is ios, android or payment, not "amazon"'],
    [['--project', 'nobody'], 1, 'There is no project "nobody"; see: svc project list'],
    [['--fast'], 2, "Unknown option '--fast'"],
    [['now'], 2, "Unexpected argument 'now'"],
  ]
  for (const [args, code, sentence] of wrong)
    test(`refuses ${args.join(' ')}`, async () => {
      const ran = await run(...args)
      expect(ran.code).toBe(code)
      expect(ran.err).toStartWith(sentence)
      expect(ran.err.trim().split('\n')).toHaveLength(1)
      expect(ran.out).toBe('')
    })
})
