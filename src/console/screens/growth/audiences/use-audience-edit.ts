import { useLocation } from 'wouter'
import { api, read } from '../../../api/client'
import type { Schemas } from '../../../api/schemas'
import { useEdit } from '../../../kit/edit'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { type Rules, rulesText } from '../rules/model'

export type AudienceView = Schemas['Audience']

export interface AudienceState {
  name: string
  description: string
  rules: Rules
}

const PATH = '/dashboard/projects/{projectId}/audiences/{id}'
export const AUDIENCES = '/dashboard/projects/{projectId}/audiences'

const toState = ({ name, description, rules }: AudienceView): AudienceState => ({
  name,
  description: description ?? '',
  rules,
})

const toBody = ({ name, description, rules }: AudienceState): Schemas['AudienceRequest'] => ({
  name,
  description: description.trim() === '' ? null : description,
  rules,
})

const BLANK: AudienceState = { name: '', description: '', rules: {} }

/** The draft of an audience; null = a new one. */
export function useAudienceEdit(audience: AudienceView | null) {
  const t = useText('growth')
  const common = useText('common')
  const { base, path } = useProject()
  const [, navigate] = useLocation()
  const params = { path: { ...path, id: audience?.id ?? '' } }
  return useEdit({
    name: `audience.${path.projectId}.${audience?.id ?? 'new'}`,
    saved: audience ? { value: toState(audience), revision: audience.revision } : { value: BLANK, revision: null },
    lines: ({ name, description, rules }: AudienceState) => [
      { key: 'name', label: common.name, text: name },
      { key: 'description', label: t.description, text: description },
      { key: 'rules', label: t.rules, text: rulesText(rules) },
    ],
    save: (state, header) =>
      audience
        ? api.patch(PATH, { params: { ...params, header }, body: toBody(state) })
        : api.post(AUDIENCES, { params: { path }, body: toBody(state) }),
    readNewest: async () => {
      const newest = await read(PATH, { params })
      return { value: toState(newest), revision: newest.revision }
    },
    refreshes: [AUDIENCES, '/dashboard/projects/{projectId}/project-file'],
    onSaved: ({ id }) => {
      if (!audience) navigate(`${base}/growth/audiences/${id}`, { replace: true })
    },
  })
}
