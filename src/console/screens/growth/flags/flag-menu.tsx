import { MoreHorizontal } from 'lucide-react'
import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Confirm } from '../../../kit/dialog'
import { Menu } from '../../../kit/menu'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { ENVIRONMENTS, type FlagView } from './model'

export const MENU_BUTTON =
  'inline-flex size-7.5 items-center justify-center rounded-control border border-line-2 bg-surface text-ink-2 hover:bg-hover hover:text-ink max-md:size-9'

/** What can be done with a whole flag. */
export function FlagMenu({ flag, reason }: { flag: FlagView; reason: string | null }) {
  const t = useText('growth')
  const common = useText('common')
  const { base, path, hasRole } = useProject()
  const [, navigate] = useLocation()
  const [params, setParams] = useParams()
  const ids = ENVIRONMENTS.flatMap((env) => flag.environments[env]?.id ?? [])
  const remove = useAction({
    run: async () => {
      for (const id of ids)
        await api.delete('/dashboard/projects/{projectId}/feature-flags/{id}', { params: { path: { ...path, id } } })
    },
    refreshes: ['/dashboard/projects/{projectId}/feature-flags', '/dashboard/projects/{projectId}/project-file'],
    onDone: () => {
      toast(common.deleted)
      navigate(`${base}/growth`)
    },
  })
  return (
    <>
      <Menu
        className={MENU_BUTTON}
        label={
          <>
            <MoreHorizontal aria-hidden size={15} />
            <span className="sr-only">{common.more}</span>
          </>
        }
        items={[
          ...(hasRole('ADMIN')
            ? [{ label: t.history, href: `${base}/settings/audit-log?target=${ids[0] ?? flag.key}` }]
            : []),
          {
            label: common.delete,
            isDangerous: true,
            reason,
            onSelect: () => setParams({ do: 'delete' }, { push: true }),
          },
        ]}
      />
      {params.get('do') === 'delete' && (
        <Confirm
          title={t.deleteFlag(flag.key)}
          action={common.delete}
          typed={flag.key}
          busy={remove.busy}
          error={remove.error}
          onClose={() => setParams({ do: null })}
          onConfirm={() => remove.submit(undefined)}
        >
          <p>{t.deleteFlagEffect(ids.length)}</p>
        </Confirm>
      )}
    </>
  )
}
