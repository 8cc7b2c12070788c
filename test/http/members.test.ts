import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Role } from '../../src/core/roles/roles'
import { type Answer, type Stage, stage } from '../support/cast'
import { arrive, auditedBy, auditOf, join, type Person } from '../support/crew'

let s: Stage
let ada: Person
let bo: Person
let dev: Person
beforeAll(async () => {
  s = await stage()
  ada = await join(s, 'ada', 'OWNER')
  bo = await join(s, 'bo', 'ADMIN')
  dev = await join(s, 'dev', 'DEVELOPER')
})
afterAll(() => s.close())

const P = (path: string, id = s.project.id) => `/dashboard/projects/${id}${path}`
const code = ({ status, body }: Answer): unknown[] => [status, body.error?.code]
const roles = async () =>
  Object.fromEntries(
    ((await ada.browser.get(P('/members'))).body.data.items as { email: string; role: Role }[]).map(
      ({ email, role }) => [email.split('@')[0], role],
    ),
  )

describe('the list of members', () => {
  test('is in pages, newest first, for every member', async () => {
    const all = await dev.browser.get(P('/members'))
    expect(all.status).toBe(200)
    expect(all.body.data.nextCursor).toBeNull()
    expect(all.body.data.items.map(({ email }: Person) => email)).toEqual([dev.email, bo.email, ada.email])
    expect(all.body.data.items[2]).toMatchObject({ userId: ada.id, name: 'ada', role: 'OWNER', revision: 1 })
    const first = await dev.browser.get(P('/members?limit=2'))
    const cursor = first.body.data.nextCursor
    const second = await dev.browser.get(P(`/members?limit=2&cursor=${cursor}`))
    expect([...first.body.data.items, ...second.body.data.items]).toEqual(all.body.data.items)
    expect(second.body.data.nextCursor).toBeNull()
  })

  test.each(['cursor=abc', 'limit=0', 'limit=201', 'limit=x', 'role=OWNER'])('is refused with %s', async (query) => {
    expect(code(await dev.browser.get(P(`/members?${query}`)))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('is not there for a person of another project, and not a cursor of another project', async () => {
    const eve = await join(s, 'eve', 'OWNER', s.other.id)
    expect(code(await eve.browser.get(P('/members')))).toEqual([404, 'NOT_FOUND'])
    await join(s, 'eve2', 'ADMIN', s.other.id)
    const { nextCursor } = (await eve.browser.get(P('/members?limit=1', s.other.id))).body.data
    expect(nextCursor).toBeString()
    expect(code(await ada.browser.get(P(`/members?cursor=${nextCursor}`)))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('a role', () => {
  const change = (by: Person, of: Person, role: unknown, headers = {}) =>
    by.browser.patch(P(`/members/${of.id}`), { role }, { headers })

  test('is changed by an administrator, with one row in the audit log and a new revision', async () => {
    const { count, last } = await auditedBy(s, async () => {
      const changed = await change(bo, dev, 'GROWTH')
      expect(changed.body.data).toMatchObject({ userId: dev.id, role: 'GROWTH', revision: 2 })
    })
    expect(count).toBe(1)
    expect(last).toMatchObject({
      action: 'member.update',
      actor: { kind: 'USER', id: bo.id, email: bo.email },
      target: { type: 'member', id: dev.id },
      before: { role: 'DEVELOPER' },
      after: { role: 'GROWTH' },
    })
    expect(code(await dev.browser.post(P('/leave'), { reason: 'x' }))).toEqual([400, 'VALIDATION_ERROR'])
    await change(bo, dev, 'DEVELOPER')
  })

  test('that is the same writes nothing', async () => {
    expect((await auditedBy(s, () => change(bo, dev, 'DEVELOPER'))).count).toBe(0)
  })

  test('with a revision that is old is refused, and nothing is written', async () => {
    const { count } = await auditedBy(s, async () => {
      const refused = await change(bo, dev, 'GROWTH', { 'if-match': '"1"' })
      expect(code(refused)).toEqual([409, 'CONFLICT'])
      expect(refused.body.error.details).toMatchObject({ revision: 3, updatedBy: bo.email })
    })
    expect(count).toBe(0)
    expect((await roles()).dev).toBe('DEVELOPER')
  })

  test('OWNER is given and taken by owners only', async () => {
    const { count } = await auditedBy(s, async () => {
      for (const answer of [
        await change(bo, dev, 'OWNER'),
        await change(bo, bo, 'OWNER'),
        await change(bo, ada, 'ADMIN'),
        await bo.browser.delete(P(`/members/${ada.id}`)),
        await bo.browser.post(P('/invitations'), { email: 'new@example.com', role: 'OWNER' }),
      ]) {
        expect(code(answer)).toEqual([403, 'ROLE_REQUIRED'])
        expect(answer.body.error.details).toEqual({ role: 'ADMIN', requiredRole: 'OWNER' })
      }
    })
    expect(count).toBe(0)
  })

  test.each<[string, unknown]>([
    ['an unknown role', { role: 'KING' }],
    ['support access', { role: 'SUPPORT_READ' }],
    ['no role', {}],
    ['another member', { role: 'ADMIN', email: 'x@example.com' }],
  ])('is refused with %s', async (_name, body) => {
    expect(code(await ada.browser.patch(P(`/members/${dev.id}`), body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('of nobody, or of a member of another project, is not found', async () => {
    const mia = await join(s, 'mia', 'GROWTH', s.other.id)
    for (const id of [mia.id, 'usr_none', '%20', 'x'.repeat(64)]) {
      expect(code(await ada.browser.patch(P(`/members/${id}`), { role: 'GROWTH' }))).toEqual([404, 'NOT_FOUND'])
      expect(code(await ada.browser.delete(P(`/members/${id}`)))).toEqual([404, 'NOT_FOUND'])
    }
  })

  test('needs the capability', async () => {
    for (const answer of [await change(dev, dev, 'ADMIN'), await dev.browser.delete(P(`/members/${bo.id}`))]) {
      expect(code(answer)).toEqual([403, 'CAPABILITY_REQUIRED'])
      expect(answer.body.error.details).toEqual({ role: 'DEVELOPER', capability: 'members:manage' })
    }
  })
})

describe('the last owner', () => {
  test('is neither changed nor removed, and does not leave', async () => {
    const { count } = await auditedBy(s, async () => {
      for (const answer of [
        await ada.browser.patch(P(`/members/${ada.id}`), { role: 'ADMIN' }),
        await ada.browser.delete(P(`/members/${ada.id}`)),
        await ada.browser.post(P('/leave')),
      ])
        expect(code(answer)).toEqual([409, 'CONFLICT'])
    })
    expect(count).toBe(0)
    expect((await roles()).ada).toBe('OWNER')
  })

  test('does not delete the account', async () => {
    const answer = await ada.browser.delete('/dashboard/me', { confirmEmail: ada.email })
    expect(code(answer)).toEqual([409, 'OWNS_PROJECTS'])
    expect(answer.body.error.details.projects).toEqual([{ id: s.project.id, name: 'Project 1' }])
  })
})

describe('a member', () => {
  test('is removed, and has no access from then on', async () => {
    const cy = await join(s, 'cy', 'GROWTH')
    expect((await cy.browser.get(P(''))).status).toBe(200)
    const { count, last } = await auditedBy(s, async () => {
      expect((await bo.browser.delete(P(`/members/${cy.id}`))).body).toEqual({ data: { deleted: true } })
    })
    expect([count, last?.action, last?.after]).toEqual([1, 'member.remove', null])
    expect(code(await cy.browser.get(P('')))).toEqual([404, 'NOT_FOUND'])
    expect(code(await bo.browser.delete(P(`/members/${cy.id}`)))).toEqual([404, 'NOT_FOUND'])
  })

  test('leaves, once', async () => {
    const di = await join(s, 'di', 'CUSTOMER_SUPPORT')
    const { count, last } = await auditedBy(s, async () => {
      expect((await di.browser.post(P('/leave'))).body).toEqual({ data: { left: true } })
    })
    expect([count, last?.action, last?.actor.id]).toEqual([1, 'member.leave', di.id])
    expect(code(await di.browser.post(P('/leave')))).toEqual([404, 'NOT_FOUND'])
  })

  test('leaves every project with the deletion of the account', async () => {
    const gus = await join(s, 'gus', 'DEVELOPER')
    await s.ctx.write((tx) =>
      tx.db.insert(tx.tables.memberships).values({
        id: tx.ids.next('mbr'),
        projectId: s.other.id,
        userId: gus.id,
        role: 'ADMIN',
        createdAt: 1,
        updatedAt: 1,
      }),
    )
    const exported = (await gus.browser.get('/dashboard/me/export')).body.data.memberships
    expect(exported.map(({ projectId, role }: { projectId: string; role: string }) => [projectId, role])).toEqual([
      [s.project.id, 'DEVELOPER'],
      [s.other.id, 'ADMIN'],
    ])
    expect((await gus.browser.delete('/dashboard/me', { confirmEmail: gus.email })).status).toBe(200)
    for (const id of [s.project.id, s.other.id])
      expect((await auditOf(s, id)).at(-1)).toMatchObject({ action: 'member.leave', target: { id: gus.id } })
    const left = await s.ctx.db.select().from(s.ctx.tables.memberships)
    expect(left.some(({ userId }) => userId === gus.id)).toBe(false)
  })
})

describe('the ownership', () => {
  test('is transferred to a member, and the former owner becomes an administrator', async () => {
    const own = await stage()
    const founder = await join(own, 'founder', 'OWNER')
    const heir = await join(own, 'heir', 'DEVELOPER')
    const path = `/dashboard/projects/${own.project.id}`
    const { count, last } = await auditedBy(own, async () => {
      const answer = await founder.browser.post(`${path}/transfer`, { userId: heir.id })
      expect(answer.body).toEqual({ data: { ownerId: heir.id } })
    })
    expect([count, last?.action, last?.actor.id]).toEqual([1, 'project.transfer', founder.id])
    const items = (await heir.browser.get(`${path}/members`)).body.data.items
    expect(items).toMatchObject([
      { userId: heir.id, role: 'OWNER', revision: 2 },
      { userId: founder.id, role: 'ADMIN', revision: 2 },
    ])
    expect(code(await founder.browser.post(`${path}/transfer`, { userId: heir.id }))).toEqual([
      403,
      'CAPABILITY_REQUIRED',
    ])
    expect((await founder.browser.post(`${path}/leave`)).status).toBe(200)
    expect(code(await heir.browser.post(`${path}/leave`))).toEqual([409, 'CONFLICT'])
    await own.close()
  })

  test('is not transferred to an owner, to a stranger, or by an administrator', async () => {
    const eli = await arrive(s, 'eli')
    const { count } = await auditedBy(s, async () => {
      expect(code(await ada.browser.post(P('/transfer'), { userId: ada.id }))).toEqual([409, 'ALREADY_OWNER'])
      expect(code(await ada.browser.post(P('/transfer'), { userId: eli.id }))).toEqual([404, 'NOT_FOUND'])
      expect(code(await ada.browser.post(P('/transfer'), {}))).toEqual([400, 'VALIDATION_ERROR'])
      expect(code(await bo.browser.post(P('/transfer'), { userId: bo.id }))).toEqual([403, 'CAPABILITY_REQUIRED'])
    })
    expect(count).toBe(0)
  })
})
