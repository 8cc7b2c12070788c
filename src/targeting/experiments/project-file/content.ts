import { type Content, contentByName, sortDeep, withoutNulls } from '../../../projects/project-file/content'
import type { Saved } from '../../../projects/project-file/model'
import type { ExperimentState } from '../file-state'
import type { Variant } from '../model'

/** The content of the experiments in an exported file. */
export const experimentsContent = (saved: readonly Saved<ExperimentState>[]): Content =>
  contentByName(saved, experimentContent)

const experimentContent = ({ type, variants, metrics, ...state }: ExperimentState): Content =>
  withoutNulls({
    name: state.name,
    type,
    audience: state.audience,
    bucketBy: state.bucketBy,
    metrics: metrics.length > 0 ? metrics : null,
    mutualExclusionGroup: state.mutualExclusionGroup,
    scheduledStartAt: state.scheduledStartAt,
    scheduledStopAt: state.scheduledStopAt,
    variants: variants.map((variant) => variantContent(type, variant)),
    status: state.status,
  })

const variantContent = (type: ExperimentState['type'], { id, name, weight, value }: Variant): Content => ({
  id,
  name,
  weight,
  ...(type === 'FUNNEL' ? (value as { funnel: string }) : { value: sortDeep(value) }),
})
