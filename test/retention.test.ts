import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, getTableColumns, type Table } from 'drizzle-orm'
import { makeTables, type Tables } from '../src/base/db/tables'
import { DAY, HOUR, MINUTE } from '../src/base/lib/clock'
import { sweepRetention } from '../src/base/retention/sweep'
import { checkRetention } from '../src/cli/doctor/retention'
import { tablesOf } from '../src/create-context'
import { recordAudit, SERVER_ACTOR, verifyAudit } from '../src/projects/audit/audit'
import { SLICES } from '../src/slices'
import { MONTHLY, type Stage, stage } from './support/cast'

const tables = makeTables('sqlite', tablesOf())
const rules = SLICES.flatMap(({ retention }) => retention ?? [])
const ruled = new Set(rules.flatMap((rule) => rule.tables))

/** Tables with a time that no rule is about, and why their rows stay. */
const KEPT: Partial<Record<keyof Tables, string>> = {
  serverFindings: 'one row for each kind of finding, written again at the next one',
  ...of('one row for each name of the server or authority; certificates of other names go when they end', [
    ...(['tlsAccounts', 'tlsNames', 'tlsCertificates', 'tlsOrders', 'tlsLeases'] as const),
  ]),
  ...of('the configuration of a project; somebody deletes it', [
    ...(['projects', 'apiKeys', 'storeSettings', 'identitySecrets', 'access', 'products', 'offerings'] as const),
    ...([
      'virtualCurrencies',
      'notificationForwards',
      'pubsubSetups',
      'audiences',
      'funnels',
      'funnelVersions',
    ] as const),
    ...([
      'flags',
      'audienceMembers',
      'experiments',
      'experimentPauses',
      'placements',
      'appLinks',
      'customDomains',
      'deliveryTargets',
      'integrations',
    ] as const),
    ...(['webhookEndpoints', 'cohorts', 'leaderboards', 'chartViews', 'chartAnnotations', 'savedQueries'] as const),
    ...(['exportSchedules', 'notificationDefaults', 'objectRevisions', 'simulatorKeys', 'compareSchedules'] as const),
    ...(['formerSdkKeys', 'assistantCredentials'] as const),
  ]),
  ...of('a person or their history, until the person is erased', [
    ...(['assets', 'fontFamilies', 'fontFaces'] as const),
    ...(['subscribers', 'transfers', 'purchases', 'observations', 'transactions', 'ledger'] as const),
    'unlistedSales',
    ...(['funnelPayments', 'funnelTokens', 'funnelMoves'] as const),
    ...(['paymentCustomers', 'scheduledActions', 'refundShieldResponses', 'figureEntries', 'sessionSubjects'] as const),
  ]),
  ...of('people of the dashboard, until they leave', [
    ...(['users', 'twoFactors', 'identities', 'passkeys', 'accessTokens', 'preferences', 'memberships'] as const),
    ...(['invitations', 'supportGrants', 'notificationPreferences', 'pushDevices', 'mailSuppressions'] as const),
  ]),
  ...of('the proof of what was asked for and done', ['dataRequests', 'importJobs', 'erasures', 'erasedKeys']),
  ...of('replaced by the next one, or deleted when its work is done', [
    ...(['cronRuns', 'credentialLocks', 'rateFetches', 'rateConversions', 'leaseKeys', 'deliveryReplays'] as const),
    ...(['assistantReservations'] as const),
    ...(['forwardBodies', 'analyticsState', 'cohortMembers', 'leaderboardResults', 'figureAnswers'] as const),
    ...(['projectFirsts', 'appliedFiles', 'simulatorChains', 'simulatorMessages'] as const),
  ]),
  ...of('one row a day, by which amounts are explained', ['exchangeRates', 'rateUpdates']),
  ...of('how a project pays for its plan, and by which plan its months are judged', [
    ...(['billingAccounts', 'billingCustomers', 'billingEvents', 'simulatorBilling'] as const),
  ]),
  budgets: 'one row of a project, which the next budget replaces',
  planChanges: 'which plan a project had when, by which its months are judged',
  ...of('one row a day of a project, by which its months are shown', ['usageDays', 'usageRemovals', 'usageLevels']),
}

function of<Name extends keyof Tables>(reason: string, names: readonly Name[]): Partial<Record<keyof Tables, string>> {
  return Object.fromEntries(names.map((name) => [name, reason]))
}

const isTime = (name: string): boolean => /(^at|At|day|Day)$/.test(name)

test('a table with a time has a rule, or a reason why its rows stay', () => {
  const timed = Object.entries(tables as unknown as Record<string, Table>).filter(([, table]) =>
    Object.keys(getTableColumns(table)).some(isTime),
  )
  const free = timed.map(([name]) => name).filter((name) => !ruled.has(name as keyof Tables) && !(name in KEPT))
  expect(free).toEqual([])
})

