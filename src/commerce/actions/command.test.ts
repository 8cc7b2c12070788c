import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { allRows, lastAction, lineOf, onlyPurchase } from '../../../test/support/actions'
import { TEST_KEY } from '../../../test/support/context'
import { access, lastEvent } from '../../../test/support/facts'
import { type PaymentStage, paymentStage, WEB_MONTHLY } from '../../../test/support/payment-sale'
import type { Io } from '../../base/cli/command'
import { DAY } from '../../base/lib/clock'
import { runCommandLine } from '../../cli/main'
import { PROGRAM } from '../../program'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { createAudience } from '../../targeting/audiences/admin'
import { subscribe } from '../../test-store/stores/payment-billing'
import { NO_FAULTS } from '../../test-store/stores/payment-server'

let s: PaymentStage
let env: Record<string, string>
beforeEach(async () => {
  s = await paymentStage()
  await s.get('/v1/me', 'svc_bo')
  const { database, dataDir } = s.ctx.config
  const url = database.kind === 'postgres' ? database.url : `file:${join(dataDir, 'svc.db')}`
  env = {
    SVC_DATA_DIR: dataDir,
    SVC_DATABASE_URL: url,
    SVC_MASTER_KEY: TEST_KEY,
    SVC_PAYMENT_API_URL: s.server.url,
    SVC_LOG_LEVEL: 'off',
  }
})
afterEach(() => s.close())

/** Runs a command line for the first project. With `answer` there is a terminal, and each question gets this answer. */
async function run(line: string[], answer?: boolean) {
  const ran = { code: -1, out: '', err: '', asked: [] as string[] }
  const io: Io = {
    out: (text) => {
      ran.out += `${text}\n`
    },
    err: (text) => {
      ran.err += `${text}\n`
    },
    isTerminal: answer !== undefined,
    env,
    clock: s.ctx.clock,
    confirm: async (question) => {
      ran.asked.push(question)
      return answer ?? false
    },
    progress: () => {},
    program: PROGRAM,
    stopped: new Promise(() => {}),
  }
  ran.code = await runCommandLine([...line, '--project', s.project.id], io)
  return ran
}

const iso = (ms: number) => new Date(s.ctx.clock.now() + ms).toISOString()

/** Ada subscribes at the provider. */
async function sale(): Promise<string> {
  subscribe(s.world, { priceId: WEB_MONTHLY })
  await s.deliverAll()
  return (await onlyPurchase(s)).id
}

/** Expects wrong usage: one sentence on stderr, and no database is opened. */
async function expectUsage(...lines: string[][]): Promise<void> {
  const before = await allRows(s)
  for (const line of lines) {
    const { code, out, err } = await run(line, true)
    expect([line, code, err.trim().split('\n').length]).toEqual([line, 2, 1])
    if (line.includes('--json')) expect(JSON.parse(out)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } })
    else expect([line, out]).toEqual([line, ''])
  }
  expect(await allRows(s)).toEqual(before)
}

describe('svc grant', () => {
  test('gives access with an end, and says so in JSON', async () => {
    const until = iso(30 * DAY)
    const args = [
      'grant',
      '--subscriber',
      'svc_bo',
      '--product',
      'pro_monthly',
      '--until',
      until,
      '--reason',
      'a bug',
      '--json',
    ]
    const { code, out } = await run(args)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      store: 'MANUAL',
      productIdentifier: 'pro_monthly',
      expiresAt: until,
      price: null,
    })
    expect(await access(s, 'svc_bo')).toEqual({ pro: until })
    expect(await lastEvent(s, 'svc_bo', 'purchase.initial')).toMatchObject({ cause: { kind: 'CLI', detail: 'a bug' } })
  })

  test('gives single accesses for ever, without a question', async () => {
    const ran = await run(['grant', '--subscriber', 'svc_bo', '--access', 'pro', '--access', 'coach'], true)
    expect(ran).toMatchObject({ code: 0, asked: [], err: '' })
    expect(ran.out).toContain('for ever')
    expect(await access(s, 'svc_bo')).toEqual({ pro: null, coach: null })
  })

  test('says what it will not do, in one sentence', async () => {
    const before = await allRows(s)
    const cases: [string[], RegExp][] = [
      [['--subscriber', 'svc_nobody', '--access', 'pro'], /no subscriber "svc_nobody"/],
      [['--subscriber', 'svc_bo', '--access', 'x'], /no access called x/],
      [['--subscriber', 'svc_bo', '--product', 'coins_100'], /gives no access/],
      [['--subscriber', 'svc_bo', '--access', 'pro', '--until', '2020-01-01T00:00:00Z'], /must lie in the future/],
    ]
    for (const [args, sentence] of cases) {
      const { code, out, err } = await run(['grant', ...args])
      expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1])
      expect(err).toMatch(sentence)
    }
    expect(await allRows(s)).toEqual(before)
  })

  test('wants a subscriber, and one thing to give', () =>
    expectUsage(
      ['grant'],
      ['grant', '--subscriber', 'svc_bo'],
      ['grant', '--subscriber', 'svc_bo', '--product', 'lifetime', '--access', 'pro'],
      ['grant', '--subscriber', 'svc_bo', '--access', 'pro', '--until', 'tomorrow'],
      ['grant', '--subscriber', 'svc_bo', '--nothing'],
    ))
})

