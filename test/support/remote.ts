import { touchConfig } from '../../src/projects/project/service'
import type { Answer, Stage } from './cast'

type Tables = Stage['ctx']['tables']
type FlagRow = Tables['flags']['$inferInsert']
type AudienceRow = Tables['audiences']['$inferInsert']
type ExperimentRow = Tables['experiments']['$inferInsert']

/** Two variants with half of the weight each; `a` is the control. */
export const HALVES = [
  { id: 'a', name: 'Control', weight: 0.5, value: 1 },
  { id: 'b', name: 'Treatment', weight: 0.5, value: 2 },
]

let count = 0
const nextId = (prefix: string): string => `${prefix}_${String(++count).padStart(26, '0')}`

interface Rows {
  flags?: Partial<FlagRow>[]
  audiences?: Partial<AudienceRow>[]
  experiments?: Partial<ExperimentRow>[]
}

/**
 * Writes rows of remote configuration directly into the tables, as a committed change. Absent members get plain values.
 */
export async function configure(s: Stage, rows: Rows, projectId = s.project.id): Promise<void> {
  const stamps = { projectId, createdAt: s.ctx.clock.now(), updatedAt: s.ctx.clock.now() }
  await s.ctx.write(async (tx) => {
    const { flags, audiences, experiments } = tx.tables
    for (const row of rows.flags ?? []) await tx.db.insert(flags).values({ ...plainFlag(), ...stamps, ...row })
    for (const row of rows.audiences ?? [])
      await tx.db.insert(audiences).values({ ...plainAudience(), ...stamps, ...row })
    for (const row of rows.experiments ?? [])
      await tx.db.insert(experiments).values({ ...plainExperiment(), ...stamps, ...row })
    await touchConfig(tx, projectId)
  })
}

const plainFlag = () => ({
  id: nextId('flg'),
  key: `flag_${count}`,
  env: 'PROD' as const,
  type: 'BOOLEAN' as const,
  isEnabled: true,
  defaultValue: false as unknown,
  rules: [],
})

const plainAudience = () => ({ id: nextId('aud'), name: `Audience ${count}`, rules: {}, isDefault: false })

const plainExperiment = () => ({
  id: nextId('exp'),
  key: `test_${count}`,
  name: 'A test',
  type: 'FLAG' as const,
  status: 'RUNNING' as const,
  variants: HALVES,
  metrics: [],
})

/** Removes all remote configuration of the project, all assignments and all tracked events. */
export async function clearRemote(s: Stage): Promise<void> {
  await s.ctx.state.assignments.flush()
  await s.ctx.write(async (tx) => {
    const { flags, audiences, audienceMembers, experiments } = tx.tables
    const { assignments, trackedEvents, experimentPauses } = tx.tables
    for (const table of [flags, audiences, audienceMembers, experiments, assignments, trackedEvents, experimentPauses])
      await tx.db.delete(table)
    await touchConfig(tx, s.project.id)
    await touchConfig(tx, s.other.id)
  })
}

/** The configuration of a device, with the answer that contained it. */
export const configOf = (s: Stage, device: string, query = '', options: Parameters<Stage['call']>[2] = {}) =>
  s.call('GET', `/v1/config?subscriberId=${encodeURIComponent(device)}${query}`, options)

export const flagsOf = async (s: Stage, device: string, query = ''): Promise<Record<string, unknown>> =>
  (await expectOk(configOf(s, device, query))).body.data.flags

/** Variant ids by experiment key. */
export async function variantsOf(s: Stage, device: string): Promise<Record<string, string>> {
  const { experiments } = (await expectOk(configOf(s, device))).body.data
  return Object.fromEntries(
    Object.entries<{ variantId: string }>(experiments).map(([key, { variantId }]) => [key, variantId]),
  )
}

async function expectOk(asking: Promise<Answer>): Promise<Answer> {
  const answer = await asking
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}