test('no table has both, and every rule has a name of its own', () => {
  expect([...ruled].filter((name) => name in KEPT)).toEqual([])
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
  expect(rules.every(({ keptMs }) => keptMs >= 0)).toBe(true)
})

describe('the sweep', () => {
  let s: Stage
  beforeAll(async () => {
    s = await stage()
  })
  afterAll(() => s.close())

  /** A row of each rule that is about times alone, with the given time. */
  const plant = (at: number, tag: string) =>
    s.ctx.write(async ({ db, tables: t }) => {
      const times = { createdAt: at, updatedAt: at }
      await db.insert(t.jobs).values({
        ...{ id: `job_${tag}`, name: 'x', payload: {}, state: 'DEAD', runAt: at, attempts: 1, maxAttempts: 1 },
        createdAt: at,
      })
      await db.insert(t.jobs).values({
        ...{ id: `job_w_${tag}`, name: 'x', payload: {}, state: 'WAITING', runAt: at + 900 * DAY, attempts: 0 },
        ...{ maxAttempts: 1, createdAt: at },
      })
      await db.insert(t.idempotencyKeys).values({
        ...{ scope: tag, projectId: 'p', bodyHash: 'x', claimedBy: 'x', claimedAt: at },
      })
      await db.insert(t.mails).values({
        ...{ id: tag, kind: 'RESET_PASSWORD' as never, toAddress: 'a@example.com', subject: 'x', status: 'SENT' },
        ...{ attempts: 1, ...times },
      })
      await db.insert(t.notices).values({
        ...{ id: tag, userId: 'u', kind: 'X' as never, title: 'x', body: 'x', createdAt: at },
      })
      await db.insert(t.setupTokens).values({ tokenHash: tag, expiresAt: at })
      await db.insert(t.trackedEvents).values({
        ...{ projectId: 'p', subscriberId: 's', type: 'x', occurredAt: at, recordedAt: at, metadata: null },
        experimentKey: tag,
      })
    })

  const left = async () => {
    await new Promise(setImmediate)
    const { db, tables: t } = s.ctx
    const tags = (rows: { tag: string }[]) => rows.map(({ tag }) => tag).sort()
    return {
      dead: tags(await db.select({ tag: t.jobs.id }).from(t.jobs).where(eq(t.jobs.state, 'DEAD'))),
      waiting: tags(await db.select({ tag: t.jobs.id }).from(t.jobs).where(eq(t.jobs.state, 'WAITING'))),
      answers: tags(await db.select({ tag: t.idempotencyKeys.scope }).from(t.idempotencyKeys)),
      mails: tags(await db.select({ tag: t.mails.id }).from(t.mails)),
      notices: tags(await db.select({ tag: t.notices.id }).from(t.notices)),
      tokens: tags(await db.select({ tag: t.setupTokens.tokenHash }).from(t.setupTokens)),
      tracked: tags(
        (await db.select({ tag: t.trackedEvents.experimentKey }).from(t.trackedEvents)) as { tag: string }[],
      ),
    }
  }

  test('deletes what has reached its age and nothing younger', async () => {
    const now = s.ctx.clock.now()
    await plant(now, 'new')
    await plant(now - 90 * DAY, 'edge')
    await plant(now - 90 * DAY - 1, 'old')
    await sweepRetention(s.ctx)
    expect(await left()).toEqual({
      dead: ['job_edge', 'job_new'],
      waiting: ['job_w_edge', 'job_w_new', 'job_w_old'],
      answers: ['new'],
      mails: ['edge', 'new'],
      notices: ['edge', 'new'],
      tokens: ['new'],
      tracked: ['edge', 'new'],
    })
    await sweepRetention(s.ctx)
    expect((await left()).mails).toEqual(['edge', 'new'])
  })

  test('an answer stays for a day', async () => {
    s.ctx.clock.advance(23 * HOUR)
    await sweepRetention(s.ctx)
    expect((await left()).answers).toEqual(['new'])
    s.ctx.clock.advance(HOUR + MINUTE)
    await sweepRetention(s.ctx)
    expect((await left()).answers).toEqual([])
  })

  test('never deletes an event whose delivery is open, and one whose delivery ended', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const { events, deliveries } = s.ctx.tables
    const [event] = await s.ctx.db.select().from(events)
    if (!event) throw new Error('there is no event')
    const createdAt = s.ctx.clock.now()
    await s.ctx.write((tx) =>
      tx.db.insert(deliveries).values({
        ...{ id: 'whd_1', projectId: s.project.id, kind: 'WEBHOOK' as never, targetId: 'whe_1', eventId: event.id },
        ...{ eventPosition: event.position, type: event.type, status: 'PENDING' as never, attempts: 0, openOrder: 1 },
        ...{ isTest: false, log: [], createdAt },
      }),
    )
    s.ctx.clock.advance(31 * DAY)
    await sweepRetention(s.ctx)
    await new Promise(setImmediate)
    expect((await s.ctx.db.select().from(events)).map(({ id }) => id)).toEqual([event.id])
    expect(await s.ctx.db.$count(deliveries)).toBe(1)
    await s.ctx.write((tx) => tx.db.update(deliveries).set({ endedAt: createdAt, openOrder: null }))
    await sweepRetention(s.ctx)
    await new Promise(setImmediate)
    expect([await s.ctx.db.$count(deliveries)]).toEqual([0])
    await sweepRetention(s.ctx)
    await new Promise(setImmediate)
    expect(await s.ctx.db.$count(events)).toBe(0)
  })

  test('one rule that fails keeps no other from its work, and the failure is told', async () => {
    await plant(s.ctx.clock.now() - 91 * DAY, 'later')
    const broken = { name: 'broken', tables: [], keptMs: DAY, sweep: () => Promise.reject(new Error('no place')) }
    const ctx = { ...s.ctx, hooks: { ...s.ctx.hooks, retention: [broken, ...rules] } }
    expect(sweepRetention(ctx)).rejects.toThrow('could not be deleted: broken')
    await sweepRetention(ctx).catch(() => {})
    expect((await left()).mails).not.toContain('later')
    expect(s.ctx.lines.join()).toContain('no place')
  })

  test('stops when the server stops', async () => {
    await plant(s.ctx.clock.now() - 91 * DAY, 'late')
    await sweepRetention(s.ctx, () => true)
    expect((await left()).mails).toContain('late')
  })
})

