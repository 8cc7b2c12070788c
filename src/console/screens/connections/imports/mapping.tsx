import { api } from '../../../api/client'
import { ApiFailure } from '../../../api/failure'
import { useAction, useRefresh } from '../../../api/queries'
import { newerRevision } from '../../../api/revision'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { isSame, useDraft } from '../../../kit/draft'
import { FormFailure } from '../../../kit/failure'
import { FieldErrors } from '../../../kit/field'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Conflict } from '../shared/conflict'
import { ColumnTable } from './column-table'
import { bodyOf, type Draft, draftOf } from './mapping-draft'
import { isRunning, type Job, PATH } from './model'
import { Options } from './options'
import { ValueMap } from './value-map'

/** Which column of the file is which field, how stores are named in it, and which kinds are imported. */
export function Mapping({ job }: { job: Job }) {
  const t = useText('moving')
  const common = useText('common')
  const { value: draft, base, isChanged, revision, discard, set, settle } = useMappingDraft(job)
  const setDraft = (next: Draft) => set(() => next)
  const { save, tryIt } = useMapping(job, draft, settle)
  const busy = save.busy || tryIt.busy
  const error = save.error ?? tryIt.error
  const reason = isRunning(job.status) ? t.importRuns : job.filesDeletedAt === null ? null : t.filesGone
  return (
    <Card
      title={t.columnsOfFile}
      flush
      aside={
        <>
          {isChanged && <Button onClick={discard}>{common.discard}</Button>}
          <Button
            variant={job.status === 'PENDING_MAPPING' || isChanged ? 'primary' : 'plain'}
            onClick={() => (isChanged ? save.submit(revision) : tryIt.submit(undefined))}
            busy={busy}
            reason={reason}
          >
            {isChanged ? t.saveAndTry : t.tryImport}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 py-3">
        <Conflict
          error={save.error}
          before={{ ...base.value.columns }}
          now={{ ...draftOf(job).columns }}
          onLoad={() => {
            discard()
            save.reset()
          }}
          onOverwrite={save.submit}
        />
        {newerRevision(save.error) === null && <FormFailure error={error} />}
        <MissingFields error={error} />
        <p className="text-sm text-ink-2">{job.kind === 'HISTORY' ? t.mappingHint : t.mappingHintTokens}</p>
      </div>
      <FieldErrors.Provider value={error instanceof ApiFailure ? error.fields : {}}>
        <ColumnTable job={job} draft={draft} onChange={setDraft} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-4 lg:grid-cols-2">
          <ValueMap draft={draft} onChange={setDraft} />
          <Options draft={draft} onChange={setDraft} />
        </div>
      </FieldErrors.Provider>
    </Card>
  )
}

/** The fields without which the rows cannot be read. */
function MissingFields({ error }: { error: Error | null }) {
  const t = useText('moving')
  if (!(error instanceof ApiFailure) || error.code !== 'IMPORT_MAPPING_INCOMPLETE') return null
  const { missingFields } = error.details
  return (
    <p className="text-sm text-bad">
      {t.missingFields}{' '}
      <span className="font-mono text-xs">{Array.isArray(missingFields) && missingFields.join(', ')}</span>
    </p>
  )
}

/** The draft: it stays in the tab, so a reload loses nothing. */
function useMappingDraft(job: Job) {
  const saved = draftOf(job)
  const draft = useDraft(`import.${job.id}`, { value: saved, revision: job.revision })
  const { base, set, settle } = draft
  return {
    ...draft,
    // Other changes, such as a dry run, make the revision newer and leave the mapping as it was.
    revision: isSame(saved, base.value) ? job.revision : (base.revision ?? job.revision),
    settle(after: Job) {
      set(() => draftOf(after))
      settle(after.revision, draftOf(after))
    },
  }
}

/** Saving is followed by the dry run, because without it nothing can be committed. */
function useMapping(job: Job, draft: Draft, onSaved: (saved: Job) => void) {
  const t = useText('moving')
  const { path } = useProject()
  const refresh = useRefresh()
  const at = { ...path, id: job.id }
  const tryIt = useAction({
    run: () => api.post(`${PATH}/{id}/dry-run`, { params: { path: at }, body: {} }),
    refreshes: [PATH],
  })
  const save = useAction({
    run: async (revision: number) => {
      const header = { 'If-Match': `"${revision}"` }
      onSaved(await api.patch(`${PATH}/{id}/mapping`, { params: { path: at, header }, body: bodyOf(draft) }))
      return api.post(`${PATH}/{id}/dry-run`, { params: { path: at }, body: {} })
    },
    refreshes: [PATH],
    onDone: () => toast(t.mappingSaved),
    // The mapping can be saved although the dry run was refused.
    onFailure: () => refresh(PATH),
  })
  return { save, tryIt }
}
