import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { sharedKey } from '../../core/flag/names'
import type { Fault } from '../../core/text/fault'
import { listFunnelSlugs } from '../../funnels/publication/service'
import { listOfferingIdentifiers } from '../../projects/catalog/service'
import { conflict, type Edit, refuseFaults } from '../../projects/project/edit'
import { listAudienceNames } from '../audiences/service'
import { listFlagsOfKey } from '../flags/service'
import { checkExperiment, targetsOf } from './check'
import type { ExperimentType } from './model'
import { countRunning, type Experiment, findExperiment, MAX_RUNNING } from './stored-experiments'

/** What an experiment must be to be saved or to run: its own shape, its audience and what its variants show. */
export async function refuseUnsound(
  { tx, projectId }: Edit,
  { key, type, variants, audienceId }: Experiment,
  more: readonly Fault[],
): Promise<void> {
  const audiences = await listAudienceNames(tx, projectId)
  const isKnown = audienceId === null || audiences.has(audienceId)
  const unknown: Fault[] = isKnown
    ? []
    : [{ path: 'audienceId', message: 'audienceId must name an audience of this project, or be null for everybody' }]
  refuseFaults([...checkExperiment({ key, type, variants }), ...unknown, ...more])
  const targets = TARGETS[type]
  const there = new Set(targets && (await targets.list(tx, projectId)))
  const ids = targetsOf(type, variants).filter((name) => !there.has(name))
  if (targets && ids.length > 0)
    throw new AppError(
      'UNKNOWN_REFERENCES',
      { resource: targets.resource, ids },
      { message: `variants name what is no ${targets.resource} of this project: ${ids.slice(0, 5).join(', ')}` },
    )
}

interface Targets {
  resource: string
  list(handle: Handle, projectId: string): Promise<string[]>
}

/** What the values of variants name. */
const TARGETS: Record<ExperimentType, Targets | null> = {
  FLAG: null,
  OFFERING: { resource: 'offering', list: listOfferingIdentifiers },
  FUNNEL: { resource: 'funnel', list: async (...where) => [...(await listFunnelSlugs(...where)).keys()] },
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Whether the project has a placement of this id or identifier. */
    isPlacement: (handle: Handle, projectId: string, ref: string) => Promise<boolean>
  }
}

async function isPlacement(tx: Edit['tx'], projectId: string, ref: string): Promise<boolean> {
  for (const has of tx.hooks.isPlacement ?? []) if (await has(tx, projectId, ref)) return true
  return false
}

/** A placement is named by its id or its identifier. One that was kept may have been deleted since. */
export async function placementFaults(
  { tx, projectId }: Edit,
  placementId: string | null,
  before: string | null,
): Promise<Fault[]> {
  const isKept = placementId === null || placementId === before || typeof placementId !== 'string'
  if (isKept || (await isPlacement(tx, projectId, placementId))) return []
  return [{ path: 'placementId', message: 'placementId must name a placement of this project, or be null' }]
}

/** 409 `CONFLICT` when the key names another experiment, whatever its status, or a flag. */
export async function refuseTakenKey(
  { tx, projectId }: Edit,
  { id, key }: Pick<Experiment, 'id' | 'key'>,
): Promise<void> {
  const other = await findExperiment(tx, projectId, { key })
  if (other && other.id !== id) throw conflict(`There is an experiment ${key} already; choose another key`)
  if ((await listFlagsOfKey(tx, projectId, key)).length > 0) throw conflict(sharedKey(key, 'flag'))
}

export async function refuseOverfull({ tx, projectId }: Edit): Promise<void> {
  if ((await countRunning(tx, projectId)) >= MAX_RUNNING)
    throw conflict(`${MAX_RUNNING} experiments run, which is the most at once; stop or pause one first`)
}
