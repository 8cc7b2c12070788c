import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Context } from '../../src/base/context'
import { slice } from '../../src/base/slice'
import type { MemberRole } from '../../src/core/roles/roles'
import { operator } from '../../src/projects/doors/operator'
import { SLICES } from '../../src/slices'
import { BEHIND_PROXY, makeUser, signedIn } from '../support/accounts'
import { type Stage, stage } from '../support/cast'
import { refusal, type Visitor } from '../support/visitor'

const roles = new Map<string, MemberRole>()
const asked: string[] = []
const members = slice({
  name: 'members-of-the-test',
  memberRole: async (_ctx, userId, projectId) => {
    asked.push(userId)
    return roles.get(`${userId} ${projectId}`) ?? null
  },
  operatorRoutes: (ctx: Context) =>
    operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get('/who-am-i', ({ user, role }) => ({ data: { id: user.id, role } })),
})

let s: Stage
let ada: Visitor
let id: string
beforeAll(async () => {
  s = await stage({ env: BEHIND_PROXY, slices: [...SLICES, members] })
  id = await makeUser(s, 'ada@example.com')
  ada = await signedIn(s, 'ada@example.com')
})
afterAll(() => s.close())

const ask = () => ada.get(`/dashboard/projects/${s.project.id}/who-am-i`)

test('a person with an account sees the projects in which they have a role, from the moment on at which they have it', async () => {
  expect(refusal(await ask())).toEqual([404, 'NOT_FOUND'])
  roles.set(`${id} ${s.project.id}`, 'GROWTH')
  expect((await ask()).body).toEqual({ data: { id, role: 'GROWTH' } })
  expect(refusal(await ada.get(`/dashboard/projects/${s.other.id}/who-am-i`))).toEqual([404, 'NOT_FOUND'])
  roles.delete(`${id} ${s.project.id}`)
  expect(refusal(await ask())).toEqual([404, 'NOT_FOUND'])
  expect(new Set(asked)).toEqual(new Set([id]))
})

test('nobody is asked about the role of a person without a session', async () => {
  asked.length = 0
  const answer = await ada.get(`/dashboard/projects/${s.project.id}/who-am-i`, { cookies: 'svc_session=other' })
  expect(refusal(answer)).toEqual([401, 'UNAUTHORIZED'])
  expect(asked).toEqual([])
})
