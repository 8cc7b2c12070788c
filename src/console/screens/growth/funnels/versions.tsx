import { useState } from 'react'
import type { FunnelContent } from '../../../../core/funnel/model'
import { api } from '../../../api/client'
import { useRead } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card, Stack } from '../../../kit/card'
import { ChangeTable, changesBetween } from '../../../kit/changes'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Select } from '../../../kit/field'
import { Chip } from '../../../kit/state'
import { PlainTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { linesOf } from './lines'
import { type FunnelState, stateOf } from './model'
import { type Builder, REFRESHES } from './use-funnel-edit'
import { useFunnelWords, useOfferingName } from './use-words'

/** What was published, when and by whom, what differs, and the way back. */
export function Versions({ builder }: { builder: Builder }) {
  const t = useText('funnels')
  const common = useText('common')
  const { path } = useProject()
  const { funnel, reason, edit } = builder
  const [reverting, setReverting] = useState<number | null>(null)
  const versions = useRead('/dashboard/projects/{projectId}/funnels/{id}/versions', {
    params: { path: { ...path, id: funnel.id } },
  })
  if (versions.error) return <Failure error={versions.error} onRetry={() => void versions.refetch()} />
  if (!versions.data) return <Skeleton />
  const rows = versions.data.items
  const unsaved = edit.draft.isChanged ? t.saveFirst : reason
  return (
    <Stack>
      <Card flush title={t.tabs.versions}>
        <PlainTable
          label={t.tabs.versions}
          rows={rows}
          keyOf={({ versionNo }) => `${versionNo}`}
          empty={<Empty title={t.noVersions}>{t.noVersionsHint}</Empty>}
          columns={[
            {
              title: t.version,
              cell: ({ versionNo }) => (
                <span className="inline-flex gap-2">
                  {t.versionNo(versionNo)}
                  {versionNo === funnel.currentVersionNo && <Chip tone="good">{t.live}</Chip>}
                </span>
              ),
            },
            { title: t.publishedAt, cell: ({ publishedAt }) => <Time at={publishedAt} absolute /> },
            { title: t.publishedBy, isExtra: true, cell: ({ publishedBy }) => publishedBy ?? t.commandLine },
            {
              title: <span className="sr-only">{common.more}</span>,
              cell: ({ versionNo }) => (
                <Button reason={unsaved} onClick={() => setReverting(versionNo)}>
                  {t.revertTo(versionNo)}
                </Button>
              ),
            },
          ]}
        />
      </Card>
      {rows.length > 0 && <Compared builder={builder} versions={rows.map(({ versionNo }) => versionNo)} />}
      {reverting !== null && <Revert builder={builder} versionNo={reverting} onClose={() => setReverting(null)} />}
    </Stack>
  )
}

interface RevertProps {
  builder: Builder
  versionNo: number
  onClose: () => void
}

function Revert({ builder: { funnel }, versionNo, onClose }: RevertProps) {
  const t = useText('funnels')
  const { path } = useProject()
  return (
    <Removal
      title={t.revertTo(versionNo)}
      done={t.reverted(versionNo)}
      run={() =>
        api.post('/dashboard/projects/{projectId}/funnels/{id}/revert', {
          params: { path: { ...path, id: funnel.id } },
          headers: { 'If-Match': `"${funnel.revision}"` },
          body: { versionNo },
        })
      }
      refreshes={REFRESHES}
      onClose={onClose}
    >
      <p>{t.revertEffect(versionNo)}</p>
    </Removal>
  )
}

/** Two versions in words beside each other. */
function Compared({ builder, versions }: { builder: Builder; versions: readonly number[] }) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const saved = builder.edit.draft.base.value
  const [from, setFrom] = useState(String(builder.funnel.currentVersionNo ?? versions[0]))
  const [to, setTo] = useState('draft')
  const before = useVersion(builder, from, saved)
  const after = useVersion(builder, to, saved)
  const options = [['draft', t.savedDraft] as const, ...versions.map((one) => [`${one}`, t.versionNo(one)] as const)]
  const changes = before && after ? changesBetween(linesOf(before, words), linesOf(after, words)) : null
  return (
    <Card
      title={t.whatDiffers}
      aside={
        <>
          <Select
            aria-label={t.from}
            className="w-auto"
            value={from}
            onChange={({ target }) => setFrom(target.value)}
            options={options}
          />
          <Select
            aria-label={t.to}
            className="w-auto"
            value={to}
            onChange={({ target }) => setTo(target.value)}
            options={options}
          />
        </>
      }
    >
      {changes === null ? (
        <Skeleton lines={3} />
      ) : changes.length === 0 ? (
        <p className="text-sm text-ink-2">{t.noChanges}</p>
      ) : (
        <ChangeTable changes={changes} />
      )}
    </Card>
  )
}

function useVersion({ funnel }: Builder, version: string, saved: FunnelState): FunnelState | null {
  const { path } = useProject()
  const offeringName = useOfferingName()
  const read = useRead(
    '/dashboard/projects/{projectId}/funnels/{id}/preview-document',
    { params: { path: { ...path, id: funnel.id }, query: { version } } },
    { enabled: version !== 'draft' },
  )
  if (version === 'draft') return saved
  return read.data ? stateOf(saved, read.data.document as unknown as FunnelContent, offeringName) : null
}
