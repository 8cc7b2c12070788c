import type { Tx } from '../../base/context'
import { type RowChanges, type Writer, writeRows } from '../../base/db/row-changes'
import * as queries from './admin-queries'
import { notePauses } from './pauses'

export type { ExperimentTableRow } from './admin-queries'

/** An experiment as it is written. */
export type Experiment = Omit<queries.ExperimentTableRow, 'projectId' | 'createdAt' | 'updatedAt'>

/** The most experiments that can run at once in a project (409 `CONFLICT`). */
export const MAX_RUNNING = 50

/** A project's experiments, by key. */
export const listExperiments = queries.listExperiments
export const pageExperiments = queries.pageExperiments
export const findExperiment = queries.findExperiment
export const listExperimentKeys = queries.listExperimentKeys
export const countRunning = queries.countRunning
export const listDueExperiments = queries.listDueExperiments

const writer: Writer<Experiment> = {
  release: queries.releaseExperiments,
  remove: queries.deleteExperiments,
  insert: queries.insertExperiments,
  update: queries.updateExperiment,
}

/** Writes a change of a project's experiments. The caller has checked it, and calls `touchConfig`. */
export async function writeExperiments(tx: Tx, projectId: string, changes: RowChanges<Experiment>): Promise<void> {
  await notePauses(tx, changes.updated)
  await writeRows(tx, projectId, writer, changes)
}
