import { AppError } from '../../base/errors'
import { allSettings } from '../../projects/project/settings'
import type { ProjectState } from '../../projects/project/state'

/** 403 `FORBIDDEN` in a project that has switched the assistant off. */
export function requireAssistant({ settings }: ProjectState): void {
  if (allSettings(settings).assistant !== 'off') return
  throw new AppError('FORBIDDEN', undefined, { message: 'The assistant is switched off in this project' })
}
