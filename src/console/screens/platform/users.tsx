import { useState } from 'react'
import { api } from '../../api/client'
import { useAction, useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Confirm } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { DataTable } from '../../kit/table'
import { toast } from '../../kit/toast'
import { Count, Time } from '../../kit/values'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { PlatformPage } from './platform-page'
import { SearchBox } from './search-box'

type User = Schemas['UserSummary']

/** All people who can sign in. */
export default function Users() {
  const t = useText('platform')
  const c = useText('common')
  const [q] = useParam('q')
  const [signedOut, setSignedOut] = useState<User | null>(null)
  const list = useList('/admin/users', { params: { query: { q } } })
  return (
    <PlatformPage title={c.users} purpose={t.usersPurpose} filters={<SearchBox label={t.searchUsers} />}>
      <Card flush>
        <DataTable
          label={c.users}
          list={list}
          keyOf={({ id }) => id}
          empty={<Empty title={c.nothingFound} />}
          columns={[
            { title: t.mail, cell: ({ email }) => email, whole: ({ email }) => email },
            { title: t.verified, isExtra: true, cell: ({ emailVerified }) => (emailVerified ? c.yes : c.no) },
            { title: t.twoFactor, isExtra: true, cell: ({ twoFactorEnabled }) => (twoFactorEnabled ? c.on : c.off) },
            { title: c.projects, isNumber: true, isExtra: true, cell: ({ projects }) => <Count value={projects} /> },
            { title: t.lastSeen, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
            {
              title: <span className="sr-only">{c.actions}</span>,
              isNumber: true,
              cell: (user) => (
                <Button variant="quiet" onClick={() => setSignedOut(user)}>
                  {c.signOut}
                </Button>
              ),
            },
          ]}
        />
      </Card>
      {signedOut && <SignOutUser user={signedOut} onClose={() => setSignedOut(null)} />}
    </PlatformPage>
  )
}

function SignOutUser({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useText('platform')
  const c = useText('common')
  const action = useAction({
    run: () => api.post('/admin/users/{id}/sign-out', { params: { path: { id: user.id } }, body: {} }),
    refreshes: ['/admin'],
    onDone: () => {
      onClose()
      toast(t.isSignedOut(user.email))
    },
  })
  return (
    <Confirm
      title={t.signOutTitle(user.email)}
      action={c.signOut}
      busy={action.busy}
      error={action.error}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.signOutEffect}</p>
    </Confirm>
  )
}
