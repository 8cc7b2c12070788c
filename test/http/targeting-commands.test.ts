import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Io } from '../../src/base/cli/command'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import { touchConfig } from '../../src/projects/project/service'
import { experimentCommand } from '../../src/targeting/experiments/command'
import { flagCommand } from '../../src/targeting/flags/command'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { TEST_KEY } from '../support/context'
import { expose, track } from '../support/experiments'
import { clearRemote, configure, flagsOf, variantsOf } from '../support/remote'
import { lastAudit, nothingWritten, targetingRows } from '../support/targeting'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())
beforeEach(() => clearRemote(s))

const flag = (...args: string[]) => runBeside(s, flagCommand, ...args, '--project', s.project.id)
const experiment = (...args: string[]) => runBeside(s, experimentCommand, ...args, '--project', s.project.id)
/** Reads the project again, as the running server does at most a second later. */
const see = () => s.ctx.state.projects.forget(s.project.id)

/** A person at a terminal who gives the same answer to every question. */
async function atTerminal(answer: boolean, ...line: string[]) {
  const { database, dataDir } = s.ctx.config
  const asked: string[] = []
  const io: Io = {
    out: () => {},
    err: () => {},
    isTerminal: true,
    env: {
      SVC_MASTER_KEY: TEST_KEY,
      SVC_DATA_DIR: dataDir,
      ...(database.kind === 'postgres' ? { SVC_DATABASE_URL: database.url } : {}),
    },
    clock: s.ctx.clock,
    confirm: async (question) => {
      asked.push(question)
      return answer
    },
    progress: () => {},
    program: PROGRAM,
    stopped: new Promise(() => {}),
  }
  return { code: await runCommandLine([...line, '--project', s.project.id], io), asked }
}

