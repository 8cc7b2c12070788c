import { Pause, Play, Square } from 'lucide-react'
import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Confirm } from '../../../kit/dialog'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { ObjectMenu } from '../../../parts/object-menu'
import { useText } from '../../../text/catalogue'
import type { ExperimentView } from './model'
import { StopDialog } from './stop'
import { LIST, REFRESHES } from './use-experiment-edit'

interface ActionsProps {
  experiment: ExperimentView
  reason: string | null
  isChanged: boolean
}

/** What moves an experiment on: start, pause, resume, stop, duplicate, delete. */
export function ExperimentActions({ experiment, reason, isChanged }: ActionsProps) {
  const t = useText('growth')
  const common = useText('common')
  const [params, setParams] = useParams()
  const { id, status } = experiment
  const move = useMove(experiment)
  const blocked = reason ?? (isChanged ? t.saveFirst : null)
  const doing = params.get('do')
  const ask = (what: string) => setParams({ do: what }, { push: true })
  const close = () => {
    move.reset()
    setParams({ do: null })
  }
  return (
    <>
      <ExperimentMenu experiment={experiment} reason={reason} />
      {status === 'RUNNING' && (
        <Button icon={<Pause aria-hidden size={14} />} reason={blocked} busy={move.busy} onClick={() => ask('pause')}>
          {common.pause}
        </Button>
      )}
      {(status === 'RUNNING' || status === 'PAUSED') && (
        <Button icon={<Square aria-hidden size={13} />} reason={blocked} onClick={() => ask('stop')}>
          {t.stop}
        </Button>
      )}
      {(status === 'DRAFT' || status === 'PAUSED') && (
        <Button
          variant="primary"
          icon={<Play aria-hidden size={13} />}
          reason={blocked}
          onClick={() => ask(status === 'DRAFT' ? 'start' : 'resume')}
        >
          {status === 'DRAFT' ? t.start : common.resume}
        </Button>
      )}
      {(doing === 'start' || doing === 'pause' || doing === 'resume') && (
        <Confirm
          title={t.moves[doing].title}
          action={t.moves[doing].action}
          busy={move.busy}
          error={move.error}
          reason={blocked}
          onClose={close}
          onConfirm={() => move.submit(doing)}
        >
          <p>{t.moves[doing].effect}</p>
        </Confirm>
      )}
      {doing === 'stop' && <StopDialog key={id} experiment={experiment} reason={blocked} onClose={close} />}
    </>
  )
}

type Move = 'start' | 'pause' | 'resume'

function useMove({ id, revision }: ExperimentView) {
  const t = useText('growth')
  const { path } = useProject()
  const [, setParams] = useParams()
  return useAction({
    run: (move: Move) => {
      const init = { params: { path: { ...path, id } }, headers: { 'If-Match': `"${revision}"` }, body: {} }
      if (move === 'start') return api.post('/dashboard/projects/{projectId}/experiments/{id}/start', init)
      if (move === 'pause') return api.post('/dashboard/projects/{projectId}/experiments/{id}/pause', init)
      return api.post('/dashboard/projects/{projectId}/experiments/{id}/resume', init)
    },
    refreshes: REFRESHES,
    onDone: ({ status }) => {
      setParams({ do: null })
      toast(t.statuses[status])
    },
  })
}

function ExperimentMenu({ experiment, reason }: { experiment: ExperimentView; reason: string | null }) {
  const failed = useFailureToast()
  const t = useText('growth')
  const { base, path, hasRole } = useProject()
  const [, navigate] = useLocation()
  const { id, key, status, revision } = experiment
  const duplicate = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/experiments/{id}/duplicate', {
        params: { path: { ...path, id } },
        body: {},
      }),
    refreshes: [LIST],
    onDone: (copy) => navigate(`${base}/growth/experiments/${copy.id}`),
    onFailure: failed,
  })
  return (
    <ObjectMenu
      name={key}
      items={[
        { label: t.duplicate, reason, onSelect: () => duplicate.submit(undefined) },
        ...(hasRole('ADMIN') ? [{ label: t.history, href: `${base}/settings/audit-log?target=${id}` }] : []),
      ]}
      reason={reason ?? (status === 'DRAFT' ? null : t.onlyDrafts)}
      effect={<p>{t.deleteExperimentEffect}</p>}
      onDelete={() =>
        api.delete('/dashboard/projects/{projectId}/experiments/{id}', {
          params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } },
        })
      }
      refreshes={[LIST]}
      next={`${base}/growth/experiments`}
    />
  )
}