describe('the audit log', () => {
  let s: Stage
  beforeAll(async () => {
    s = await stage()
  })
  afterAll(() => s.close())

  const entry = (n: number) => ({ action: 'x.y', target: { type: 'x', id: `x_${n}` }, before: null, after: { n } })
  const add = (n: number) => s.ctx.write((tx) => recordAudit(tx, s.project.id, SERVER_ACTOR, [entry(n)]))
  const proof = async () => {
    await new Promise(setImmediate)
    return verifyAudit(s.ctx, s.project.id)
  }

  test('loses what is older than 400 days and stays one chain', async () => {
    for (const n of [1, 2, 3]) await add(n)
    s.ctx.clock.advance(300 * DAY)
    for (const n of [4, 5]) await add(n)
    const whole = await proof()
    s.ctx.clock.advance(101 * DAY)
    await sweepRetention(s.ctx)
    expect(await proof()).toEqual({ ...whole, count: whole.count - 3 })
    await add(6)
    expect(await proof()).toMatchObject({ ok: true, count: whole.count - 2 })
  })

  test('keeps its newest row whatever its age, so that the chain goes on', async () => {
    s.ctx.clock.advance(900 * DAY)
    await sweepRetention(s.ctx)
    const { head, ...rest } = await proof()
    expect(rest).toEqual({ ok: true, count: 1, firstBadId: null })
    await add(7)
    expect(await proof()).toMatchObject({ ok: true, count: 2 })
    expect((await proof()).head).not.toBe(head)
  })

  test('that somebody else has shortened is no chain', async () => {
    await add(8)
    await s.ctx.write(async (tx) => {
      const { auditLog: a } = tx.tables
      const rows = await tx.db.select().from(a).orderBy(a.position)
      await tx.db.delete(a).where(eq(a.position, rows[0]?.position ?? 0))
    })
    expect(await proof()).toMatchObject({ ok: false })
  })
})

test('svc doctor names each rule with its age and the oldest row, and warns when that should be gone', async () => {
  const s = await stage()
  const at = s.ctx.clock.now()
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await new Promise(setImmediate)
  const well = await checkRetention(s.ctx, rules, at)
  expect(well.status).toBe('ok')
  for (const { name } of rules) expect(well.message).toContain(name)
  expect(well.message).toContain('events (30 days or eventRetentionDays of the project, oldest 2026-11-20)')
  expect((await checkRetention(s.ctx, rules, at + 31 * DAY)).status).toBe('ok')
  const late = await checkRetention(s.ctx, rules, at + 31 * DAY + MINUTE)
  expect(late.status).toBe('warn')
  expect(late.message).toContain('events (30 days')
  expect(late.message).not.toContain('mails')
  await sweepRetention({ ...s.ctx, clock: { now: () => at + 31 * DAY + MINUTE } })
  await new Promise(setImmediate)
  expect((await checkRetention(s.ctx, rules, at + 31 * DAY + MINUTE)).status).toBe('ok')
  await s.close()
})
