import { useState } from 'react'
import { api } from '../../api/client'
import { useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { DataTable } from '../../kit/table'
import { Count, Time } from '../../kit/values'
import { useParam } from '../../lib/url-state'
import { Removal } from '../../parts/removal'
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
    <PlatformPage title={c.users} purpose={t.usersPurpose} search={<SearchBox label={t.searchUsers} />}>
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
            { title: t.lastSeen, isNamed: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
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
  return (
    <Removal
      title={t.signOutTitle(user.email)}
      word={c.signOut}
      done={t.isSignedOut(user.email)}
      run={() => api.post('/admin/users/{id}/sign-out', { params: { path: { id: user.id } }, body: {} })}
      refreshes={['/admin']}
      onClose={onClose}
    >
      <p>{t.signOutEffect}</p>
    </Removal>
  )
}
