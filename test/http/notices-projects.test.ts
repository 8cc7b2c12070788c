import { afterEach, describe, expect, test } from 'bun:test'
import { slice } from '../../src/base/slice'
import { ROLES, type Role } from '../../src/core/roles/roles'
import { type Notice, notify } from '../../src/operators/notices/notify'
import { SLICES } from '../../src/slices'
import { type Stage, stage } from '../support/cast'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
afterEach(() => s.close())

const open = async (slices = SLICES) => {
  s = await stage({ slices })
  team = staff(s)
}

const MEMBERS: [userId: string, role: Role][] = [
  ['usr_ada', 'OWNER'],
  ['usr_bo', 'OWNER'],
  ['usr_cy', 'ADMIN'],
]
const kinds = slice({ name: 'kinds-of-the-test', noticeKinds: [{ kind: 'other', description: 'Something else.' }] })
const withMembers = async () => {
  await open([...SLICES, kinds])
  const times = { createdAt: 1, updatedAt: 1 }
  await s.ctx.write(async ({ db, tables, ids }) => {
    for (const [userId, role] of MEMBERS) {
      const email = `${userId}@example.com`
      await db
        .insert(tables.users)
        .values({ id: userId, email, emailKey: email, emailVerifiedAt: 1, name: userId, ...times })
      await db
        .insert(tables.memberships)
        .values({ id: ids.next('mbr'), projectId: s.project.id, userId, role, ...times })
    }
  })
}

const tell = (notice: Partial<Notice> & object) =>
  s.ctx.write((tx) =>
    notify(tx, {
      kind: 'scheduled_action_failed',
      projectId: s.project.id,
      roles: ['OWNER'],
      title: 'It failed',
      body: 'This is why.',
      mail: {},
      ...notice,
    } as Notice),
  )
const told = async () => (await s.ctx.db.select().from(s.ctx.tables.notices)).map(({ userId }) => userId).sort()
const mailed = async () => (await s.ctx.db.select().from(s.ctx.tables.mails)).map(({ toAddress }) => toAddress).sort()
const audited = async () =>
  (await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)).filter(
    ({ action }) => action === 'notificationDefaults.update',
  )

const ON = { email: true, push: true, inapp: true }
const PATH = '/notification-defaults'

