import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { canonicalJson, sha256Hex } from '../../src/base/lib/hash'
import { sweepRetention } from '../../src/base/retention/sweep'
import { openRequest } from '../../src/moving/data-requests/open'
import { CLI_ACTOR, recordAudit, SERVER_ACTOR, verifyAudit } from '../../src/projects/audit/audit'
import { type Stage, stage } from '../support/cast'
import { join, type Person } from '../support/crew'
import { erase } from '../support/erased'
import { rowOf } from '../support/facts'
import { runJobs } from '../support/rates'
import { svc } from '../support/simulate'

let s: Stage
let ada: Person
let guests = 0
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  ada = await join(s, 'ada', 'OWNER')
})
afterEach(() => s.close())

const get = async (path: string) => (await ada.browser.get(`/dashboard/projects/${s.project.id}/audit-log${path}`)).body
const proof = async () => (await get('/proof')).data
const isWhole = { ok: true, firstBadId: null }
const rows = () => s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(asc(s.ctx.tables.auditLog.position))
type Row = Awaited<ReturnType<typeof rows>>[number]

/** A change of the log in the database, past the server. */
const forge = ({ id }: Row, set: Partial<Row>) =>
  s.ctx.write((tx) => tx.db.update(tx.tables.auditLog).set(set).where(eq(tx.tables.auditLog.id, id)))

async function personWithRows(name: string, count: number): Promise<string> {
  await s.post('/v1/identify', { deviceKey: `svc_${name}_phone`, appUserId: name })
  const { id } = await rowOf(s, `svc_${name}_phone`)
  const change = (n: number) => ({ action: 'x.y', target: { type: 'x', id }, before: { n }, after: { name } })
  await record(Array.from({ length: count }, (_, n) => change(n)))
  return id
}

const record = (entries: Parameters<typeof recordAudit>[3]) =>
  s.ctx.write((tx) => recordAudit(tx, s.project.id, CLI_ACTOR, entries))
const recordOther = () => record([{ action: 'o.p', target: { type: 'o', id: 'o_1' }, before: null, after: { n: 1 } }])

/** What stays of a row, from the public list, by the rule in the guide. */
const restOf = ({ id, at, actor, action, target }: Record<string, unknown>) =>
  sha256Hex(canonicalJson({ id, at, actor, action, target }))

describe('an erasure', () => {
  test('of a person with many rows appends their digests, and all of the chain verifies', async () => {
    await recordOther()
    const id = await personWithRows('mia', 203)
    await erase(s, id)
    expect(await proof()).toMatchObject({ ...isWhole, count: 206 })
    const { items } = (await get('?action=audit')).data
    expect(items.map(({ actor, after }: Row & { after: { rows: [] } }) => [actor.kind, after.rows.length])).toEqual([
      ['SERVER', 3],
      ['SERVER', 200],
    ])
    const listed = (await get('?limit=200&action=x.y')).data.items
    const digests = new Map(
      items.flatMap(({ after }: { after: { rows: { id: string; rest: string }[] } }) =>
        after.rows.map((row) => [row.id, row.rest] as const),
      ),
    )
    for (const row of listed) expect([row.before, row.after, digests.get(row.id)]).toEqual([null, null, restOf(row)])
  })

  test('twice, and two at once, reduce each row once and break nothing', async () => {
    const [mia, tom] = [await personWithRows('mia', 2), await personWithRows('tom', 2)]
    await Promise.all([erase(s, mia), erase(s, tom), recordOther(), erase(s, mia, 'dsr_second')])
    await personWithRows('ann', 1)
    await erase(s, mia)
    expect(await proof()).toMatchObject(isWhole)
    const named = (await rows()).flatMap(({ action, after }) =>
      action === 'audit.reduce' ? (after as { rows: { id: string }[] }).rows.map(({ id }) => id) : [],
    )
    expect(named).toHaveLength(4)
    expect(new Set(named).size).toBe(4)
  })

  test('reduces the rows of their data requests too, and leaves those of others', async () => {
    const [mia, tom] = [await personWithRows('mia', 0), await personWithRows('tom', 0)]
    for (const subscriberId of [mia, tom])
      await openRequest(s.ctx, await s.ctx.state.projects.get(s.project.id), {
        ...{ type: 'EXPORT', reference: subscriberId, requestedBy: 'ada', actor: CLI_ACTOR },
      })
    await erase(s, mia)
    const kept = (await rows()).map(({ action, after }) => [action, after === null])
    expect(kept).toEqual([
      ['dataRequest.export', true],
      ['dataRequest.export', false],
      ['audit.reduce', false],
    ])
    expect(await proof()).toMatchObject(isWhole)
  })

  test('of a person without a row appends nothing', async () => {
    await recordOther()
    await erase(s, await personWithRows('mia', 0))
    expect((await rows()).map(({ action }) => action)).toEqual(['o.p'])
  })
})

