import { useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Card } from '../../../kit/card'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Because } from '../../../kit/mark'
import { Chip } from '../../../kit/state'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { type ExperimentView, variantsOf } from './model'
import { ResultRows } from './result-rows'

type Results = Schemas['ExperimentResultsOfProject']

const EVERY_MS = 30_000

/** The results of the variants, and what can be decided. */
export function Results({ experiment }: { experiment: ExperimentView }) {
  const t = useText('growth')
  const { path } = useProject()
  const results = useRead(
    '/dashboard/projects/{projectId}/experiments/{id}/results',
    { params: { path: { ...path, id: experiment.id } } },
    { every: EVERY_MS },
  )
  const { data, error } = results
  return (
    <Card
      flush
      title={t.results}
      aside={
        data && (
          <>
            {t.computedAt} <Time at={data.computedAt} />
          </>
        )
      }
      footer={data && <Mismatch srm={data.srm} />}
    >
      {error && !data ? (
        <div className="px-4">
          <Failure error={error} onRetry={() => void results.refetch()} />
        </div>
      ) : data ? (
        <>
          <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3">
            {experiment.status === 'COMPLETED' ? (
              <Decision experiment={experiment} results={data} />
            ) : (
              <>
                <Chip tone={data.recommendation.action === 'SHIP' ? 'good' : 'mute'}>
                  {data.recommendation.action === 'SHIP' ? t.ship : t.keepRunning}
                </Chip>
                <Because>{data.recommendation.sentence}</Because>
              </>
            )}
          </div>
          <ResultRows variants={data.variants} />
        </>
      ) : (
        <Skeleton className="px-4" />
      )}
    </Card>
  )
}

/** The decision and its time. After it, the figures are shown without advice. */
function Decision({ experiment, results }: { experiment: ExperimentView; results: Results }) {
  const t = useText('growth')
  const { winnerVariantId, completedAt } = experiment
  const { decidedBy, recommendation } = results
  const winner = variantsOf(experiment).find(({ id }) => id === winnerVariantId)
  return (
    <>
      <Chip tone="info">{winner ? t.wasChosen(winner.name) : t.endedWithoutWinner}</Chip>
      <span className="text-sm text-ink-2">
        {decidedBy && <>{t.decidedBy(t.deciders[decidedBy] ?? decidedBy)} · </>}
        <Time at={completedAt} absolute />
      </span>
      <span className="text-sm text-ink-2">{t.figuresSay(recommendation.sentence)}</span>
    </>
  )
}

/** Whether people were drawn in the shares that the variants have. */
function Mismatch({ srm }: { srm: Results['srm'] }) {
  const t = useText('growth')
  return (
    <span className={srm.isMismatch ? 'text-bad' : undefined}>
      {srm.isMismatch ? t.sharesMismatch(srm.pValue.toPrecision(2)) : t.sharesFit(srm.pValue.toPrecision(2))}
    </span>
  )
}
