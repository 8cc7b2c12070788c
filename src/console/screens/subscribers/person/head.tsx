import { ArrowLeftRight, Ellipsis, Gift, RotateCcw } from 'lucide-react'
import { givesAccess } from '../../../../core/purchase/status'
import { api } from '../../../api/client'
import { useAction, useRead } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { CopyText } from '../../../kit/copy'
import { Menu } from '../../../kit/menu'
import { Chip, State, toneOf } from '../../../kit/state'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { Time } from '../../../kit/values'
import { type Capability, roleFor, useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { Identicon } from '../../../parts/identicon'
import { PersonLink } from '../../../parts/person-link'
import { PERSON_PATHS, type Person, type Purchase, usePerson } from '../../../parts/use-person'
import { useWords, wordOf } from '../../../parts/words'
import { useText } from '../../../text/catalogue'

/**
 * The most important purchase of the person: the one that gives access longest, else the newest. One without an end
 * gives access only when there is access without an end: it may be a pack of coins.
 */
const leading = ({ purchases, access }: Person): Purchase | undefined => {
  const isForEver = Object.values(access).some(({ expiresDate }) => expiresDate === null)
  const live = purchases.filter(({ status, expiresAt }) => givesAccess(status) && (expiresAt !== null || isForEver))
  return (
    live.sort((a, b) => ((a.effectiveEnd ?? '9') > (b.effectiveEnd ?? '9') ? -1 : 1))[0] ??
    purchases.find(({ expiresAt }) => expiresAt !== null) ??
    purchases[0]
  )
}

export function PersonState() {
  const { t, status } = useWords()
  const c = useText('common')
  const person = usePerson()
  const { mergedInto, erased } = person
  if (erased) return <Chip tone="bad">{t.erased}</Chip>
  if (mergedInto !== null) return <Chip>{t.merged}</Chip>
  const one = leading(person)
  return (
    <>
      {one ? <Chip tone={toneOf(one.status)}>{status(one.status)}</Chip> : <Chip>{t.statusNone}</Chip>}
      {person.environment === 'SANDBOX' && <Chip tone="warn">{c.sandbox}</Chip>}
    </>
  )
}

/** Id, device, country, since, seen. */
export function Head() {
  const { t } = useWords()
  const { path } = useProject()
  const { subscriber, attributes, erased } = usePerson()
  const { data } = useRead(
    '/dashboard/projects/{projectId}/subscribers/{id}/evaluation',
    { params: { path: { ...path, id: subscriber.id }, query: {} } },
    { enabled: !erased },
  )
  const platform = data?.builtIns['svc.platform'] ?? null
  const country = attributes.find(({ key }) => key === 'country')?.value
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-1">
      <span className="inline-flex items-center gap-2">
        <Identicon id={subscriber.id} size={28} />
        <CopyText text={subscriber.id} shown={`${subscriber.id.slice(0, 12)}…${subscriber.id.slice(-4)}`} />
      </span>
      {platform !== null && <span>{wordOf(t.platforms, platform)}</span>}
      {country !== undefined && <span className="max-w-40 truncate">{country}</span>}
      <span>
        {t.since} <Time at={subscriber.firstSeenAt} day absolute />
      </span>
      <State tone="mute">
        {t.seen} <Time at={subscriber.lastSeenAt} />
      </State>
    </span>
  )
}

/** Why nothing can be done with the person at all; null when they are live. */
export function useBlocked(): string | null {
  const { t } = useWords()
  const { erased, mergedInto } = usePerson()
  if (erased) return t.isErased
  return mergedInto === null ? null : t.isMerged
}

export function Actions() {
  const { t } = useWords()
  const c = useText('common')
  const { can } = useProject()
  const [, set] = useParams()
  const blocked = useBlocked()
  const reasonFor = (capability: Capability) => blocked ?? (can(capability) ? null : c.roleNeeded(roleFor(capability)))
  const open = (sheet: string) => () => set({ do: sheet }, { push: true })
  const sync = useSync()
  return (
    <>
      <Button icon={<Gift aria-hidden size={14} />} onClick={open('grant')} reason={reasonFor('subscribers:write')}>
        {t.grant}
      </Button>
      <Button icon={<RotateCcw aria-hidden size={14} />} onClick={open('refund')} reason={reasonFor('refunds:write')}>
        {t.refund}
      </Button>
      <Button
        icon={<ArrowLeftRight aria-hidden size={14} />}
        onClick={open('transfer')}
        reason={reasonFor('subscribers:write')}
      >
        {t.transfer}
      </Button>
      <Menu
        className="inline-flex size-7.5 items-center justify-center rounded-control border border-line-2 bg-surface text-ink hover:bg-hover max-md:size-9"
        label={
          <>
            <Ellipsis aria-hidden size={16} />
            <span className="sr-only">{c.more}</span>
          </>
        }
        items={[
          { label: t.credits, onSelect: open('credits'), reason: reasonFor('credits:write') },
          { label: t.schedule, onSelect: open('schedule'), reason: reasonFor('subscribers:write') },
          { label: t.editAttributes, onSelect: open('attributes'), reason: reasonFor('subscribers:write') },
          {
            label: t.sync,
            onSelect: sync,
            reason: blocked ?? (can('products:write') ? null : c.roleNeeded('DEVELOPER')),
          },
          'line',
          {
            label: t.dataRequest,
            onSelect: open('dsar'),
            reason: can('subscribers:gdpr') ? null : c.roleNeeded(roleFor('subscribers:gdpr')),
          },
        ]}
      />
    </>
  )
}

function useSync(): () => void {
  const failed = useFailureToast()
  const { t, store } = useWords()
  const { path } = useProject()
  const { subscriber } = usePerson()
  const action = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/transactions/sync', {
        params: { path },
        body: { subscriberId: subscriber.id },
      }),
    refreshes: PERSON_PATHS,
    onDone: ({ queued, stores }) => toast(queued ? t.synced(stores.map(store).join(', ')) : t.nothingToAsk),
    onFailure: failed,
  })
  return () => action.submit(undefined)
}

/** What became of a row that is no longer a live person. */
export function Notes() {
  const { t } = useWords()
  const { erased, mergedInto } = usePerson()
  if (erased) return <p className="rounded-control bg-bad-soft px-3 py-2 text-sm text-bad">{t.erasedNote}</p>
  if (mergedInto === null) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control bg-hover px-3 py-2 text-sm">
      {t.mergedInto}
      <PersonLink id={mergedInto} name={t.openTarget} />
    </p>
  )
}
