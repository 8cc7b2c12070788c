import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SECOND } from '../../src/base/lib/clock'
import { memberCommand } from '../../src/operators/members/command'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { arrive, auditedBy, join, linksTo, type Person } from '../support/crew'
import { Visitor } from '../support/visitor'

let s: Stage
let ada: Person
let bo: Person
beforeAll(async () => {
  s = await stage()
  ada = await join(s, 'ada', 'OWNER')
  bo = await arrive(s, 'bo')
  s.ctx.clock.advance(SECOND) // Ids of two processes have an order only between milliseconds.
})
afterAll(() => s.close())

const member = (...args: string[]) => runBeside(s, memberCommand, ...args, '--project', 'project-1')
const roles = async () =>
  JSON.parse((await member('list', '--json')).out).members.map(({ email, role }: { email: string; role: string }) => [
    email,
    role,
  ])

test('a person with an account is added, gets another role, and is removed', async () => {
  expect(await roles()).toEqual([[ada.email, 'OWNER']])
  const added = await auditedBy(s, async () => {
    const ran = await member('add', 'BO@example.com', '--role', 'developer')
    expect([ran.code, ran.out]).toEqual([0, 'bo@example.com is a member as DEVELOPER.'])
  })
  expect([added.count, added.last?.action, added.last?.actor.kind]).toEqual([1, 'member.add', 'CLI'])
  expect((await bo.browser.get(`/dashboard/projects/${s.project.id}/members`)).status).toBe(200)
  const changed = await auditedBy(s, () => member('role', bo.email, '--role', 'OWNER'))
  expect([changed.count, changed.last?.action]).toEqual([1, 'member.update'])
  expect((await auditedBy(s, () => member('add', bo.email, '--role', 'OWNER'))).count).toBe(0)
  expect(await roles()).toEqual([
    [bo.email, 'OWNER'],
    [ada.email, 'OWNER'],
  ])
  expect((await member('list')).out).toContain('ada@example.com')
  const removed = await auditedBy(s, async () => {
    expect(JSON.parse((await member('remove', bo.email, '--json')).out)).toEqual({ email: bo.email, removed: true })
  })
  expect([removed.count, removed.last?.action]).toEqual([1, 'member.remove'])
  expect(await roles()).toEqual([[ada.email, 'OWNER']])
})

test('a person is invited with a link that is printed, where no mail server exists', async () => {
  const invited = await auditedBy(s, async () => {
    const { code, out, err } = await member('invite', 'cy@example.com', '--role', 'growth')
    expect([code, out]).toEqual([0, expect.stringMatching(/^http:\/\/\S+\/join\/[0-9A-Za-z]{43}$/)])
    expect(err).toContain('opens only on the machine of the server')
    const token = out.split('/join/')[1]
    expect((await new Visitor(s).get(`/invitations/${token}`)).body.data).toMatchObject({
      role: 'GROWTH',
      state: 'OPEN',
    })
    const { invitations } = JSON.parse((await member('invitations', '--json')).out)
    expect(invitations).toMatchObject([{ email: 'cy@example.com', role: 'GROWTH', state: 'OPEN', link: out }])
    const shown = (await member('invitations')).out
    expect(shown).toContain(out)
    const [mailed = ''] = await linksTo(s, 'cy@example.com')
    expect(mailed).toMatch(/\/join\//)
    expect(out + shown).not.toContain(mailed)
  })
  expect([invited.count, invited.last?.action, invited.last?.actor.kind]).toEqual([3, 'invitation.show_links', 'CLI'])
  const { out } = await member('invite', 'dee@example.com', '--role', 'ADMIN', '--json')
  expect(JSON.parse(out)).toMatchObject({ email: 'dee@example.com', deliveryStatus: 'KEPT', link: expect.any(String) })
  expect((await member('invite', 'cy@example.com', '--role', 'ADMIN')).err).toMatch(/open invitation already/)
  expect((await member('invite', ada.email, '--role', 'ADMIN')).err).toMatch(/member/)
})

test.each<[string, string[], RegExp]>([
  ['an address without an account', ['add', 'nobody@example.com', '--role', 'ADMIN'], /no account nobody@example.com/],
  ['a person who is no member', ['role', 'bo@example.com', '--role', 'ADMIN'], /no member/],
  ['the removal of a person who is no member', ['remove', 'bo@example.com'], /no member/],
  ['an unknown role', ['add', 'bo@example.com', '--role', 'KING'], /--role is one of OWNER, ADMIN/],
  ['no role', ['add', 'bo@example.com'], /--role is one of/],
  ['no address', ['add', '--role', 'ADMIN'], /mail address/],
  ['an unknown action', ['greet'], /takes list, invite, invitations, add, role or remove/],
  ['an invitation of nobody', ['invite', '--role', 'ADMIN'], /mail address/],
  ['an invitation of what is no address', ['invite', 'a@b@c', '--role', 'ADMIN'], /mail address/],
  ['an invitation without a role', ['invite', 'eve@example.com'], /--role is one of/],
  ['another role for the last owner', ['role', 'ada@example.com', '--role', 'ADMIN'], /last owner/],
  ['the removal of the last owner', ['remove', 'ada@example.com'], /last owner/],
])('%s is refused, and nothing is written', async (_name, args, message) => {
  const { count } = await auditedBy(s, async () => {
    const ran = await member(...args)
    expect(ran.code).not.toBe(0)
    expect(ran.err).toMatch(message)
  })
  expect(count).toBe(0)
  expect(await roles()).toEqual([[ada.email, 'OWNER']])
})
