import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'wouter'
import { api } from '../../../api/client'
import { useAction, useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Button } from '../../../kit/button'
import { Card, Columns, Facts } from '../../../kit/card'
import { CopyText, Id } from '../../../kit/copy'
import { Dialog } from '../../../kit/dialog'
import { Skeleton } from '../../../kit/empty'
import { Failure, FormFailure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { toast } from '../../../kit/toast'
import { Money, Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { PersonLink } from '../../../parts/person-link'
import { useText } from '../../../text/catalogue'
import { pageName } from './lines'
import { toState } from './model'
import { pageIn } from './pages'
import { SESSION_TONES } from './sessions'
import { useFunnelWords } from './use-words'

type Detail = Schemas['FunnelSessionWithAnswers']

/** One visitor, for support: the way through, the payment, and a new link into the app. */
export default function FunnelSession() {
  const t = useText('funnels')
  const common = useText('common')
  const { id } = useParams<{ id: string }>()
  const { base, path } = useProject()
  const session = useRead(
    '/dashboard/projects/{projectId}/funnel-sessions/{id}',
    { params: { path: { ...path, id } } },
    { keep: false },
  )
  const funnel = useRead(
    '/dashboard/projects/{projectId}/funnels/{id}',
    { params: { path: { ...path, id: session.data?.funnelId ?? '' } } },
    { enabled: session.data !== undefined },
  )
  const crumbs = [
    [common.funnels, `${base}/growth/funnels`] as const,
    ...(funnel.data ? [[funnel.data.name, `${base}/growth/funnels/${funnel.data.id}?tab=sessions`] as const] : []),
  ]
  const { data } = session
  const nameOf = useNames(funnel.data)
  return (
    <Page
      title={t.visitor}
      crumbs={crumbs}
      beside={data && <State tone={SESSION_TONES[data.state]}>{t.sessionStates[data.state]}</State>}
      purpose={data && <CopyText text={data.id} />}
      actions={data && data.paidAt !== null && <ClaimLink id={data.id} />}
    >
      {data ? (
        <Columns main={<WayThrough session={data} nameOf={nameOf} />} side={<About session={data} />} />
      ) : session.error ? (
        <Failure error={session.error} onRetry={() => void session.refetch()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </Page>
  )
}

/** How the pages of the session are called: by the draft, because a version has the same ids. */
function useNames(funnel: Schemas['FunnelOfProject'] | undefined): (id: string) => string {
  const words = useFunnelWords()
  return (id) => {
    const state = funnel && toState(funnel)
    const page = state && pageIn(state, id)
    return page ? pageName(page, state, words) : id
  }
}

function WayThrough({ session, nameOf }: { session: Detail; nameOf: (id: string) => string }) {
  const t = useText('funnels')
  return (
    <Card title={t.wayThrough} aside={t.pageCount(session.path.length)}>
      <ol className="divide-y divide-line">
        {session.path.map((page) => (
          <li key={page} className="grid gap-1 py-2 text-sm md:grid-cols-[minmax(0,1fr)_minmax(0,1.5fr)]">
            <b className="font-medium">{nameOf(page)}</b>
            <ul className="grid gap-1">
              {session.answers
                .filter(({ pageId }) => pageId === page)
                .map((answer) => (
                  <li key={answer.fieldId} className="flex flex-wrap justify-between gap-2">
                    <span className="wrap-anywhere">
                      <span className="font-mono text-xs text-ink-2">{answer.fieldId}</span>{' '}
                      {answer.isSensitive ? t.sealed : answerText(answer.value)}
                    </span>
                    <span className="text-xs text-ink-2">
                      <Time at={answer.answeredAt} absolute />
                    </span>
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** A consent has the text that was shown beside what was chosen. */
function answerText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (value !== null && typeof value === 'object') return JSON.stringify(value)
  return String(value ?? '—')
}

/** The payment of a session, as the server reports it. */
interface PaymentView {
  id: string
  status: string
  package_identifier: string
  amount: { amountMicros: number; currency: string }
}

function Payment({ payment }: { payment: PaymentView }) {
  const t = useText('funnels')
  const { id, status, package_identifier: packageIdentifier, amount } = payment
  return (
    <Facts
      items={[
        [t.stateOfSession, t.paymentStates[status] ?? status],
        [t.package, packageIdentifier],
        [t.amount, <Money key="m" micros={amount.amountMicros} currency={amount.currency} />],
        ['ID', <Id key="i" id={id} />],
      ]}
    />
  )
}

function About({ session }: { session: Detail }) {
  const t = useText('funnels')
  const { payment, subscriberId, utm } = session
  return (
    <>
      <Card title={t.payment}>
        {payment ? (
          <Payment payment={payment as unknown as PaymentView} />
        ) : (
          <p className="text-sm text-ink-2">{t.noPayment}</p>
        )}
      </Card>
      <Card title={t.visitor}>
        <Facts
          items={[
            [t.person, subscriberId === null ? null : <PersonLink key="p" id={subscriberId} />],
            [t.started, <Time key="s" at={session.startedAt} absolute />],
            [t.lastStep, <Time key="a" at={session.activeAt} absolute />],
            [t.source, utm.utm_source ?? session.referrer],
            [t.groups.utm_campaign, utm.utm_campaign ?? null],
            [t.country, session.country],
            [t.groups.device, session.device],
            [t.language, session.locale],
            [t.version, session.versionNo],
            [t.placement, session.placement],
            [t.groups.variant, session.variantId],
          ]}
        />
      </Card>
    </>
  )
}

/** A new link into the app: mailed to the buyer, or shown once. */
function ClaimLink({ id }: { id: string }) {
  const t = useText('funnels')
  const common = useText('common')
  const { can } = useProject()
  const [isOpen, setOpen] = useState(false)
  const reason = can('subscribers:write') ? null : common.roleNeeded(roleFor('subscribers:write'))
  return (
    <>
      <Button icon={<Link2 aria-hidden size={14} />} reason={reason} onClick={() => setOpen(true)}>
        {t.newClaimLink}
      </Button>
      {isOpen && <ClaimDialog id={id} onClose={() => setOpen(false)} />}
    </>
  )
}

function ClaimDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useText('funnels')
  const { path } = useProject()
  const action = useAction({
    run: (deliver: 'mail' | 'show') =>
      api.post('/dashboard/projects/{projectId}/funnel-sessions/{id}/claim-link', {
        params: { path: { ...path, id } },
        body: { deliver },
      }),
    onDone: ({ token }) => {
      if (token !== null) return
      toast(t.linkMailed)
      onClose()
    },
  })
  const made = action.result?.token ? action.result : null
  return (
    <Dialog title={t.newClaimLink} onClose={onClose}>
      <p className="text-sm text-ink-2">{t.claimLinkHint}</p>
      <FormFailure error={action.error} />
      {made && <CopyText text={made.universalLinkUrl ?? made.deepLinkUrl ?? made.token ?? ''} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button busy={action.busy} onClick={() => action.submit('show')}>
          {t.showOnce}
        </Button>
        <Button variant="primary" busy={action.busy} onClick={() => action.submit('mail')}>
          {t.mailIt}
        </Button>
      </div>
    </Dialog>
  )
}
