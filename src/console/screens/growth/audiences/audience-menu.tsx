import { api } from '../../../api/client'
import { useProject } from '../../../lib/session'
import { ObjectMenu } from '../../../parts/object-menu'
import { useText } from '../../../text/catalogue'
import type { AudienceView } from './use-audience-edit'

export function AudienceMenu({ audience, reason }: { audience: AudienceView; reason: string | null }) {
  const t = useText('growth')
  const { base, path } = useProject()
  const { id, name, revision, references } = audience
  return (
    <ObjectMenu
      name={name}
      reason={reason ?? (references.length > 0 ? t.inUse(references.length) : null)}
      effect={<p>{t.deleteAudienceEffect}</p>}
      onDelete={() =>
        api.delete('/dashboard/projects/{projectId}/audiences/{id}', {
          params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } },
        })
      }
      refreshes={['/dashboard/projects/{projectId}/audiences']}
      next={`${base}/growth/audiences`}
    />
  )
}
