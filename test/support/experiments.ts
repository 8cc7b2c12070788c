import { eq } from 'drizzle-orm'
import { touchConfig } from '../../src/projects/project/service'
import { type Experiment, writeExperiments } from '../../src/targeting/experiments/stored-experiments'
import type { Answer, Stage } from './cast'
import { rowOf } from './facts'

// Buckets of checkout_test: svc_8fK2mQ7xLw 3507 and svc_Zt4Rr0Pn1c 2374 (a of two halves), svc_d4 9080 (b).
export const ADA = 'svc_8fK2mQ7xLw'
export const BO = 'svc_d4'
export const CY = 'svc_Zt4Rr0Pn1c'

/** Reports that a device has displayed a variant. */
export const expose = (
  s: Stage,
  device: string,
  variantId: string,
  more: Record<string, unknown> = {},
  experiment = 'checkout_test',
): Promise<Answer> => s.post(`/v1/experiments/${experiment}/expose`, { subscriberId: device, variantId, ...more })

export const track = (
  s: Stage,
  device: string,
  events: unknown[],
  options: Parameters<Stage['post']>[2] = {},
): Promise<Answer> => s.post(`/v1/experiments/track?subscriberId=${device}`, { events }, options)

export async function resultsOf(s: Stage, experiment = 'checkout_test') {
  const answer = await s.get(`/v1/experiments/${experiment}/results`, undefined, { key: s.project.secretKey })
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

/** Exposures and conversions by variant: `a 1/0`. */
export async function countsOf(s: Stage, experiment = 'checkout_test'): Promise<string[]> {
  const { variants } = await resultsOf(s, experiment)
  return variants.map(
    ({ variantId, exposures, conversions }: { variantId: string; exposures: number; conversions: number }) =>
      `${variantId} ${exposures}/${conversions}`,
  )
}

export const assignmentsOf = (s: Stage) => s.ctx.db.select().from(s.ctx.tables.assignments)

/** The events that the exposures and conversions of a subscriber have written, in their order. */
export async function experimentEvents(
  s: Stage,
  device: string,
): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const events = await s.events((await rowOf(s, device)).id)
  return events.filter(({ type }) => type.startsWith('experiment.')).map(({ type, data }) => ({ type, data }))
}

export const experimentEventTypes = async (s: Stage, device: string): Promise<string[]> =>
  (await experimentEvents(s, device)).map(({ type }) => type)

/** Changes an experiment as its services do. */
export async function change(s: Stage, key: string, set: Partial<Experiment>): Promise<void> {
  const { experiments } = s.ctx.tables
  await s.ctx.write(async (tx) => {
    const rows = await tx.db.select().from(experiments).where(eq(experiments.key, key))
    const updated = rows.map(({ projectId: _p, createdAt: _c, updatedAt: _u, ...row }) => ({ ...row, ...set }))
    await writeExperiments(tx, s.project.id, { created: [], updated, deletedIds: [] })
    await touchConfig(tx, s.project.id)
  })
}
