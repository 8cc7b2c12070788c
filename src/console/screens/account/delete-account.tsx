import { Link } from 'wouter'
import { api } from '../../api/client'
import { ApiFailure } from '../../api/failure'
import { queries, useAction } from '../../api/queries'
import { Confirm } from '../../kit/dialog'
import { forgetDrafts } from '../../kit/draft'
import { useSession } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** Deletes the own account. Who still owns projects is refused, with their names. */
export function DeleteAccount({ onClose }: { onClose: () => void }) {
  const t = useText('account')
  const { me } = useSession()
  const action = useAction({
    run: () => api.delete('/dashboard/me', { body: { confirmEmail: me.email } }),
    onDone: () => {
      queries.clear()
      forgetDrafts()
      location.assign('/sign-in')
    },
  })
  return (
    <Confirm
      title={t.deleteAccount}
      action={t.deleteAccount}
      typed={me.email}
      busy={action.busy}
      error={action.error}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.deleteAccountEffect}</p>
      <Owned error={action.error} />
    </Confirm>
  )
}

function Owned({ error }: { error: Error | null }) {
  const t = useText('account')
  const projects = ownedOf(error)
  if (projects.length === 0) return null
  return (
    <div className="grid gap-1">
      <p>{t.ownsProjects}</p>
      <ul className="list-disc pl-5">
        {projects.map(({ id, name }) => (
          <li key={id} className="break-words">
            {name}
          </li>
        ))}
      </ul>
      <Link href="/projects" className="text-accent hover:underline">
        {t.toProjects}
      </Link>
    </div>
  )
}

function ownedOf(error: Error | null): { id: string; name: string }[] {
  if (!(error instanceof ApiFailure) || error.code !== 'OWNS_PROJECTS') return []
  return (error.details.projects ?? []) as { id: string; name: string }[]
}
