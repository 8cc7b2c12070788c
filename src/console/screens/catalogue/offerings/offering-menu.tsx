import { api } from '../../../api/client'
import { useProject } from '../../../lib/session'
import { ObjectMenu } from '../../../parts/object-menu'
import { useText } from '../../../text/catalogue'
import type { OfferingView } from './model'

export function OfferingMenu({ offering, reason }: { offering: OfferingView; reason: string | null }) {
  const t = useText('catalogue')
  const { base, path } = useProject()
  const { id, identifier, revision } = offering
  return (
    <ObjectMenu
      name={identifier}
      reason={reason}
      effect={<p>{offering.isDefault ? t.deleteDefaultEffect : t.deleteOfferingEffect}</p>}
      onDelete={() =>
        api.delete('/dashboard/projects/{projectId}/offerings/{id}', {
          params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } },
        })
      }
      refreshes={['/dashboard/projects/{projectId}/offerings']}
      next={`${base}/catalogue/offerings`}
    />
  )
}
