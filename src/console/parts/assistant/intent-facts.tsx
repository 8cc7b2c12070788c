import type { ReactNode } from 'react'
import { ChangeTable } from '../../kit/changes'
import { ScrollBox } from '../../kit/scroll-box'
import { Money } from '../../kit/values'
import { formatMoney, formatNumber } from '../../lib/format'
import { type Effects, type Intent, textOf } from '../../lib/intent'
import { useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** What would be different, and for whom: all of it computed by the server. */
export function IntentFacts({ intent: { preview, risk } }: { intent: Intent }) {
  const t = useText('intents')
  const { changes, effects, warnings } = preview
  const rows = changes.map(({ path, before, after }) => ({
    ...{ key: path, label: path, before: textOf(before), after: textOf(after) },
  }))
  return (
    <>
      {preview.lines && (
        <ScrollBox label={t.plan} className="rounded-control border border-line">
          <pre className="px-3 py-2 font-mono text-xs">{preview.lines.join('\n')}</pre>
        </ScrollBox>
      )}
      {rows.length > 0 && <ChangeTable changes={rows} />}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name={t.people}>
          <People count={effects.people} />
        </Fact>
        <Fact name={t.access}>
          <Access effects={effects} />
        </Fact>
        <Fact name={t.money}>
          {effects.money ? <Money micros={effects.money.amountMicros} currency={effects.money.currency} /> : t.noMoney}
        </Fact>
        <Fact name={t.risk}>{t.risks[risk]}</Fact>
        {effects.events.length > 0 && (
          <Fact name={t.events}>
            <span className="font-mono text-xs wrap-anywhere">{[...new Set(effects.events)].join(', ')}</span>
          </Fact>
        )}
      </dl>
      {warnings.length > 0 && (
        <ul className="grid gap-1 rounded-control bg-warn-soft px-3 py-2 text-warn">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-ink-2">{name}</dt>
    <dd className="min-w-0 font-medium tabular-nums">{children}</dd>
  </div>
)

function People({ count }: { count: number | null }) {
  const t = useText('intents')
  const reading = useReading()
  return <>{count === null ? t.notCounted : formatNumber(reading, count)}</>
}

function Access({ effects: { accessGained, accessLost } }: { effects: Effects }) {
  const t = useText('intents')
  const reading = useReading()
  if (accessGained.length + accessLost.length === 0) return <>{t.noAccess}</>
  return (
    <>
      {accessGained.map(({ access, people }) => (
        <p key={`+${access}`}>{t.gained(access, formatNumber(reading, people))}</p>
      ))}
      {accessLost.map(({ access, people }) => (
        <p key={`-${access}`} className="text-bad">
          {t.lost(access, formatNumber(reading, people))}
        </p>
      ))}
    </>
  )
}

/** The effects in a few words, for a line of the list. */
export function useShortEffects(): (intent: Intent) => string {
  const t = useText('intents')
  const reading = useReading()
  return ({ preview: { effects } }) => {
    const { money, people, accessGained, accessLost } = effects
    const parts = [
      ...(money ? [formatMoney(reading, money.amountMicros, money.currency)] : []),
      ...accessGained.map((one) => t.gained(one.access, formatNumber(reading, one.people))),
      ...accessLost.map((one) => t.lost(one.access, formatNumber(reading, one.people))),
    ]
    if (parts.length > 0) return parts.join(', ')
    return people === null ? t.nothingCounted : t.forPeople(people, formatNumber(reading, people))
  }
}
