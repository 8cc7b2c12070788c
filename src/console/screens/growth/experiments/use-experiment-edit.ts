import { useLocation } from 'wouter'
import { api, read } from '../../../api/client'
import { useEdit } from '../../../kit/edit'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { valueText } from '../flags/model'
import { useWords } from '../flags/use-words'
import { BLANK, changeOf, type ExperimentState, type ExperimentView, toState } from './model'

const PATH = '/dashboard/projects/{projectId}/experiments/{id}'
export const LIST = '/dashboard/projects/{projectId}/experiments'
export const REFRESHES = [
  LIST,
  '/dashboard/projects/{projectId}/project-file',
  '/dashboard/projects/{projectId}/audiences',
]

/** The draft of an experiment; null = a new one. */
export function useExperimentEdit(experiment: ExperimentView | null) {
  const words = useWords()
  const common = useText('common')
  const { t } = words
  const { base, path } = useProject()
  const [, navigate] = useLocation()
  const params = { path: { ...path, id: experiment?.id ?? '' } }
  return useEdit({
    name: `experiment.${path.projectId}.${experiment?.id ?? 'new'}`,
    saved: experiment
      ? { value: toState(experiment), revision: experiment.revision }
      : { value: BLANK, revision: null },
    lines: (state: ExperimentState) => [
      { key: 'name', label: common.name, text: state.name },
      { key: 'key', label: t.flagKey, text: state.key },
      { key: 'type', label: t.experimentOver, text: t.experimentTypes[state.type] },
      {
        key: 'audience',
        label: t.audience,
        text: state.audienceId === null ? t.everybody : words.audienceName(state.audienceId),
      },
      ...state.variants.map(({ id, name, weight, value }) => ({
        key: `variant.${id}`,
        label: t.variantCalled(id),
        text: `${name}, ${words.percent(weight)}: ${valueText(value)}`,
      })),
      { key: 'metrics', label: t.conversionEvents, text: state.metrics.join(', ') },
      { key: 'bucketBy', label: t.drawBy, text: state.bucketBy ?? '' },
      { key: 'group', label: t.exclusionGroup, text: state.mutualExclusionGroup ?? '' },
      { key: 'start', label: t.scheduledStart, text: state.scheduledStartAt ?? '' },
      { key: 'stop', label: t.scheduledStop, text: state.scheduledStopAt ?? '' },
      { key: 'placement', label: t.kinds.placement, text: state.placementId ?? '' },
    ],
    save: (state, header, before) =>
      experiment
        ? api.patch(PATH, { params: { ...params, header }, body: changeOf(state, before) })
        : api.post(LIST, { params: { path }, body: state }),
    readNewest: async () => {
      const newest = await read(PATH, { params })
      return { value: toState(newest), revision: newest.revision }
    },
    refreshes: REFRESHES,
    onSaved: ({ id }) => {
      if (!experiment) navigate(`${base}/growth/experiments/${id}`, { replace: true })
    },
  })
}
