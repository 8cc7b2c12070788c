import { api } from '../../../api/client'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { ObjectMenu } from '../object-menu'
import { ENVIRONMENTS, type FlagView } from './model'

/** What can be done with a whole flag. */
export function FlagMenu({ flag, reason }: { flag: FlagView; reason: string | null }) {
  const t = useText('growth')
  const { base, path, hasRole } = useProject()
  const ids = ENVIRONMENTS.flatMap((env) => flag.environments[env]?.id ?? [])
  const history = { label: t.history, href: `${base}/settings/audit-log?target=${ids[0] ?? flag.key}` }
  return (
    <ObjectMenu
      name={flag.key}
      items={hasRole('ADMIN') ? [history] : []}
      reason={reason}
      effect={<p>{t.deleteFlagEffect(ids.length)}</p>}
      onDelete={async () => {
        for (const id of ids)
          await api.delete('/dashboard/projects/{projectId}/feature-flags/{id}', { params: { path: { ...path, id } } })
      }}
      refreshes={['/dashboard/projects/{projectId}/feature-flags']}
      next={`${base}/growth`}
    />
  )
}
