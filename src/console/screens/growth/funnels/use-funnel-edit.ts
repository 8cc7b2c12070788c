import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, read } from '../../../api/client'
import { type Edit, useEdit } from '../../../kit/edit'
import { useProject, useReadOnly } from '../../../lib/session'
import type { FunnelFiles } from './files'
import { type Undoable, useHistory } from './history'
import { linesOf } from './lines'
import { type FunnelState, type FunnelView, toBody, toState } from './model'
import { type Problems, placed, problemsOf } from './problems'
import { useFiles } from './use-files'
import { useFunnelWords } from './use-words'

const PATH = '/dashboard/projects/{projectId}/funnels/{id}'
const VALIDATE = '/dashboard/projects/{projectId}/funnels/{id}/validate'
export const FUNNELS = '/dashboard/projects/{projectId}/funnels'
export const REFRESHES = [FUNNELS, '/dashboard/projects/{projectId}/project-file']

/** Everything that the views of the builder work with. */
export interface Builder {
  funnel: FunnelView
  edit: Edit<FunnelState>
  state: FunnelState
  steps: Undoable<FunnelState>
  change: Undoable<FunnelState>['change']
  problems: Problems
  files: FunnelFiles
  /** Why the person may change nothing. */
  reason: string | null
}

export function useBuilder(funnel: FunnelView, reason: string | null, onSaved: () => void): Builder {
  const words = useFunnelWords()
  const { path } = useProject()
  const params = { path: { ...path, id: funnel.id } }
  const edit = useEdit({
    name: `funnel.${path.projectId}.${funnel.id}`,
    saved: { value: toState(funnel), revision: funnel.revision },
    lines: (state: FunnelState) => linesOf(state, words),
    save: (state, header) => api.patch(PATH, { params: { ...params, header }, body: toBody(state) }),
    readNewest: async () => {
      const newest = await read(PATH, { params })
      return { value: toState(newest), revision: newest.revision }
    },
    refreshes: REFRESHES,
    onSaved,
  })
  const steps = useHistory(edit.draft)
  const state = edit.draft.value
  const files = useFiles()
  const problems = useProblems(funnel, state, files.known)
  return { funnel, edit, state, steps, change: steps.change, problems, files, reason }
}

/** What the rules say at once, and what only the server knows: the payment account and the products. */
function useProblems({ id, revision }: FunnelView, state: FunnelState, files: FunnelFiles['known']): Problems {
  const { path, project } = useProject()
  const hasTerms = project.termsUrl !== null
  const own = useMemo(() => problemsOf(state, hasTerms, files), [state, hasTerms, files])
  const known = useValidation(path.projectId, id, revision)
  const others = (known ?? [])
    .filter(({ path: place }) => place === 'settings.offering' || /^pages\[\d+\]\.type$/.test(place))
    .map((fault) => placed(state, fault))
    .filter(({ path: place }) => !own.faults.some((fault) => fault.path === place))
  return { ...own, faults: [...own.faults, ...others] }
}

/** The faults of the saved draft, by the server. */
function useValidation(projectId: string, id: string, revision: number) {
  const isMember = useReadOnly() === null
  const validation = useQuery({
    queryKey: [VALIDATE, id, revision],
    queryFn: () => api.post(VALIDATE, { params: { path: { projectId, id } } }),
    enabled: isMember,
  })
  return validation.data?.faults
}
