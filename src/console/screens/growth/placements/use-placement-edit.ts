import { useLocation } from 'wouter'
import { api, read } from '../../../api/client'
import { useEvery } from '../../../api/every'
import { useEdit } from '../../../kit/edit'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { useWords } from '../flags/use-words'
import { useFunnels } from '../use-funnels'
import {
  BLANK,
  type PlacementState,
  type PlacementView,
  type Row,
  type Target,
  targetKey,
  toBody,
  toState,
} from './model'

const PATH = '/dashboard/projects/{projectId}/placements/{id}'
const LIST = '/dashboard/projects/{projectId}/placements'

/** What a row can show, with its name. */
export function useTargets(): { key: string; name: string }[] {
  const t = useText('growth')
  const { path } = useProject()
  const funnels = useFunnels()
  const { items: experiments } = useEvery('/dashboard/projects/{projectId}/experiments', {
    params: { path, query: { limit: 200 } },
  })
  const { items: offerings } = useEvery('/dashboard/projects/{projectId}/offerings', {
    params: { path, query: { limit: 200 } },
  })
  return [
    { key: 'none', name: t.showNothing },
    ...funnels.map(({ id, name }) => ({ key: `funnel:${id}`, name: `${t.kinds.funnel}: ${name}` })),
    ...experiments
      .filter(({ type }) => type === 'FUNNEL')
      .map(({ id, name }) => ({ key: `experiment:${id}`, name: `${t.kinds.experiment}: ${name}` })),
    ...offerings.map(({ id, identifier }) => ({ key: `offering:${id}`, name: `${t.offering}: ${identifier}` })),
  ]
}

/** How rows are called. */
export function useRowWords() {
  const { t, audiences, audienceName } = useWords()
  const targets = useTargets()
  const targetName = (target: Target | null) =>
    target === null
      ? t.nothingChosen
      : (targets.find(({ key }) => key === targetKey(target))?.name ?? targetKey(target))
  const whoOf = ({ audienceId }: Pick<Row, 'audienceId'>) =>
    audienceId === null ? t.everybody : audienceName(audienceId)
  return { t, audiences, targets, targetName, whoOf }
}

/** The draft of a placement; null = a new one. */
export function usePlacementEdit(placement: PlacementView | null) {
  const common = useText('common')
  const { t, targetName, whoOf } = useRowWords()
  const { base, path } = useProject()
  const [, navigate] = useLocation()
  const params = { path: { ...path, id: placement?.id ?? '' } }
  return useEdit({
    name: `placement.${path.projectId}.${placement?.id ?? 'new'}`,
    saved: placement ? { value: toState(placement), revision: placement.revision } : { value: BLANK, revision: null },
    lines: ({ identifier, name, isActive, rows }: PlacementState) => [
      { key: 'identifier', label: t.identifier, text: identifier },
      { key: 'name', label: common.name, text: name },
      { key: 'isActive', label: common.state, text: isActive ? t.active : t.inactive },
      ...rows.map((row, index) => ({
        key: `row.${index}`,
        label: t.rowAt(index + 1),
        text: `${whoOf(row)}: ${targetName(row.target)}`,
      })),
    ],
    save: (state, header) =>
      placement
        ? api.patch(PATH, { params: { ...params, header }, body: toBody(state) })
        : api.post(LIST, { params: { path }, body: toBody(state) }),
    readNewest: async () => {
      const newest = await read(PATH, { params })
      return { value: toState(newest), revision: newest.revision }
    },
    refreshes: [LIST, '/dashboard/projects/{projectId}/project-file', '/dashboard/projects/{projectId}/audiences'],
    onSaved: ({ id }) => {
      if (!placement) navigate(`${base}/growth/placements/${id}`, { replace: true })
    },
  })
}
