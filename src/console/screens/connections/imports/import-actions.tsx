import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Facts } from '../../../kit/card'
import { Confirm } from '../../../kit/dialog'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { Count } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { canCancel, canUndo, type Job, PATH } from './model'

type Verb = 'commit' | 'resume' | 'cancel' | 'undo'

/** What can be done with the import in its state. Writing and taking back are asked for first. */
export function ImportActions({ job }: { job: Job }) {
  const failed = useFailureToast()
  const t = useText('moving')
  const { path } = useProject()
  const [doing, setDoing] = useParam('do')
  const act = useAction({
    run: (verb: Verb) => api.post(`${PATH}/{id}/${verb}`, { params: { path: { ...path, id: job.id } }, body: {} }),
    refreshes: [PATH, '/dashboard/projects/{projectId}/subscribers'],
    onDone: () => setDoing(null),
    onFailure: (error) => doing === '' && failed(error),
  })
  const ask = (verb: Verb) => () => {
    act.reset()
    setDoing(verb, { push: true })
  }
  return (
    <>
      {canCancel(job) && <Button onClick={ask('cancel')}>{t.importVerbs.cancel}</Button>}
      {canUndo(job) && <Button onClick={ask('undo')}>{t.importVerbs.undo}</Button>}
      {job.status === 'VERIFICATION_INCOMPLETE' && (
        <Button variant="primary" onClick={() => act.submit('resume')} busy={act.busy}>
          {t.importVerbs.resume}
        </Button>
      )}
      {job.status === 'DRY_RUN_COMPLETE' && (
        <Button variant="primary" onClick={ask('commit')} reason={job.counters.valid === 0 ? t.nothingToCommit : null}>
          {t.importVerbs.commit}
        </Button>
      )}
      {(doing === 'commit' || doing === 'cancel' || doing === 'undo') && (
        <Confirm
          title={t.importVerbs[doing]}
          action={t.importVerbs[doing]}
          onConfirm={() => act.submit(doing)}
          onClose={() => setDoing(null)}
          busy={act.busy}
          error={act.error}
        >
          <Effect verb={doing} job={job} />
        </Confirm>
      )}
    </>
  )
}

/** Its effect, with the figures of this import. */
function Effect({ verb, job: { counters, unknownProducts } }: { verb: 'commit' | 'cancel' | 'undo'; job: Job }) {
  const t = useText('moving')
  const rows: Record<typeof verb, readonly (readonly [string, number])[]> = {
    commit: [
      [t.rowsGood, counters.valid],
      [t.rowsWrong, counters.invalid],
      [t.unknownProducts, unknownProducts.length],
    ],
    cancel: [],
    undo: [
      [t.peopleNew, counters.subscribersNew],
      [t.purchasesNew, counters.purchasesNew],
      [t.purchasesUpdated, counters.purchasesUpdated],
    ],
  }
  return (
    <>
      <p>{t.importMeans[verb]}</p>
      {rows[verb].length > 0 && (
        <Facts items={rows[verb].map(([name, value]) => [name, <Count key={name} value={value} />])} />
      )}
    </>
  )
}