test('svc audit proof prints the head and the count, and fails when the log was changed', async () => {
  await recordOther()
  await erase(s, await personWithRows('mia', 1))
  const ran = await svc(s.ctx, ['audit', 'proof', '--project', s.project.id, '--json'])
  expect([ran.code, ran.json]).toEqual([0, await proof()])
  const [other, reduced] = (await rows()) as [Row, Row]
  const check = async () => {
    const { code, out } = await svc(s.ctx, ['audit', 'proof', '--project', s.project.id])
    return [code, out.join('\n')]
  }
  expect(await check()).toEqual([0, `rows  3\nhead  ${ran.json.head}\nAll rows verify.`])
  await forge(reduced, { action: 'lie' })
  expect(await check()).toEqual([1, expect.stringContaining(`The first wrong row is ${reduced.id}.`)])
  await forge(other, { action: 'lie' })
  expect(await check()).toEqual([1, expect.stringContaining(`The first wrong row is ${other.id}.`)])
  for (const args of [['audit'], ['audit', 'show'], ['audit', 'proof', 'x']])
    expect((await svc(s.ctx, [...args, '--project', s.project.id])).code).toBe(2)
  expect((await svc(s.ctx, ['audit', 'proof', '--project', 'none'])).code).toBe(1)
})

describe('a row that somebody changes in the database and marks as reduced', () => {
  test('is found', async () => {
    await erase(s, await personWithRows('mia', 1))
    await recordOther()
    await recordOther()
    const victim = (await rows()).at(-2) as Row
    await forge(victim, { actor: SERVER_ACTOR, action: 'lie', before: null, after: { lie: true }, reducedAt: 1 })
    expect(await proof()).toMatchObject({ ok: false, firstBadId: victim.id })
    await forge(victim, { after: null })
    expect(await proof()).toMatchObject({ ok: false, firstBadId: victim.id })
    await forge(victim, victim)
    expect(await proof()).toMatchObject(isWhole)
  })

  test('is found when it was reduced by an erasure before', async () => {
    await erase(s, await personWithRows('mia', 2))
    const [first, victim] = (await rows()) as [Row, Row]
    const lies: [firstBad: Row, set: Partial<Row>][] = [
      [victim, { actor: { kind: 'USER', id: 'usr_x', email: 'bo@example.com' } }],
      [victim, { action: 'x.z' }],
      [victim, { target: { type: 'x', id: 'x_2' } }],
      [victim, { at: 1 }],
      [victim, { after: { lie: true } }],
      [victim, { before: { lie: true } }],
      [victim, { reducedAt: null }],
      // The entry behind it is not of the chain then, and so proves nothing.
      [first, { rowHash: '1'.repeat(64) }],
    ]
    for (const [firstBad, set] of lies) {
      await forge(victim, set)
      expect(await proof()).toMatchObject({ ok: false, firstBadId: firstBad.id })
      await forge(victim, victim)
      expect(await proof()).toMatchObject(isWhole)
    }
  })

  test('is found when a later entry has the digest of the lie, and when its own entry is changed', async () => {
    await erase(s, await personWithRows('mia', 1))
    const [victim, entry] = (await rows()) as [Row, Row]
    const lie = { ...victim, action: 'lie' }
    await forge(victim, lie)
    const listed = (await get('?action=lie')).data.items[0]
    const after = { rows: [{ id: victim.id, rest: restOf(listed) }] }
    await s.ctx.write((tx) =>
      recordAudit(tx, s.project.id, SERVER_ACTOR, [
        { action: entry.action, target: entry.target, before: null, after },
      ]),
    )
    expect(await proof()).toMatchObject({ ok: false, firstBadId: victim.id })
    await forge(entry, { after })
    expect(await proof()).toMatchObject({ ok: false, firstBadId: entry.id })
  })
})