describe('svc grant --audience', () => {
  const TO_BO = ['grant', '--audience', 'Bo', '--access', 'pro']

  beforeEach(async () => {
    const by = { projectId: s.project.id, actor: CLI_ACTOR }
    await createAudience(s.ctx, by, { name: 'Bo', rules: { 'svc.deviceKey': 'svc_bo' } })
    await createAudience(s.ctx, by, { name: 'Nobody', rules: { country: 'TR' } })
  })

  test('names the people and asks before it gives them access', async () => {
    const before = await allRows(s)
    const no = await run(TO_BO, false)
    expect(no).toMatchObject({ code: 1, out: '', err: 'Nothing was granted.\n' })
    expect(no.asked).toEqual(['Give 1 person of Bo access for ever: svc_bo?'])
    expect(await allRows(s)).toEqual(before)
    const until = iso(DAY)
    const yes = await run([...TO_BO, '--until', until, '--reason', 'a bug'], true)
    expect(yes).toMatchObject({ code: 0, err: '' })
    expect(yes.out).toMatch(/^audience +Bo\ngot it +1 person\n/)
    expect(await access(s, 'svc_bo')).toEqual({ pro: until })
    expect(await lastEvent(s, 'svc_bo', 'purchase.initial')).toMatchObject({ cause: { kind: 'CLI', detail: 'a bug' } })
    expect((await run(TO_BO, true)).asked).toEqual(['Give 1 person of Bo access for ever: svc_bo?'])
    expect((await run([...TO_BO, '--until', until], false)).asked).toEqual([
      `Give 1 person of Bo access until ${until}: svc_bo (1 of them already for as long)?`,
    ])
  })

  test('shows in a dry run what it would do, and changes nothing', async () => {
    const before = await allRows(s)
    const shown = await run([...TO_BO, '--dry-run'])
    expect([shown.code, shown.asked, shown.out]).toEqual([0, [], expect.stringMatching(/would get it +1 person/)])
    const json = await run([...TO_BO, '--dry-run', '--json'])
    expect(JSON.parse(json.out)).toMatchObject({ dryRun: true, matched: 1, people: [{ deviceKey: 'svc_bo' }] })
    expect(await allRows(s)).toEqual(before)
  })

  test('with --yes does it without a question', async () => {
    const { code, asked, out } = await run([...TO_BO, '--yes', '--json'])
    expect([code, asked, JSON.parse(out)]).toMatchObject([0, [], { dryRun: false, granted: 1, expiresAt: null }])
    expect(await access(s, 'svc_bo')).toEqual({ pro: null })
  })

  test('says what it will not do, and asks nothing where there is nobody', async () => {
    const before = await allRows(s)
    expect(await run(['grant', '--audience', 'Bob', '--access', 'pro', '--yes'])).toMatchObject({
      code: 1,
      err: 'The project has no audience "Bob".\n',
    })
    expect((await run(['grant', '--audience', 'Bo', '--access', 'x', '--yes'])).err).toMatch(/no access called x/)
    const { code, asked, out } = await run(['grant', '--audience', 'Nobody', '--access', 'pro'], true)
    expect([code, asked, out]).toEqual([0, [], expect.stringMatching(/0 people/)])
    await expectUsage(
      ['grant', '--audience', 'Bo'],
      [...TO_BO, '--subscriber', 'svc_bo'],
      [...TO_BO, '--dry-run', '--yes'],
      [...TO_BO, '--json'],
      ['grant', '--subscriber', 'svc_bo', '--access', 'pro', '--yes'],
    )
    expect((await run(TO_BO)).code).toBe(2)
    expect(await allRows(s)).toEqual(before)
  })
})

