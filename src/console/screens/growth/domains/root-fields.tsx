import { useList } from '../../../api/queries'
import { Field, Select, TextInput } from '../../../kit/field'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'

/** What the root of a name shows: a funnel, else the address that it leads to; both empty = nothing. */
export interface Root {
  funnelId: string
  address: string
}

export const rootBody = ({ funnelId, address }: Root) => ({
  rootFunnelId: funnelId === '' ? null : funnelId,
  redirectTo: address.trim() === '' ? null : address.trim(),
})

export function RootFields({ root, onChange }: { root: Root; onChange: (root: Root) => void }) {
  const t = useText('domains')
  const { path } = useProject()
  const { items } = useList('/dashboard/projects/{projectId}/funnels', { params: { path, query: {} } })
  const published = items.filter(({ status, id }) => status === 'PUBLISHED' || id === root.funnelId)
  return (
    <>
      <Field label={t.rootFunnel} name="rootFunnelId" hint={t.rootFunnelHint}>
        <Select
          value={root.funnelId}
          onChange={(event) => onChange({ ...root, funnelId: event.target.value })}
          options={[['', t.noFunnel], ...published.map(({ id, name }) => [id, name] as const)]}
        />
      </Field>
      {root.funnelId === '' && (
        <Field label={t.redirectTo} name="redirectTo" hint={t.redirectHint} isOptional>
          <TextInput
            value={root.address}
            onChange={(event) => onChange({ ...root, address: event.target.value })}
            className="font-mono"
            spellCheck={false}
          />
        </Field>
      )}
    </>
  )
}