describe('svc flag', () => {
  test('lists flags and switches one, of one environment alone', async () => {
    await configure(s, {
      flags: [
        { key: 'pay', type: 'STRING', defaultValue: 'x'.repeat(100), rules: [{ value: 'b' }] },
        { key: 'pay', env: 'STAGING', type: 'STRING', defaultValue: 'y' },
        { key: 'broken', rules: 'none' as never },
      ],
    })
    const { code, out } = await flag('list')
    expect(code).toBe(0)
    expect(out.split('\n')).toHaveLength(4)
    expect(out).toMatch(/pay +PROD +STRING +on +1 +"x{59}…/)
    expect(out).toMatch(/broken +PROD +BOOLEAN +on +broken/)
    expect((await flag('toggle', 'pay', 'off')).out).toMatch(/pay +PROD +STRING +off/)
    see()
    expect(Object.keys(await flagsOf(s, 'svc_c'))).toEqual(['broken'])
    expect(await flagsOf(s, 'svc_c', '&env=staging')).toEqual({ pay: 'y' })
    expect((await lastAudit(s))[0]).toMatchObject({ action: 'flag.update', actor: { kind: 'CLI' } })
    const off = await nothingWritten(s, () => flag('toggle', 'pay', 'off', '--json'))
    expect(JSON.parse(off.out)).toMatchObject({ key: 'pay', env: 'PROD', isEnabled: false })
    await flag('toggle', 'pay', 'off', '--env', 'staging')
    const listed = JSON.parse((await flag('list', '--env', 'staging', '--json')).out)
    expect([listed.hasMore, listed.items.length, listed.items[0].isEnabled]).toEqual([false, 1, false])
    expect((await flag('list', '--env', 'dev')).out).toBe('There is no flag.')
  })

  test.each([
    [[], 2, 'flag takes list'],
    [['toggle', 'pay'], 2, 'flag takes list'],
    [['toggle', 'pay', 'maybe'], 2, 'flag takes list'],
    [['toggle', 'pay', 'on', 'now'], 2, 'flag takes list'],
    [['list', 'pay'], 2, 'flag takes list'],
    [['list', '--env', 'qa'], 2, '--env is one of'],
    [['list', '--limit', '0'], 2, '--limit takes'],
    [['toggle', 'pay', 'on', '--loud'], 2, 'see: svc flag --help'],
    [['toggle', 'none', 'on'], 1, 'The project has no flag "none" in PROD.'],
    [['toggle', 'pay', 'on', '--env', 'dev'], 1, 'no flag "pay" in DEVELOPMENT'],
  ])('%j ends with %i', async (args, code, says) => {
    await configure(s, { flags: [{ key: 'pay' }] })
    const ran = await nothingWritten(s, () => flag(...args))
    expect([ran.code, ran.out]).toEqual([code, ''])
    expect(ran.err).toContain(says)
  })
})

describe('svc experiment', () => {
  test('takes one through its life', async () => {
    await configure(s, { experiments: [{ id: 'exp_0', key: 'paywall', status: 'DRAFT' }] })
    expect((await experiment('start', 'paywall')).out).toMatch(/paywall +FLAG +RUNNING +a b +\d{4}-/)
    see()
    expect(Object.keys(await variantsOf(s, 'svc_c'))).toEqual(['paywall'])
    expect((await experiment('pause', 'exp_0')).code).toBe(0)
    expect(JSON.parse((await experiment('resume', 'paywall', '--json')).out)).toMatchObject({ status: 'RUNNING' })
    expect((await experiment('duplicate', 'paywall')).out).toContain('paywall-copy')
    const stopped = await experiment('stop', 'paywall', '--winner', 'b', '--promote', '--yes', '--json')
    expect(JSON.parse(stopped.out)).toMatchObject({ status: 'COMPLETED', winnerVariantId: 'b' })
    see()
    expect([await variantsOf(s, 'svc_c'), await flagsOf(s, 'svc_c')]).toEqual([{}, { paywall: 2 }])
    const { items } = JSON.parse((await experiment('list', '--json')).out)
    expect(items.map(({ key, status }: { key: string; status: string }) => [key, status])).toEqual([
      ['paywall-copy', 'DRAFT'],
      ['paywall', 'COMPLETED'],
    ])
  })

  test('tells what each variant brought, and what to do', async () => {
    await configure(s, { experiments: [{ key: 'paywall', metrics: ['signup'], startedAt: s.ctx.clock.now() }] })
    const variant = (await variantsOf(s, 'svc_c')).paywall ?? ''
    await expose(s, 'svc_c', variant, {}, 'paywall')
    await track(s, 'svc_c', [{ type: 'signup' }])
    const { code, out } = await experiment('results', 'paywall')
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`^${variant} +1 +1 +100\\.00 %`, 'm'))])
    expect(out).toContain('Keep running: ')
    const { body } = await s.get('/v1/experiments/paywall/results', undefined, { key: s.project.secretKey })
    const results = JSON.parse((await experiment('results', 'paywall', '--json')).out)
    expect(results).toEqual({ ...body.data, decidedBy: null })
  })

  test('asks before it stops one, and a no stops nothing', async () => {
    await configure(s, { experiments: [{ key: 'paywall' }] })
    const before = await targetingRows(s)
    const line = ['experiment', 'stop', 'paywall', '--winner', 'b', '--promote']
    const no = await atTerminal(false, ...line)
    expect([no.code, no.asked]).toEqual([
      1,
      ['Stop paywall for good, with the winner b, and make its value the default of the flag paywall?'],
    ])
    expect(await targetingRows(s)).toEqual(before)
    expect((await atTerminal(true, 'experiment', 'stop', 'paywall')).asked).toEqual([
      'Stop paywall for good, without a winner?',
    ])
    expect((await lastAudit(s))[0]?.action).toBe('experiment.stop')
  })

  test.each([
    [[], 2, 'experiment takes list'],
    [['start'], 2, 'experiment takes list'],
    [['list', 'paywall'], 2, 'experiment takes list'],
    [['delete', 'paywall'], 2, 'experiment takes list'],
    [['start', 'paywall', 'now'], 2, 'experiment takes list'],
    [['results'], 2, 'experiment takes list'],
    [['results', 'paywall', 'now'], 2, 'experiment takes list'],
    [['results', 'none'], 1, 'The project has no experiment "none" that can be counted.'],
    [['pause', 'paywall', '--winner', 'b'], 2, '--winner and --promote belong to'],
    [['stop', 'paywall'], 2, 'add --yes'],
    [['list', '--limit', 'all'], 2, '--limit takes'],
    [['pause', 'none'], 1, 'The project has no experiment "none".'],
    [['start', 'paywall'], 1, 'Cannot start an experiment that is RUNNING'],
    [['stop', 'paywall', '--winner', 'c', '--yes'], 1, '--winner must name a variant'],
    [['stop', 'paywall', '--promote', '--yes'], 2, '--promote needs --winner VARIANT'],
    [['stop', 'prices', '--winner', 'a', '--promote', '--yes'], 1, 'Only an experiment over a flag'],
  ])('%j ends with %i', async (args, code, says) => {
    await configure(s, { experiments: [{ key: 'paywall' }, { key: 'prices', type: 'OFFERING' }] })
    const ran = await nothingWritten(s, () => experiment(...args))
    expect([ran.code, ran.out]).toEqual([code, ''])
    expect(ran.err).toContain(says)
  })

  test('knows only its own project', async () => {
    await configure(s, { experiments: [{ key: 'theirs' }] }, s.other.id)
    await s.ctx.write((tx) => touchConfig(tx, s.other.id))
    expect((await experiment('pause', 'theirs')).code).toBe(1)
    expect((await experiment('list')).out).toBe('There is no experiment.')
  })
})
