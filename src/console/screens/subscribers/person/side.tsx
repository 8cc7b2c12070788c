import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { canRenew, isTroubled } from '../../../../core/purchase/status'
import { useList, useRead } from '../../../api/queries'
import { Card, Facts } from '../../../kit/card'
import { CopyText } from '../../../kit/copy'
import { Failure } from '../../../kit/failure'
import { Count, Money, Time } from '../../../kit/values'
import { now } from '../../../lib/clock'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { PersonLink } from '../../../parts/person-link'
import { SandboxNote } from '../../../parts/sandbox-note'
import { useHref } from '../../../parts/use-href'
import { type Purchase, useLines, usePerson } from '../../../parts/use-person'
import { useWords, wordOf } from '../../../parts/words'

/** Facts beside the main part: money, balances, attributes, experiments, other names. */
export const Side = () => (
  <>
    <MoneyCard />
    <Balances />
    <Attributes />
    <Experiments />
    <Names />
  </>
)

/** A link that opens a sheet of this screen. */
export function SheetLink({ sheet, children }: { sheet: string; children: ReactNode }) {
  const [values, set] = useParams()
  const next = new URLSearchParams(values)
  next.set('do', sheet)
  return (
    <Link
      data-edit={sheet === 'attributes' || undefined}
      href={`?${next.toString()}`}
      onClick={(event) => {
        event.preventDefault()
        set({ do: sheet }, { push: true })
      }}
      className="text-accent hover:underline"
    >
      {children}
    </Link>
  )
}

const GIVEN_BACK = new Set(['REFUND', 'CHARGEBACK'])

function MoneyCard() {
  const { t } = useWords()
  const href = useHref()
  const { purchases, subscriber } = usePerson()
  const { lines, isCut, error } = useLines()
  const { environment } = useProject()
  const paid = lines.filter((line) => line.environment === environment && (line.price?.amountMicros ?? 0) !== 0)
  const isSandboxAlone =
    environment === 'PRODUCTION' && lines.length > 0 && lines.every((line) => line.environment === 'SANDBOX')
  const net = paid.reduce((sum, { usdMicros }) => sum + (usdMicros ?? 0), 0)
  const refunds = paid.filter(({ kind }) => GIVEN_BACK.has(kind)).length
  const unconverted = paid.filter(({ usdMicros }) => usdMicros === null).length
  const rows = (children: ReactNode) => (
    <Link href={href('/revenue/transactions', { subscriberId: subscriber.id })} className="text-accent hover:underline">
      {children}
    </Link>
  )
  return (
    <Card title={t.money} footer={isSandboxAlone ? <SandboxNote /> : isCut ? t.newest200 : undefined}>
      {error ? (
        <Failure error={error} />
      ) : (
        <Facts
          items={[
            [t.net, rows(<Money micros={net} currency="USD" />)],
            [t.charges, rows(<Count value={paid.length - refunds} />)],
            [t.refunds, rows(<Count value={refunds} />)],
            ...(unconverted > 0 ? [[t.unconverted, <Count key="u" value={unconverted} />] as const] : []),
            [
              t.nextCharge,
              <NextCharge key="n" purchases={purchases.filter((one) => one.environment === environment)} />,
            ],
          ]}
        />
      )}
    </Card>
  )
}

function NextCharge({ purchases }: { purchases: readonly Purchase[] }) {
  const { t } = useWords()
  if (purchases.some(({ status }) => isTroubled(status))) return <span className="text-warn">{t.retrying}</span>
  const next = purchases
    .filter(({ autoRenews, status, store }) => autoRenews && store !== 'MANUAL' && canRenew(status))
    .flatMap(({ expiresAt, price }) =>
      expiresAt !== null && new Date(expiresAt).getTime() > now() ? [{ expiresAt, price }] : [],
    )
    .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1))[0]
  if (!next) return <>—</>
  return (
    <>
      {next.price && next.price.amountMicros > 0 && (
        <>
          <Money micros={next.price.amountMicros} currency={next.price.currency} />{' '}
        </>
      )}
      <span className="text-ink-2">
        <Time at={next.expiresAt} day />
      </span>
    </>
  )
}

