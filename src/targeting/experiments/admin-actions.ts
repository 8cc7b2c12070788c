import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { FlagEnvironment, FlagType } from '../../core/flag/names'
import { conflict, type Edit, editProject, type ProjectActor, refuseFaults } from '../../projects/project/edit'
import { addFlag, changeFlag } from '../flags/admin'
import { listFlagKeys, listFlagsOfKey } from '../flags/service'
import { type ExperimentAction, type StopRequest, stopExperiment } from './actions'
import { insertDraft, requireExperiment, requireMove, saveExperiment, viewAfter } from './admin'
import { refuseOverfull, refuseUnsound } from './admin-checks'
import type { ExperimentView } from './admin-wire'
import { checkExperiment } from './check'
import { endFaults } from './check-details'
import { type Experiment, type ExperimentTableRow, listExperimentKeys } from './stored-experiments'

type Act = (edit: Edit, row: ExperimentTableRow) => Promise<ExperimentTableRow>

const acting = (ctx: Context, by: ProjectActor, id: string, act: Act): Promise<ExperimentView> =>
  editProject(ctx, by, async (edit) => viewAfter(edit, await act(edit, await requireExperiment(edit, id, by.expected))))

/**
 * DRAFT -> RUNNING. 400 `EXPERIMENT_STATE`; 400 `VALIDATION_ERROR` or `UNKNOWN_REFERENCES` when it has become invalid
 * since it was saved, or its scheduled end has passed; 409 `CONFLICT` while 50 run.
 */
export const startExperiment = (ctx: Context, by: ProjectActor, id: string): Promise<ExperimentView> =>
  acting(ctx, by, id, start)

export const start: Act = async (edit, row) => {
  await requireRunnable('start', edit, row)
  return saveExperiment(edit, 'start', row, { status: 'RUNNING', startedAt: edit.now })
}

/** RUNNING -> PAUSED: it is left out of the next answers, and its exclusion group admits no subscriber. */
export const pauseExperiment = (ctx: Context, by: ProjectActor, id: string): Promise<ExperimentView> =>
  acting(ctx, by, id, async (edit, row) => {
    requireMove('pause', row)
    return saveExperiment(edit, 'pause', row, { status: 'PAUSED' })
  })

/** PAUSED -> RUNNING, with the variants that were held before. Refusals as for `startExperiment`. */
export const resumeExperiment = (ctx: Context, by: ProjectActor, id: string): Promise<ExperimentView> =>
  acting(ctx, by, id, async (edit, row) => {
    await requireRunnable('resume', edit, row)
    return saveExperiment(edit, 'resume', row, { status: 'RUNNING' })
  })

async function requireRunnable(action: ExperimentAction, edit: Edit, row: ExperimentTableRow): Promise<void> {
  requireMove(action, row)
  await refuseUnsound(edit, row, endFaults(row, edit.now))
  await refuseOverfull(edit)
}

/**
 * RUNNING or PAUSED -> COMPLETED, which is final. With `promoteToFlag` the value of the winner becomes the default of a
 * flag under the same key. 400 `EXPERIMENT_STATE`, `promote_requires_flag_experiment`, `UNKNOWN_REFERENCES` (variant),
 * `VALIDATION_ERROR`; 409 `CONFLICT` when the flag cannot be written.
 */
export const stopExperimentNow = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  request: StopRequest = {},
): Promise<ExperimentView> => acting(ctx, by, id, (edit, row) => stop(edit, row, request))

export async function stop(edit: Edit, row: ExperimentTableRow, request: StopRequest): Promise<ExperimentTableRow> {
  requireMove('stop', row)
  const stopped = stopExperiment(row, request)
  if (!stopped.isAllowed) throw refusal(stopped)
  const change = { completedAt: edit.now, winnerVariantId: stopped.winner?.id ?? null }
  const after = await saveExperiment(edit, 'stop', row, { status: 'COMPLETED', ...change })
  if (stopped.newFlagDefault) await promoteWinner(edit, row.key, stopped.newFlagDefault.value)
  return after
}

function refusal(refused: Extract<ReturnType<typeof stopExperiment>, { isAllowed: false }>): AppError {
  if (refused.refusal !== 'VALIDATION_ERROR')
    return refused.refusal === 'UNKNOWN_REFERENCES'
      ? new AppError(refused.refusal, refused.details, {
          message: 'winnerVariantId must name a variant of the experiment',
        })
      : new AppError(refused.refusal, refused.details)
  const { path, message } = refused.fault
  return new AppError('VALIDATION_ERROR', { fields: [path] }, { message })
}

/**
 * A new DRAFT with the content of an experiment of any status, under another key, without its times and its outcome.
 */
export const duplicateExperiment = (ctx: Context, by: ProjectActor, id: string): Promise<ExperimentView> =>
  acting(ctx, by, id, async (edit, row) => {
    requireMove('duplicate', row)
    const { projectId, createdAt, updatedAt, ...kept } = row
    const key = await copyKey(edit, row.key)
    const name = `${row.name.slice(0, MAX_NAME - COPY.length)}${COPY}`
    const copy: Experiment = { ...kept, ...UNSTARTED, id: edit.tx.ids.next('exp'), key, name }
    refuseFaults(checkExperiment(copy)) // Values that were broken by hand must not be copied.
    return insertDraft(edit, 'duplicate', copy)
  })

const MAX_NAME = 255
const MAX_KEY = 64
const COPY = ' (copy)'

const UNSTARTED = {
  status: 'DRAFT' as const,
  scheduledStartAt: null,
  scheduledStopAt: null,
  startedAt: null,
  completedAt: null,
  winnerVariantId: null,
}

/** `price_test-copy`, `price_test-copy-2`: the first key that is free. */
async function copyKey({ tx, projectId }: Edit, key: string): Promise<string> {
  const taken = new Set([...(await listExperimentKeys(tx, projectId)), ...(await listFlagKeys(tx, projectId))])
  const base = key.replace(/-copy(-\d+)?$/, '')
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '-copy' : `-copy-${number}`
    const candidate = base.slice(0, MAX_KEY - ending.length) + ending
    if (!taken.has(candidate)) return candidate
  }
}

const ENVIRONMENTS: readonly FlagEnvironment[] = ['PROD', 'STAGING', 'DEVELOPMENT']

/**
 * Writes the winner's value as the default of the flag under the experiment's key, in every environment: an experiment
 * runs in all of them, and apps ask for it by its key (wire 2.23), so they keep getting an answer without a new
 * release. The experiment is COMPLETED by then, so its key names the flag only. A flag can exist already only if
 * it was written into the tables by hand; then its default changes and its rules stay.
 */
async function promoteWinner(edit: Edit, key: string, value: unknown): Promise<void> {
  const there = await listFlagsOfKey(edit.tx, edit.projectId, key)
  const type = there[0]?.type ?? typeOf(value)
  if (type !== 'JSON' && type !== typeOf(value)) throw conflict(`The flag ${key} is of type ${type}; delete it first`)
  for (const env of ENVIRONMENTS) {
    const flag = there.find((row) => row.env === env)
    if (flag) await changeFlag(edit, flag, { defaultValue: value })
    else await addFlag(edit, { key, env, type, defaultValue: value })
  }
}

function typeOf(value: unknown): FlagType {
  if (typeof value === 'boolean') return 'BOOLEAN'
  if (typeof value === 'string') return 'STRING'
  return typeof value === 'number' ? 'NUMBER' : 'JSON'
}
