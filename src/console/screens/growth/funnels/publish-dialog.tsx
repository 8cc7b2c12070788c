import type { FunnelContent } from '../../../../core/funnel/model'
import { api } from '../../../api/client'
import { useAction, useRead } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Facts } from '../../../kit/card'
import { ChangeTable, changesBetween } from '../../../kit/changes'
import { Dialog } from '../../../kit/dialog'
import { Skeleton } from '../../../kit/empty'
import { FormFailure } from '../../../kit/failure'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { linesOf } from './lines'
import { stateOf } from './model'
import { type Builder, REFRESHES } from './use-funnel-edit'
import { useFunnelWords, useOfferingName } from './use-words'

/** What will be published, in words beside what is live. Enter does not publish: the focus is on Cancel. */
export function PublishDialog({ builder, onClose }: { builder: Builder; onClose: () => void }) {
  const t = useText('funnels')
  const common = useText('common')
  const { path } = useProject()
  const { funnel, problems, reason } = builder
  const warned = problems.warnings.length + problems.lacks.length
  const params = { path: { ...path, id: funnel.id } }
  const versions = useRead('/dashboard/projects/{projectId}/funnels/{id}/versions', { params })
  const next = (versions.data?.items[0]?.versionNo ?? 0) + 1
  const action = usePublish(builder, next, onClose)
  return (
    <Dialog title={t.publishTitle(next, funnel.name)} onClose={onClose} isWide>
      <FormFailure error={action.error} />
      <LiveChanges builder={builder} />
      <Facts
        items={[
          [t.newVisitorsSee, t.atOnce],
          [t.openSessions, funnel.currentVersionNo === null ? t.none : t.stayOn(funnel.currentVersionNo)],
          [t.pricesAndCatalogue, t.doNotChange],
        ]}
      />
      <p className="text-sm text-ink-2">{t.goingBack}</p>
      {warned > 0 && <p className="text-sm text-warn">{t.publishedWithWarnings(warned)}</p>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button data-first onClick={onClose}>
          {common.cancel}
        </Button>
        <Button variant="primary" busy={action.busy} reason={reason} onClick={() => action.submit(undefined)}>
          {t.publish(next)}
        </Button>
      </div>
    </Dialog>
  )
}

function usePublish(builder: Builder, next: number, onClose: () => void) {
  const t = useText('funnels')
  const { funnel, edit } = builder
  const before = funnel.currentVersionNo
  const revert = useRevert(builder)
  const { path } = useProject()
  // What was just saved: the funnel itself may still be read again.
  const revision = edit.draft.base.revision ?? funnel.revision
  const init = { params: { path: { ...path, id: funnel.id } }, headers: { 'If-Match': `"${revision}"` } }
  return useAction({
    run: () => api.post('/dashboard/projects/{projectId}/funnels/{id}/publish', init),
    refreshes: REFRESHES,
    onDone: ({ currentVersionNo, revision: saved }) => {
      const offer = before !== null &&
        currentVersionNo === next && {
          offer: { label: t.revertTo(before), run: () => revert.submit({ versionNo: before, revision: saved }) },
        }
      toast(currentVersionNo === next ? t.published(next) : t.publishedAlready(currentVersionNo ?? 0), { ...offer })
      onClose()
    },
  })
}

/** The way back after publishing: the draft is the version before again, and the dialog shows what publishing it changes. */
function useRevert({ funnel }: Builder) {
  const t = useText('funnels')
  const { path } = useProject()
  const [, setParams] = useParams()
  return useAction({
    run: ({ versionNo, revision }: { versionNo: number; revision: number }) =>
      api.post('/dashboard/projects/{projectId}/funnels/{id}/revert', {
        params: { path: { ...path, id: funnel.id } },
        headers: { 'If-Match': `"${revision}"` },
        body: { versionNo },
      }),
    refreshes: REFRESHES,
    onDone: (_funnel, { versionNo }) => {
      toast(t.reverted(versionNo))
      setParams({ do: 'publish' })
    },
    onFailure: useFailureToast(),
  })
}

function LiveChanges({ builder: { funnel, edit } }: { builder: Builder }) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const offeringName = useOfferingName()
  const { path } = useProject()
  const live = useRead(
    '/dashboard/projects/{projectId}/funnels/{id}/preview-document',
    { params: { path: { ...path, id: funnel.id }, query: { version: 'published' } } },
    { enabled: funnel.currentVersionNo !== null },
  )
  if (funnel.currentVersionNo === null) return <p className="text-sm text-ink-2">{t.firstVersion}</p>
  if (!live.data) return <Skeleton lines={3} />
  const draft = edit.draft.base.value
  const before = stateOf(draft, live.data.document as unknown as FunnelContent, offeringName)
  const changes = changesBetween(linesOf(before, words), linesOf(draft, words))
  if (changes.length === 0) return <p className="text-sm text-ink-2">{t.noChanges}</p>
  return (
    <>
      <p className="text-sm text-ink-2">{t.changesAgainst(changes.length, funnel.currentVersionNo)}</p>
      <ChangeTable changes={changes} />
    </>
  )
}
