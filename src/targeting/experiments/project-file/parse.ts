import { parseIso, toIso } from '../../../base/lib/time'
import { FUNNELS } from '../../../funnels/publication/project-file/model'
import { OFFERINGS } from '../../../projects/catalog/project-file/offerings/model'
import { label, reference } from '../../../projects/project-file/fields'
import type { Wanted } from '../../../projects/project-file/model'
import { objects } from '../../../projects/project-file/objects'
import { sentenceOf, stepsOf } from '../../../projects/project-file/problem'
import {
  drawnAs,
  drawsAny,
  list,
  type Members,
  number,
  object,
  oneOf,
  type Read,
  type Spot,
  text,
  toJson,
} from '../../../projects/project-file/reader'
import { audienceName } from '../../audiences/project-file/model'
import { bucketBy } from '../../flags/project-file/bucket-by'
import { checkExperiment } from '../check'
import type { ExperimentStatus, ExperimentType, Variant } from '../model'
import { funnelOf, type WantedExperiment } from './model'

const TYPES: readonly ExperimentType[] = ['FLAG', 'FUNNEL', 'OFFERING']
const STATUSES: readonly ExperimentStatus[] = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED']
const MAX_METRICS = 50

// `checkExperiment` checks the real limit of variants; this one only bounds the work.
const MANY = 1000

const instant: Read<string> = (spot) => {
  const given = text(64)(spot)
  const at = given === undefined ? null : parseIso(given)
  if (at !== null || given === undefined) return at === null ? undefined : toIso(at)
  return spot.fail('This must be an ISO 8601 time with its offset, like 2026-12-01T08:00:00Z')
}

const json: Read<unknown> = drawnAs({}, (spot) => toJson(spot.node))

const VALUES: Record<ExperimentType, (members: Members) => unknown> = {
  FLAG: (members) => members.required('value', json, null),
  OFFERING: (members) => members.required('value', reference(OFFERINGS), ''),
  FUNNEL: (members) => ({ funnel: members.required('funnel', reference(FUNNELS), '') }),
}

const variant = (type: ExperimentType): Read<Variant> =>
  object((members) => ({
    id: members.required('id', text(255), ''),
    name: members.required('name', label, ''),
    weight: members.required('weight', number(0, 1), 0),
    value: VALUES[type](members),
  }))

const experiment = (members: Members, spot: Spot): WantedExperiment => {
  const type = members.required<ExperimentType | null>('type', oneOf(TYPES), null)
  const rest = {
    name: members.required('name', label, ''),
    audience: members.optional<string | null>('audience', audienceName, null),
    bucketBy: members.optional<string | null>('bucketBy', bucketBy, null),
    metrics: [...new Set(members.optional('metrics', list(label, MAX_METRICS), []))],
    mutualExclusionGroup: members.optional<string | null>('mutualExclusionGroup', label, null),
    scheduledStartAt: members.optional<string | null>('scheduledStartAt', instant, null),
    scheduledStopAt: members.optional<string | null>('scheduledStopAt', instant, null),
    status: members.optional<ExperimentStatus | null>('status', oneOf(STATUSES), null),
  }
  const variants = members.required('variants', variantsOf(type, spot), [])
  return { ...rest, type: type ?? 'FLAG', variants }
}

/** Without a valid type, the variants cannot be checked. */
const variantsOf =
  (type: ExperimentType | null, owner: Spot): Read<Variant[]> =>
  (spot) => {
    if (
      drawsAny(
        spot,
        TYPES.map((one) => list(variant(one), MANY)),
      )
    )
      return []
    if (type === null) return []
    const before = spot.problemCount
    const found = list(variant(type), MANY)(spot)
    // If a variant has a problem, a check of the whole list (the sum of the weights) would only report it again.
    if (found && spot.problemCount === before) recordFaults(owner, type, found)
    return found
  }

function recordFaults(owner: Spot, type: ExperimentType, variants: readonly Variant[]): void {
  const rows = type === 'FUNNEL' ? variants.map(withFunnelId) : variants
  for (const fault of checkExperiment({ key: 'key', type, variants: rows }))
    owner.failAt(stepsOf(fault.path), sentenceOf(fault))
}

/** A variant in the form that the check of saved experiments requires. */
const withFunnelId = (found: Variant): Variant => ({ ...found, value: { funnelId: funnelOf(found) } })

export const parseExperiments: Read<Wanted<WantedExperiment>[]> = objects(experiment)
