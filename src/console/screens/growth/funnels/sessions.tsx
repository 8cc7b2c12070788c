import { useList } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { State, type Tone } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { pageName } from './lines'
import { pageIn } from './pages'
import type { Builder } from './use-funnel-edit'
import { useFunnelWords } from './use-words'

type SessionState = Schemas['FunnelSession']['state']

export const SESSION_TONES: Record<SessionState, Tone> = {
  IN_PROGRESS: 'info',
  PAID: 'warn',
  COMPLETED: 'good',
  ABANDONED: 'mute',
}

/** The visitors of the funnel, newest first. */
export function Sessions({ builder: { funnel, state } }: { builder: Builder }) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const { path, base } = useProject()
  const list = useList('/dashboard/projects/{projectId}/funnels/{id}/sessions', {
    params: { path: { ...path, id: funnel.id }, query: {} },
  })
  const nameOf = (id: string) => {
    const page = pageIn(state, id)
    return page ? pageName(page, state, words) : id
  }
  const stateOf = (one: SessionState) => <State tone={SESSION_TONES[one]}>{t.sessionStates[one]}</State>
  return (
    <Card flush>
      <DataTable
        label={t.tabs.sessions}
        list={list}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${base}/growth/funnels/sessions/${id}`}
        empty={<Empty title={t.noSessions}>{t.noSessionsHint}</Empty>}
        phone={{
          lines: (session) => ({
            title: nameOf(session.currentPageId),
            amount: stateOf(session.state),
            detail: session.utm.utm_source ?? session.referrer ?? t.direct,
            aside: <Time at={session.startedAt} />,
          }),
        }}
        columns={[
          { title: t.started, cell: ({ startedAt }) => <Time at={startedAt} absolute /> },
          { title: t.stateOfSession, cell: (session) => stateOf(session.state) },
          { title: t.lastPage, cell: ({ currentPageId }) => nameOf(currentPageId) },
          { title: t.source, isExtra: true, cell: ({ utm, referrer }) => utm.utm_source ?? referrer ?? t.direct },
          { title: t.country, isExtra: true, cell: ({ country }) => country ?? '—' },
          { title: t.groups.device, isExtra: true, cell: ({ device }) => device },
          { title: t.version, isNumber: true, isExtra: true, cell: ({ versionNo }) => versionNo },
        ]}
      />
    </Card>
  )
}
