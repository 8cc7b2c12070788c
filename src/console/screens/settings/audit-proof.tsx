import { useRead } from '../../api/queries'
import { Facts } from '../../kit/card'
import { Code, Id } from '../../kit/copy'
import { Dialog } from '../../kit/dialog'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { State } from '../../kit/state'
import { Count } from '../../kit/values'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** The server computes the chain of hashes again, from the first row to the newest. */
export function AuditProof({ onClose }: { onClose: () => void }) {
  const t = useText('settings')
  const c = useText('common')
  const { path } = useProject()
  const proof = useRead('/dashboard/projects/{projectId}/audit-log/proof', { params: { path } })
  const { data } = proof
  return (
    <Dialog title={t.proof} onClose={onClose}>
      <p className="text-sm text-ink-2">{t.proofHint}</p>
      {!data && proof.error && <Failure error={proof.error} onRetry={() => void proof.refetch()} />}
      {!data && !proof.error && <Skeleton lines={3} />}
      {data && (
        <>
          <Facts
            items={[
              [
                c.state,
                <State key="state" tone={data.ok ? 'good' : 'bad'}>
                  {data.ok ? t.chainWhole : t.chainBroken}
                </State>,
              ],
              [t.rows, <Count key="count" value={data.count} />],
              ...(data.firstBadId === null ? [] : [[t.firstBad, <Id key="bad" id={data.firstBadId} />] as const]),
            ]}
          />
          <Code label={t.head} text={data.head} />
          <p className="text-xs text-ink-2">{t.headHint}</p>
        </>
      )}
    </Dialog>
  )
}
