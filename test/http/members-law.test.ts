import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ROLES } from '../../src/core/roles/roles'
import { type Stage, stage } from '../support/cast'
import { join, type Person } from '../support/crew'
import { checkLawAsync, LAW_PATIENCE_MS, WITH_DATABASE } from '../support/laws'

let s: Stage
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0', SVC_RATE_IP: '0' } })
})
afterAll(() => s.close())

const PEOPLE = 4
const who = fc.nat({ max: PEOPLE - 1 })
const anyStep = fc.oneof(
  fc.record({ do: fc.constant('leave' as const), by: who }),
  fc.record({ do: fc.constant('delete account' as const), by: who }),
  fc.record({ do: fc.constant('remove' as const), by: who, of: who }),
  fc.record({ do: fc.constant('transfer' as const), by: who, of: who }),
  fc.record({ do: fc.constant('role' as const), by: who, of: who, role: fc.constantFrom(...ROLES) }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

/** Steps that run at the same moment, and then the next ones. */
const anyStory = fc.record({
  owners: fc.integer({ min: 1, max: PEOPLE }),
  rounds: fc.array(fc.array(anyStep, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
})

function take(step: Step, people: readonly Person[], path: string) {
  const by = people[step.by]?.browser
  const of = 'of' in step ? people[step.of]?.id : ''
  if (step.do === 'leave') return by?.post(`${path}/leave`)
  if (step.do === 'remove') return by?.delete(`${path}/members/${of}`)
  if (step.do === 'transfer') return by?.post(`${path}/transfer`, { userId: of })
  if (step.do === 'role') return by?.patch(`${path}/members/${of}`, { role: step.role })
  return by?.delete('/dashboard/me', { confirmEmail: people[step.by]?.email })
}

/** The owners of a project who have an account. */
async function ownersOf(projectId: string): Promise<number> {
  const users = new Set((await s.ctx.db.select().from(s.ctx.tables.users)).map(({ id }) => id))
  const rows = await s.ctx.db.select().from(s.ctx.tables.memberships)
  const theirs = rows.filter((row) => row.projectId === projectId)
  expect(theirs.every(({ userId }) => users.has(userId))).toBe(true)
  return theirs.filter(({ role }) => role === 'OWNER').length
}

let stories = 0

test(
  'whoever leaves, changes roles, transfers or deletes accounts at the same moment: an owner stays',
  () =>
    checkLawAsync(
      anyStory,
      async ({ owners, rounds }) => {
        const story = ++stories
        const founder = await join(s, `founder${story}`, 'DEVELOPER')
        const made = await founder.browser.post('/dashboard/projects', { name: `Law ${story}` })
        const { id } = made.body.data.project
        const people = [founder]
        for (let n = 1; n < PEOPLE; n++)
          people.push(await join(s, `p${story}x${n}`, n < owners ? 'OWNER' : 'ADMIN', id))
        for (const steps of rounds) {
          const answers = await Promise.all(steps.map((step) => take(step, people, `/dashboard/projects/${id}`)))
          for (const answer of answers) expect(answer?.status).toBeLessThan(500)
          expect(await ownersOf(id)).toBeGreaterThan(0)
        }
      },
      WITH_DATABASE,
    ),
  LAW_PATIENCE_MS,
)

test('two owners who leave at the same moment: one stays', async () => {
  for (const act of ['leave', 'delete account', 'role'] as const) {
    const one = await join(s, `one ${act}`.replace(' ', ''), 'DEVELOPER')
    const { id } = (await one.browser.post('/dashboard/projects', { name: act })).body.data.project
    const two = await join(s, `two ${act}`.replace(' ', ''), 'OWNER', id)
    const people = [one, two]
    const steps = [0, 1].map((by) =>
      act === 'role' ? { do: act, by, of: by, role: 'GROWTH' as const } : { do: act, by },
    )
    const answers = await Promise.all(steps.map((step) => take(step, people, `/dashboard/projects/${id}`)))
    const statuses = answers.map((answer) => answer?.status).sort()
    // A person who owns a project does not delete the account, however many owners it has.
    expect(statuses).toEqual(act === 'delete account' ? [409, 409] : [200, 409])
    expect(await ownersOf(id)).toBe(act === 'delete account' ? 2 : 1)
  }
})
