import { ENVIRONMENTS, type FlagType } from '../../../../core/flag/names'
import { api } from '../../../api/client'
import { CopyButton } from '../../../kit/copy'
import { Chip } from '../../../kit/state'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { ObjectMenu } from '../../../parts/object-menu'
import { useText } from '../../../text/catalogue'
import type { FlagView } from './model'

interface FlagActionsProps {
  flag: FlagView
  reason: string | null
}

/** Beside the title: the key to copy, and what kind of value it has. */
export function FlagBeside({ flagKey, type }: { flagKey: string; type: FlagType }) {
  const t = useText('growth')
  return (
    <>
      <CopyButton text={flagKey} />
      <Chip>{t.types[type]}</Chip>
    </>
  )
}

export function FlagActions(props: FlagActionsProps) {
  const t = useText('common')
  return (
    <>
      <span className="text-sm text-ink-2">
        {t.updatedAt} <Time at={props.flag.updatedAt} />
      </span>
      <FlagMenu {...props} />
    </>
  )
}

/** What can be done with a whole flag. */
function FlagMenu({ flag, reason }: FlagActionsProps) {
  const t = useText('growth')
  const { base, path, hasRole } = useProject()
  const flags = ENVIRONMENTS.flatMap((env) => flag.environments[env] ?? [])
  const history = { label: t.history, href: `${base}/settings/audit-log?target=${flags[0]?.id ?? flag.key}` }
  return (
    <ObjectMenu
      name={flag.key}
      items={hasRole('ADMIN') ? [history] : []}
      reason={reason}
      effect={<p>{t.deleteFlagEffect(flags.length)}</p>}
      onDelete={() =>
        api.delete('/dashboard/projects/{projectId}/feature-flags/by-key/{key}', {
          params: { path: { ...path, key: flag.key }, header: { 'If-Match': `"${flag.revision}"` } },
        })
      }
      refreshes={['/dashboard/projects/{projectId}/feature-flags']}
      next={`${base}/growth`}
    />
  )
}
