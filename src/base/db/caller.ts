import { AppError } from '../errors'

/** No caller reads this answer. */
export const callerLeft = (): AppError =>
  new AppError('HTTP_ERROR', undefined, { status: 408, message: 'The caller is gone' })

/** Throws when no caller waits for the result any more. */
export function assertAwaited(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw callerLeft()
}

/** Whatever fails after the caller has left, fails for this reason. */
export async function whileAwaited<Result>(
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw signal?.aborted ? callerLeft() : error
  }
}
