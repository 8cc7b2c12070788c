import { useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Card, Facts } from '../../../kit/card'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Chip } from '../../../kit/state'
import { PlainTable } from '../../../kit/table'
import { Count, Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import {
  type Call,
  fateOf,
  isOffered,
  type Outcome,
  PATH,
  purchasesOf,
  refusalsOf,
  sdkName,
  type Version,
  versionsOf,
} from './model'

/** The SDKs that called in the last 30 days, their purchases, and what they were refused. */
export function Seen({ isCounted }: { isCounted: boolean }) {
  const { path } = useProject()
  const { data, error, refetch } = useRead(`${PATH}/calls`, { params: { path } })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  return (
    <>
      <BoughtThere calls={data.calls} />
      <Versions seen={data} isCounted={isCounted} />
      <Refusals calls={data.calls} />
    </>
  )
}

function BoughtThere({ calls }: { calls: readonly Call[] }) {
  const t = useText('moving')
  const { booked, kept, refused } = purchasesOf(calls)
  return (
    <Card title={t.purchasesOfApps} footer={t.purchasesOfAppsHint}>
      <Facts
        items={[
          [t.purchasesBooked, <Count key="b" value={booked} />],
          [t.purchasesKept, <Count key="k" value={kept} />],
          [t.purchasesRefused, <Count key="r" value={refused} />],
        ]}
      />
    </Card>
  )
}

function Versions({ seen, isCounted }: { seen: Schemas['SdkSeen']; isCounted: boolean }) {
  const t = useText('moving')
  return (
    <Card title={t.sdkVersions} footer={t.sdkVersionsHint} flush>
      <PlainTable
        label={t.sdkVersions}
        rows={versionsOf(seen)}
        keyOf={({ platform, flavor, version }) => `${platform} ${flavor} ${version}`}
        empty={<Empty title={t.noSdkCalls}>{isCounted ? t.noSdkCallsWhy : t.sdkCallsNotCounted}</Empty>}
        phone={{
          lines: (one) => ({
            title: sdkName(one),
            amount: t.devicesOf(one.devices),
            detail: <Works version={one} />,
            aside: <Time at={one.lastDay} day absolute />,
          }),
        }}
        columns={[
          { title: 'SDK', cell: sdkName },
          { title: t.appVersions, cell: ({ apps }) => apps || '—', isExtra: true },
          { title: t.devices, cell: ({ devices }) => <Count value={devices} />, isNumber: true },
          { title: t.whatWorks, cell: (one) => <Works version={one} /> },
          { title: t.ownEvents, cell: ({ vendorEvents }) => t.eventsGo[vendorEvents], isExtra: true },
          { title: t.sdkCalls, cell: ({ calls }) => <Count value={calls} />, isNumber: true },
          { title: t.lastDay, cell: ({ lastDay }) => <Time at={lastDay} day absolute /> },
        ]}
      />
    </Card>
  )
}

/** Access that was refused and purchases that wait or were refused come before other refused calls. */
function Works({ version: { purchases, withoutAccess, refused } }: { version: Version }) {
  const t = useText('moving')
  if (withoutAccess > 0) return <Chip tone="bad">{t.accessRefusedOf(withoutAccess)}</Chip>
  if (purchases.kept > 0) return <Chip tone="warn">{t.keptOf(purchases.kept)}</Chip>
  if (purchases.refused > 0) return <Chip tone="bad">{t.refusedOf(purchases.refused)}</Chip>
  if (refused > 0) return <Chip>{t.otherRefusals(refused)}</Chip>
  return <Chip tone="good">{t.everythingWorks}</Chip>
}

function Refusals({ calls }: { calls: readonly Call[] }) {
  const t = useText('moving')
  const rows = refusalsOf(calls)
  if (rows.length === 0) return null
  return (
    <Card title={t.notAnsweredWell} flush>
      <PlainTable
        label={t.notAnsweredWell}
        rows={rows}
        keyOf={(one) => Object.values(one).join(' ')}
        phone={{
          lines: (one) => ({
            title: <CallName name={one.call} />,
            amount: <Count value={one.count} />,
            detail: <Fate outcome={one} />,
            aside: sdkName(one),
          }),
        }}
        columns={[
          { title: t.sdkCall, cell: ({ call }) => <CallName name={call} /> },
          { title: 'SDK', cell: sdkName },
          { title: t.outcome, cell: (one) => <Fate outcome={one} /> },
          { title: t.sdkCalls, cell: ({ count }) => <Count value={count} />, isNumber: true },
        ]}
      />
    </Card>
  )
}

function CallName({ name }: { name: string }) {
  const words: Readonly<Record<string, string>> = useText('moving').sdkCallNames
  return words[name] ?? name
}

function Fate({ outcome }: { outcome: Outcome }) {
  const t = useText('moving')
  const words: Readonly<Record<string, string>> = t.sdkOutcomes
  const fate = fateOf(outcome)
  if (fate === 'kept') return <Chip tone="warn">{t.keptOutcome}</Chip>
  if (!isOffered(outcome)) return <Chip>{t.notOffered}</Chip>
  return <Chip tone={fate === 'refused' ? 'bad' : 'mute'}>{words[outcome.outcome] ?? t.codeOf(outcome.outcome)}</Chip>
}