describe('svc refund', () => {
  test('asks on a terminal, with the amount and what becomes of the access', async () => {
    const id = await sale()
    const before = await allRows(s)
    const no = await run(['refund', id], false)
    expect(no).toMatchObject({ code: 1, out: '', err: 'Nothing was refunded.\n' })
    expect(no.asked).toEqual([
      expect.stringMatching(new RegExp(`^Refund 9.99 USD of ${id} .PAYMENT in_.*; the access ends.$`)),
    ])
    expect([await allRows(s), s.world.refunds.size]).toEqual([before, 0])
    const yes = await run(['refund', id, '--reason', 'double'], true)
    expect(yes).toMatchObject({ code: 0, err: '' })
    expect(yes.out).toMatch(/is REFUNDED[\s\S]*9\.99 USD/)
    expect([await access(s, 'svc_ada'), s.world.refunds.size]).toEqual([{}, 1])
  })

  test('does not ask with --yes, and speaks JSON', async () => {
    await sale()
    const charge = await lineOf(s, 'INITIAL')
    const { code, out, asked } = await run(['refund', charge.id, '--yes', '--json'])
    expect([code, asked]).toEqual([0, []])
    expect(JSON.parse(out)).toMatchObject({
      purchase: { id: charge.purchaseId, status: 'REFUNDED' },
      transaction: { kind: 'REFUND', price: { amountMicros: -9_990_000, currency: 'USD' } },
    })
    const again = await run(['refund', charge.id, '--yes'])
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('given back already') })
  })

  test('refuses without a question what cannot be refunded, and tells when the provider is away', async () => {
    const granted = await run(['grant', '--subscriber', 'svc_bo', '--access', 'pro', '--json'])
    expect(await run(['refund', JSON.parse(granted.out).id], true)).toMatchObject({ code: 1, asked: [] })
    expect((await run(['refund', 'txn_none', '--yes'])).err).toBe('The project has no charge "txn_none".\n')
    expect((await run(['refund', 'pur_none', '--yes'])).err).toBe('The project has no purchase "pur_none".\n')
    await s.ctx.write((tx) => tx.db.delete(tx.tables.purchases))
    const id = await sale()
    s.server.faults = { ...NO_FAULTS, status: 503 }
    const { code, err } = await run(['refund', id, '--yes'])
    expect([code, err]).toEqual([1, expect.stringContaining('the payment provider does not answer')])
    expect((await onlyPurchase(s)).status).toBe('ACTIVE')
  })

  test('without a terminal, or with --json, wants --yes', async () => {
    const id = await sale()
    expect(await run(['refund', id])).toMatchObject({ code: 2, out: '' })
    await expectUsage(
      ['refund', id, '--json'],
      ['refund'],
      ['refund', 'sub_1'],
      ['refund', id, id],
      ['refund', id, '--no'],
    )
    expect(s.world.refunds.size).toBe(0)
  })
})

describe('svc schedule', () => {
  test('cancels later, lists it, and calls it off', async () => {
    const id = await sale()
    const at = iso(DAY)
    const made = await run(['schedule', 'cancel', id, '--at', at, '--json'])
    expect(made.code).toBe(0)
    expect(JSON.parse(made.out)).toEqual({
      id: (await lastAction(s)).id,
      purchaseId: id,
      action: 'CANCEL',
      dueAt: at,
      status: 'PENDING',
      error: null,
    })
    const twice = await run(['schedule', 'cancel', id, '--at', at])
    expect(twice).toMatchObject({ code: 1, err: expect.stringContaining('call that off first') })
    const listed = await run(['schedule', 'list', '--status', 'pending', '--json'])
    expect(JSON.parse(listed.out)).toEqual({ items: [JSON.parse(made.out)], hasMore: false })
    expect((await run(['schedule', 'undo', id])).out).toContain('CANCELLED')
    expect(await run(['schedule', 'undo', id])).toMatchObject({
      code: 1,
      err: expect.stringContaining('No cancellation waits'),
    })
    expect((await run(['schedule', 'list', '--status', 'PENDING'])).out).toBe('Nothing is scheduled.\n')
    expect((await run(['schedule', 'list'])).out).toContain(id)
  })

  test('revokes only what was granted', async () => {
    const id = await sale()
    const refused = await run(['schedule', 'cancel', id, '--at', iso(DAY), '--revoke'])
    expect(refused).toMatchObject({ code: 1, err: 'Only granted access can be revoked at once\n' })
    const { out } = await run(['grant', '--subscriber', 'svc_bo', '--access', 'pro', '--json'])
    const granted = await run(['schedule', 'cancel', JSON.parse(out).id, '--at', iso(DAY), '--revoke'])
    expect([granted.code, granted.out]).toEqual([0, expect.stringContaining('revoke')])
  })

  test('wants to know what, and when', () =>
    expectUsage(
      ['schedule'],
      ['schedule', 'cancel'],
      ['schedule', 'cancel', 'pur_1'],
      ['schedule', 'cancel', 'pur_1', '--at', 'soon'],
      ['schedule', 'undo'],
      ['schedule', 'list', 'pur_1'],
      ['schedule', 'list', '--status', 'DONE'],
      ['schedule', 'list', '--limit', '0'],
    ))
})

test('each has help with a real example', async () => {
  for (const name of ['grant', 'refund', 'schedule']) {
    const { code, out } = await run([name, '--help'])
    expect([code, out]).toEqual([0, expect.stringContaining(`Example: svc ${name}`)])
  }
})
