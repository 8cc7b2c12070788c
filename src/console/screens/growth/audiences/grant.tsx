import { Link } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Facts } from '../../../kit/card'
import { Dialog } from '../../../kit/dialog'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { Count } from '../../../kit/values'
import { formatNumber } from '../../../lib/format'
import { useProject } from '../../../lib/session'
import { useOnce } from '../../../lib/use-once'
import { GrantFields, useGrantTerms } from '../../../parts/grant-terms'
import { firstReason, Preview, usePreview } from '../../../parts/preview'
import { nameOf, useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'
import type { AudienceView } from './use-audience-edit'

const GRANTS = '/dashboard/projects/{projectId}/audiences/{id}/grants'
const NOTHING_CHOSEN: readonly string[] = []

interface GrantProps {
  audience: AudienceView
  reason: string | null
  onClose: () => void
}

/** Access for everyone of an audience: what, until when, and to whom. */
export function GrantToAudience({ audience, reason, onClose }: GrantProps) {
  const t = useText('growth')
  const common = useText('common')
  const { t: words, reading } = useWords()
  const terms = useGrantTerms(NOTHING_CHOSEN)
  const call = useCall(audience, terms.body)
  const preview = usePreview([audience.id, audience.revision, terms.body], call.preview, terms.isReady)
  const action = useAction({
    run: call.grant,
    refreshes: ['/dashboard/projects/{projectId}/subscribers'],
    onDone: ({ granted }) => {
      toast(t.grantedToPeople(granted, formatNumber(reading, granted)))
      onClose()
    },
  })
  const count = preview.data?.matched ?? null
  return (
    <Dialog kind="sheet" title={common.grantAccess} onClose={onClose}>
      <Form
        onSubmit={() => action.submit(undefined)}
        submit={
          count === null
            ? words.grantSubmit(terms.what)
            : t.grantToPeople(terms.what, count, formatNumber(reading, count))
        }
        busy={action.busy}
        error={action.error}
        onCancel={onClose}
        isWaiting={preview.isWaiting}
        reason={firstReason(
          reason,
          terms.isReady ? null : words.grantNothing,
          preview.error,
          count === 0 ? t.grantNobody : null,
        )}
      >
        <p className="text-sm text-ink-2">{t.grantAudienceHint}</p>
        <GrantFields terms={terms} />
        <Preview preview={preview}>{(data) => <Effect data={data} />}</Preview>
      </Form>
    </Dialog>
  )
}

function useCall({ id, revision }: AudienceView, body: Schemas['GrantRequest']) {
  const { path } = useProject()
  const once = useOnce()
  const params = { path: { ...path, id } }
  const seen = { 'If-Match': `"${revision}"` }
  return {
    preview: () => api.post(GRANTS, { params: { ...params, header: seen }, body: { ...body, dryRun: true } }),
    grant: () =>
      once([id, revision, body], (header) =>
        api.post(GRANTS, { params: { ...params, header: { ...seen, ...header } }, body }),
      ),
  }
}

function Effect({ data: { matched, unchanged, people, expiresAt } }: { data: Schemas['AudienceGrant'] }) {
  const t = useText('growth')
  const { day } = useWords()
  const { base } = useProject()
  return (
    <>
      <Facts
        items={[
          [t.grantMatched, <Count key="matched" value={matched} />],
          [t.grantUnchanged, <Count key="unchanged" value={unchanged} />],
          [t.grantEnds, expiresAt === null ? t.grantEndless : day(expiresAt)],
        ]}
      />
      {people.length > 0 && (
        <ul className="grid gap-1 text-sm" aria-label={t.grantMatched}>
          {people.map((person) => (
            <li key={person.id} className="truncate">
              <Link href={`${base}/subscribers/${person.id}`} className="text-accent hover:underline">
                {nameOf(person)}
              </Link>
            </li>
          ))}
          {matched > people.length && <li className="text-ink-2">{t.grantMore(matched - people.length)}</li>}
        </ul>
      )}
    </>
  )
}
