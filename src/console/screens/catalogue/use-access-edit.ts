import { api, read } from '../../api/client'
import type { Schemas } from '../../api/schemas'
import { useEdit } from '../../kit/edit'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { FILE } from './use-catalogue'

export type AccessView = Schemas['Access']

export interface AccessState {
  identifier: string
  displayName: string
  description: string
  metadata: Record<string, unknown>
}

export const ACCESS_LIST = '/dashboard/projects/{projectId}/access'
export const ACCESS = '/dashboard/projects/{projectId}/access/{id}'

const toState = ({ identifier, displayName, description, metadata }: AccessView): AccessState => ({
  identifier,
  displayName,
  description: description ?? '',
  metadata,
})

const BLANK: AccessState = { identifier: '', displayName: '', description: '', metadata: {} }

/** The draft of an access level; null = a new one. */
export function useAccessEdit(access: AccessView | null, onSaved: () => void) {
  const t = useText('catalogue')
  const common = useText('common')
  const { path } = useProject()
  const params = { path: { ...path, id: access?.id ?? '' } }
  const bodyOf = (state: AccessState) => ({
    ...state,
    description: state.description === '' ? null : state.description,
  })
  return useEdit({
    name: `access.${path.projectId}.${access?.id ?? 'new'}`,
    saved: access ? { value: toState(access), revision: access.revision } : { value: BLANK, revision: null },
    lines: (state: AccessState) => [
      { key: 'identifier', label: t.identifier, text: state.identifier },
      { key: 'displayName', label: common.name, text: state.displayName },
      { key: 'description', label: common.description, text: state.description },
      { key: 'metadata', label: t.metadata, text: JSON.stringify(state.metadata) },
    ],
    save: (state, header) =>
      access
        ? api.patch(ACCESS, { params: { ...params, header }, body: bodyOf(state) })
        : api.post(ACCESS_LIST, { params: { path }, body: bodyOf(state) }),
    readNewest: async () => {
      const newest = await read(ACCESS, { params })
      return { value: toState(newest), revision: newest.revision }
    },
    refreshes: [ACCESS_LIST, FILE],
    onSaved: ({ identifier }) => {
      toast(common.savedName(identifier))
      onSaved()
    },
  })
}