function Balances() {
  const { t } = useWords()
  const { path } = useProject()
  const { balances, subscriber } = usePerson()
  const ledger = useList('/dashboard/projects/{projectId}/subscribers/{id}/ledger', {
    params: { path: { ...path, id: subscriber.id }, query: { limit: 4 } },
  })
  const codes = Object.entries(balances)
  return (
    <Card title={t.balances} aside={<SheetLink sheet="ledger">{t.ledger}</SheetLink>}>
      {codes.length === 0 && <p className="text-sm text-ink-2">{t.noBalances}</p>}
      <dl>
        {codes.map(([code, value]) => (
          <div key={code} className="flex items-baseline justify-between gap-4 py-1">
            <dt className="text-ink-2">{code}</dt>
            <dd className="text-2xl font-medium tracking-[-0.022em]">
              <Count value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <ul className="divide-y divide-line text-xs">
        {ledger.items.slice(0, 4).map((entry) => (
          <li key={entry.id} className="grid grid-cols-[3.5rem_minmax(0,1fr)_auto] gap-2 py-1.5">
            <span className={entry.amount > 0 ? 'text-good tabular-nums' : 'tabular-nums'}>
              {entry.amount > 0 && '+'}
              <Count value={entry.amount} />
            </span>
            <span className="truncate text-ink-2" title={entry.description ?? undefined}>
              {entry.description ?? wordOf(t.ledgerTypes, entry.type)}
            </span>
            <span className="text-ink-2">
              <Time at={entry.createdAt} day />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Attributes() {
  const { t } = useWords()
  const { attributes } = usePerson()
  return (
    <Card title={t.attributes} aside={<SheetLink sheet="attributes">{t.allOf(attributes.length)}</SheetLink>}>
      {attributes.length === 0 ? (
        <p className="text-sm text-ink-2">{t.noAttributes}</p>
      ) : (
        <Facts
          items={attributes.slice(0, 6).map(({ key, value }) => [
            <span key={key} className="block max-w-28 truncate" title={key}>
              {key}
            </span>,
            <bdi key={`${key}v`} title={value}>
              {value}
            </bdi>,
          ])}
        />
      )}
    </Card>
  )
}

function Experiments() {
  const { t } = useWords()
  const { path } = useProject()
  const href = useHref()
  const { assignments, subscriber, erased } = usePerson()
  const { data } = useRead(
    '/dashboard/projects/{projectId}/subscribers/{id}/evaluation',
    { params: { path: { ...path, id: subscriber.id }, query: {} } },
    { enabled: !erased },
  )
  const flags = data?.flags ?? []
  return (
    <Card title={t.inExperiments}>
      {assignments.length === 0 ? (
        <p className="text-sm text-ink-2">{t.noExperiments}</p>
      ) : (
        <Facts
          items={assignments.map(({ key, experimentId, variantId, exposedAt }) => [
            <Link
              key={key}
              href={href(`/growth/experiments/${experimentId}`)}
              title={key}
              className="block max-w-40 truncate text-accent hover:underline"
            >
              {key}
            </Link>,
            <span key={variantId} title={exposedAt === null ? t.notSeen : exposedAt}>
              {variantId}
              {exposedAt === null && <span className="text-ink-2"> · {t.notSeen}</span>}
            </span>,
          ])}
        />
      )}
      {flags.length > 0 && (
        <>
          <h3 className="pt-3 text-xs text-ink-2">{t.flagsTitle}</h3>
          <Facts
            items={flags.slice(0, 8).map(({ key, value, reason }) => [
              <span key={key} className="block max-w-44 truncate" title={key}>
                {key}
              </span>,
              <code key={reason} className="font-mono text-xs" title={`${JSON.stringify(value)} ${reason}`}>
                {JSON.stringify(value)}
              </code>,
            ])}
          />
        </>
      )}
    </Card>
  )
}

function Names() {
  const { t } = useWords()
  const { aliases, subscriber } = usePerson()
  return (
    <Card title={t.alsoKnownAs}>
      {subscriber.deviceKey === null && subscriber.appUserId === null && aliases.length === 0 && (
        <p className="text-sm text-ink-2">{t.noAliases}</p>
      )}
      <ul className="grid gap-1">
        {subscriber.appUserId !== null && (
          <li className="grid grid-cols-[4rem_minmax(0,1fr)] items-center gap-2">
            <span className="text-xs text-ink-2">{t.account}</span>
            <CopyText text={subscriber.appUserId} />
          </li>
        )}
        {subscriber.deviceKey !== null && (
          <li className="grid grid-cols-[4rem_minmax(0,1fr)] items-center gap-2">
            <span className="text-xs text-ink-2">{t.device}</span>
            <CopyText text={subscriber.deviceKey} />
          </li>
        )}
        {aliases.map(({ id, deviceKey }) => (
          <li key={id} className="grid grid-cols-[4rem_minmax(0,1fr)] items-center gap-2">
            <span className="text-xs text-ink-2">{t.alias}</span>
            <PersonLink id={id} name={deviceKey} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
