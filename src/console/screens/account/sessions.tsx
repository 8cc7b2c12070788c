import { useState } from 'react'
import { api } from '../../api/client'
import { useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Page } from '../../kit/page'
import { Chip } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { Removal } from '../../parts/removal'
import { useText } from '../../text/catalogue'
import { browserOf } from './browser-name'

type Session = Schemas['UserSession']

const PATH = '/dashboard/me/sessions'

/** Where the account is open. */
export default function Sessions() {
  const t = useText('account')
  const c = useText('common')
  const [ended, setEnded] = useState<Session | 'others' | null>(null)
  const list = useList(PATH, {})
  const hasOthers = list.items.some(({ current }) => !current)
  return (
    <Page
      title={c.sessions}
      purpose={t.sessionsPurpose}
      actions={
        <Button reason={hasOthers ? null : t.noOthers} onClick={() => setEnded('others')}>
          {t.endOthers}
        </Button>
      }
    >
      <Card flush>
        <DataTable
          label={c.sessions}
          list={list}
          keyOf={({ id }) => id}
          columns={[
            {
              title: t.browser,
              whole: ({ userAgent }) => userAgent,
              cell: ({ userAgent, current }) => (
                <span className="inline-flex items-center gap-2">
                  {browserOf(userAgent) ?? t.unknownBrowser}
                  {current && <Chip tone="info">{t.thisOne}</Chip>}
                </span>
              ),
            },
            { title: t.ip, isExtra: true, cell: ({ ip }) => <span className="font-mono text-xs">{ip}</span> },
            { title: t.signedIn, isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: t.lastSeen, isNamed: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
            {
              title: <span className="sr-only">{c.actions}</span>,
              isNumber: true,
              cell: (session) =>
                !session.current && (
                  <Button variant="quiet" onClick={() => setEnded(session)}>
                    {t.end}
                  </Button>
                ),
            },
          ]}
        />
      </Card>
      {ended && <End ended={ended} onClose={() => setEnded(null)} />}
    </Page>
  )
}

function End({ ended, onClose }: { ended: Session | 'others'; onClose: () => void }) {
  const t = useText('account')
  const isAll = ended === 'others'
  return (
    <Removal
      title={isAll ? t.endOthers : t.endTitle}
      word={isAll ? t.endOthers : t.end}
      done={t.sessionEnded}
      run={() =>
        isAll ? api.delete(PATH, {}) : api.delete('/dashboard/me/sessions/{id}', { params: { path: { id: ended.id } } })
      }
      refreshes={[PATH]}
      onClose={onClose}
    >
      {t.endEffect}
    </Removal>
  )
}
