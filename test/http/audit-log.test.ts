import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { canonicalJson, sha256Hex } from '../../src/base/lib/hash'
import { toIso } from '../../src/base/lib/time'
import { suspendProject, unsuspendProject } from '../../src/projects/project/service'
import { type Answer, type Stage, stage } from '../support/cast'
import { join, type Person } from '../support/crew'

interface Row {
  id: string
  at: string
  action: string
  actor: { kind: string; id: string | null; email: string | null }
  target: { type: string; id: string }
  prevHash: string
  rowHash: string
}

let s: Stage
let ada: Person
let bo: Person
let start = 0
beforeAll(async () => {
  s = await stage()
  start = s.ctx.clock.now()
  ada = await join(s, 'ada', 'OWNER')
  bo = await join(s, 'bo', 'ADMIN')
  for (const name of ['One', 'Two', 'Three']) {
    s.ctx.clock.advance(MINUTE)
    await bo.browser.patch(P(''), { name })
  }
  await ada.browser.post(P('/api-keys'), { label: 'Server' })
  await suspendProject(s.ctx, s.project.id)
  await unsuspendProject(s.ctx, s.project.id)
})
afterAll(() => s.close())

const P = (path: string, id = s.project.id) => `/dashboard/projects/${id}${path}`
/** The same instant at +01:00, as a query with a plus sign that is not escaped. */
const zoned = (at: number): string => toIso(at + 60 * MINUTE).replace('Z', '+01:00')
const code = ({ status, body }: Answer): unknown[] => [status, body.error?.code]
const list = async (query = ''): Promise<Row[]> => (await bo.browser.get(P(`/audit-log${query}`))).body.data.items

describe('the audit log', () => {
  test('is in pages, newest first', async () => {
    const all = await list()
    const wanted = ['project.unsuspend', 'project.suspend', 'apiKey.create', ...Array(3).fill('project.update')]
    expect(all.map(({ action }) => action)).toEqual(wanted)
    const pages: Row[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { items, nextCursor } = (await bo.browser.get(P(`/audit-log?limit=4${query}`))).body.data
      pages.push(...items)
      cursor = nextCursor
    }
    expect(pages).toEqual(all)
  })

  test('is a chain that anybody who has its rows can verify', async () => {
    let prevHash = '0'.repeat(64)
    for (const { prevHash: before, rowHash, ...row } of (await list()).toReversed()) {
      expect(before).toBe(prevHash)
      expect(sha256Hex(before + canonicalJson(row))).toBe(rowHash)
      prevHash = rowHash
    }
  })

  test.each<[string, () => string, number]>([
    ['an actor by id', () => `?actor=${bo.id}`, 3],
    ['an actor by address', () => `?actor=${encodeURIComponent(ada.email)}`, 1],
    ['the command line', () => '?actor=CLI', 2],
    ['nobody', () => '?actor=usr_none', 0],
    ['the name of a member', () => '?actor=id', 0],
    ['an action', () => '?action=apiKey.create', 1],
    ['all actions on projects', () => '?action=project', 5],
    ['the beginning of an action', () => '?action=proj', 0],
    ['a target by id', () => `?target=${s.project.id}`, 5],
    ['a target by type', () => '?target=apiKey', 1],
    ['a target in small letters', () => '?target=apikey', 0],
    ['a wildcard', () => '?target=%25', 0],
    ['a quote', () => '?target=%22', 0],
    ['a time', () => `?from=${new Date(start + 2 * MINUTE).toISOString()}`, 5],
    [
      'a period',
      () => `?from=${new Date(start + MINUTE).toISOString()}&to=${new Date(start + 2 * MINUTE).toISOString()}`,
      1,
    ],
    ['a time of another zone', () => `?from=${zoned(start + 2 * MINUTE)}`, 5],
    ['a time whose plus sign is escaped', () => `?from=${zoned(start + 2 * MINUTE).replace('+', '%2B')}`, 5],
    ['two at once', () => `?actor=${bo.id}&action=apiKey`, 0],
  ])('is filtered by %s', async (_name, query, count) => {
    expect(await list(query())).toHaveLength(count)
  })

  test.each(['?from=yesterday', '?to=2026', '?colour=red', '?limit=0', '?cursor=x', '?actor='])(
    'is refused with %s',
    async (query) => {
      expect(code(await bo.browser.get(P(`/audit-log${query}`)))).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  test('refuses a cursor of other filters', async () => {
    const { nextCursor } = (await bo.browser.get(P('/audit-log?limit=1'))).body.data
    expect(code(await bo.browser.get(P(`/audit-log?limit=1&action=project&cursor=${nextCursor}`)))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  })

  test('is for administrators, and holds nothing of another project', async () => {
    const dev = await join(s, 'dev', 'DEVELOPER')
    for (const path of ['/audit-log', '/audit-log/proof'])
      expect(code(await dev.browser.get(P(path)))).toEqual([403, 'ROLE_REQUIRED'])
    const eve = await join(s, 'eve', 'OWNER', s.other.id)
    expect((await eve.browser.get(P('/audit-log', s.other.id))).body.data.items).toEqual([])
    expect(code(await eve.browser.get(P('/audit-log')))).toEqual([404, 'NOT_FOUND'])
  })

  test('cannot be written', async () => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      expect((await ada.browser.call(method, P('/audit-log'), {})).status).toBe(404)
  })
})

describe('the proof', () => {
  const proof = async (id = s.project.id, by = bo) => (await by.browser.get(P('/audit-log/proof', id))).body.data

  test('names the newest hash and the number of rows', async () => {
    const rows = await list()
    expect(await proof()).toEqual({ head: rows[0]?.rowHash, count: rows.length, ok: true, firstBadId: null })
    const mia = await join(s, 'mia', 'ADMIN', s.other.id)
    expect(await proof(s.other.id, mia)).toEqual({ head: '0'.repeat(64), count: 0, ok: true, firstBadId: null })
  })

  test.each<[string, object]>([
    ['who', { actor: { kind: 'USER', id: 'usr_other', email: 'other@example.com' } }],
    ['what', { action: 'project.delete' }],
    ['the object', { target: { type: 'project', id: 'prj_other' } }],
    ['the state after', { after: { name: 'Other' } }],
    ['the time', { at: 1 }],
  ])('finds a row of which %s was changed by hand', async (_name, change) => {
    const { auditLog } = s.ctx.tables
    const row = (await list())[3]
    const [before] = await s.ctx.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.id, row?.id ?? ''))
    const write = (set: object) =>
      s.ctx.write((tx) =>
        tx.db
          .update(tx.tables.auditLog)
          .set(set)
          .where(eq(tx.tables.auditLog.id, row?.id ?? '')),
      )
    await write(change)
    expect(await proof()).toMatchObject({ ok: false, firstBadId: row?.id })
    await write(before ?? {})
    expect(await proof()).toMatchObject({ ok: true, firstBadId: null })
  })

  test('finds that a row was taken out', async () => {
    const { auditLog } = s.ctx.tables
    const [, taken] = await list()
    const [row] = await s.ctx.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.id, taken?.id ?? ''))
    const next = (await list())[0]
    await s.ctx.write((tx) => tx.db.delete(tx.tables.auditLog).where(eq(tx.tables.auditLog.id, taken?.id ?? '')))
    expect(await proof()).toMatchObject({ ok: false, firstBadId: next?.id })
    if (row) await s.ctx.write((tx) => tx.db.insert(tx.tables.auditLog).values(row))
    expect((await proof()).ok).toBe(true)
  })
})
