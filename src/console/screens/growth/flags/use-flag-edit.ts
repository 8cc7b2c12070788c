import { api, read } from '../../../api/client'
import { useEdit } from '../../../kit/edit'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { type FlagState, type FlagView, toBody, toState } from './model'
import { useWords } from './use-words'
import { flagLines, withoutOrder } from './words'

const PATH = '/dashboard/projects/{projectId}/feature-flags/by-key/{key}'
const FLAGS = '/dashboard/projects/{projectId}/feature-flags'

/** The draft of a flag over all environments. */
export function useFlagEdit(flag: FlagView) {
  const { path } = useProject()
  const words = useWords()
  const params = { path: { ...path, key: flag.key } }
  const [, setParams] = useParams()
  return useEdit({
    name: `flag.${path.projectId}.${flag.key}`,
    saved: { value: toState(flag), revision: flag.revision },
    lines: (state: FlagState) => flagLines(state, words),
    tidy: withoutOrder,
    save: (state, header) => api.put(PATH, { params: { ...params, header }, body: toBody(state) }),
    readNewest: async () => {
      const newest = await read(PATH, { params })
      return { value: toState(newest), revision: newest.revision }
    },
    refreshes: [FLAGS, '/dashboard/projects/{projectId}/project-file', '/dashboard/projects/{projectId}/audiences'],
    onSaved: () => setParams({ do: null }),
  })
}