describe('a notice', () => {
  test('reaches the members with a role of the project, by both ways', async () => {
    await withMembers()
    expect(await tell({})).toEqual({ inapp: 2, email: 2 })
    expect(await told()).toEqual(['usr_ada', 'usr_bo'])
    expect(await mailed()).toEqual(['usr_ada@example.com', 'usr_bo@example.com'])
  })

  test.each<[name: string, notice: object, wanted: string[]]>([
    ['members by their ids', { roles: undefined, userIds: ['usr_cy', 'usr_ada'] }, ['usr_ada', 'usr_cy']],
    ['nobody who is no member', { roles: undefined, userIds: ['usr_stranger'] }, []],
    ['nobody of another project', { projectId: 'prj_other' }, []],
    ['nobody without a project', { projectId: null }, []],
    ['nobody without a role', { roles: [] }, []],
  ])('reaches %s', async (_name, notice, wanted) => {
    await withMembers()
    const plain = Object.fromEntries(Object.entries(notice).filter(([, value]) => value !== undefined))
    if ('userIds' in plain) {
      await s.ctx.write((tx) =>
        notify(tx, {
          kind: 'other',
          projectId: s.project.id,
          title: 't',
          body: 'b',
          mail: {},
          userIds: plain.userIds as string[],
        }),
      )
    } else await tell(plain)
    expect(await told()).toEqual(wanted)
    expect(await mailed()).toEqual(wanted.map((id) => `${id}@example.com`))
  })

  test('without a mail part is not mailed', async () => {
    await withMembers()
    await s.ctx.write((tx) =>
      notify(tx, { kind: 'other', projectId: s.project.id, roles: ['OWNER'], title: 't', body: 'b' }),
    )
    expect([await told(), await mailed()]).toEqual([['usr_ada', 'usr_bo'], []])
  })

  test('of a change that fails reaches nobody', async () => {
    await withMembers()
    const failing = s.ctx.write(async (tx) => {
      await notify(tx, { kind: 'other', projectId: s.project.id, roles: ['OWNER'], title: 't', body: 'b', mail: {} })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow()
    expect([await told(), await mailed()]).toEqual([[], []])
  })
})

describe('the defaults of a project', () => {
  test('hold for members who have not chosen', async () => {
    await withMembers()
    expect((await team.as('ADMIN').patch(PATH, { channels: { email: false } })).status).toBe(200)
    expect(await tell({})).toEqual({ inapp: 2, email: 0 })
    const { notificationPreferences } = s.ctx.tables
    const given = { channels: { email: true }, kinds: {} }
    await s.ctx.write((tx) =>
      tx.db.insert(notificationPreferences).values({ userId: 'usr_ada', given, createdAt: 1, updatedAt: 1 }),
    )
    await tell({})
    expect(await mailed()).toEqual(['usr_ada@example.com'])
  })

  test('are read by every role and changed by administrators', async () => {
    await open()
    const kinds = {
      ...{ scheduled_action_failed: ON, integration_disabled: ON, webhook_disabled: ON, export_failed: ON },
      ...{ import_ended: ON, comparison_differs: ON, audit_head: ON, certificate_ends: ON, domain_lost: ON },
      ...{ 'usage.alert': ON, 'assistant.intent': ON },
    }
    for (const role of ROLES)
      expect((await team.as(role).get(PATH)).body).toEqual({ data: { channels: ON, kinds, revision: 1 } })
    expect((await team.as('SUPPORT_READ').get(PATH)).status).toBe(200)
    for (const role of ['CUSTOMER_SUPPORT', 'GROWTH', 'DEVELOPER'] as const) {
      const { status, body } = await team.as(role).patch(PATH, { channels: { push: false } })
      const details = { role, capability: 'project:settings:write' }
      expect([status, body.error]).toMatchObject([403, { code: 'CAPABILITY_REQUIRED', details }])
    }
    expect((await team.as('SUPPORT_READ').patch(PATH, {})).body.error.code).toBe('SUPPORT_ACCESS_READ_ONLY')
    for (const method of ['GET', 'PATCH']) expect((await team.as('STRANGER').call(method, PATH, {})).status).toBe(404)
    expect((await team.as('OWNER').get(PATH, { projectId: s.other.id })).status).toBe(404)
    expect(await audited()).toEqual([])
  })

  test('name in the audit log who changed what, once, and nothing where nothing changed', async () => {
    await open()
    const change = { channels: { push: false }, kinds: { scheduled_action_failed: { inapp: false } } }
    for (const body of [{}, change, change, { channels: {} }])
      expect((await team.as('OWNER').patch(PATH, body)).status).toBe(200)
    const [row, ...more] = await audited()
    expect(more).toEqual([])
    expect(row).toMatchObject({
      actor: { kind: 'USER', id: 'usr_owner' },
      before: { channels: {}, kinds: {} },
      after: change,
    })
    expect((await team.as('OWNER').get(PATH)).body.data).toEqual({
      channels: { ...ON, push: false },
      kinds: {
        ...{ scheduled_action_failed: { ...ON, inapp: false }, integration_disabled: ON, webhook_disabled: ON },
        export_failed: ON,
        import_ended: ON,
        comparison_differs: ON,
        audit_head: ON,
        certificate_ends: ON,
        domain_lost: ON,
        ...{ 'usage.alert': ON, 'assistant.intent': ON },
      },
      revision: 2,
    })
  })

  test('are not changed over a change of somebody else', async () => {
    await open()
    const at = (revision: number) => ({ headers: { 'if-match': `"${revision}"` } })
    expect((await team.as('OWNER').patch(PATH, { channels: { push: false } }, at(1))).body.data.revision).toBe(2)
    const { status, body } = await team.as('ADMIN').patch(PATH, { channels: { push: true } }, at(1))
    expect([status, body.error]).toMatchObject([409, { code: 'CONFLICT', details: { revision: 2 } }])
    expect((await team.as('ADMIN').get(PATH)).body.data.channels.push).toBe(false)
    expect(await audited()).toHaveLength(1)
  })

  test.each([
    { channels: { sms: true } },
    { channels: { email: 'yes' } },
    { kinds: { unknown: {} } },
    { revision: 1 },
    { channels: [] },
  ])('refuse %j', async (body) => {
    await open()
    expect((await team.as('OWNER').patch(PATH, body)).status).toBe(400)
    expect(await audited()).toEqual([])
  })
})
