import { CommandFailure, UsageError } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { findProjectByRef, listProjects, type ProjectRow } from './service'

/** The project of `--project` (slug or id); without it the only one there is. */
export async function requireProject(ctx: Context, ref: string | undefined): Promise<ProjectRow> {
  if (ref !== undefined) {
    const found = await findProjectByRef(ctx, ref)
    if (!found) throw new CommandFailure(`There is no project "${ref}"; see: svc project list`)
    return found
  }
  const [only, ...more] = await listProjects(ctx)
  if (!only) throw new CommandFailure('There is no project yet; make one with: svc project create --name NAME')
  if (more.length > 0) throw new UsageError('There are several projects; name one with --project')
  return only
}

/** The work of a service that found its object; a sentence of ours where it did not. */
export async function found<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'NOT_FOUND')
      throw new CommandFailure(`The project has no ${what}.`)
    throw error
  }
}

/** Lines of aligned columns, for a person. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
