import { parseIso, toIso } from '../../../base/lib/time'
import { contentByName, sortDeep } from '../../../core/project-file/content'
import { FUNNELS } from '../../../funnels/publication/project-file/form'
import { OFFERINGS } from '../../../projects/catalog/project-file/offerings'
import { label, reference } from '../../../projects/project-file/fields'
import { form, type Member, may, must, orNone } from '../../../projects/project-file/form'
import { sectionKey } from '../../../projects/project-file/model'
import { sentenceOf, stepsOf } from '../../../projects/project-file/problem'
import {
  drawnAs,
  drawsAny,
  list,
  type Members,
  number,
  oneOf,
  type Read,
  type Spot,
  text,
  toJson,
  unique,
  type Written,
  writtenAs,
} from '../../../projects/project-file/reader'
import { audienceName } from '../../audiences/project-file/form'
import { bucketBy } from '../../flags/project-file/form'
import { checkExperiment } from '../check'
import type { ExperimentState } from '../file-state'
import type { ExperimentStatus, ExperimentType, Variant } from '../model'

/** Without a status, the saved status is kept; a new experiment becomes a DRAFT. */
export type WantedExperiment = Omit<ExperimentState, 'status'> & { status: ExperimentStatus | null }

export const EXPERIMENTS = sectionKey<ExperimentState, WantedExperiment>('experiments', 'experiment')

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

const json: Written<unknown> = writtenAs(
  drawnAs({}, (spot) => toJson(spot.node)),
  sortDeep,
)

const funnel: Written<unknown> = writtenAs(
  (spot) => {
    const slug = reference(FUNNELS)(spot)
    return slug && { funnel: slug }
  },
  (value) => (value as { funnel: string }).funnel, // As it was read.
)

/** The slug of the funnel that a variant of a FUNNEL experiment shows. */
export const funnelOf = ({ value }: Variant): string => (value as { funnel: string }).funnel // The reader made it.

const VALUES: Record<ExperimentType, Member<unknown>> = {
  FLAG: must(json, null),
  OFFERING: must<unknown>(reference(OFFERINGS), ''),
  FUNNEL: must(funnel, { funnel: '' }, 'funnel'),
}

const variant = (type: ExperimentType) =>
  form<Variant>({
    id: must(text(255), ''),
    name: must(label, ''),
    weight: must(number(0, 1), 0),
    value: VALUES[type],
  })

/** Without a valid type, the variants cannot be checked. `owner` is the experiment; null while it is written. */
const variantsOf = (type: ExperimentType | null, owner: Spot | null): Written<Variant[]> =>
  writtenAs(
    (spot) => {
      const anyType = TYPES.map((one) => list(variant(one), MANY))
      if (drawsAny(spot, anyType) || type === null) return []
      const before = spot.problemCount
      const found = list(variant(type), MANY)(spot)
      // If a variant has a problem, a check of the whole list (the sum of the weights) would only report it again.
      if (owner && found && spot.problemCount === before) recordFaults(owner, type, found)
      return found
    },
    (variants) => variants.map((one) => variant(type ?? 'FLAG').write(one)),
  )

function recordFaults(owner: Spot, type: ExperimentType, variants: readonly Variant[]): void {
  const rows = type === 'FUNNEL' ? variants.map(withFunnelId) : variants
  for (const fault of checkExperiment({ key: 'key', type, variants: rows }))
    owner.failAt(stepsOf(fault.path), sentenceOf(fault))
}

/** A variant in the form that the check of saved experiments requires. */
const withFunnelId = (found: Variant): Variant => ({ ...found, value: { funnelId: funnelOf(found) } })

/** All members but the type, on which the values of the variants depend. */
const experimentForm = (type: ExperimentType | null, owner: Spot | null) =>
  form({
    name: must(label, ''),
    audience: orNone(audienceName),
    bucketBy: orNone(bucketBy),
    metrics: may(unique(list(label, MAX_METRICS)), []),
    mutualExclusionGroup: orNone(label),
    scheduledStartAt: orNone(instant),
    scheduledStopAt: orNone(instant),
    variants: must(variantsOf(type, owner), []),
    status: orNone(oneOf(STATUSES)),
  })

export const readExperiment = (members: Members, spot: Spot): WantedExperiment => {
  const type = members.required<ExperimentType | null>('type', oneOf(TYPES), null)
  return { ...experimentForm(type, spot).from(members, spot), type: type ?? 'FLAG' }
}

/** The content of the experiments in an exported file. */
export const experimentsContent = (saved: readonly { name: string; state: ExperimentState }[]) =>
  contentByName(saved, ({ type, ...state }) => {
    const { name, ...members } = experimentForm(type, null).write(state)
    return { name, type, ...members }
  })