test('entries outlive the rows that were deleted for their age', async () => {
  await personWithRows('mia', 1)
  s.ctx.clock.advance(300 * DAY)
  const { id } = await rowOf(s, 'svc_mia_phone')
  await record([{ action: 'x.y', target: { type: 'x', id }, before: null, after: { n: 2 } }])
  await erase(s, id)
  s.ctx.clock.advance(101 * DAY)
  await sweepRetention(s.ctx)
  expect((await rows()).map(({ action }) => action)).toEqual(['x.y', 'audit.reduce'])
  ada = await join(s, `later${guests++}`, 'OWNER')
  expect(await proof()).toMatchObject({ ...isWhole, count: 2 })
})

describe('rows that an earlier version reduced', () => {
  const upgrade = () =>
    s.ctx.storage.runScript(
      s.ctx.storage.migrations.filter(({ tag }) => tag === '0030_audit_reductions').map(({ text }) => text),
    )
  const reduceAsBefore = (row: Row) => forge(row, { before: null, after: null, reducedAt: s.ctx.clock.now() })
  const listJobs = async () =>
    (await s.ctx.db.select().from(s.ctx.tables.jobs)).filter(({ name }) => /^audit/.test(name))
  const runDue = async () => {
    for (const { runAt } of await listJobs()) s.ctx.clock.set(Math.max(runAt, s.ctx.clock.now()))
    await runJobs(s.ctx)
    ada = await join(s, `later${guests++}`, 'OWNER')
  }

  test('get their entries once, by the migration, and what is reduced by hand later does not', async () => {
    await erase(s, await personWithRows('mia', 1))
    await personWithRows('tom', 3)
    const [, , first, second, third] = (await rows()) as Row[]
    for (const row of [first, second]) await reduceAsBefore(row as Row)
    expect(await proof()).toMatchObject({ ok: false, firstBadId: first?.id })
    await upgrade()
    await runDue()
    expect(await proof()).toMatchObject({ ...isWhole, count: 6 })
    const ids = [first, second].map((row) => ({ id: row?.id, rest: expect.any(String) }))
    expect((await rows()).at(-1)).toMatchObject({ action: 'audit.reduce', after: { rows: ids, former: true } })
    expect(await listJobs()).toEqual([])
    await reduceAsBefore(third as Row)
    s.ctx.clock.advance(DAY)
    await runDue()
    expect(await rows()).toHaveLength(6)
    expect((await verifyAudit(s.ctx, s.project.id)).firstBadId).toBe(third?.id ?? null)
  })

  test('get them once when the job is repeated', async () => {
    await personWithRows('mia', 2)
    for (const row of await rows()) await reduceAsBefore(row)
    for (const _run of [1, 2]) {
      await upgrade()
      await runDue()
    }
    expect(await rows()).toHaveLength(3)
    expect(await proof()).toMatchObject(isWhole)
  })

  test('are none in a new database, so it has no such job', async () => {
    await recordOther()
    await upgrade()
    expect(await listJobs()).toEqual([])
  })
})
